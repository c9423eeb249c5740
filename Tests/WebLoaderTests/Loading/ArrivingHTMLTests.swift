import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebDocument
@testable import WebLoader

/// Pages that are parsed as they arrive.
@Suite(.timeLimit(.minutes(20)))
struct ArrivingHTMLTests {
    private func arrival(
        _ body: [UInt8],
        pieceLength: Int,
        contentType: String = "text/html",
        _ settings: PageContent.Settings = PageContent.Settings(),
        hints: (@Sendable ([PageHint]) -> Void)? = nil
    ) throws -> (response: WebResponse, arrived: ArrivedHTML?) {
        var response = WebResponse(
            url: try WebURL("http://a.test/folder/page"),
            status: 200,
            headerFields: HTTPFields(lines: [("Content-Type", contentType)]),
            body: [],
            source: .network
        )
        let arriving = ArrivingHTML(settings, .inline, hints: hints)
        try arriving.receive(head: response)
        var start = 0
        while start < body.count {
            let end = min(start + pieceLength, body.count)
            try arriving.receive(Array(body[start..<end]).span)
            start = end
        }
        response.body = body
        return (response, arriving.finish())
    }

    /// Long enough for the parser not to wait for more before it knows what the page is.
    private static let padding = "<!--" + String(repeating: "x", count: 3000) + "-->"

    @Test(
        arguments: [
            "<!DOCTYPE html>\(padding)<title>é😀</title><p>a<table><b>x</table>&notin;&noti",
            "\u{FEFF}<title>é</title>\(padding)\u{1}\0",
            "<meta charset=windows-1251><title>\u{439}</title>\(padding)<p>x",
            "<title>\(String(repeating: "long ", count: 2000))</title><meta charset=utf-8>é",
            "\(padding)<body><p>x</p>\(padding)<meta charset=utf-8>é",
            "no markup, \(String(repeating: "words é ", count: 1000))",
        ],
        [1, 7, 1000, 100_000]
    )
    func isThePageThatItsBytesMake(text: String, pieceLength: Int) throws {
        let (response, arrived) = try arrival(Array(text.utf8), pieceLength: pieceLength)
        let settings = PageContent.Settings()
        let whole = try PageContent(response, settings)
        let page = try PageContent(response, settings, arrived)
        #expect(page.document?.dump == whole.document?.dump)
        #expect(page.detection == whole.detection)
        #expect(page.warnings == whole.warnings)
        #expect(page.mediaType == whole.mediaType)
    }

    @Test(arguments: FixturePage.all)
    func fixturesAreTheSameInPieces(page: FixturePage) throws {
        let (response, arrived) = try arrival(page.body, pieceLength: 1460)
        let whole = try PageContent(response, PageContent.Settings())
        let made = try PageContent(response, PageContent.Settings(), arrived)
        #expect(made.document?.dump == whole.document?.dump)
        #expect(made.detection == whole.detection)
        #expect(made.limits == whole.limits)
    }

    @Test(arguments: ["text/plain", "application/xml", "image/png", "application/rss+xml"])
    func leavesWhatIsNoHTMLAlone(contentType: String) throws {
        let body = Array("<p>x\(Self.padding)".utf8)
        #expect(try arrival(body, pieceLength: 100, contentType: contentType).arrived == nil)
    }

    @Test func parsesUnderTheSameLimits() throws {
        var settings = PageContent.Settings()
        settings.parsing.limits.maximumNodes = 100
        let body = Array((Self.padding + String(repeating: "<p>x", count: 10_000)).utf8)
        let arrived = try #require(try arrival(body, pieceLength: 100, settings).arrived)
        #expect(arrived.page.limits == [ReachedLimit(code: .nodes, limit: 100, count: nil)])
    }

    @Test(arguments: [4000, 1 << 20])
    func whatIsDenseAtFirstMayTakeWhatAllOfThePageMay(pieceLength: Int) throws {
        let dense = String(repeating: "<i a b c d e f g h>", count: 50_000)
        let body = Array((Self.padding + dense + String(repeating: "text ", count: 500_000)).utf8)
        let (response, arrived) = try arrival(body, pieceLength: pieceLength)
        let whole = try PageContent(response, PageContent.Settings())
        let page = try PageContent(response, PageContent.Settings(), arrived)
        #expect(whole.limits.filter { $0.code == .memory } == [])
        #expect(page.limits == whole.limits)
        #expect(page.document?.counts == whole.document?.counts)
    }

    @Test func startsAgainWhenTheFetchDoes() throws {
        let arriving = ArrivingHTML(PageContent.Settings(), .inline, hints: nil)
        let head = WebResponse(
            url: try WebURL("http://a.test/"),
            status: 200,
            headerFields: HTTPFields(lines: [("Content-Type", "text/html;charset=utf-8")]),
            body: [],
            source: .network
        )
        try arriving.receive(head: head)
        try arriving.receive(Array("<h1>first\(Self.padding)".utf8).span)
        try arriving.receive(head: head)
        try arriving.receive(Array("<h2>second\(Self.padding)".utf8).span)
        let tree = try #require(arriving.finish()).page.document.dump
        #expect(!tree.contains("first") && tree.contains("second"))
    }

    // MARK: - Hints

    private final class HintDelegate: PageLoadDelegate {
        let found = Mutex<[String]>([])
        let arrived = Mutex<CheckedContinuation<Void, Never>?>(nil)
        let wantsHints = true

        func didFind(_ hints: [PageHint]) async {
            found.withLock { found in
                for hint in hints {
                    switch hint {
                    case .base(let url): found.append("base \(url)")
                    case .metadata(let name, let content): found.append("\(name)=\(content)")
                    case .link(let link): found.append("\(link.kind.rawValue) \(link.url?.description ?? "")")
                    }
                }
            }
        }

        func didReceive(_ response: WebResponse) async { found.withLock { $0.append("received") } }
    }

    @Test func tellsOfLinksBeforeThePageIsThere() async throws {
        let head =
            "<base href=/b/><meta name=description content=d><link rel=stylesheet href=s.css><a href=1>"
        let server = try RawServer([
            .send("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nConnection: close\r\n\r\n"),
            .send(head + Self.padding), .pause(seconds: 0.2), .send("<img src=2><p>end"),
        ])
        let delegate = HintDelegate()
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        let page = try await PageLoader(configuration: configuration).load(
            WebRequest(url: try WebURL(server.url)),
            delegate: delegate
        ).parsed()
        let base = try #require(server.url.hasSuffix("/") ? "\(server.url)b/" : "\(server.url)/b/")
        #expect(
            delegate.found.withLock(\.self) == [
                "base \(base)", "description=d", "stylesheet \(base)s.css", "navigation \(base)1",
                "image \(base)2", "received",
            ]
        )
        #expect(page.links.count == 3)
    }

    @Test func aPageWhoseTimeIsUpIsCutShortAndSaysSo() async throws {
        let watch = LoadWatch(LoadLimits())
        #expect(watch.interruption == nil)
        let loader = PageLoader.offline { $0.limits.maximumTime = .seconds(0) }
        let page = try await loader.loadHTMLString(String(repeating: "<p>x", count: 100_000), baseURL: nil)
        #expect(page.limits == [ReachedLimit(code: .time, limit: 0, count: nil)])
        let feed = "<rss>" + String(repeating: "<item/>", count: 100_000) + "</rss>"
        let cut = try await loader.loadData(
            Array(feed.utf8),
            mimeType: "application/rss+xml",
            textEncodingName: nil,
            baseURL: nil
        ).parsed()
        #expect(cut.limits.first?.code == .time)
        #expect(try #require(cut.document).counts.elements < 1000)
    }
}
