public import WebStandards

/// A record of an archive: the metadata of one of its entries, without the body.
///
/// WARC 1.1's terms are used for every format: an entry of a HAR, a part of an MHTML and a document of an ARC are records too.
public struct ArchiveRecord: Sendable {
    /// The kind of a record's content.
    ///
    /// [WARC 1.1, section 6](https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1-annotated/)
    public struct Kind: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral {
        /// The name, as `WARC-Type` has it.
        public let rawValue: String

        /// Creates a kind with a name, whether this version knows it or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Creates a kind with a name.
        public init(stringLiteral name: String) { self.init(rawValue: name) }

        /// A description of the file and of the program that wrote it.
        public static var information: Self { "warcinfo" }
        /// A response with its head.
        public static var response: Self { "response" }
        /// A file without an HTTP head.
        public static var resource: Self { "resource" }
        /// A request.
        public static var request: Self { "request" }
        /// Additional information about another record.
        public static var metadata: Self { "metadata" }
        /// A response whose body another record has.
        public static var revisit: Self { "revisit" }
        /// Another form of another record's content.
        public static var conversion: Self { "conversion" }
        /// The next piece of a record that begins in another file.
        public static var continuation: Self { "continuation" }
    }

    /// The record to which a revisit refers.
    public struct Reference: Hashable, Sendable {
        /// Its ID, nil if not known.
        public var id: String?
        /// Its URL as written, nil if not known.
        public var url: String?
        /// Its date, nil if not known.
        public var date: Timestamp?

        /// Creates a reference.
        public init(id: String? = nil, url: String? = nil, date: Timestamp? = nil) {
            self.id = id
            self.url = url
            self.date = date
        }
    }

    /// The name of the file inside of the archive (a WACZ has several), nil if the archive is the file.
    public var part: String?

    /// Where its (compressed) member begins, in bytes from the start of the file or the part; nil where that has no meaning.
    public var offset: Int?

    /// Bytes that its member takes in the file; nil if not known, as before the next record was looked for.
    public var length: Int?

    /// The kind of its content.
    public var kind: Kind

    /// Its ID, without angle brackets; nil if it has none.
    public var id: String?

    /// The date of the capture; `nil` if it is missing or invalid.
    public var date: Timestamp?

    /// Its URL as written, without angle brackets; nil if it has none.
    public var url: String?

    /// The fields of the archive's own format; empty where a format has none.
    public var fields: MessageHead

    /// The head of the HTTP message; nil if it has none.
    public var http: MessageHead?

    /// The HTTP status; nil if there is none.
    public var status: Int?

    /// The essence of the content's MIME type in lower case; nil if not said.
    public var mimeType: String?

    /// The digest of the payload as written, such as "sha1:…"; nil if there is none.
    public var payloadDigest: String?

    /// The record that has its body, for revisits; nil for others, and if it is not said.
    public var refersTo: Reference?

    /// Why the content was cut off deliberately, as `WARC-Truncated` has it; nil if it was not.
    public var truncated: String?

    /// Whether it was found inside of another record whose length is wrong or whose member is damaged.
    ///
    /// It may be a part of that one's body, which a server has written: it answers nothing, and is not copied.
    public var isRecovered = false

    /// The method of the answered request; `nil` if the record does not contain it, as in a WARC, where requests are
    /// separate records.
    package var method: String?

    /// Whether there was a response: browsers also log requests without one.
    package var isAnswered = true

    /// Whether it answers GET, as far as it says so itself: nothing else stands for its URL.
    ///
    /// [RFC 9110](https://www.rfc-editor.org/rfc/rfc9110), sections 9.3.2 and 9.3.3
    package var isOfGET: Bool { method.map { $0.isEqualIgnoringASCIICase(to: "GET") } ?? true }

    /// Whether there was an answer that says more than that an earlier copy is still good.
    ///
    /// [RFC 9110, section 15.4.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.4.5)
    package var hasContent: Bool { isAnswered && !(kind == .response && http?.status ?? status == 304) }

    /// The IDs of the records that it was made with, without angle brackets: a response and its request.
    ///
    /// The first 16, since there are two or three.
    var concurrentIDs: [String] {
        fields.values("WARC-Concurrent-To", maximumCount: 16)
            .map { String($0.drop { $0 == "<" }.prefix { $0 != ">" }) }
    }

    /// Creates a record of which only the kind is known.
    public init(kind: Kind) {
        self.kind = kind
        self.fields = MessageHead()
    }
}
