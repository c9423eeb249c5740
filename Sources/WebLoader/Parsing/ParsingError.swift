/// Why a page could not be parsed.
///
/// Markup errors are not errors: HTML gives every sequence of bytes a tree.
public struct ParsingError: Error, Equatable, Sendable {
    /// What happened, as a stable word.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// There was not enough memory.
        case outOfMemory = "parse.memory"
        /// The input has more bytes than libxml2 can count, 2 GiB.
        case inputTooLarge = "parse.size"
        /// An element has more attributes than ``LoadLimits/maximumAttributes``, and libxml2, whose parser it is, takes
        /// time in proportion to their square.
        case tooManyAttributes = "limit.attributes"
        /// The task was cancelled.
        case cancelled = "load.cancelled"
        /// XML without so much as a root element.
        case malformedXML = "parse.xml"
        /// The caller named a type that is no MIME type.
        case unsupportedType = "parse.type"
        /// The caller named an encoding that the Encoding standard does not know.
        case unknownEncoding = "parse.encoding"

        /// Foundation's number for it (`NSURLErrorDomain`).
        public var nsURLErrorCode: Int {
            switch self {
            case .inputTooLarge, .tooManyAttributes: -1103
            case .cancelled: -999
            case .outOfMemory, .malformedXML, .unsupportedType, .unknownEncoding: -1015
            }
        }
    }

    /// What happened.
    public let code: Code

    /// What happened, in words and figures, for people.
    public let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// There was not enough memory.
    static let outOfMemory = ParsingError(.outOfMemory, "out of memory while parsing")

    /// The parse was cancelled.
    static let cancelled = ParsingError(.cancelled, "cancelled")

    /// The input has more bytes than can be counted.
    static func inputTooLarge(_ count: Int) -> ParsingError {
        ParsingError(.inputTooLarge, "\(count) bytes are more than the parser's 2147483647")
    }
}
