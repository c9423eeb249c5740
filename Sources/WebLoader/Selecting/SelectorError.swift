/// Why a selector could not be read, or its matching was given up.
public struct SelectorError: Error, Equatable, Sendable {
    /// What happened, as a stable word.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// It is no selector.
        case invalid = "selector.invalid"
        /// It has too many parts, is nested too deeply, or takes too many steps to match.
        case limit = "selector.limit"
    }

    /// What happened.
    public let code: Code

    /// What happened, in words and figures, for people: what was expected, and what is there instead.
    public let message: String

    /// Where in the selector, in bytes of UTF-8 from its start; nil where it is about the selector as a whole.
    public let offset: Int?

    init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension SelectorError: CustomStringConvertible {
    /// What happened, and the code.
    public var description: String { "\(message) (\(code.rawValue))" }
}
