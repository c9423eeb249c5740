import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct BodyReceiverTests {
    private static let hello = "HTTP/1.1 200 OK\r\nContent-Length: 10\r\nConnection: close\r\n\r\n"

    private func url(_ string: String = "http://a.test/") throws -> WebURL { try WebURL(string) }

    @Test(arguments: [true, false])
    func takesTheHeadAndThenTheBytesAsTheyArrive(collects: Bool) async throws {
        let server = try RawServer([.send(Self.hello + "first"), .pause(seconds: 0.1), .send("later")])
        let receiver = RecordingReceiver(collectsBody: collects)
        let response = try await CurlFetcher().fetch(
            WebRequest(url: url(server.url)),
            limits: LoadLimits(),
            receiver: receiver
        )
        #expect(receiver.events == ["200", "first", "later"])
        #expect(String(decoding: response.body, as: UTF8.self) == (collects ? "firstlater" : ""))
    }

    @Test func takesTheHeadOfAResponseWithoutABody() async throws {
        let server = try RawServer([.send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")])
        let receiver = RecordingReceiver()
        let request = try WebRequest(url: url(server.url))
        _ = try await CurlFetcher().fetch(request, limits: LoadLimits(), receiver: receiver)
        #expect(receiver.events == ["204"])
    }

    @Test(arguments: ["200", "first"])
    func endsTheFetchByThrowing(event: String) async throws {
        let server = try RawServer([.send(Self.hello + "first"), .pause(seconds: 60), .send("later")])
        let receiver = RecordingReceiver(failingAt: event)
        let request = try WebRequest(url: url(server.url))
        await #expect(throws: FetchError(.refused, "at \(event)")) {
            try await CurlFetcher().fetch(request, limits: LoadLimits(), receiver: receiver)
        }
    }

    @Test func bodiesThatAreTooLargeAreCountedWhoeverTakesThem() async throws {
        let server = try RawServer([.send(Self.hello + "first"), .send("later")])
        var limits = LoadLimits()
        limits.maximumBodySize = 9
        let bounded = limits
        let receiver = RecordingReceiver(collectsBody: false)
        let request = try WebRequest(url: url(server.url))
        let error = await #expect(throws: FetchError.self) {
            try await CurlFetcher().fetch(request, limits: bounded, receiver: receiver)
        }
        #expect(error?.code == .bodyTooLarge)
    }

    @Test(arguments: [true, false])
    func isNotHandedTheRedirectsThatAreFollowed(follows: Bool) async throws {
        let fetcher = ScriptedFetcher { request in
            request.url.pathname == "/"
                ? .answering(request, 302, [("Location", "/there")], body: "moved")
                : .answering(request, body: "here")
        }
        var request = try WebRequest(url: url())
        request.followsRedirects = follows
        let receiver = RecordingReceiver()
        _ = try await RedirectFollower(fetcher: fetcher).fetch(
            request,
            limits: LoadLimits(),
            receiver: receiver
        )
        #expect(receiver.events == (follows ? ["200", "here"] : ["302", "moved"]))
    }

    @Test(arguments: [true, false])
    func takesWhatTheCacheAnswers(collects: Bool) async throws {
        let upstream = ScriptedFetcher { request in
            request.headerFields[.ifNoneMatch] == nil
                ? .answering(
                    request,
                    200,
                    [("ETag", "\"1\""), ("Cache-Control", "max-age=60")],
                    body: "kept"
                )
                : .answering(request, 304, [("ETag", "\"1\"")], body: "")
        }
        try await withTemporaryFolder { folder in
            let fetcher = CachingFetcher(
                store: DiskCacheStore(directory: folder.path),
                upstream: upstream,
                blockingWork: .inline,
                now: { .now }
            )
            let policies = [
                CachePolicy.useProtocolCachePolicy, .returnCacheDataDontLoad, .reloadRevalidatingCacheData,
            ]
            for policy in policies {
                let receiver = RecordingReceiver(collectsBody: collects)
                let response = try await fetcher.fetch(
                    WebRequest(url: url(), cachePolicy: policy),
                    limits: LoadLimits(),
                    receiver: receiver
                )
                #expect(receiver.events == ["200", "kept"], "\(policy)")
                #expect(response.body.count == (collects ? 4 : 0), "\(policy)")
            }
        }
        #expect(upstream.requests.count == 2)
    }
}

/// Notes what it is handed: a status for a head, the text of each piece.
private final class RecordingReceiver: BodyReceiver {
    let collectsBody: Bool
    private let failingEvent: String?
    private let noted = Mutex<[String]>([])

    init(collectsBody: Bool = true, failingAt event: String? = nil) {
        self.collectsBody = collectsBody
        failingEvent = event
    }

    var events: [String] { noted.withLock { $0 } }

    func receive(head: WebResponse) throws(FetchError) {
        try note(head.status.map { String($0.code) } ?? "no status")
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        var copy: [UInt8] = []
        for index in bytes.indices { copy.append(bytes[index]) }
        try note(String(decoding: copy, as: UTF8.self))
    }

    private func note(_ event: String) throws(FetchError) {
        noted.withLock { $0.append(event) }
        if event == failingEvent { throw FetchError(.refused, "at \(event)") }
    }
}
