import TestSupport
import Testing

@testable import WebTransport

/// Servers that do not come to an end, or say what cannot be: each load ends in its time, with a code.
@Suite(.timeLimit(.minutes(20)))
struct HostileExchangeTests {
    private static let ok = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
    private static let chunked = ok + "Transfer-Encoding: chunked\r\n\r\n"
    private static let many = 10_000_000

    private func load(
        _ steps: [RawServer.Step],
        seconds: Double
    ) async throws -> FetchError.Code? {
        try await withRawServer(steps) { server in
            var limits = LoadLimits()
            limits.maximumSeconds = seconds
            do throws(FetchError) {
                let follower = RedirectFollower(fetcher: CurlFetcher())
                let url: WebURL
                do throws(WebURLError) { url = try WebURL(server.url) } catch { return .unsupportedURL }
                _ = try await follower.fetch(WebRequest(url: url), limits: limits)
                return nil
            } catch {
                return error.code
            }
        }
    }

    @Test(
        "What does not end is ended",
        arguments: [
            // Interim responses, status lines, fields, folded lines.
            ([.sendRepeatedly("HTTP/1.1 103 Early\r\n\r\n", times: many)], .tooManyInterimResponses),
            ([.send("HTTP/1.1 100 C\r\n"), .sendRepeatedly("A: b\r\n", times: many)], .tooManyFields),
            ([.send("HTTP/1.1 200 "), .sendRepeatedly("xxxxxxxx", times: many)], .headersTooLarge),
            ([.send("HTTP/1.1 200 OK\r\n"), .sendRepeatedly("A: b\r\n", times: many)], .tooManyFields),
            ([.send("HTTP/1.1 200 OK\r\nA: b\r\n"), .sendRepeatedly(" b\r\n", times: many)], .tooManyFields),
            ([.send("HTTP/1.1 200 OK\r\nA: "), .sendRepeatedly("xxxxxxxx", times: many)], .headersTooLarge),
            ([.send("HTTP/1.1 200 OK\r\nA: "), .pause(seconds: 60)], .totalTimeout),
            // Bodies: chunks of one byte, extensions of chunks, trailers, content codings.
            ([.send(chunked), .sendRepeatedly("1\r\nx\r\n", times: many)], .totalTimeout),
            ([.send("\(chunked)1;"), .sendRepeatedly("xxxxxxxx", times: many)], .totalTimeout),
            ([.send("\(chunked)1\r\nx\r\n0\r\n"), .sendRepeatedly("A: b\r\n", times: many)], .tooManyFields),
            ([.send("\(chunked)1\r\nx\r\n0\r\n"), .pause(seconds: 60)], .totalTimeout),
            ([.send("\(ok)\r\n"), .pause(seconds: 60)], .totalTimeout),
            // A redirect is not followed before its body has ended.
            ([.send("HTTP/1.1 302 F\r\nLocation: /x\r\n\r\n"), .pause(seconds: 60)], .totalTimeout),
            (
                [.send("HTTP/1.1 302 F\r\nLocation: /x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")],
                .tooManyRedirects
            ),
            ([.pause(seconds: 60)], .totalTimeout),
        ] as [([RawServer.Step], FetchError.Code)]
    )
    func isEnded(steps: [RawServer.Step], code: FetchError.Code) async throws {
        // Only what has no other limit ends with its time.
        #expect(try await load(steps, seconds: code == .totalTimeout ? 0.5 : 600) == code)
    }

    @Test(
        "What cannot be is an error",
        arguments: [
            ("Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx", .malformedResponse),
            ("Content-Length: 1, 2\r\n\r\nxx", .malformedResponse),
            ("Content-Length: -1\r\n\r\nx", .malformedResponse),
            ("Content-Length: 99999999999999999999999\r\n\r\nx", .bodyTooLarge),
            ("Content-Length: 9223372036854775807\r\n\r\nx", .bodyTooLarge),
            ("Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n", .malformedResponse),
            ("Transfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFFF\r\nx", .connectionLost),
            ("Transfer-Encoding: chunked\r\n\r\n-1\r\nx", .connectionLost),
            ("Transfer-Encoding: chunked\r\n\r\n7FFFFFFFFFFFFFFF\r\nx", .connectionLost),
            ("Content-Encoding: gzip,gzip,gzip,gzip,gzip,gzip\r\n\r\nx", .contentDecoding),
        ] as [(String, FetchError.Code)]
    )
    func isAnError(rest: String, code: FetchError.Code) async throws {
        #expect(try await load([.send(Self.ok + rest)], seconds: 600) == code)
    }

    @Test(
        "A redirect leads to no other scheme",
        arguments: [
            "file:///etc/passwd", "javascript:x", "data:text/html,x", "ftp://a.test/", "about:blank",
            "http://[/",
        ]
    )
    func schemes(location: String) async throws {
        let answer = "HTTP/1.1 302 F\r\nLocation: \(location)\r\nContent-Length: 0\r\n\r\n"
        #expect(try await load([.send(answer)], seconds: 600) == .unsupportedRedirect)
    }
}
