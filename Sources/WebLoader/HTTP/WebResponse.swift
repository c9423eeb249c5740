public import HTTPTypes

/// What came back for a request: the response, where it came from and how long it took.
public struct WebResponse: Sendable {
    /// Where the bytes came from.
    public enum Source: String, Sendable, Codable, CaseIterable {
        /// The network.
        case network
        /// The cache, without a word to the server.
        case cache
        /// The cache, after the server said that it still holds.
        case validatedCache = "validated-cache"
        /// A file.
        case file
        /// The URL itself (`data:`), or the caller (a string, bytes).
        case memory
        /// Nobody was asked, since the host is to be reached over TLS only; of redirects alone.
        case strictTransportSecurity = "hsts"
    }

    /// A redirect on the way here.
    public struct Redirect: Sendable {
        /// The URL that answered with the redirect.
        public let url: WebURL
        /// Its status, 301, 302, 303, 307 or 308.
        public let status: Int
        /// Its fields.
        public let headerFields: HTTPFields
        /// How long it took.
        public let timing: LoadTiming
        /// Where it came from.
        public let source: Source
    }

    /// An interim response (1xx) that came before this one.
    public struct Interim: Sendable {
        /// Its status, 100 through 199.
        public let status: Int
        /// Its fields.
        public let headerFields: HTTPFields
    }

    /// The URL that answered, after redirects, with the request's fragment.
    public var url: WebURL

    /// The status, nil where the protocol has none (`file`, `data`).
    public var status: Int?

    /// The fields, in their order.
    public var headerFields: HTTPFields

    /// The body, its content coding undone.
    public var body: [UInt8]

    /// Where the body came from.
    public var source: Source

    /// The version of HTTP, as in "1.1" or "2"; nil where it was not HTTP.
    public var httpVersion: String?

    /// The address that answered, nil where there was no connection.
    public var remoteAddress: String?

    /// Whether that may have been a proxy's, so that nobody knows where the response comes from.
    var mayBeProxied = false

    /// The address that the response comes from, nil where that is not known.
    var originAddress: String? { mayBeProxied ? nil : remoteAddress }

    /// What TLS agreed on, nil where the response came without it or from the cache.
    public var tls: TLSInformation?

    /// How many bytes came over the network, nil where none did.
    public var transferSize: TransferSize?

    /// How long each phase took; of the last request, where there were redirects.
    public var timing = LoadTiming()

    /// The redirects that led here, first one first.
    public var redirects: [Redirect] = []

    /// How often the request was made again before this answer.
    public var retries = 0

    /// The interim responses before this one.
    public var interimResponses: [Interim] = []

    /// What the cache did, and why; nil where no cache was asked.
    public var cacheVerdict: CacheVerdict?

    /// Creates a response.
    public init(
        url: WebURL,
        status: Int?,
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
    func values(_ name: HTTPField.Name) -> [String] { headerFields[values: name] }

    /// The type that the Content-Type field states, nil if there is none or it is malformed.
    public var contentType: MediaType? {
        MediaType.extract(fromContentTypeFields: values(.contentType))
    }
}

/// What the cache did for a load, and why.
public struct CacheVerdict: Hashable, Sendable {
    /// What it did.
    public enum Outcome: String, Sendable, Codable, CaseIterable {
        /// Answered, fresh.
        case hit
        /// Answered, though stale, since the policy allows it.
        case staleHit = "stale-hit"
        /// Answered once the server had said that it still holds.
        case validated
        /// Did not have it, or not in a state to be used.
        case miss
        /// Was not asked.
        case bypass
        /// Answered with the response to the same request, which somebody else had under way.
        case shared
    }

    /// What it did.
    public var outcome: Outcome

    /// Why, as a stable word.
    public var reason: String

    /// Why, in words.
    public var explanation: String

    /// Whether the response now stands in the cache.
    public var isStored = false

    /// Seconds since the origin made or validated the response; nil where it came from the origin just now.
    public var age: Int64?

    /// Seconds for which the response is fresh, from when the origin made it; nil where it came without.
    public var freshnessLifetime: Int64?

    /// What was wrong with the entry that was stored, nil where nothing was.
    public var damage: String?

    /// Why the response could not be written to the cache, nil where nothing went wrong.
    public var failure: String?
}
