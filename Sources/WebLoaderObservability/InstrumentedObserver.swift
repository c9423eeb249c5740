#if Observability
public import Logging
public import Metrics
public import Tracing
public import WebLoader
public import WebStandards

/// Reports the work of a loader to swift-log, swift-metrics and swift-distributed-tracing, by OpenTelemetry's names.
///
///     var configuration = PageLoader.Configuration()
///     configuration.observer = InstrumentedObserver(
///         logger: Logger(label: "crawler"),
///         metrics: MetricsSystem.factory,
///         tracer: InstrumentationSystem.tracer
///     )
///
/// The span of a load is a child of `ServiceContext.current` of the task that loads; the spans of its requests, of
/// each exchange over the network, of parsing and of rules are within it. Log lines are written in the context of
/// their span, so that metadata providers find it.
///
/// Only the logger, the factory and the tracer are called, in the task that does the work
/// (``/WebLoader/LoadObserver``).
public struct InstrumentedObserver: LoadObserver {
    /// The logger, metrics and tracer to report to, and the reported data.
    public struct Configuration: Sendable {
        /// Receives the log; `nil` if nothing is logged.
        ///
        /// The beginning of work is logged as `trace`, its end or failure as `debug`, since the caller learns of it
        /// too. Events that the caller does not learn of are logged as `info`: retries, and a cache that is damaged
        /// or cannot be written.
        public var logger: Logger?

        /// Makes the metrics; `nil` if there are no metrics.
        public var metrics: (any MetricsFactory)?

        /// Makes the spans; `nil` if there are no traces.
        public var tracer: (any Tracer)?

        /// Whether an exchange with the server of a URL has the tracer's fields in it, such as `traceparent`; never by default.
        ///
        /// It is asked for each exchange, so for each redirect too. The fields tell that server about your trace, and whatever
        /// baggage the tracer sends along: say yes to servers of your own.
        public var propagates: @Sendable (WebURL) -> Bool = { _ in false }

        /// Whether the name of a host may be a label of metrics; never by default.
        ///
        /// Each host makes time series of its own: say yes to those that you know. The others are `_OTHER`.
        public var namesHost: @Sendable (String) -> Bool = { _ in false }

        /// How a URL is written in logs and traces, as `url.full`; by default as ``InstrumentedObserver/text(of:)`` does.
        ///
        /// It gets URLs without user name, password and fragment. Return less where paths or queries hold secrets.
        public var urlText: @Sendable (WebURL) -> String = { InstrumentedObserver.text(of: $0) }

        /// Creates a configuration that reports to those arguments that are not `nil`.
        public init(
            logger: Logger? = nil,
            metrics: (any MetricsFactory)? = nil,
            tracer: (any Tracer)? = nil
        ) {
            self.logger = logger
            self.metrics = metrics
            self.tracer = tracer
        }
    }

    /// A class, so that work need not copy it.
    private let instruments: Instruments

    /// Creates an observer.
    public init(configuration: Configuration) {
        instruments = Instruments(configuration)
    }

    /// Creates an observer that reports to those arguments that are not `nil`.
    public init(
        logger: Logger? = nil,
        metrics: (any MetricsFactory)? = nil,
        tracer: (any Tracer)? = nil
    ) {
        self.init(configuration: Configuration(logger: logger, metrics: metrics, tracer: tracer))
    }

    /// Begins a span within the current task's.
    public func began(_ work: ObservedWork) -> any LoadObserver {
        InstrumentedWork(work, instruments, in: ServiceContext.current ?? .topLevel)
    }

    /// A URL as text, the values of signatures in its query replaced by "REDACTED"; of a `data:` URL only its type.
    ///
    /// The names are those that OpenTelemetry lists (`AWSAccessKeyId`, `Signature`, `sig`, `X-Goog-Signature`), and
    /// those of Amazon's newer signatures. Other secrets in a query, or in a path, remain.
    public static func text(of url: WebURL) -> String {
        if url.scheme == "data" { return String(url.href.prefix { $0 != "," }.prefix(128)) }
        let href = url.withoutCredentials.withoutFragment.href
        guard url.query != nil, let mark = href.firstIndex(of: "?") else { return href }
        let parameters = href[href.index(after: mark)...].split(
            separator: "&",
            omittingEmptySubsequences: false
        )
        let shown = parameters.map { parameter in
            let name = parameter.prefix { $0 != "=" }
            return signatures.contains(String(name)) ? "\(name)=REDACTED" : String(parameter)
        }
        return href[...mark] + shown.joined(separator: "&")
    }

    private static let signatures: Set<String> = [
        "AWSAccessKeyId", "Signature", "sig", "X-Amz-Credential", "X-Amz-Security-Token", "X-Amz-Signature",
        "X-Goog-Credential", "X-Goog-Signature",
    ]
}

/// The state that all work of an observer shares.
final class Instruments: Sendable {
    let configuration: InstrumentedObserver.Configuration

    init(_ configuration: InstrumentedObserver.Configuration) {
        self.configuration = configuration
    }
}
#else
/// Unavailable without the trait: depend on the package with `traits: ["Observability"]`.
@available(*, unavailable, message: "depend on the package with traits: [\"Observability\"]")
public struct InstrumentedObserver {
    /// Is not there either; here so that the compiler says why.
    public init(logger: Any? = nil, metrics: Any? = nil, tracer: Any? = nil) {}
}
#endif
