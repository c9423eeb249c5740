/// A problem of an archive, after which reading continues.
public struct ArchiveFinding: Sendable, Equatable {
    /// The kind of a problem.
    public struct Code: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The identifier, such as "archive.truncated".
        public let rawValue: String

        /// Creates a code with an identifier.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a code with an identifier.
        public init(stringLiteral identifier: String) { self.init(rawValue: identifier) }

        /// The file, a member or a body ends too early.
        public static var truncated: Self { "archive.truncated" }
        /// The head of a record, or its equivalent in a HAR or an MHTML, cannot be read.
        public static var header: Self { "archive.header" }
        /// The length is missing, is invalid, or is not that of the content.
        public static var length: Self { "archive.length" }
        /// The block does not have its digest.
        public static var blockDigest: Self { "archive.block-digest" }
        /// The payload does not have its digest.
        public static var payloadDigest: Self { "archive.payload-digest" }
        /// A compressed member, or a content coding, is damaged or too large.
        public static var compression: Self { "archive.compression" }
        /// A body in chunks is not in chunks.
        public static var chunked: Self { "archive.chunked" }
        /// The record to which a revisit refers is missing.
        public static var revisit: Self { "archive.revisit" }
        /// The index does not match the records.
        public static var index: Self { "archive.index" }
        /// The manifest does not match the files, or a file that it needs is missing.
        public static var manifest: Self { "archive.manifest" }
        /// A limit of this reader was hit.
        public static var limit: Self { "archive.limit" }
    }

    /// The kind of the problem.
    public let code: Code

    /// The file in the archive; nil if the archive is the file.
    public var part: String?

    /// Where the record or member begins in which it was found, in bytes; nil if that is not known.
    public var offset: Int?

    /// A description for people.
    public let message: String

    /// Creates a finding.
    public init(_ code: Code, part: String? = nil, offset: Int? = nil, _ message: String) {
        self.code = code
        self.part = part
        self.offset = offset
        self.message = message
    }
}
