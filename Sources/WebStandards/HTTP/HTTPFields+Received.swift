package import HTTPTypes

/// The only functions that add fields from outside (a server, an archive, a file): the type itself ends the process at
/// 65,535 fields.
extension HTTPFields {
    /// The most fields of a message from outside; further ones are ignored.
    package static var maximumCount: Int { 10_000 }

    /// Creates the fields of a message from outside, up to ``maximumCount``.
    package init(received fields: some Sequence<HTTPField>) {
        self.init()
        for field in fields { append(received: field) }
    }

    /// Adds a field from outside, unless there are ``maximumCount`` fields.
    package mutating func append(received field: HTTPField) {
        if count < Self.maximumCount { append(field) }
    }
}
