/// Why a selector could not be parsed, or its matching was aborted.
public struct SelectorError: Error, Equatable, Sendable {
    /// The kind of error, as a stable code.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// It is not a valid selector.
        case invalid = "selector.invalid"
        /// It has too many parts, is nested too deeply, or takes too many steps to match.
        case limit = "selector.limit"
    }

    /// The kind of error.
    public let code: Code

    /// The message, for people: what was expected, and what was found instead.
    public let message: String

    /// The place in the selector, in bytes of UTF-8 from its start; nil if the error concerns the selector as
    /// a whole.
    public let offset: Int?

    init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}

extension SelectorError: CustomStringConvertible {
    /// The message and the code.
    public var description: String { "\(message) (\(code.rawValue))" }
}
