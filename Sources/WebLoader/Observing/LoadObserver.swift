public import HTTPTypes

/// Observes what a loader does, for logs, metrics and traces: ``PageLoader/Configuration/observer``.
///
/// Work is a tree: a load has a request for each URL that it visits, a request has an exchange for each use of the
/// network, and there are parsing and rules (``ObservedWork/Kind``). The configuration's observer is notified of work
/// that is not part of other work; the observer that ``began(_:)`` returns is notified of all parts of that work, and
/// of its end.
///
///     struct Printer: LoadObserver {
///         let name: String
///         func began(_ work: ObservedWork) -> any LoadObserver { Printer(name: "\(name)/\(work.kind)") }
///         func ended(_ outcome: ObservedOutcome) { print(name, outcome.duration, outcome.errorCode ?? "") }
///     }
///
/// - **Where it is called.** In the task that does the work, one call after the other for each piece of work, and
///   with no lock held: ``began(_:)`` of a load in the caller's task and on the caller's actor, so that task-local
///   values are the caller's; the end of a stream in the task that fetches it. The work waits until a call returns,
///   so a call should be short; it may start a task that loads, which becomes part of the work being reported.
/// - **Order.** ``began(_:)``, then the parts of the work, then ``ended(_:)`` exactly once, also for work that fails
///   or is cancelled. Only a revalidation in the background (`stale-while-revalidate`) is an exchange of a request
///   that has ended, and resources that a limit makes superfluous may end after their `resources`. If a task outlives
///   the work that started it, its further work is not part of other work.
/// - **Secrets.** URLs are without user name, password and fragment, and no header field is passed on but the response's
///   Content-Type. Paths and queries are as requested: they may hold tokens (links to reset a password, signed URLs), so think
///   before you write them to where others read.
public protocol LoadObserver: Sendable {
    /// Work begins.
    ///
    /// - Parameter work: The work.
    /// - Returns: The observer of the work and its parts.
    func began(_ work: ObservedWork) -> any LoadObserver

    /// The load that this observes goes on to another URL; does nothing by default.
    ///
    /// - Parameters:
    ///   - url: Where it goes, without user name, password and fragment.
    ///   - response: The response that says so, as in ``ObservedOutcome/response``.
    func redirected(to url: WebURL, from response: WebResponse)

    /// A request is made again after a wait, since its last exchange failed; does nothing by default.
    func retrying(after delay: Duration)

    /// The work that this observes has ended; does nothing by default.
    func ended(_ outcome: ObservedOutcome)

    /// Fields to send with the exchange that this observes, such as `traceparent`; none by default.
    ///
    /// It is read once, before the exchange; fields that the request has, or leaves out on purpose, stay as they are.
    /// The fields are added below the cache, which does not know of them. They are sent to whatever server the
    /// exchange is with, after a redirect to another one too.
    var fieldsToSend: HTTPFields { get }
}

extension LoadObserver {
    /// Does nothing.
    public func redirected(to url: WebURL, from response: WebResponse) {}
    /// Does nothing.
    public func retrying(after delay: Duration) {}
    /// Does nothing.
    public func ended(_ outcome: ObservedOutcome) {}
    /// None.
    public var fieldsToSend: HTTPFields { HTTPFields() }
}

/// Work of a loader, as it begins.
public struct ObservedWork: Hashable, Sendable {
    /// The kind of work; a later version may have more, so a `switch` needs a `default`.
    public struct Kind: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The kind as a word, such as "load".
        public let rawValue: String

        /// Creates the kind of a word.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The word.
        public var description: String { rawValue }

        /// A page is loaded: ``PageLoader/load(_:overriding:delegate:)``, also from a string or bytes.
        public static var load: Self { Self(rawValue: "load") }
        /// A response is fetched: ``PageLoader/fetch(_:)``, for a page that rules follow too.
        public static var fetch: Self { Self(rawValue: "fetch") }
        /// A response is streamed, until its body ends or is given up: ``PageLoader/stream(_:)``.
        public static var stream: Self { Self(rawValue: "stream") }
        /// A page is fetched and rules are evaluated: ``PageLoader/extract(_:from:overriding:budget:options:)``.
        public static var extraction: Self { Self(rawValue: "extraction") }
        /// A page's images and style sheets are loaded: ``Page/loadResources(maximumCount:maximumBytes:)``.
        public static var resources: Self { Self(rawValue: "resources") }
        /// One URL is asked for, of the cache and if need be of the server.
        ///
        /// There is one for each redirect, and none for files and `data:`.
        public static var request: Self { Self(rawValue: "request") }
        /// One request goes over the network, through ``PageLoader/Configuration/fetcher``.
        ///
        /// There is one for each attempt. The time that it waits for its turn, or a stream's reader lets it wait, counts.
        public static var exchange: Self { Self(rawValue: "exchange") }
        /// The received page is parsed; most of an HTML page was already parsed while it arrived.
        public static var parsing: Self { Self(rawValue: "parsing") }
        /// Rules are evaluated, in a worker or here; for ``Page/evaluateScript(_:budget:options:)`` too.
        public static var rules: Self { Self(rawValue: "rules") }
    }

    /// The kind of work.
    public let kind: Kind

    /// The URL that is loaded, or that of the page; without user name, password and fragment.
    ///
    /// `about:blank` for a page without a URL.
    public let url: WebURL

    /// The request's method; nil for work that is no request (parsing, rules, resources).
    public let method: String?

    /// How many exchanges the load had before, by redirects, retries and revalidations; 0 for the first.
    public let earlierExchanges: Int
}

/// How a piece of work ended.
public struct ObservedOutcome: Sendable {
    /// How long it took, by a clock that is never set.
    public let duration: Duration

    /// Why it failed, as a stable code such as "network.timeout"; nil if it did not.
    ///
    /// An HTTP error status is no failure, and rules that were ended by their budget have ``exceeded``.
    public internal(set) var errorCode: String?

    /// The same for people; it never has a password.
    public internal(set) var errorMessage: String?

    /// The response; nil if there is none, and for parsing, rules and resources.
    ///
    /// Its body is empty, its URLs are without user name, password and fragment, and no header field remains but
    /// Content-Type. ``/WebStandards/WebResponse/cacheVerdict`` has the cache's decision and its reason, and the
    /// failure if the cache could not be written; ``/WebStandards/WebResponse/timing`` has the durations of the
    /// phases. The response of a stream is as it was at its beginning.
    public internal(set) var response: WebResponse?

    /// The size of the body in bytes, after content decoding; nil without a response, or if it went to a stream uncounted.
    public internal(set) var bodySize: Int?

    /// The resources that rules used; `nil` for other work.
    public internal(set) var usage: RuleUsage?

    /// The limit that ended rules early, their worker with it; nil if none did.
    public internal(set) var exceeded: BudgetExceeded?

    /// Whether the task was cancelled, or a delegate refused the load.
    public var isCancellation: Bool { errorCode == "load.cancelled" || errorCode == "load.refused" }

    init(duration: Duration) {
        self.duration = duration
    }

    mutating func take(_ error: some WebError) {
        errorCode = error.code.rawValue
        errorMessage = error.message
    }

    mutating func take(_ response: WebResponse) {
        self.response = response.observed
        bodySize = response.transferSize?.decodedBody ?? response.body.count
    }

    mutating func take(_ extraction: Extraction) {
        usage = extraction.usage
        exceeded = extraction.exceeded
        if let failure = extraction.failure { take(failure) }
    }
}

extension WebURL {
    /// Without user name, password and fragment.
    var observed: WebURL { withoutCredentials.withoutFragment }
}

extension WebResponse {
    /// Without what is secret, or large.
    var observed: WebResponse {
        var response = WebResponse(url: url.observed, status: status, body: [], source: source)
        response.headerFields[.contentType] = headerFields[.contentType]
        response.httpVersion = httpVersion
        response.remoteAddress = remoteAddress
        response.isConnectionReused = isConnectionReused
        response.tls = tls
        response.transferSize = transferSize
        response.timing = timing
        response.retries = retries
        response.cacheVerdict = cacheVerdict
        response.redirects = redirects.map {
            Redirect(
                url: $0.url.observed,
                status: $0.status,
                headerFields: HTTPFields(),
                timing: $0.timing,
                source: $0.source
            )
        }
        return response
    }
}
