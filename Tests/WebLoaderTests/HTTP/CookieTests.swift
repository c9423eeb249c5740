import Testing

@testable import WebLoader

/// RFC 6265, and what browsers have made of it.
struct CookieTests {
    private let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    private func cookie(_ field: String, from url: String = "https://www.a.test/dir/page") throws -> Cookie? {
        Cookie(field, from: try WebURL(url), now: now) { ["test", "co.uk"].contains($0) }
    }

    @Test(
        "Name and value stand before the first semicolon",
        arguments: [
            ("a=b", "a", "b"), (" a = b ; Path=/", "a", "b"), ("a=", "a", ""), ("=b", "", "b"),
            ("b", "", "b"),
            ("a=b=c", "a", "b=c"), ("a=\"b c\"", "a", "\"b c\""), ("a=b;;;", "a", "b"), ("a=ä", "a", "ä"),
        ]
    )
    func nameAndValue(field: String, name: String, value: String) throws {
        let cookie = try #require(try cookie(field))
        #expect(cookie.name == name)
        #expect(cookie.value == value)
    }

    @Test(
        "What browsers do not keep",
        arguments: [
            "", "=", ";", " ; a=b", "a=b\u{1}", "a=b\u{7F}", "a=b; Domain=b.test", "a=b; Domain=test",
            "a=b; Domain=sub.www.a.test", "a=b; Domain=ww.a.test", "a=b; SameSite=None", "__Secure-a=b",
            "__Host-a=b; Secure", "__Host-a=b; Secure; Path=/; Domain=www.a.test", "__host-a=b; Path=/",
            "=__Host-a=b", "__Secure-a",
        ]
    )
    func isNotKept(field: String) throws {
        #expect(try cookie(field) == nil)
    }

    @Test func isNotKeptIfItIsLong() throws {
        #expect(try cookie("a=\(String(repeating: "b", count: 4095))") != nil)
        #expect(try cookie("a=\(String(repeating: "b", count: 4096))") == nil)
    }

    @Test(arguments: [
        "a=b; Secure", "a=b; SameSite=None; Secure", "__Secure-a=b; Secure", "__Host-a=b; Secure; Path=/",
    ])
    func whatNeedsTLSIsKeptOverTLSOnly(field: String) throws {
        #expect(try cookie(field)?.isSecure == true)
        #expect(try cookie(field, from: "http://www.a.test/") == nil)
    }

    @Test(
        "Domain and path",
        arguments: [
            ("a=b", "www.a.test", true, "/dir"), ("a=b; Domain=a.test", "a.test", false, "/dir"),
            ("a=b; Domain=.A.Test; Path=/", "a.test", false, "/"),
            ("a=b; Domain=; Path=", "www.a.test", true, "/dir"),
            ("a=b; Domain=www.a.test; path=/x/y", "www.a.test", false, "/x/y"),
            ("a=b; Path=x", "www.a.test", true, "/dir"), ("a=b; Path=/x; Path=/y", "www.a.test", true, "/y"),
        ]
    )
    func scope(field: String, domain: String, isHostOnly: Bool, path: String) throws {
        let cookie = try #require(try cookie(field))
        #expect(cookie.domain == domain)
        #expect(cookie.isHostOnly == isHostOnly)
        #expect(cookie.path == path)
    }

    @Test(arguments: [
        ("http://test/", "a=b; Domain=test", true), ("http://127.0.0.1/", "a=b; Domain=127.0.0.1", true),
    ])
    func aPublicSuffixAndAnAddressKeepCookiesToThemselves(url: String, field: String, isHostOnly: Bool) throws
    {
        #expect(try cookie(field, from: url)?.isHostOnly == isHostOnly)
        #expect(try cookie("a=b; Domain=0.0.1", from: "http://127.0.0.1/") == nil)
    }

    @Test(
        "It ends when Max-Age says, or else Expires",
        arguments: [
            ("a=b", nil), ("a=b; Max-Age=10", 10), ("a=b; Max-Age=0", -1_800_000_000),
            ("a=b; Max-Age=-5", -1_800_000_000),
            ("a=b; Max-Age=x", nil), ("a=b; Max-Age=", nil),
            ("a=b; Max-Age=99999999999999999999", 400 * 86400),
            ("a=b; Expires=Fri, 15 Jan 2027 08:00:10 GMT", 10), ("a=b; Expires=never", nil),
            ("a=b; Expires=Fri, 15 Jan 2027 08:00:10 GMT; Max-Age=20", 20),
            ("a=b; Expires=Thu, 01 Jan 1970 00:00:00 GMT", -1_800_000_000),
            ("a=b; Expires=Fri, 31 Dec 9999 23:59:59 GMT", 400 * 86400),
        ] as [(String, Int64?)]
    )
    func end(field: String, seconds: Int64?) throws {
        let cookie = try #require(try cookie(field))
        #expect(cookie.expires.map { $0.secondsSince1970 - 1_800_000_000 } == seconds)
    }

    @Test(
        "Dates are read as browsers read them",
        arguments: [
            ("Wed, 09 Jun 2021 10:18:14 GMT", 1_623_233_894),
            ("Wednesday, 09-Jun-21 10:18:14 GMT", 1_623_233_894),
            ("Wed Jun  9 10:18:14 2021", 1_623_233_894), ("9 june 2021 10:18:14", 1_623_233_894),
            ("10:18:14 2021 Jun 9", 1_623_233_894), ("09 Jun 70 00:00:00", 13_737_600),
            ("09 Jun 69 0:0:0", 3_137_961_600),
            ("09 Jun 1600 00:00:00", nil), ("31 Jun 2021 00:00:00", nil), ("09 Jun 2021", nil),
            ("09 Jun 2021 24:00:00", nil), ("09 Jun 2021 10:60:00", nil), ("", nil),
            ("09 Jux 2021 10:18:14", nil),
            ("09 Jun 20210 10:18:14", nil),
        ] as [(String, Int64?)]
    )
    func date(text: String, seconds: Int64?) {
        #expect(CookieDate(text)?.secondsSince1970 == seconds)
    }

    @Test(
        "It is sent to its host, its path and what is below",
        arguments: [
            ("https://www.a.test/dir", true), ("https://www.a.test/dir/", true),
            ("https://www.a.test/dir/x", true),
            ("https://www.a.test/directory", false), ("https://www.a.test/", false),
            ("https://a.test/dir", false),
            ("https://x.www.a.test/dir", false), ("http://www.a.test/dir", true),
            ("https://www.a.test:8443/dir", true),
        ]
    )
    func isSent(url: String, isSent: Bool) throws {
        #expect(try #require(try cookie("a=b")).isSent(to: try WebURL(url), now: now) == isSent)
    }

    @Test func isSentToSubdomainsAndOverTLSAsItSays() throws {
        let cookie = try #require(try cookie("a=b; Domain=a.test; Path=/; Secure; Max-Age=10"))
        #expect(cookie.isSent(to: try WebURL("https://x.y.a.test/"), now: now))
        #expect(!cookie.isSent(to: try WebURL("https://xa.test/"), now: now))
        #expect(!cookie.isSent(to: try WebURL("http://a.test/"), now: now))
        let later = Timestamp(millisecondsSince1970: now.millisecondsSince1970 + 10_000)
        #expect(!cookie.isSent(to: try WebURL("https://a.test/"), now: later))
    }
}
