import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests of the requests that ``CurlFetcher`` sends.
@Suite(.timeLimit(.minutes(20)))
struct CurlRequestTests {
    /// Returns the lines of the request that a server receives.
    private func sent(
        bodyLength: Int = 0,
        _ configure: (inout WebRequest) throws -> Void
    ) async throws -> [String] {
        let steps: [RawServer.Step] = [
            .readBody(count: bodyLength), .send("HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"),
        ]
        return try await withRawServer(steps) { server in
            var request = WebRequest(url: try WebURL(server.url + "path/../%7e?q=1#fragment"))
            try configure(&request)
            _ = try await CurlFetcher().fetch(request, limits: LoadLimits())
            let text = try #require(server.requests.first)
            return text.replacing("127.0.0.1:\(server.port)", with: "HOST").split(
                separator: "\r\n",
                omittingEmptySubsequences: true
            ).map(String.init)
        }
    }

    @Test func sendsTheDefaultFields() async throws {
        let lines = try await sent { _ in }
        #expect(lines.first == "GET /%7e?q=1 HTTP/1.1")
        #expect(lines.contains("Host: HOST"))
        #expect(lines.contains("User-Agent: \(CurlFetcher.userAgent)"))
        #expect(lines.contains("Accept: \(CurlFetcher.accept)"))
        #expect(lines.contains { $0.hasPrefix("Accept-Encoding: ") })
        #expect(lines.count == 5)
    }

    @Test func sendsFieldsInPlaceOfTheDefaultsAndLeavesOutWhatIsOmitted() async throws {
        let lines = try await sent { request in
            request.headerFields = HTTPFields(lines: [
                ("User-Agent", "mine"), ("X-Two", "a"), ("X-Two", "b"), ("X-Empty", ""),
                ("Accept-Language", "de"),
            ])
            request.omittedFields = [.accept, .acceptEncoding]
        }
        #expect(
            lines.dropFirst().sorted() == [
                "Accept-Language: de", "Host: HOST", "User-Agent: mine", "X-Empty:", "X-Two: a", "X-Two: b",
            ]
        )
    }

    @Test(
        "The method and the body go as they are",
        arguments: [
            ("GET", nil), ("GET", "q=1"), ("HEAD", nil), ("POST", nil), ("POST", ""),
            ("POST", "a=1&b=\u{E4}"),
            ("PUT", nil), ("PUT", "text"), ("PATCH", "text"), ("DELETE", nil), ("DELETE", "text"),
            ("OPTIONS", nil),
            ("PURGE", nil), ("get", nil),
        ] as [(String, String?)]
    )
    func methodAndBody(method: String, body: String?) async throws {
        let length = body?.utf8.count ?? 0
        let lines = try await sent(bodyLength: length) { request in
            request.httpMethod = method
            request.httpBody = body.map { Array($0.utf8) }
        }
        #expect(lines.first == "\(method) /%7e?q=1 HTTP/1.1")
        let lengths = lines.filter { $0.hasPrefix("Content-Length: ") }
        if body != nil || ["POST", "PUT", "PATCH"].contains(method) {
            #expect(lengths == ["Content-Length: \(length)"])
        } else {
            #expect(lengths == [])
        }
        if let body, !body.isEmpty { #expect(lines.last == body) }
    }

    @Test func doesNotWaitBeforeALargeBody() async throws {
        let lines = try await sent(bodyLength: 2 << 20) { request in
            request.httpMethod = "POST"
            request.httpBody = [UInt8](repeating: UInt8(ascii: "x"), count: 2 << 20)
        }
        #expect(!lines.contains { $0.hasPrefix("Expect") })
        #expect(lines.last?.utf8.count == 2 << 20)
    }

    @Test(arguments: ["", "GET /\r\nX: y", "G T", "GET\0"])
    func refusesAMethodThatIsNoToken(method: String) async throws {
        try await withRawServer([]) { server in
            var request = WebRequest(url: try WebURL(server.url))
            request.httpMethod = method
            let error = await #expect(throws: FetchError.self) {
                try await CurlFetcher().fetch(request, limits: LoadLimits())
            }
            #expect(error?.code == .invalidRequest)
            #expect(server.connections == 0)
        }
    }

    @Test func keepsAFieldsValueOnOneLine() async throws {
        let lines = try await sent { request in
            request.setValue("a\r\nInjected: b\0c", forHTTPHeaderField: "X")
        }
        #expect(!lines.contains { $0.hasPrefix("Injected") })
        #expect(lines.contains { $0.hasPrefix("X: a") })
    }
}
