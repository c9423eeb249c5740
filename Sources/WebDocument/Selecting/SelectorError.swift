/// Why a selector or an XPath expression could not be parsed or evaluated.
public struct SelectorError: WebError {
    /// The kind of error, as a stable code.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// It is not a valid selector.
        public static var invalid: Self { "selector.invalid" }
        /// It has too many parts, is nested too deeply, or takes too many steps to match.
        public static var limit: Self { "selector.limit" }
        /// It is not a valid XPath expression, or uses an unknown function, variable or prefix.
        public static var invalidXPath: Self { "xpath.invalid" }
        /// The XPath expression is too long, nested too deeply, or takes too many operations.
        public static var xpathLimit: Self { "xpath.limit" }
    }

    /// The kind of error.
    public let code: Code

    /// The message, for people: what was expected, and what was found instead.
    public let message: String

    /// The place in it, in bytes of UTF-8 from its start; nil if the error concerns it as
    /// a whole.
    public let offset: Int?

    init(_ code: Code, _ message: String, offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }
}
