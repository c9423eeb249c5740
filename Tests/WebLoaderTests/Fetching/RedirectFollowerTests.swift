import HTTPTypes
import Synchronization
import Testing

@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct RedirectFollowerTests {
    /// A fetcher that redirects from each of the URLs to what stands beside it, and answers 200 for any other.
    private func redirecting(_ status: Int, _ locations: [String: String]) -> ScriptedFetcher {
        ScriptedFetcher { request in
            if let location = locations[request.url.withoutFragment.href] {
                .answering(request, status, [("Location", location)])
            } else {
                .answering(request, body: request.url.path)
            }
        }
    }

    private func request(
        _ url: String,
        _ configure: (inout WebRequest) -> Void = { _ in }
    ) throws -> WebRequest {
        var request = WebRequest(url: try WebURL(url))
        configure(&request)
        return request
    }

    private func failure(_ fetcher: ScriptedFetcher, _ request: WebRequest) async -> FetchError? {
        do throws(FetchError) {
            _ = try await RedirectFollower(fetcher: fetcher).fetch(request, limits: LoadLimits())
            return nil
        } catch {
            return error
        }
    }

    // MARK: - Where it goes

    /// A Location in Latin-1 is requested with the bytes that the server sent.
    @Test(arguments: [
        (Array("/sm\u{F8}r".utf8), "/sm%C3%B8r"), ([0x2F, 0x73, 0xF8, 0x72], "/s%F8r"),
        (Array("/a b%F8".utf8), "/a%20b%F8"),
    ])
    func bytesOfALocationStayWhatTheyAre(_ location: [UInt8], _ path: String) throws {
        let request = try request("http://a.test/")
        var response = WebResponse(url: request.url, status: 302, body: [], source: .network)
        response.headerFields.append(HTTPField(name: .location, lenientValue: location))
        #expect(try RedirectFollower.redirect(request, response)?.url.href == "http://a.test\(path)")
    }

    // MARK: - How far it goes

    /// As a cache does it, in no time.
    private let cycle = ScriptedFetcher { .answering($0, 302, [("Location", "/")]) }

    @Test func aCycleEndsWithTheTime() async throws {
        var limits = LoadLimits()
        limits.maximumRedirects = .max
        limits.maximumTime = .seconds(0.1)
        await #expect(throws: FetchError.tookTooLong(0.1)) {
            try await RedirectFollower(fetcher: cycle).fetch(request("http://a.test/"), limits: limits)
        }
    }

    @Test func aCycleEndsWithItsTask() async throws {
        var limits = LoadLimits()
        limits.maximumRedirects = .max
        // Cancelled from inside: who would do it from another task may come late, and meanwhile all is remembered.
        let cancelling = ScriptedFetcher { request in
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return .answering(request, 302, [("Location", "/")])
        }
        let load = Task { [limits, request = try request("http://a.test/")] in
            try await RedirectFollower(fetcher: cancelling).fetch(request, limits: limits)
        }
        await #expect(throws: FetchError.cancelled) { try await load.value }
    }

    // MARK: - The next request

    @Test(
        "The method follows the status",
        arguments: [
            (301, "GET", "GET", false), (301, "HEAD", "HEAD", false), (301, "POST", "GET", false),
            (301, "PUT", "PUT", true), (301, "DELETE", "DELETE", true),
            (302, "GET", "GET", false), (302, "HEAD", "HEAD", false), (302, "POST", "GET", false),
            (302, "PUT", "PUT", true),
            (303, "GET", "GET", false), (303, "HEAD", "HEAD", false), (303, "POST", "GET", false),
            (303, "PUT", "GET", false), (303, "DELETE", "GET", false),
            (307, "GET", "GET", false), (307, "POST", "POST", true), (307, "PUT", "PUT", true),
            (308, "HEAD", "HEAD", false), (308, "POST", "POST", true), (308, "DELETE", "DELETE", true),
        ]
    )
    func method(status: Int, method: String, expected: String, keepsBody: Bool) async throws {
        let fetcher = redirecting(status, ["http://a.test/": "/b"])
        let isSafe = method == "GET" || method == "HEAD"
        let response = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/") { request in
                request.httpMethod = method
                request.httpBody = isSafe ? nil : [1, 2]
                request.headerFields = HTTPFields(lines: [("Content-Type", "a/b"), ("X", "y")])
            },
            limits: LoadLimits()
        )
        let next = try #require(fetcher.requests.last)
        #expect(fetcher.requests.count == 2)
        #expect(next.httpMethod == expected)
        #expect(next.httpBody == (keepsBody ? [1, 2] : nil))
        #expect((next.headerFields[.contentType] != nil) == (keepsBody || isSafe))
        #expect(next.value(forHTTPHeaderField: "X") == "y")
        #expect(response.url.href == "http://a.test/b")
        #expect(response.redirects.map(\.status.code) == [status])
        #expect(response.redirects.map(\.url.href) == ["http://a.test/"])
    }

    @Test(arguments: [200, 201, 300, 304, 305, 306, 399, 404])
    func othersAreNoRedirects(status: Int) async throws {
        let fetcher = redirecting(status, ["http://a.test/": "/b"])
        let response = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/"),
            limits: LoadLimits()
        )
        #expect(response.status?.code == status)
        #expect(fetcher.requests.count == 1)
    }

    @Test(
        "A fragment stays unless the location has its own",
        arguments: [
            ("http://a.test/#f", "/x", "http://a.test/x#f"),
            ("http://a.test/#f", "/x#g", "http://a.test/x#g"),
            ("http://a.test/#f", "/x#", "http://a.test/x#"), ("http://a.test/", "/x", "http://a.test/x"),
            ("http://a.test/", "/x#g", "http://a.test/x#g"),
            ("http://a.test/##f", "/x", "http://a.test/x##f"),
            ("http://a.test/#", "/x", "http://a.test/x#"),
            ("http://a.test/#%41 b", "/x", "http://a.test/x#%41%20b"),
            ("http://a.test/#f", "http://b.test", "http://b.test/#f"),
        ]
    )
    func fragment(url: String, location: String, expected: String) async throws {
        let fetcher = redirecting(302, ["http://a.test/": location])
        let response = try await RedirectFollower(fetcher: fetcher).fetch(request(url), limits: LoadLimits())
        #expect(response.url.href == expected)
    }

    @Test(
        "Locations are resolved against the URL that redirects",
        arguments: [
            ("b", "http://a.test/dir/b"), ("../b", "http://a.test/b"), ("//b.test/c", "http://b.test/c"),
            ("?q", "http://a.test/dir/page?q"), ("https://b.test", "https://b.test/"),
            ("/ä b", "http://a.test/%C3%A4%20b"), (" /b ", "http://a.test/b"),
        ]
    )
    func location(location: String, expected: String) async throws {
        let fetcher = redirecting(302, ["http://a.test/dir/page": location])
        let response = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/dir/page"),
            limits: LoadLimits()
        )
        #expect(response.url.href == expected)
    }

    @Test(
        "Credentials stay with their origin",
        arguments: [
            ("http://a.test/other", true), ("http://a.test:80/other", true), ("http://a.test:8080/", false),
            ("https://a.test/", false), ("http://b.a.test/", false), ("http://b.test/", false),
        ]
    )
    func credentials(location: String, areKept: Bool) async throws {
        let fetcher = redirecting(307, ["http://a.test/": location])
        _ = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/") { request in
                request.headerFields = HTTPFields(lines: [
                    ("Authorization", "Basic x"), ("Proxy-Authorization", "Basic y"), ("Cookie", "a=b"),
                    ("Host", "a.test"), ("X", "y"),
                ])
            },
            limits: LoadLimits()
        )
        let next = try #require(fetcher.requests.last)
        let names = next.headerFields.map(\.name.rawName)
        #expect(names == (areKept ? ["Authorization", "Proxy-Authorization", "Cookie", "Host", "X"] : ["X"]))
    }

    @Test(arguments: [("http://a.test/", false), ("http://b.test/", false), ("https://a.test/b", true)])
    func whatNetrcHasDoesNotGoFromTLSToTheClear(location: String, isKept: Bool) async throws {
        let fetcher = redirecting(302, ["https://a.test/": location])
        let asked = try request("https://a.test/")
        _ = try await RedirectFollower(fetcher: fetcher).fetch(asked, limits: LoadLimits())
        #expect(fetcher.requests.map(\.mayHaveKeptCredentials) == [true, isKept])
    }

    @Test func credentialsDoNotComeBack() async throws {
        let fetcher = redirecting(
            302,
            ["http://a.test/": "http://b.test/", "http://b.test/": "http://a.test/end"]
        )
        _ = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/") { $0.headerFields[.authorization] = "Basic x" },
            limits: LoadLimits()
        )
        #expect(fetcher.requests.map { $0.headerFields[.authorization] } == ["Basic x", nil, nil])
    }

    // MARK: - Where it ends

    @Test(
        "What is no location for a page is an error",
        arguments: [
            ("http://[", .unsupportedRedirect), ("//", .unsupportedRedirect),
            ("ftp://a.test/", .unsupportedRedirect),
            ("file:///etc/passwd", .unsupportedRedirect), ("data:text/html,x", .unsupportedRedirect),
            ("javascript:alert(1)", .unsupportedRedirect), ("about:blank", .unsupportedRedirect),
            ("blob:http://a.test/x", .unsupportedRedirect),
        ] as [(String, FetchError.Code)]
    )
    func unsupported(location: String, code: FetchError.Code) async throws {
        #expect(FetchError.Code.unsupportedRedirect.rawValue == "network.redirect")
        let fetcher = redirecting(302, ["http://a.test/": location])
        #expect(await failure(fetcher, try request("http://a.test/"))?.code == code)
        #expect(fetcher.requests.count == 1)
    }

    @Test func withoutALocationTheRedirectIsTheAnswer() async throws {
        let fetcher = ScriptedFetcher { .answering($0, 302, body: "moved") }
        let response = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/"),
            limits: LoadLimits()
        )
        #expect(response.status == 302)
        #expect(response.redirects.isEmpty)
    }

    @Test(arguments: [(["/b", "/b"], true), (["/b", "/c"], false), (["/b", "/b", "/c"], false)])
    func severalLocationsHaveToAgree(locations: [String], isFollowed: Bool) async throws {
        let fetcher = ScriptedFetcher { request in
            request.url.path == "/"
                ? .answering(request, 302, locations.map { ("Location", $0) }) : .answering(request)
        }
        let error = await failure(fetcher, try request("http://a.test/"))
        #expect(error?.code == (isFollowed ? nil : .malformedResponse))
    }

    @Test func canBeToldNotToFollow() async throws {
        let fetcher = redirecting(302, ["http://a.test/": "/b"])
        let response = try await RedirectFollower(fetcher: fetcher).fetch(
            request("http://a.test/#f") { $0.followsRedirects = false },
            limits: LoadLimits()
        )
        #expect(response.status == 302)
        #expect(response.url.href == "http://a.test/#f")
        #expect(fetcher.requests.count == 1)
    }

    @Test(arguments: [(20, true), (21, false)])
    func follows20Redirects(count: Int, isFollowed: Bool) async throws {
        let locations = Dictionary(
            uniqueKeysWithValues: (0..<count).map { ("http://a.test/\($0)", "/\($0 + 1)") }
        )
        let fetcher = redirecting(302, locations)
        let error = await failure(fetcher, try request("http://a.test/0"))
        #expect(error?.code == (isFollowed ? nil : .tooManyRedirects))
        #expect(error?.limit == (isFollowed ? nil : 20))
        #expect(fetcher.requests.count == 21)
    }

    @Test(
        "A loop ends",
        arguments: [
            ["http://a.test/": "/"], ["http://a.test/": ""],
            ["http://a.test/": "/b", "http://a.test/b": "/"],
            ["http://a.test/": "http://b.test/", "http://b.test/": "http://a.test/"],
        ]
    )
    func loop(locations: [String: String]) async throws {
        let fetcher = redirecting(308, locations)
        #expect(await failure(fetcher, try request("http://a.test/"))?.code == .tooManyRedirects)
        #expect(fetcher.requests.count == 21)
    }

    @Test func takesTheLimitOfItsLimits() async throws {
        var limits = LoadLimits()
        limits.maximumRedirects = 0
        let fetcher = redirecting(302, ["http://a.test/": "/b"])
        let error = await #expect(throws: FetchError.self) {
            try await RedirectFollower(fetcher: fetcher).fetch(request("http://a.test/"), limits: limits)
        }
        #expect(error?.limit == 0)
    }

    // MARK: - Time and the delegate

    @Test func allHopsShareOneTime() async throws {
        var limits = LoadLimits()
        limits.maximumTime = .seconds(100)
        let fetcher = redirecting(302, ["http://a.test/": "/b", "http://a.test/b": "/c"])
        _ = try await RedirectFollower(fetcher: fetcher).fetch(request("http://a.test/"), limits: limits)
        let times = fetcher.limits.compactMap(\.maximumTime)
        #expect(times.count == 3)
        #expect(times.allSatisfy { $0 > .zero && $0 <= .seconds(100) })
        #expect(times == times.sorted(by: >))
        #expect(Set(times).count == 3)
    }

    @Test func noTimeIsNoTimeForAnyHop() async throws {
        var limits = LoadLimits()
        limits.maximumTime = nil
        let fetcher = redirecting(302, ["http://a.test/": "/b"])
        _ = try await RedirectFollower(fetcher: fetcher).fetch(request("http://a.test/"), limits: limits)
        #expect(fetcher.limits.map(\.maximumTime) == [nil, nil])
    }

    @Test func aHopThatHasNoTimeLeftNamesTheWholeTime() async throws {
        var limits = LoadLimits()
        limits.maximumTime = .seconds(0)
        let fetcher = ScriptedFetcher(failing: .tookTooLong(0.001))
        let error = await #expect(throws: FetchError.self) {
            try await RedirectFollower(fetcher: fetcher).fetch(request("http://a.test/"), limits: limits)
        }
        #expect(error == .tookTooLong(0))
    }

    @Test func aHopWithoutProgressSaysSo() async throws {
        let fetcher = ScriptedFetcher(failing: .noProgress(for: 1))
        #expect(await failure(fetcher, try request("http://a.test/")) == .noProgress(for: 1))
    }

    @Test func asksBeforeEachHop() async throws {
        let fetcher = redirecting(302, ["http://a.test/": "/b", "http://a.test/b": "/c"])
        let asked = Mutex<[String]>([])
        let error = await #expect(throws: FetchError.self) {
            try await RedirectFollower(fetcher: fetcher).fetch(
                request("http://a.test/"),
                limits: LoadLimits()
            ) { (next, response) async throws(FetchError) in
                asked.withLock { $0.append("\(response.url) -> \(next.url)") }
                if next.url.path == "/c" { throw .refused }
            }
        }
        #expect(error == .refused)
        #expect(
            asked.withLock(\.self) == [
                "http://a.test/ -> http://a.test/b", "http://a.test/b -> http://a.test/c",
            ]
        )
        #expect(fetcher.requests.count == 2)
    }
}
