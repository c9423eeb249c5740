/// Why a page could not be parsed.
///
/// Markup errors are not errors: HTML gives every sequence of bytes a tree.
public struct ParsingError: Error, Equatable, Sendable {
    /// The kind of error, as a stable code.
    public enum Code: String, Sendable, Codable, CaseIterable {
        /// There was not enough memory.
        case outOfMemory = "parse.memory"
        /// The input has more bytes than libxml2 can count, 2 GiB.
        case inputTooLarge = "parse.size"
        /// An element has more attributes than ``/WebStandards/LoadLimits/maximumAttributes``, and the parser is libxml2's,
        /// which takes time in proportion to their square.
        case tooManyAttributes = "limit.attributes"
        /// The task was cancelled.
        case cancelled = "load.cancelled"
        /// The XML does not even have a root element.
        case malformedXML = "parse.xml"
        /// The caller gave a type that is not a MIME type.
        case unsupportedType = "parse.type"
        /// The caller gave an encoding that the Encoding standard does not define.
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
        ParsingError(.inputTooLarge, "\(count) bytes are more than the parser's 2147483647")
    }
}
