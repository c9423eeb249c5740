package import HTTPTypes

/// What comes from outside (a server, an archive, a file) is put into fields by these alone: the type itself ends the process
/// at 65,535 fields.
extension HTTPFields {
    /// The most fields of a message from outside that are kept; those behind them are left out.
    package static var maximumCount: Int { 10_000 }

    /// The fields of a message from outside, as many as are kept.
    package init(received fields: some Sequence<HTTPField>) {
        self.init()
        for field in fields { append(received: field) }
    }

    /// Adds a field from outside, unless there are as many as are kept.
    package mutating func append(received field: HTTPField) {
        if count < Self.maximumCount { append(field) }
    }
}
