public import HTTPTypes

/// The response to a request, with its source and its timing.
public struct WebResponse: Sendable {
    /// Where the bytes came from.
    public enum Source: String, Sendable, Codable, CaseIterable {
        /// The network.
        case network
        /// The cache, without asking the server.
        case cache
        /// The cache, after revalidation with the server.
        case validatedCache = "validated-cache"
        /// A file.
        case file
        /// An archive (WARC, WACZ, HAR, MHTML).
        case archive
        /// The URL itself (`data:`), or the caller (a string, bytes).
        case memory
        /// The scripts of the page, which a `PageRenderer` has run.
        case rendered
        /// An internal redirect to HTTPS, since the host is an HSTS host; for redirects only.
        case strictTransportSecurity = "hsts"
    }

    /// A redirect that led to this response.
    public struct Redirect: Sendable {
        /// The URL that redirected.
        public let url: WebURL
        /// Its status, 301, 302, 303, 307 or 308.
        public let status: HTTPResponse.Status
        /// Its fields.
        public let headerFields: HTTPFields
        /// The timing of its request.
        public let timing: LoadTiming
        /// Where it came from.
        public let source: Source

        package init(
            url: WebURL,
            status: HTTPResponse.Status,
            headerFields: HTTPFields,
            timing: LoadTiming,
            source: Source
        ) {
            self.url = url
            self.status = status
            self.headerFields = headerFields
            self.timing = timing
            self.source = source
        }
    }

    /// A capture in an archive.
    public struct Capture: Hashable, Sendable {
        /// The path of the archive.
        public let archive: String
        /// The time of the capture; `nil` if the archive does not state it.
        public let date: Timestamp?
        /// The name of the file inside the archive (a WACZ has several); `nil` if the archive is the file.
        public let part: String?
        /// The offset of its record in bytes, from the start of the file or the part; `nil` if that has no meaning.
        public let offset: Int?
        /// The ID of its record; nil if it has none.
        public let recordID: String?
        /// Whether the body is that of another record, to which this one refers.
        public let isRevisit: Bool
        /// The size of the body in bytes, in its content coding; `nil` if the archive does not state it.
        public let codedSize: Int?

        package init(
            archive: String,
            date: Timestamp?,
            part: String?,
            offset: Int?,
            recordID: String?,
            isRevisit: Bool,
            codedSize: Int?
        ) {
            self.archive = archive
            self.date = date
            self.part = part
            self.offset = offset
            self.recordID = recordID
            self.isRevisit = isRevisit
            self.codedSize = codedSize
        }
    }

    /// An interim response (1xx) that came before this one.
    public struct Interim: Sendable {
        /// Its status, 100 through 199.
        public let status: HTTPResponse.Status
        /// Its fields.
        public let headerFields: HTTPFields

        package init(status: HTTPResponse.Status, headerFields: HTTPFields) {
            self.status = status
            self.headerFields = headerFields
        }
    }

    /// The URL that answered, after redirects, with the request's fragment.
    public var url: WebURL

    /// The status, nil if the protocol has none (`file`, `data`).
    public var status: HTTPResponse.Status?

    /// The fields, in their order.
    public var headerFields: HTTPFields

    /// The body, after content decoding.
    public var body: [UInt8]

    /// Where the body came from.
    public var source: Source

    /// The version of HTTP, as in "1.1" or "2"; nil if it was not HTTP.
    public var httpVersion: String?

    /// The address of the connection's peer, nil if there was no connection.
    public var remoteAddress: String?

    /// Whether the connection existed before the request, so that no name was resolved and no connection was
    /// established; `nil` if that is unknown, or if there was no connection.
    public var isConnectionReused: Bool?

    /// Whether that may be a proxy's address, so that the origin's address is not known.
    package var mayBeProxied = false

    /// The address of the origin server, nil if it is not known.
    package var originAddress: String? { mayBeProxied ? nil : remoteAddress }

    /// The TLS parameters, nil if the response came without TLS or from the cache.
    public var tls: TLSInformation?

    /// The number of bytes that came over the network; `nil` if none did.
    public var transferSize: TransferSize?

    /// The timing of the request; after redirects, of the last one.
    public var timing = LoadTiming()

    /// The redirects that led to this response, in order.
    public var redirects: [Redirect] = []

    /// The number of retries before this response.
    public var retries = 0

    /// The interim responses before this one.
    public var interimResponses: [Interim] = []

    /// The capture of an archive that the response is from; `nil` if it is not from an archive.
    public var capture: Capture?

    /// The cache's outcome and its reason; `nil` if there was no cache.
    public var cacheVerdict: CacheVerdict?

    /// Creates a response.
    public init(
        url: WebURL,
        status: HTTPResponse.Status?,
        headerFields: HTTPFields = HTTPFields(),
        body: [UInt8],
        source: Source
    ) {
        self.url = url
        self.status = status
        self.headerFields = headerFields
        self.body = body
        self.source = source
    }

    /// The values of the fields of a name, in their order.
    package func values(_ name: HTTPField.Name) -> [String] { headerFields[values: name] }

    /// The type that the Content-Type field states; `nil` if the field is missing or malformed.
    public var contentType: MediaType? {
        MediaType.extract(fromContentTypeFields: values(.contentType))
    }
}

/// The outcome of the cache for a load, and its reason.
public struct CacheVerdict: Hashable, Sendable {
    /// An outcome of the cache.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
        /// Answered with a fresh response.
        case hit
        /// Answered with a stale response that may be used.
        case staleHit = "stale-hit"
        /// Answered after revalidation with the server.
        case validated
        /// Had no response that could be used.
        case miss
        /// Was bypassed.
        case bypass
        /// Answered with the response to an identical request that was in progress.
        case shared
    }

    /// The outcome.
    public var outcome: Outcome

    /// The reason, as a stable identifier.
    public var reason: String

    /// The reason, in words.
    public var explanation: String

    /// Whether the response is now in the cache.
    public var isStored = false

    /// Why the response was not stored, as a stable identifier such as "no-store"; nil if nothing forbade it.
    public var refusal: String?

    /// The age in seconds, since the origin generated or validated it; nil for a response not from the cache.
    public var age: Int64?

    /// The freshness lifetime in seconds, from when the origin generated it; nil if it has none.
    public var freshnessLifetime: Int64?

    /// The damage of the stored entry, nil if there was none.
    public var damage: String?

    /// Why the response could not be written to the cache, nil if nothing failed.
    public var failure: String?

    package init(
        outcome: Outcome,
        reason: String,
        explanation: String,
        isStored: Bool = false,
        age: Int64? = nil,
        freshnessLifetime: Int64? = nil,
        damage: String? = nil,
        failure: String? = nil
    ) {
        self.outcome = outcome
        self.reason = reason
        self.explanation = explanation
        self.isStored = isStored
        self.age = age
        self.freshnessLifetime = freshnessLifetime
        self.damage = damage
        self.failure = failure
    }
}
