import FlyingFox
import Foundation
import TestSupport
import Testing

@testable import WebTransport

/// Many at once, and those that nobody waits for any more.
@Suite(.timeLimit(.minutes(20)))
struct CurlConcurrencyTests {
    @Test func fetchesManyAtOnce() async throws {
        let fetcher = CurlFetcher()
        try await withTestServer({ HTTPResponse(statusCode: .ok, body: Data($0.path.utf8)) }) { server in
            try await withThrowingTaskGroup(of: (String, [UInt8]).self) { group in
                for index in 0..<64 {
                    let url = try WebURL(server.url("/\(index)"))
                    group.addTask {
                        (url.path, try await fetcher.fetch(WebRequest(url: url), limits: LoadLimits()).body)
                    }
                }
                var count = 0
                for try await (path, body) in group {
                    #expect(body == Array(path.utf8))
                    count += 1
                }
                #expect(count == 64)
            }
            #expect(Set(server.requestedPaths).count == 64)
        }
    }

    @Test func outlivesItsFetcher() async throws {
        try await withTestServer({ _ in HTTPResponse(statusCode: .ok, body: Data("x".utf8)) }) { server in
            let url = try WebURL(server.url("/"))
            for _ in 0..<20 {
                let task = Task { try await CurlFetcher().fetch(WebRequest(url: url), limits: LoadLimits()) }
                #expect(try await task.value.body == [0x78])
            }
        }
    }

    @Test func endsWhenCancelled() async throws {
        try await withRawServer([.pause(seconds: 600)]) { server in
            let url = try WebURL(server.url)
            let fetcher = CurlFetcher()
            // However long the other tests take meanwhile.
            let request = WebRequest(url: url, timeoutInterval: .seconds(0))
            let task = Task { try await fetcher.fetch(request, limits: LoadLimits()) }
            for await _ in server.arrivals { break }
            task.cancel()
            #expect(await task.result.fetchError?.code == .cancelled)
        }
    }

    @Test func endsWhenCancelledAmidTheBody() async throws {
        let steps: [RawServer.Step] = [
            .send("HTTP/1.1 200 OK\r\n\r\n"),
            .sendRepeatedly(String(repeating: "x", count: 1000), times: .max),
        ]
        try await withRawServer(steps) { server in
            let url = try WebURL(server.url)
            var limits = LoadLimits()
            limits.maximumBodySize = 1 << 40
            // Whoever cancels it may come late, and the body has no end: nobody keeps it.
            let task = Task { [limits] in
                try await CurlFetcher().fetch(
                    WebRequest(url: url),
                    limits: limits,
                    receiver: Nobody()
                )
            }
            for await _ in server.arrivals { break }
            task.cancel()
            #expect(await task.result.fetchError?.code == .cancelled)
        }
    }

    @Test func asksNothingWhenCancelledBefore() async throws {
        try await withRawServer([]) { server in
            let url = try WebURL(server.url)
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await CurlFetcher().fetch(WebRequest(url: url), limits: LoadLimits())
            }
            #expect(await task.result.fetchError?.code == .cancelled)
            #expect(server.connections == 0)
        }
    }

    /// One connection is served, the others wait to be accepted: none has a response.
    @Test func endsManyWhenCancelled() async throws {
        try await withRawServer([.pause(seconds: 600)]) { server in
            let url = try WebURL(server.url)
            let fetcher = CurlFetcher()
            let request = WebRequest(url: url, timeoutInterval: .seconds(0))
            let tasks = (0..<12).map { _ in
                Task { try await fetcher.fetch(request, limits: LoadLimits()) }
            }
            for await _ in server.arrivals { break }
            for task in tasks { task.cancel() }
            for task in tasks { #expect(await task.result.fetchError?.code == .cancelled) }
        }
    }

    /// Cancelling races with starting; however it ends, it ends.
    @Test func endsWheneverItIsCancelled() async throws {
        try await withTestServer({ _ in HTTPResponse(statusCode: .ok) }) { server in
            let url = try WebURL(server.url("/"))
            let fetcher = CurlFetcher()
            for yields in 0..<60 {
                let task = Task { try await fetcher.fetch(WebRequest(url: url), limits: LoadLimits()) }
                for _ in 0..<yields { await Task.yield() }
                task.cancel()
                let error = await task.result.fetchError
                #expect(error == nil || error?.code == .cancelled)
            }
        }
    }
}

extension Result where Failure == any Error {
    /// The error, if it is a fetcher's.
    fileprivate var fetchError: FetchError? {
        guard case .failure(let error) = self else { return nil }
        return error as? FetchError
    }
}

/// Takes a body and keeps nothing of it.
private struct Nobody: BodyReceiver {
    var collectsBody: Bool { false }
    func receive(head: WebResponse) {}
    func receive(_ bytes: Span<UInt8>) {}
}
