#if Observability
import HTTPTypes
import InMemoryLogging
import InMemoryTracing
import Logging
import Metrics
import MetricsTestKit
import Synchronization
import Testing
import Tracing
import WebLoader
import WebLoaderObservability
import WebStandards
import WebTransport

/// Tests of the logs, metrics and traces of a load.
@Suite(.timeLimit(.minutes(20)))
struct InstrumentedObserverTests {
    /// A loader whose requests are answered by their path, and the recorded logs, metrics and traces.
    private struct Trial {
        let log = InMemoryLogHandler()
        let metrics = TestMetrics()
        let tracer = InMemoryTracer()
        let origin = Origin()
        let loader: PageLoader

        init(_ configure: (inout InstrumentedObserver.Configuration) -> Void = { _ in }) {
            let log = log
            var logger = Logger(label: "test") { _ in log }
            logger.logLevel = .trace
            var observing = InstrumentedObserver.Configuration(
                logger: logger,
                metrics: metrics,
                tracer: tracer
            )
            configure(&observing)
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = nil
            configuration.keepsCacheInMemory = true
            configuration.fetcher = origin
            configuration.retryPolicy.maximumRetries = 1
            configuration.retryPolicy.initialDelay = .zero
            configuration.observer = InstrumentedObserver(configuration: observing)
            loader = PageLoader(configuration: configuration)
        }

        /// Loads a path; a failure is what the trial is about.
        func load(_ path: String, _ method: String = "GET") async throws {
            var request = WebRequest(url: try WebURL("http://ann:hunter2@a.test\(path)"))
            request.httpMethod = method
            _ = try? await loader.load(request)
        }

        var spans: [FinishedInMemorySpan] { tracer.finishedSpans }

        func span(_ name: String) throws -> FinishedInMemorySpan {
            try #require(spans.first { $0.operationName == name })
        }
    }

    private final class Origin: Fetcher {
        let requests = Mutex<[WebRequest]>([])

        func fetch(
            _ request: WebRequest,
            limits: LoadLimits,
            receiver: (any BodyReceiver)?
        ) async throws(FetchError) -> WebResponse {
            let count = requests.withLock { requests in
                requests.append(request)
                return requests.count
            }
            var response = WebResponse(
                url: request.url,
                status: 200,
                body: Array("<p>".utf8),
                source: .network
            )
            response.headerFields[.contentType] = "text/html"
            response.httpVersion = "2"
            response.remoteAddress = "192.0.2.1"
            response.transferSize = TransferSize()
            response.transferSize?.body = 3
            switch request.url.path {
            case "/gone": response.status = 410
            case "/moved":
                response.status = 302
                response.headerFields[.location] = "http://b.test/page"
            case "/busy" where count == 1: response.status = 503
            case "/broken": throw FetchError(.connection, "refused")
            case "/cancelled": throw FetchError(.cancelled, "cancelled")
            default: response.headerFields[.cacheControl] = "max-age=60"
            }
            return try receiver?.receive(whole: response) ?? response
        }
    }

    // MARK: - Traces

    @Test func spansAreATreeBelowTheCallers() async throws {
        let trial = Trial()
        try await trial.tracer.withSpan("caller") { _ in try await trial.load("/moved") }
        let spans = Dictionary(uniqueKeysWithValues: trial.spans.map { ($0.spanID, $0) })
        func path(_ span: FinishedInMemorySpan) -> String {
            (span.parentSpanID.flatMap { spans[$0] }.map { path($0) + " > " } ?? "") + span.operationName
        }
        let load = "caller > WebLoader load"
        #expect(
            trial.spans.map(path) == [
                "\(load) > WebLoader request > GET", "\(load) > WebLoader request",
                "\(load) > WebLoader request > GET", "\(load) > WebLoader request",
                "\(load) > WebLoader parsing",
                load, "caller",
            ]
        )
        #expect(Set(trial.spans.map(\.traceID)).count == 1)
        #expect(trial.tracer.activeSpans.isEmpty)
    }

    @Test func anExchangeHasTheConventionalAttributes() async throws {
        let trial = Trial()
        try await trial.load("/page?q=1&sig=secret")
        let span = try trial.span("GET")
        #expect(span.kind == .client)
        #expect(span.status == nil)
        let expected: [String: SpanAttribute] = [
            "http.request.method": "GET", "url.full": "http://a.test/page?q=1&sig=REDACTED",
            "server.address": "a.test", "server.port": 80, "http.response.status_code": 200,
            "network.protocol.name": "http", "network.protocol.version": "2",
            "network.peer.address": "192.0.2.1", "http.response.body.size": 3,
        ]
        for (name, value) in expected { #expect(span.attributes.get(name) == value, "\(name)") }
        #expect(span.attributes.get("error.type") == nil)
        #expect(span.attributes.get("http.request.resend_count") == nil)
        #expect(try trial.span("WebLoader request").attributes.get("webloader.cache.outcome") == "miss")
    }

    @Test(
        arguments: [
            ("/gone", "410", "WebLoader load", nil),
            ("/broken", "network.connect", "WebLoader load", "network.connect"),
            ("/busy", "503", "WebLoader load", nil), ("/cancelled", nil, "WebLoader load", "load.cancelled"),
        ] as [(String, String?, String, String?)]
    )
    func failuresAreErrors(path: String, exchange: String?, name: String, load: String?) async throws {
        let trial = Trial()
        try await trial.load(path)
        let span = try trial.span("GET")
        #expect(span.status?.code == exchange.map { _ in .error })
        if let exchange { #expect(span.attributes.get("error.type") == .string(exchange)) }
        #expect(try trial.span(name).attributes.get("error.type") == load.map { .string($0) })
    }

    @Test func whatIsSentAgainIsCounted() async throws {
        let trial = Trial()
        try await trial.load("/busy")
        let counts = trial.spans.filter { $0.kind == .client }
            .map { $0.attributes.get("http.request.resend_count") }
        #expect(counts == [nil, 1])
        #expect(try trial.span("WebLoader request").events.map(\.name) == ["retry"])
    }

    @Test func theTraceGoesOnlyWhereItMay() async throws {
        let trial = Trial { $0.propagates = { $0.hostname == "a.test" } }
        try await trial.load("/moved")
        let sent = trial.origin.requests.withLock {
            $0.map { $0.value(forHTTPHeaderField: InMemoryTracer.spanIDKey) }
        }
        #expect(sent.count == 2)
        #expect(sent.first == trial.spans.first { $0.kind == .client }?.spanID)
        #expect(sent.last == .some(nil))

        let silent = Trial()
        try await silent.load("/page")
        #expect(silent.tracer.performedContextInjections.isEmpty)
    }

    // MARK: - Metrics

    @Test func durationsAreInSecondsAndLabelsAreFew() async throws {
        let trial = Trial { $0.namesHost = { $0 == "a.test" } }
        try await trial.load("/moved?q=1")
        try await trial.load("/page", "BREW")
        let requests = trial.metrics.recorders(label: "http.client.request.duration")
        let labels = requests.map { Dictionary(uniqueKeysWithValues: $0.dimensions) }
        #expect(labels.allSatisfy { $0.count == 6 })
        #expect(Set(labels.map { $0["server.address"] }) == ["a.test", "_OTHER"])
        #expect(Set(labels.map { $0["http.request.method"] }) == ["GET", "_OTHER"])
        #expect(Set(labels.map { $0["http.response.status_code"] }) == ["200", "302"])
        for recorder in requests {
            let value = try #require(recorder.lastValue)
            #expect(value > 0 && value < 600)
            #expect(recorder.aggregate)
        }
        #expect(
            trial.metrics.recorders(label: "http.client.response.body.size").allSatisfy { $0.values == [3] }
        )
        #expect(trial.metrics.recorders(label: "webloader.load.duration").count > 0)
    }

    @Test func theCacheIsCounted() async throws {
        let trial = Trial()
        for _ in 0..<3 { try await trial.load("/page") }
        func count(_ outcome: String) throws -> Int64 {
            try trial.metrics.expectCounter(
                "webloader.cache.requests",
                [("webloader.cache.outcome", outcome)]
            ).totalValue
        }
        #expect(try count("miss") == 1)
        #expect(try count("hit") == 2)
    }

    @Test func rulesAndResourcesAreMeasured() async throws {
        let trial = Trial()
        let page = try await trial.loader.loadHTMLString("<p>", baseURL: nil)
        var options = ExtractionOptions()
        options.isolation = .none
        let recipe = try Recipe("version: 1\nfields: {x: {script: 'while true do end'}}")
        _ = try await page.extract(recipe, budget: Budget(time: .milliseconds(20)), options: options)
        _ = try await page.loadResources()
        let rules = try trial.metrics.expectRecorder(
            "webloader.rules.duration",
            [("error.type", "budget.time")]
        )
        #expect(rules.values.count == 1)
        #expect(trial.metrics.recorders(label: "webloader.resources.duration").count == 1)
        let span = try trial.span("WebLoader rules")
        #expect(span.status?.code == .error)
        #expect(span.attributes.get("webloader.rules.time") != nil)
    }

    // MARK: - Logs

    @Test func linesHaveTheirLevels() async throws {
        let trial = Trial()
        try await trial.load("/busy")
        let lines = trial.log.entries.map { "\($0.level) \($0.message)" }
        #expect(
            lines == [
                "trace load begins", "trace request begins", "trace exchange begins", "debug exchange failed",
                "info request is made again", "trace exchange begins", "debug exchange ended",
                "debug request ended",
                "trace parsing begins", "debug parsing ended", "debug load ended",
            ]
        )
        for entry in trial.log.entries { #expect(!"\(entry.metadata)".contains("hunter2")) }
        let failed = trial.log.entries.first { $0.message == "exchange failed" }
        #expect(failed?.metadata["error.type"] == "503")
        #expect(failed?.metadata["url.full"] == "http://a.test/busy")
    }

    @Test func aCacheThatCannotBeWrittenIsSaid() async throws {
        let log = InMemoryLogHandler()
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = "/dev/null/cache"
        configuration.fetcher = Origin()
        configuration.observer = InstrumentedObserver(logger: Logger(label: "test") { _ in log })
        _ = try await PageLoader(configuration: configuration).fetch(
            WebRequest(url: WebURL("http://a.test/page"))
        )
        // Lines from info on are all that this logger takes.
        #expect(
            log.entries.map { $0.message } == ["the cache could not be written", "the cache was damaged"]
        )
    }

    @Test func linesAreInTheContextOfTheirSpan() async throws {
        let seen = Mutex<Set<String>>([])
        let provider = Logger.MetadataProvider {
            if let context = ServiceContext.current?.inMemorySpanContext {
                seen.withLock { _ = $0.insert(context.spanID) }
            }
            return [:]
        }
        let log = InMemoryLogHandler()
        let trial = Trial { configuration in
            configuration.logger = Logger(label: "test") { _ in
                var log = log
                log.metadataProvider = provider
                log.logLevel = .trace
                return log
            }
        }
        try await trial.load("/page")
        #expect(seen.withLock { $0 } == Set(trial.spans.map(\.spanID)))
    }

    // MARK: - Text

    @Test(
        arguments: [
            ("http://ann:secret@a.test/p?q=1#f", "http://a.test/p?q=1"),
            ("http://a.test/?", "http://a.test/?"),
            (
                "http://a.test/?sig=a&x&Signature=b&AWSAccessKeyId",
                "http://a.test/?sig=REDACTED&x&Signature=REDACTED&AWSAccessKeyId=REDACTED"
            ),
            ("data:text/html;charset=utf-8,secret", "data:text/html;charset=utf-8"),
            ("file:///a", "file:///a"),
        ]
    )
    func urlsAsText(url: String, text: String) throws {
        #expect(try InstrumentedObserver.text(of: WebURL(url)) == text)
    }

    @Test func whatIsNotAskedForIsNotTold() async throws {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = Origin()
        configuration.observer = InstrumentedObserver()
        let page = try await PageLoader(configuration: configuration).load(
            WebRequest(url: WebURL("http://a.test/"))
        )
        #expect(page.response.status == 200)
    }
}
#endif
