/// Why an XPath expression could not be parsed or evaluated.
public struct XPathError: Error, Equatable, Sendable {
    /// The kind of error, as a stable code.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// It is not a valid expression, or uses an unknown function, variable or prefix.
        case invalid = "xpath.invalid"
        /// It is too long, nested too deeply, or takes too many operations.
        case limit = "xpath.limit"
    }

    /// The kind of error.
    public let code: Code

    /// The message, for people.
    public let message: String

    /// The place in the expression, in bytes of UTF-8 from its start; nil if the error concerns the
    /// expression as a whole.
    public let offset: Int?

    init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension XPathError: CustomStringConvertible {
    /// The message and the code.
    public var description: String { "\(message) (\(code.rawValue))" }
}
