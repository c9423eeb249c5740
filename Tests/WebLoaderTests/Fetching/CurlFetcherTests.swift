import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests of the responses that ``CurlFetcher`` returns, and of its errors.
@Suite(.timeLimit(.minutes(20)))
struct CurlFetcherTests {
    private func fetch(
        _ steps: [RawServer.Step],
        _ limits: LoadLimits = LoadLimits(),
        timeoutInterval: Duration = .seconds(60)
    ) async throws -> WebResponse {
        try await withRawServer(steps) { server in
            let request = WebRequest(url: try WebURL(server.url), timeoutInterval: timeoutInterval)
            return try await CurlFetcher().fetch(request, limits: limits)
        }
    }

    /// Returns the error that a fetch throws; `nil` if it does not.
    private func failure(
        _ steps: [RawServer.Step],
        _ limits: LoadLimits = LoadLimits(),
        timeoutInterval: Duration = .seconds(60)
    ) async throws -> FetchError? {
        do {
            _ = try await fetch(steps, limits, timeoutInterval: timeoutInterval)
            return nil
        } catch let error as FetchError {
            return error
        }
    }

    // MARK: - Responses

    @Test func givesStatusFieldsAndBytesAsTheyCame() async throws {
        let response = try await fetch([
            .send(
                "HTTP/1.1 404 Gone Fishing\r\nX-B: 1\r\nSet-Cookie: a=1\r\nX-A:  two words \t\r\nset-cookie: b=2\r\n"
            ),
            .send("X-Empty:\r\nnot a: field\r\nContent-Length: 4\r\n\r\n"),
            .sendBytes([0x00, 0xFF, 0x0D, 0x0A]),
        ])
        #expect(response.status == 404)
        #expect(response.httpVersion == "1.1")
        #expect(response.source == .network)
        #expect(response.remoteAddress == "127.0.0.1")
        #expect(response.body == [0x00, 0xFF, 0x0D, 0x0A])
        #expect(
            response.headerFields.map { "\($0.name.rawName)=\($0.value)" } == [
                "X-B=1", "Set-Cookie=a=1", "X-A=two words", "set-cookie=b=2", "X-Empty=", "Content-Length=4",
            ]
        )
        #expect(response.values(.setCookie) == ["a=1", "b=2"])
        #expect(response.interimResponses.isEmpty)
        let timing = response.timing
        let connect = try #require(timing.connect)
        let firstByte = try #require(timing.firstByte)
        let total = try #require(timing.total)
        #expect(connect <= firstByte)
        #expect(firstByte <= total)
        #expect(timing.tls == nil)
    }

    @Test func passesInterimResponsesOn() async throws {
        let response = try await fetch([
            .send("HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"),
            .send("HTTP/1.1 103 Early Hints\r\nLink: </b.css>; rel=preload\r\n\r\n"),
            .send("HTTP/1.1 200 OK\r\nX: final\r\nConnection: close\r\n\r\nbody"),
        ])
        #expect(response.status == 200)
        #expect(response.interimResponses.map(\.status) == [103, 103])
        #expect(
            response.interimResponses.flatMap { $0.headerFields.map(\.value) } == [
                "</a.css>; rel=preload", "</b.css>; rel=preload",
            ]
        )
        #expect(!response.headerFields.contains { $0.name.canonicalName == "link" })
        #expect(response.body == Array("body".utf8))
    }

    @Test func boundsTheNumberOfInterimResponses() async throws {
        let interim = "HTTP/1.1 103 Early Hints\r\n\r\n"
        let final = RawServer.Step.send("HTTP/1.1 204 No Content\r\n\r\n")
        let allowed = LoadLimits().maximumInterimResponses
        #expect(
            try await fetch([.sendRepeatedly(interim, times: allowed), final]).interimResponses.count
                == allowed
        )
        let error = try await failure([.sendRepeatedly(interim, times: allowed + 1), final])
        #expect(error?.code == .tooManyInterimResponses)
        #expect(error?.limit == Int64(allowed))
        #expect(error?.reached == Int64(allowed) + 1)
        let endless = try await failure([.sendRepeatedly(interim, times: .max)])
        #expect(endless?.code == .tooManyInterimResponses)
    }

    // MARK: - Limits

    struct Body: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [RawServer.Step]
        let isTooLarge: Bool

        init(_ name: String, tooLarge: Bool, _ steps: RawServer.Step...) {
            testDescription = name
            self.steps = steps
            isTooLarge = tooLarge
        }
    }

    @Test(
        "A body may have as many bytes as the limit says and no more",
        arguments: [
            Body(
                "Content-Length, just the limit",
                tooLarge: false,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"),
                .sendRepeatedly("x", times: 1000)
            ),
            Body(
                "Content-Length, one more",
                tooLarge: true,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"),
                .sendRepeatedly("x", times: 1001)
            ),
            Body(
                "Content-Length of more than 32 bits",
                tooLarge: true,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5000000000\r\n\r\n"),
                .sendRepeatedly(String(repeating: "x", count: 4096), times: .max)
            ),
            Body(
                "Content-Length of nearly 64 bits",
                tooLarge: true,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\n"),
                .sendRepeatedly(String(repeating: "x", count: 4096), times: .max)
            ),
            Body(
                "chunked, just the limit",
                tooLarge: false,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .sendRepeatedly("64\r\n\(String(repeating: "x", count: 100))\r\n", times: 10),
                .send("0\r\n\r\n")
            ),
            Body(
                "chunked, one more",
                tooLarge: true,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .sendRepeatedly("64\r\n\(String(repeating: "x", count: 100))\r\n", times: 10),
                .send("1\r\nx\r\n0\r\n\r\n")
            ),
            Body(
                "chunked, without end",
                tooLarge: true,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"),
                .sendRepeatedly("64\r\n\(String(repeating: "x", count: 100))\r\n", times: .max)
            ),
            Body(
                "until the end of the connection, just the limit",
                tooLarge: false,
                .send("HTTP/1.0 200 OK\r\n\r\n"),
                .sendRepeatedly("x", times: 1000)
            ),
            Body(
                "until the end of the connection, one more",
                tooLarge: true,
                .send("HTTP/1.0 200 OK\r\n\r\n"),
                .sendRepeatedly("x", times: 1001)
            ),
        ]
    )
    func boundsTheBody(body: Body) async throws {
        var limits = LoadLimits()
        limits.maximumBodySize = 1000
        if body.isTooLarge {
            let error = try await failure(body.steps, limits)
            #expect(error?.code == .bodyTooLarge)
            #expect(error?.limit == 1000)
        } else {
            #expect(
                try await fetch(body.steps, limits).body == [UInt8](repeating: UInt8(ascii: "x"), count: 1000)
            )
        }
    }

    /// A gzip member of 20,000 zero bytes, compressed to 54: what comes out of it counts.
    @Test func countsDecodedBytes() async throws {
        let gzip: [UInt8] =
            [
                0x1F, 0x8B, 0x08, 0, 0, 0, 0, 0, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0, 0, 0, 0xC2, 0xA0,
                0xF5, 0x4F,
            ]
            + [0x6D, 0x0D, 0x0F, 0xA0] + [UInt8](repeating: 0, count: 19)
            + [0x78, 0x30, 0x02, 0x53, 0x2F, 0x97, 0x20, 0x4E, 0, 0]
        let steps: [RawServer.Step] = [
            .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\n"), .sendBytes(gzip),
        ]
        var limits = LoadLimits()
        limits.maximumBodySize = 5000
        #expect(try await failure(steps, limits)?.code == .bodyTooLarge)
        #expect(try await fetch(steps).body == [UInt8](repeating: 0, count: 20000))
    }

    @Test func boundsTheFields() async throws {
        let head = "HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 500))\r\nContent-Length: 0\r\n\r\n"
        var limits = LoadLimits()
        limits.maximumHeaderSize = head.utf8.count
        #expect(try await fetch([.send(head)], limits).status == 200)
        limits.maximumHeaderSize -= 1
        let error = try await failure([.send(head)], limits)
        #expect(error?.code == .headersTooLarge)
        #expect(error?.limit == Int64(limits.maximumHeaderSize))
    }

    @Test(
        "Fields without end are refused",
        arguments: [
            ("X: y\r\n", 9000, .tooManyFields, 1000),
            ("X: \(String(repeating: "y", count: 1000))\r\n", 9, .headersTooLarge, 256 << 10),
            ("yyyyyyyyy", 1000, .headersTooLarge, 100 << 10),
        ] as [(String, Int, FetchError.Code, Int64)]
    )
    func endlessFields(piece: String, count: Int, code: FetchError.Code, limit: Int64) async throws {
        let pieces = String(repeating: piece, count: count)
        let error = try await failure([.send("HTTP/1.1 200 OK\r\n"), .sendRepeatedly(pieces, times: .max)])
        #expect(error?.code == code)
        #expect(error?.limit == limit)
        #expect((error?.reached ?? 0) > limit)
    }

    // MARK: - Time

    @Test func waitsAsLongAsBytesCome() async throws {
        var steps: [RawServer.Step] = [.send("HTTP/1.1 200 OK\r\nContent-Length: 50\r\n\r\n")]
        for _ in 0..<50 { steps += [.send("x"), .pause(seconds: 0.1)] }
        #expect(try await fetch(steps, timeoutInterval: .seconds(4)).body.count == 50)
    }

    @Test(
        "Without a byte of progress it gives up",
        arguments: [
            [RawServer.Step.pause(seconds: 60)],
            [.send("HTTP/1.1 200 OK\r\n"), .pause(seconds: 60)],
            [.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx"), .pause(seconds: 60)],
        ]
    )
    func stalls(steps: [RawServer.Step]) async throws {
        let error = try await failure(steps, timeoutInterval: .seconds(0.2))
        #expect(error?.code == .timeout)
        #expect(error?.limit == 200)
    }

    @Test func boundsTheWholeTime() async throws {
        var limits = LoadLimits()
        limits.maximumTime = .seconds(0.3)
        var steps: [RawServer.Step] = [.send("HTTP/1.1 200 OK\r\nContent-Length: 2000\r\n\r\n")]
        for _ in 0..<1000 { steps += [.send("x"), .pause(seconds: 0.03)] }
        let error = try await failure(steps, limits)
        #expect(error?.code == .totalTimeout)
        #expect(error?.limit == 300)
        #expect((error?.reached ?? 0) >= 300)
    }

    // MARK: - Failures

    struct Broken: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [RawServer.Step]
        let code: FetchError.Code

        init(_ name: String, _ code: FetchError.Code, _ steps: RawServer.Step...) {
            testDescription = name
            self.steps = steps
            self.code = code
        }
    }

    @Test(
        "What is no whole response is an error that says why",
        arguments: [
            Broken("nothing at all", .connectionLost),
            Broken("half of the fields", .connectionLost, .send("HTTP/1.1 200 OK\r\nX: y\r\n")),
            Broken(
                "less than Content-Length",
                .connectionLost,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf!")
            ),
            Broken(
                "chunks without the last",
                .connectionLost,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf!\r\n")
            ),
            Broken("HTTP/0.9", .malformedResponse, .send("<title>A page without a head</title>")),
            Broken(
                "a line that is no field",
                .malformedResponse,
                .send("HTTP/1.1 200 OK\r\nno field\r\n\r\n")
            ),
            Broken("a NUL in a value", .malformedResponse, .send("HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n")),
            Broken("a NUL in a name", .malformedResponse, .send("HTTP/1.1 200 OK\r\nX\0Y: a\r\n\r\n")),
            Broken("a status that is no number", .malformedResponse, .send("HTTP/1.1 2x0 OK\r\n\r\n")),
            Broken(
                "a body that is not gzip",
                .contentDecoding,
                .send(
                    "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\nplain text, as it is"
                )
            ),
            Broken(
                "conflicting lengths",
                .malformedResponse,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 10\r\n\r\nhelloworld")
            ),
            Broken(
                "a length that is no number",
                .malformedResponse,
                .send("HTTP/1.1 200 OK\r\nContent-Length: 5x\r\n\r\nhello")
            ),
            Broken(
                "a transfer coding that nobody asked for",
                .malformedResponse,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n")
            ),
            // libcurl does not tell broken chunks from a broken connection.
            Broken(
                "a chunk whose size is no number",
                .connectionLost,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n0\r\n\r\n")
            ),
            Broken(
                "a chunk that is longer than its size",
                .connectionLost,
                .send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nhello\r\n0\r\n\r\n")
            ),
            Broken(
                "a 304 that nobody asked for",
                .malformedResponse,
                .send("HTTP/1.1 304 Not Modified\r\n\r\n")
            ),
            Broken(
                "another protocol that nobody asked for",
                .malformedResponse,
                .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n")
            ),
            Broken(
                "gzip without its end",
                .contentDecoding,
                .send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 12\r\n\r\n"),
                .sendBytes([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 2, 3, 0xED, 0xC1])
            ),
            Broken(
                "an interim response and no more",
                .connectionLost,
                .send("HTTP/1.1 103 Early Hints\r\n\r\n")
            ),
        ]
    )
    func brokenResponses(row: Broken) async throws {
        #expect(try await failure(row.steps)?.code == row.code)
    }

    @Test func whatIsNoHTTPIsNoneOnAnOpenConnectionEither() async throws {
        let steps: [RawServer.Step] = [
            .send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi"), .readBody(count: 1),
            .send("no HTTP\r\n\r\n"),
        ]
        /// The second response to a fetcher, and the connections that were made.
        func second() async throws -> (Result<WebResponse, FetchError>, Int) {
            try await withRawServer(steps) { server in
                let fetcher = CurlFetcher()
                let request = WebRequest(url: try WebURL(server.url))
                #expect(try await fetcher.fetch(request, limits: LoadLimits()).body == Array("hi".utf8))
                do throws(FetchError) {
                    return (
                        .success(try await fetcher.fetch(request, limits: LoadLimits())), server.connections
                    )
                } catch {
                    return (.failure(error), server.connections)
                }
            }
        }
        var (result, connections) = try await second()
        // libcurl leaves a connection that was idle for two minutes, as it may be beside all other tests.
        if connections == 2 { (result, connections) = try await second() }
        let error = #expect(throws: FetchError.self) { try result.get() }
        #expect(error?.code == .malformedResponse)
        #expect(connections == 1)
    }

    /// A receiver that its test sees go.
    private final class Canary: BodyReceiver {
        var collectsBody: Bool { true }
        func receive(head: WebResponse) {}
        func receive(_ bytes: Span<UInt8>) {}
    }

    /// It may hold the fetcher, which would then have its thread and its connections for ever.
    @Test func nothingOfAReceiverIsKeptOnceItHasItsResponse() async throws {
        try await withRawServer([.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")]) { server in
            let fetcher = CurlFetcher()
            let request = WebRequest(url: try WebURL(server.url))
            weak var kept: Canary?
            do {
                let canary = Canary()
                kept = canary
                _ = try await fetcher.fetch(request, limits: LoadLimits(), receiver: canary)
            }
            #expect(kept == nil)
            withExtendedLifetime(fetcher) {}
        }
    }

    @Test func showsABodyInACodingThatNobodyKnowsAsItCame() async throws {
        let response = try await fetch([
            .send("HTTP/1.1 200 OK\r\nContent-Encoding: utf-8\r\nContent-Length: 2\r\n\r\nhi")
        ])
        #expect(response.body == Array("hi".utf8))
    }

    @Test func leavesPartOfABodyInItsCoding() async throws {
        let response = try await fetch([
            .send("HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Length: 2\r\n\r\nhi")
        ])
        #expect(response.body == Array("hi".utf8))
    }

    @Test func saysHowManyBytesCame() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
        let gzip = ContentDecoderTests.samples[0].bytes
        let response = try await fetch([
            .send(head + "\(String(gzip.count, radix: 16))\r\n"), .sendBytes(gzip), .send("\r\n0\r\n\r\n"),
        ])
        #expect(response.transferSize?.headers == head.utf8.count)
        #expect(response.transferSize?.body == gzip.count)
        #expect(response.transferSize?.decodedBody == 5000)
        #expect(response.body.count == 5000)
    }

    @Test func saysThatNobodyListens() async throws {
        let port = try RefusingPort()
        let error = await #expect(throws: FetchError.self) {
            let url = try WebURL("http://127.0.0.1:\(port.number)/")
            return try await CurlFetcher().fetch(WebRequest(url: url), limits: LoadLimits())
        }
        withExtendedLifetime(port) {}
        #expect(error?.code == .connection)
        #expect(error?.curlCode == 7)
    }

    @Test func saysThatANameDoesNotResolve() async throws {
        let error = await #expect(throws: FetchError.self) {
            try await CurlFetcher().fetch(
                WebRequest(url: WebURL("http://nothing.invalid/")),
                limits: LoadLimits()
            )
        }
        #expect(error?.code == .nameResolution)
    }

    @Test(arguments: ["ftp://127.0.0.1/", "file:///etc/passwd", "data:,x", "about:blank", "gopher://x/"])
    func fetchesNothingButHTTP(url: String) async throws {
        let error = await #expect(throws: FetchError.self) {
            try await CurlFetcher().fetch(WebRequest(url: WebURL(url)), limits: LoadLimits())
        }
        #expect(error?.code == .unsupportedURL)
    }

    @Test func doesNotFollowRedirects() async throws {
        let response = try await fetch([
            .send("HTTP/1.1 302 Found\r\nLocation: /x\r\nContent-Length: 0\r\n\r\n")
        ])
        #expect(response.status == 302)
        #expect(response.values(.location) == ["/x"])
    }
}
