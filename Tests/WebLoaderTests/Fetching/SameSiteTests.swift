import HTTPTypes
import Testing

@testable import WebTransport

/// Which cookies go with requests that come from other sites.
struct SameSiteTests {
    /// A jar with a cookie of each kind.
    private func jar() throws -> CookieJar {
        let jar = CookieJar()
        let fields = [
            "strict=1; Secure; SameSite=Strict", "lax=1; Secure; SameSite=LAX",
            "none=1; Secure; SameSite=None",
            "other=1; Secure; SameSite=x", "unsaid=1; Secure",
        ]
        jar.take(
            HTTPFields(lines: fields.map { ("Set-Cookie", "\($0); Domain=a.com; Path=/") }),
            from: try WebURL("https://www.a.com/")
        )
        return jar
    }

    private static let all = "strict=1; lax=1; none=1; other=1; unsaid=1"
    private static let safe = "lax=1; none=1; other=1; unsaid=1"

    @Test func theAttributeIsKept() throws {
        let kept: [Cookie.SameSite?] = [.strict, .lax, Cookie.SameSite.none, nil, nil]
        #expect(try jar().cookies.map(\.sameSite) == kept)
        let url = try WebURL("https://a.com/")
        let jar = CookieJar()
        // The last one counts, also if nobody knows it.
        let fields = ["a=1; SameSite=Strict; SameSite=Lax", "b=1; SameSite=Strict; SameSite=x"]
        jar.take(HTTPFields(lines: fields.map { ("Set-Cookie", $0) }), from: url)
        #expect(jar.cookies.map(\.sameSite) == [.lax, nil])
    }

    @Test(
        "A cookie goes to its site from where it may",
        arguments: [
            (nil, "GET", all), (nil, "POST", all),
            ("https://a.com/", "POST", all), ("https://x.a.com:81/", "POST", all),
            ("http://a.com/", "GET", safe), ("http://a.com/", "POST", "none=1"),
            ("https://b.com/", "GET", safe), ("https://b.com/", "HEAD", safe),
            ("https://b.com/", "POST", "none=1"),
            ("https://b.com/", "PUT", "none=1"), ("https://com/", "POST", "none=1"),
            ("file:///page.html", "POST", "none=1"), ("about:blank", "GET", safe),
        ] as [(String?, String, String)]
    )
    func sent(referrer: String?, method: String, expected: String) throws {
        var request = WebRequest(url: try WebURL("https://www.a.com/x"))
        request.httpMethod = method
        request.referrer = try referrer.map { try WebURL($0) }
        #expect(try jar().field(for: request) == expected)
        #expect(try jar().field(for: request.url) == Self.all)
    }

    @Test func whereItBelongsCountsAsBefore() throws {
        var request = WebRequest(url: try WebURL("http://www.a.com/"))
        request.referrer = try WebURL("https://b.com/")
        #expect(try jar().field(for: request) == nil)
    }

    @Test func aFileCannotSay() throws {
        let read = CookieJar(text: Array(try jar().text().utf8))
        #expect(read.cookies.map(\.sameSite) == Array(repeating: nil, count: 5))
    }

    @Test func eachHopComesFromThePageThatBegan() async throws {
        let fetcher = ScriptedFetcher { request in
            switch request.url.href {
            case "https://www.a.com/": .answering(request, 307, [("Location", "https://c.com/")])
            case "https://c.com/": .answering(request, 307, [("Location", "https://www.a.com/2")])
            default: .answering(request)
            }
        }
        let session = WebSession(cookieJar: try jar(), hstsStore: nil, blockingWork: .inline)
        func cookies(from referrer: String?, by method: String) async throws -> [String?] {
            var request = WebRequest(url: try WebURL("https://www.a.com/"))
            request.httpMethod = method
            request.referrer = try referrer.map { try WebURL($0) }
            let before = fetcher.requests.count
            _ = try await RedirectFollower(fetcher: fetcher, session: session)
                .fetch(request, limits: LoadLimits())
            return fetcher.requests.dropFirst(before).map { $0.headerFields[.cookie] }
        }
        #expect(try await cookies(from: "https://b.com/", by: "POST") == ["none=1", nil, "none=1"])
        #expect(try await cookies(from: "https://b.com/", by: "GET") == [Self.safe, nil, Self.safe])
        #expect(try await cookies(from: "https://a.com/", by: "POST") == [Self.all, nil, Self.all])
        #expect(try await cookies(from: nil, by: "POST") == [Self.all, nil, Self.all])
    }
}
