import Testing

/// A page made to take long or much, with a name to call it by.
struct HostilePage: Sendable, CustomTestStringConvertible {
    let name: String
    let markup: String
    /// Whether something of it is left out.
    let isTruncated: Bool

    init(_ name: String, _ markup: String, isTruncated: Bool = false) {
        self.name = name
        self.markup = markup
        self.isTruncated = isTruncated
    }

    var testDescription: String { name }
}
