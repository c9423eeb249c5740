import FlyingFox
import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebLoader
@testable import WebStandards
@testable import WebTransport

/// Tests of the notifications that a loader's observer receives.
@Suite(.timeLimit(.minutes(20)))
struct LoadObserverTests {
    private typealias Record = RecordingObserver.Record

    private static func origin() -> ScriptedFetcher {
        let failures = Mutex(0)
        return ScriptedFetcher { request async throws(FetchError) in
            let html = ("Content-Type", "text/html")
            switch request.url.path {
            case "/a": return .answering(request, 302, [("Location", "/b")])
            case "/b": return .answering(request, 301, [("Location", "/page")])
            case "/broken": throw FetchError(.timeout, "no progress")
            case "/busy":
                let count = failures.withLock { count in
                    defer { count += 1 }
                    return count
                }
                return .answering(request, count == 0 ? 503 : 200, [html], body: "x")
            case "/changing":
                if request.headerFields.contains(.ifNoneMatch) {
                    return .answering(request, 304, [("ETag", "\"1\"")])
                }
                return .answering(
                    request,
                    200,
                    [html, ("ETag", "\"1\""), ("Cache-Control", "no-cache")],
                    body: "x"
                )
            case "/secret": return .answering(request, 200, [html, ("Cache-Control", "no-store")], body: "x")
            case "/slow":
                do {
                    try await Task.sleep(for: .seconds(300))
                } catch {
                    throw .cancelled
                }
                return .answering(request, 200)
            default:
                return .answering(
                    request,
                    200,
                    [html, ("Cache-Control", "max-age=60")],
                    body: "<!doctype html><title>T</title><a href=/next>n</a><img src=/image>"
                )
            }
        }
    }

    private func loader(
        _ record: Record,
        _ fetcher: any Fetcher = origin(),
        _ configure: (inout PageLoader.Configuration) -> Void = { _ in }
    ) -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.keepsCacheInMemory = true
        configuration.fetcher = fetcher
        configuration.retryPolicy.maximumRetries = 1
        configuration.retryPolicy.initialDelay = .zero
        configuration.observer = RecordingObserver(record)
        configure(&configuration)
        return PageLoader(configuration: configuration)
    }

    private func request(_ path: String) throws -> WebRequest {
        WebRequest(url: try WebURL("http://a.test\(path)"))
    }

    // MARK: - Loads

    @Test(
        arguments: [
            (
                "/page",
                [
                    "+ load /page", "+ load/request /page", "+ load/request/exchange /page",
                    "- load/request/exchange 200 network", "- load/request 200 network miss",
                    "+ load/parsing /page",
                    "- load/parsing", "- load 200 network miss",
                ]
            ),
            (
                "/a",
                [
                    "+ load /a", "+ load/request /a", "+ load/request/exchange /a",
                    "- load/request/exchange 302 network", "- load/request 302 network miss no-freshness",
                    "! load 302 to /b",
                    "+ load/request /b", "+ load/request/exchange /b +1",
                    "- load/request/exchange 301 network", "- load/request 301 network miss",
                    "! load 301 to /page",
                    "+ load/request /page", "+ load/request/exchange /page +2",
                    "- load/request/exchange 200 network", "- load/request 200 network miss",
                    "+ load/parsing /page",
                    "- load/parsing", "- load 200 network miss",
                ]
            ),
            (
                "/busy",
                [
                    "+ load /busy", "+ load/request /busy", "+ load/request/exchange /busy",
                    "- load/request/exchange 503 network", "! load/request again",
                    "+ load/request/exchange /busy +1", "- load/request/exchange 200 network",
                    "- load/request 200 network miss", "+ load/parsing /busy", "- load/parsing",
                    "- load 200 network miss",
                ]
            ),
            (
                "/broken",
                [
                    "+ load /broken", "+ load/request /broken", "+ load/request/exchange /broken",
                    "- load/request/exchange network.timeout", "! load/request again",
                    "+ load/request/exchange /broken +1", "- load/request/exchange network.timeout",
                    "- load/request network.timeout", "- load network.timeout",
                ]
            ),
            (
                "/secret",
                [
                    "+ load /secret", "+ load/request /secret", "+ load/request/exchange /secret",
                    "- load/request/exchange 200 network", "- load/request 200 network miss no-store",
                    "+ load/parsing /secret", "- load/parsing", "- load 200 network miss no-store",
                ]
            ),
        ] as [(String, [String])]
    )
    func aLoadIsToldInItsOrder(path: String, lines: [String]) async throws {
        let record = Record()
        // It fails as the lines say.
        _ = try? await loader(record).load(request(path))
        #expect(record.lines == lines)
    }

    @Test(
        arguments: [
            ("/page", ["- fetch/request 200 cache hit"]),
            (
                "/changing",
                [
                    "+ fetch/request/exchange /changing", "- fetch/request/exchange 304 network",
                    "- fetch/request 200 validated-cache validated",
                ]
            ),
        ] as [(String, [String])]
    )
    func whatIsStoredIsToldToo(path: String, lines: [String]) async throws {
        let record = Record()
        let loader = loader(record)
        _ = try await loader.fetch(request(path))
        let first = record.lines.count
        _ = try await loader.fetch(request(path))
        #expect(Array(record.lines[first...].dropFirst(2).dropLast()) == lines)
        #expect(record.outcomes.last?.bodySize ?? 0 > 0)
    }

    @Test func notInTheCache() async throws {
        let record = Record()
        var request = try request("/page")
        request.cachePolicy = .returnCacheDataDontLoad
        await #expect(throws: LoadError.self) { try await loader(record).fetch(request) }
        #expect(
            record.lines == [
                "+ fetch /page", "+ fetch/request /page", "- fetch/request cache.miss", "- fetch cache.miss",
            ]
        )
    }

    @Test func aRefusedLoadAndACancelledOne() async throws {
        struct Refusing: PageLoadDelegate {
            func shouldStart(_ request: WebRequest) async -> Bool { request.url.path != "/b" }
        }
        let record = Record()
        let loader = loader(record)
        await #expect(throws: LoadError.self) { try await loader.load(request("/a"), delegate: Refusing()) }
        #expect(record.lines.last == "- load load.refused")
        #expect(record.outcomes.last?.isCancellation == true)

        let slow = try request("/slow")
        let task = Task { try await loader.load(slow) }
        try await eventually("the exchange begins") { record.lines.contains("+ load/request/exchange /slow") }
        task.cancel()
        await #expect(throws: LoadError.self) { try await task.value }
        #expect(
            record.lines.suffix(3) == [
                "- load/request/exchange load.cancelled", "- load/request load.cancelled",
                "- load load.cancelled",
            ]
        )
    }

    @Test func aCacheThatCannotBeWritten() async throws {
        let record = Record()
        let loader = loader(record) {
            $0.keepsCacheInMemory = false
            $0.cacheDirectory = "/dev/null/cache"
        }
        _ = try await loader.fetch(request("/page"))
        #expect(record.outcomes.last?.response?.cacheVerdict?.failure?.hasPrefix("cannot write") == true)
    }

    // MARK: - Other work

    @Test func aStreamEndsWhenItIsRead() async throws {
        let record = Record()
        let response = try await RecordingObserver.$caller.withValue("by me ") {
            try await loader(record).stream(request("/page"))
        }
        var count = 0
        for try await piece in response.body { count += piece.count }
        #expect(
            record.lines == [
                "+ by me stream /page", "+ by me stream/request /page",
                "+ by me stream/request/exchange /page",
                "- by me stream/request/exchange 200 network", "- by me stream/request 200 network miss",
                "- by me stream 200 network miss",
            ]
        )
        #expect(record.outcomes.last?.bodySize == count)
    }

    @Test func aBodyThatIsTooLarge() async throws {
        let record = Record()
        try await withRawServer([.send("HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n")]) { server in
            let loader = loader(record, CurlFetcher()) { $0.limits.maximumBodySize = 1024 }
            await #expect(throws: LoadError.self) {
                try await loader.stream(WebRequest(url: WebURL(server.url)))
            }
        }
        #expect(
            record.lines.suffix(3) == [
                "- stream/request/exchange limit.size", "- stream/request limit.size", "- stream limit.size",
            ]
        )
    }

    @Test func resourcesAreLoadsOfTheirOwn() async throws {
        let record = Record()
        let page = try await loader(record).load(request("/page"))
        let first = record.lines.count
        _ = try await page.loadResources()
        #expect(
            record.lines[first...] == [
                "+ resources /page", "+ resources/load /image", "+ resources/load/request /image",
                "+ resources/load/request/exchange /image", "- resources/load/request/exchange 200 network",
                "- resources/load/request 200 network miss", "+ resources/load/parsing /image",
                "- resources/load/parsing", "- resources/load 200 network miss", "- resources",
            ]
        )
    }

    @Test(arguments: [RuleIsolation.worker, .none])
    func rulesHaveThePagesThatTheyFollow(isolation: RuleIsolation) async throws {
        let record = Record()
        var options = ExtractionOptions()
        options.isolation = isolation
        let recipe = try Recipe("version: 1\nfields: {n: {select: a, follow: {fields: {t: title}}}}")
        let extraction = try await loader(record).extract(recipe, from: request("/page"), options: options)
            .extraction
        #expect(extraction.data == ["n": ["t": "T"]])
        let fetch = [
            "fetch", "fetch/request", "fetch/request/exchange", "fetch/request/exchange 200 network",
            "fetch/request 200 network miss", "fetch 200 network miss",
        ]
        let signs = ["+", "+", "+", "-", "-", "-"]
        func lines(_ place: String, _ path: String) -> [String] {
            zip(signs, fetch).map { "\($0) \(place)/\($1)" + ($0 == "+" ? " \(path)" : "") }
        }
        #expect(
            record.lines == ["+ extraction /page"] + lines("extraction", "/page") + [
                "+ extraction/rules /page"
            ]
                + lines("extraction/rules", "/next") + [
                    "- extraction/rules", "- extraction 200 network miss",
                ]
        )
        let outcome = try #require(record.outcomes.last)
        #expect(outcome.usage?.pages == 1)
    }

    @Test func rulesThatAreEndedByTheirBudget() async throws {
        let record = Record()
        let page = try await loader(record).load(request("/page"))
        let recipe = try Recipe("version: 1\nfields: {x: {script: 'while true do end'}}")
        _ = try await page.extract(recipe, budget: Budget(time: .milliseconds(50)))
        #expect(record.lines.suffix(2) == ["+ rules /page", "- rules budget.time"])
        await #expect(throws: RuleError.self) { try await page.evaluateScript("(") }
        #expect(record.lines.last == "- rules rule.invalid")
    }

    @Test func aTreeThatIsMadeAgain() async throws {
        let record = Record()
        let loader = loader(record)
        let page = try await loader.loadHTMLString("<p>", baseURL: nil)
        loader.handleMemoryPressure()
        _ = try await page.parsed()
        #expect(
            record.lines == [
                "+ load blank", "+ load/parsing blank", "- load/parsing", "- load memory", "+ parsing blank",
                "- parsing",
            ]
        )
    }

    // MARK: - Notifications

    @Test func secretsAreNotTold() async throws {
        let record = Record()
        let origin = ScriptedFetcher { request async throws(FetchError) in
            guard request.url.path == "/a" else {
                return .answering(request, 200, [("Set-Cookie", "s=hunter2")])
            }
            return .answering(request, 302, [("Location", "http://ann:hunter2@b.test/?q=shown#hunter2")])
        }
        var request = WebRequest(url: try WebURL("http://ann:hunter2@a.test/a#hunter2"))
        request.headerFields[.authorization] = "hunter2"
        _ = try await loader(record, origin).fetch(request)
        var told = ""
        dump((record.works, record.outcomes), to: &told)
        #expect(!told.contains("hunter2"))
        #expect(!told.contains("ann"))
        #expect(record.works.last?.url.href == "http://b.test/?q=shown")
        #expect(record.outcomes.last?.response?.redirects.map(\.url.href) == ["http://a.test/a"])
    }

    @Test func anExchangeHasPhasesAndAConnection() async throws {
        let record = Record()
        try await withTestServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(repeating: 1, count: 1000))
        } _: { server in
            let loader = loader(record, CurlFetcher()) { $0.keepsCacheInMemory = false }
            for _ in 0..<2 { _ = try await loader.fetch(WebRequest(url: WebURL(server.url("/")))) }
        }
        let exchanges = record.outcomes.filter { $0.response?.transferSize != nil }
        #expect(exchanges.compactMap(\.response?.isConnectionReused).contains(false))
        #expect(record.outcomes.last?.response?.isConnectionReused == true)
        #expect(record.outcomes.last?.response?.httpVersion == "1.1")
        #expect(record.outcomes.last?.bodySize == 1000)
        for outcome in exchanges {
            let total = try #require(outcome.response?.timing.total)
            #expect(total >= outcome.response?.timing.firstByte ?? .seconds(600))
            #expect(outcome.duration > .zero)
        }
    }

    @Test func fieldsAreAddedToExchangesOnly() async throws {
        let origin = Self.origin()
        var observer = RecordingObserver(Record())
        observer.fields = HTTPFields(lines: [("traceparent", "00-1"), ("Accept", "not this"), ("DNT", "1")])
        let loader = loader(Record(), origin) { [observer] in $0.observer = observer }
        var request = try request("/a")
        request.headerFields[.accept] = "text/plain"
        request.omittedFields = [try #require(HTTPField.Name("DNT"))]
        _ = try await loader.fetch(request)
        #expect(origin.requests.count == 3)
        for sent in origin.requests {
            #expect(sent.value(forHTTPHeaderField: "traceparent") == "00-1")
            #expect(sent.value(forHTTPHeaderField: "Accept") == "text/plain")
            #expect(sent.value(forHTTPHeaderField: "DNT") == nil)
        }
    }

    /// Of an observer that loads, and of one that leaves everything to the defaults.
    @Test func anObserverMayLoad() async throws {
        final class Loading: LoadObserver {
            let loads = Mutex<[Task<Int, Never>]>([])
            let loader = Mutex<PageLoader?>(nil)
            func began(_ work: ObservedWork) -> any LoadObserver {
                guard work.kind == .exchange, work.url.path == "/page", let loader = loader.withLock({ $0 })
                else {
                    return self
                }
                var request = WebRequest(url: work.url)
                // A path of its own, which does not load again.
                try? request.url.setPathname("/other")
                loads.withLock { [request] loads in
                    // A load that fails yields 0 bytes, which the test detects.
                    loads.append(Task { (try? await loader.fetch(request).body.count) ?? 0 })
                }
                return self
            }
        }
        let observer = Loading()
        let loader = loader(Record()) { $0.observer = observer }
        observer.loader.withLock { $0 = loader }
        _ = try await loader.load(request("/page"))
        let tasks = observer.loads.withLock { $0 }
        #expect(tasks.count == 1)
        for task in tasks { #expect(await task.value > 0) }
        #expect(observer.fieldsToSend.isEmpty)
        observer.loader.withLock { $0 = nil }
    }

    @Test func anotherLoaderIsNoPartOfIt() async throws {
        let (record, other) = (Record(), Record())
        struct LoadingElsewhere: PageLoadDelegate {
            let loaders: [PageLoader]
            let request: WebRequest
            func didReceive(_ response: WebResponse) async {
                // A load that fails is not reported, which the test detects.
                for loader in loaders { _ = try? await loader.fetch(request) }
            }
        }
        let loader = loader(record)
        let elsewhere = LoadingElsewhere(loaders: [loader, self.loader(other)], request: try request("/b"))
        _ = try await loader.load(request("/page"), delegate: elsewhere)
        #expect(record.lines.contains("+ load/fetch /b"))
        #expect(other.lines.first == "+ fetch /b")
    }
}
