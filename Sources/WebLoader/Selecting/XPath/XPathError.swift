/// Why an XPath expression could not be read or evaluated.
public struct XPathError: Error, Equatable, Sendable {
    /// What happened, as a stable word.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// It is no expression, or names what is not there: a function, a variable, a prefix.
        case invalid = "xpath.invalid"
        /// It is too long, nested too deeply, or takes too many operations.
        case limit = "xpath.limit"
    }

    /// What happened.
    public let code: Code

    /// What happened, in words and figures, for people.
    public let message: String

    /// Where in the expression, in bytes of UTF-8 from its start; nil where it is about the expression as a whole.
    public let offset: Int?

    init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension XPathError: CustomStringConvertible {
    /// What happened, and the code.
    public var description: String { "\(message) (\(code.rawValue))" }
}
