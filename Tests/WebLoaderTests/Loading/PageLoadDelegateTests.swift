import TestSupport
import Testing

@testable import WebLoader

/// The life of a load, as its delegate hears it.
@Suite(.timeLimit(.minutes(20)))
struct PageLoadDelegateTests {
    /// /a redirects to /b, /b to /page; /image is no page; /broken fails.
    private static func server() -> ScriptedFetcher {
        ScriptedFetcher { request async throws(FetchError) in
            switch request.url.path {
            case "/a": return .answering(request, 302, [("Location", "/b")])
            case "/b": return .answering(request, 302, [("Location", "/page")])
            case "/out": return .answering(request, 302, [("Location", "ftp://a.test/")])
            case "/image": return .answering(request, 200, [("Content-Type", "image/png")], body: "x")
            case "/xml": return .answering(request, 200, [("Content-Type", "text/xml")], body: "no xml")
            case "/broken": throw FetchError(.connection, "refused")
            default:
                return .answering(request, 200, [("Content-Type", "text/html")], body: "<title>T</title>")
            }
        }
    }

    /// Loads a path and returns the calls, and the error; `nil` if the page was loaded.
    private func load(
        _ path: String,
        _ delegate: RecordingDelegate,
        loader: PageLoader = PageLoader(server())
    ) async throws -> (calls: [String], error: LoadError?) {
        let request = WebRequest(url: try WebURL("http://a.test\(path)"))
        do throws(LoadError) {
            _ = try await loader.load(request, delegate: delegate)
            return (delegate.calls, nil)
        } catch {
            return (delegate.calls, error)
        }
    }

    @Test(
        "The calls come in their order, the last one once",
        arguments: [
            (
                "/page",
                ["shouldStart /page", "didStart /page", "didReceive /page", "didParse T", "didFinish T"]
            ),
            (
                "/a",
                [
                    "shouldStart /a", "didStart /a", "shouldStart /b", "didRedirect /a /b",
                    "shouldStart /page",
                    "didRedirect /b /page", "didReceive /page", "didParse T", "didFinish T",
                ]
            ),
            ("/image", ["shouldStart /image", "didStart /image", "didReceive /image", "didFinish"]),
            ("/broken", ["shouldStart /broken", "didStart /broken", "didFail network.connect"]),
            ("/out", ["shouldStart /out", "didStart /out", "didFail network.redirect"]),
            ("/xml", ["shouldStart /xml", "didStart /xml", "didReceive /xml", "didFail parse.xml"]),
        ]
    )
    func order(path: String, expected: [String]) async throws {
        #expect(try await load(path, RecordingDelegate()).calls == expected)
    }

    @Test(
        "A refusal is a cancellation",
        arguments: [
            ("/page", "/page", ["shouldStart /page", "didCancel load.refused"]),
            ("/a", "/b", ["shouldStart /a", "didStart /a", "shouldStart /b", "didCancel load.refused"]),
            (
                "/a", "/page",
                [
                    "shouldStart /a", "didStart /a", "shouldStart /b", "didRedirect /a /b",
                    "shouldStart /page",
                    "didCancel load.refused",
                ]
            ),
        ]
    )
    func refusal(path: String, refused: String, expected: [String]) async throws {
        let (calls, error) = try await load(path, RecordingDelegate(refusing: "http://a.test\(refused)"))
        #expect(calls == expected)
        #expect(error?.code == "load.refused")
        #expect(error?.isCancellation == true)
        #expect(error?.nsURLErrorCode == -999)
    }

    @Test(
        "A load that is cancelled in a call ends with didCancel",
        arguments: ["shouldStart", "didStart", "didRedirect", "didReceive", "didParse"]
    )
    func cancellation(call: String) async throws {
        let delegate = RecordingDelegate { name in
            if name == call { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
        }
        let task = Task { try await load("/a", delegate) }
        let (calls, error) = try await task.value
        #expect(error?.code == "load.cancelled")
        #expect(calls.last == "didCancel load.cancelled")
        #expect(calls.filter { $0.hasPrefix("didFinish") || $0.hasPrefix("didFail") }.isEmpty)
        #expect(calls.filter { $0.hasPrefix("didCancel") }.count == 1)
    }

    @Test func cancelledBeforeItStartsNothingIsFetched() async throws {
        let fetcher = Self.server()
        let delegate = RecordingDelegate()
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await load("/page", delegate, loader: PageLoader(fetcher))
        }
        let (calls, error) = try await task.value
        #expect(calls == ["didCancel load.cancelled"])
        #expect(error?.isCancellation == true)
        #expect(fetcher.requests.isEmpty)
    }

    @Test func cancelledWhileFetching() async throws {
        let (arrivals, arrived) = AsyncStream<Void>.makeStream()
        let fetcher = ScriptedFetcher { _ async throws(FetchError) in
            arrived.yield()
            // Until it is cancelled, which ends the stream.
            for await _ in AsyncStream<Void>.makeStream().stream {}
            throw .cancelled
        }
        let delegate = RecordingDelegate()
        let task = Task { try await load("/page", delegate, loader: PageLoader(fetcher)) }
        for await _ in arrivals { break }
        task.cancel()
        let (calls, error) = try await task.value
        #expect(calls == ["shouldStart /page", "didStart /page", "didCancel load.cancelled"])
        #expect(error?.code == "load.cancelled")
    }

    @Test func stringsAndDataAreLoadsToo() async throws {
        let delegate = RecordingDelegate()
        let base = try WebURL("http://a.test/base")
        _ = try await PageLoader.offline().loadHTMLString(
            "<title>T</title>",
            baseURL: base,
            delegate: delegate
        )
        #expect(
            delegate.calls == [
                "shouldStart /base", "didStart /base", "didReceive /base", "didParse T", "didFinish T",
            ]
        )
        let refusing = RecordingDelegate(refusing: base.href)
        await #expect(throws: LoadError.self) {
            try await PageLoader.offline().loadData(
                [],
                mimeType: nil,
                textEncodingName: nil,
                baseURL: base,
                delegate: refusing
            )
        }
        #expect(refusing.calls == ["shouldStart /base", "didCancel load.refused"])
    }

    // MARK: - Who does not listen

    /// Asks for hints, and then listens to nothing.
    private struct Indifferent: PageLoadDelegate { let wantsHints = true }

    /// The page's title, or the code of what went wrong.
    private func outcome(
        _ path: String,
        _ delegate: (any PageLoadDelegate)?,
        loader: PageLoader = PageLoader(server())
    ) async throws -> String? {
        let request = WebRequest(url: try WebURL("http://a.test\(path)"))
        do throws(LoadError) {
            return try await loader.load(request, delegate: delegate).title
        } catch {
            return error.code.rawValue
        }
    }

    @Test(
        "A load comes to the same where nobody listens",
        arguments: ["/page", "/a", "/out", "/image", "/broken", "/xml"]
    )
    func nobodyHasToListen(path: String) async throws {
        #expect(try await outcome(path, Indifferent()) == outcome(path, nil))
    }

    @Test func aLoadThatNobodyListensToIsCancelledToo() async throws {
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await outcome("/page", Indifferent())
        }
        #expect(try await task.value == "load.cancelled")
    }

    @Test func hintsThatNobodyTakesAreNoObstacle() async throws {
        let server = try RawServer([
            .send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"),
            .send("<meta charset=utf-8><a href=1>\(String(repeating: " ", count: 100_000))"),
            .pause(seconds: 0.2),
            .send("<a href=2>"),
        ])
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        let request = WebRequest(url: try WebURL(server.url))
        let page = try await PageLoader(configuration: configuration).load(request, delegate: Indifferent())
            .parsed()
        #expect(page.links.count == 2)
    }
}
