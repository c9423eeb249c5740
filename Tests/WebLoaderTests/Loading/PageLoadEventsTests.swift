import TestSupport
import Testing

@testable import WebLoader

/// Tests of the events of a load.
@Suite(.timeLimit(.minutes(20)))
struct PageLoadEventsTests {
    private static func server() -> ScriptedFetcher {
        ScriptedFetcher { request async throws(FetchError) in
            switch request.url.path {
            case "/a": return .answering(request, 302, [("Location", "/page")])
            case "/broken": throw FetchError(.connection, "refused")
            case "/slow":
                do {
                    try await Task.sleep(for: .seconds(300))
                } catch {
                    throw .cancelled
                }
                return .answering(request, 200)
            default:
                return .answering(request, 200, [("Content-Type", "text/html")], body: "<title>T</title>")
            }
        }
    }

    private func name(_ event: PageLoadEvent) -> String {
        switch event {
        case .started(let request): "started \(request.url.path)"
        case .redirected(let request, let response): "redirected \(response.url.path) \(request.url.path)"
        case .found(let hints): "found \(hints.count)"
        case .received(let response): "received \(response.url.path)"
        case .parsed(let document): "parsed \(document.title ?? "")"
        case .finished(let page): "finished \(page.title ?? "")"
        }
    }

    private func events(_ path: String) async throws -> (names: [String], error: LoadError?) {
        let loader = PageLoader(Self.server())
        var names: [String] = []
        do throws(LoadError) {
            let request = WebRequest(url: try await Self.url(path))
            for try await event in loader.events(loading: request) { names.append(name(event)) }
            return (names, nil)
        } catch {
            return (names, error)
        }
    }

    private static func url(_ path: String) async throws(LoadError) -> WebURL {
        do throws(WebURLError) {
            return try WebURL("http://a.test\(path)")
        } catch {
            throw LoadError(error, url: nil)
        }
    }

    @Test(
        arguments: [
            ("/page", ["started /page", "received /page", "parsed T", "finished T"], nil),
            (
                "/a",
                ["started /a", "redirected /a /page", "received /page", "parsed T", "finished T"],
                nil
            ),
            ("/broken", ["started /broken"], "network.connect"),
        ] as [(String, [String], LoadError.Code?)]
    )
    func theyComeInTheirOrder(path: String, names: [String], code: LoadError.Code?) async throws {
        let (heard, error) = try await events(path)
        #expect(heard == names)
        #expect(error?.code == code)
    }

    @Test func whoLeavesEndsTheLoad() async throws {
        let fetcher = Self.server()
        let loader = PageLoader(fetcher)
        let url = try await Self.url("/slow")
        for try await _ in loader.events(loading: WebRequest(url: url)) { break }
        // The remaining load is cancelled, so that the test does not wait for its five minutes.
        let task = Task { for try await _ in loader.events(loading: WebRequest(url: url)) {} }
        task.cancel()
        _ = await task.result
    }
}
