/// Why a page could not be parsed.
///
/// Markup errors are not errors: HTML gives every sequence of bytes a tree.
public struct ParsingError: WebError {
    /// The kind of error, as a stable code.
    public struct Code: ErrorCode {
        /// The identifier.
        public let rawValue: String

        /// Creates the code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// There was not enough memory.
        public static var outOfMemory: Self { "parse.memory" }
        /// The input has more bytes than libxml2 can count, 2 GiB.
        public static var inputTooLarge: Self { "parse.size" }
        /// An element has more attributes than ``/WebStandards/LoadLimits/maximumAttributes``, and the parser is libxml2's,
        /// which takes time in proportion to their square.
        public static var tooManyAttributes: Self { "limit.attributes" }
        /// The task was cancelled.
        public static var cancelled: Self { "load.cancelled" }
        /// The XML does not even have a root element.
        public static var malformedXML: Self { "parse.xml" }
        /// The caller gave a type that is not a MIME type.
        public static var unsupportedType: Self { "parse.type" }
        /// The caller gave an encoding that the Encoding standard does not define.
        public static var unknownEncoding: Self { "parse.encoding" }

        /// Foundation's number for it (`NSURLErrorDomain`).
        public var nsURLErrorCode: Int? {
            switch self {
            case .inputTooLarge, .tooManyAttributes: -1103
            case .cancelled: -999
            case .outOfMemory, .malformedXML, .unsupportedType, .unknownEncoding: -1015
            default: nil
            }
        }
    }

    /// The kind of error.
    public let code: Code

    /// The message, for people.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// There was not enough memory.
    static let outOfMemory = ParsingError(.outOfMemory, "out of memory while parsing")

    /// The parse was cancelled.
    package static let cancelled = ParsingError(.cancelled, "cancelled")

    /// The input has more bytes than can be counted.
    static func inputTooLarge(_ count: Int) -> ParsingError {
        ParsingError(
            .inputTooLarge,
            "the input has \(count) bytes, more than the parser's limit of 2147483647"
        )
    }
}
