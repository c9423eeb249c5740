import Testing

@testable import WebStandards

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

    @Test(
        "A control character anywhere in what is kept is refused",
        arguments: [
            "a\tb=c", "a=b\tc", "a=b; Path=/\tTRUE\t0\t__Host-sid\tevil", "a=b; Path=/x\u{0}", "a\u{7F}=b",
            "a=b; Domain=a.\ttest", "a=b\r\nX: y", "a=b; Path=/x\n", "\u{0}=b", "a=b; Path=/\u{1F}",
        ]
    )
    func controlsAreRefused(field: String) throws {
        #expect(try cookie(field) == nil)
    }

    @Test func aTabAroundWhatIsReadIsWhiteSpace() throws {
        let cookie = try #require(
            try cookie("\ta\t=\tb\t;\tPath\t=\t/x\t;\tExpires=Fri,\t15 Jan 2027 08:00:10 GMT")
        )
        #expect(cookie.name == "a" && cookie.value == "b" && cookie.path == "/x")
        #expect(cookie.expires != nil)
    }

    @Test(
        "No cookie is for a public suffix, however its dots stand",
        arguments: [
            ("http://a.co.uk./", "co.uk."), ("http://a.co.uk./", ".co.uk."), ("http://a.co.uk./", "co.uk"),
            ("http://a.co.uk./", "uk."), ("http://a.co.uk./", ".."), ("http://a.co.uk../", "co.uk.."),
            ("http://a.co.uk/", "..co.uk"), ("http://a..co.uk/", ".co.uk"), ("http://a..co.uk/", "..co.uk"),
            ("http://a.co.uk/", "co.uk."), ("http://x.a.co.uk./", "a.co.uk"), ("http://a.test./", "test."),
            ("http://a.com./", "COM."), ("http://x.github.io./", "github.io."),
        ]
    )
    func suffixes(url: String, domain: String) throws {
        let cookie = Cookie(
            "a=b; Domain=\(domain)",
            from: try WebURL(url),
            now: now,
            isPublicSuffix: PublicSuffix.contains
        )
        #expect(cookie == nil)
    }

    @Test func aHostWithADotAtItsEndHasCookiesOfItsOwn() throws {
        let cookie = try #require(try cookie("a=b; Domain=a.test.; Path=/", from: "http://www.a.test./"))
        #expect(cookie.domain == "a.test.")
        #expect(cookie.isSent(to: try WebURL("http://x.a.test./"), now: now))
        #expect(!cookie.isSent(to: try WebURL("http://x.a.test/"), now: now))
    }

    @Test(arguments: [
        ("http://[::1]/", "::1"), ("http://[::1]/", "1]"), ("http://[2001:db8::1]/", "[::1]"),
        ("http://127.0.0.1/", "0.0.1"), ("http://127.0.0.1/", ".1"), ("http://127.0.0.1/", "127.0.0.1."),
    ])
    func anAddressHasNoDomainsAboveIt(url: String, domain: String) throws {
        #expect(try cookie("a=b; Domain=\(domain)", from: url) == nil)
    }

    @Test func anIPv6AddressHasCookiesOfItsOwn() throws {
        let cookie = try #require(try cookie("a=b; Domain=[::1]", from: "http://[::1]/"))
        #expect(cookie.isHostOnly)
        #expect(cookie.isSent(to: try WebURL("http://[0:0::1]:8080/"), now: now))
    }

    @Test(
        "Of several attributes the last one counts",
        arguments: [
            ("a=b; Domain=a.test; Domain=", true, "/dir"), ("a=b; Domain=; Domain=a.test", false, "/dir"),
            ("a=b; Path=/x; Path=y", true, "/dir"), ("a=b; Path=y; Path=/x", true, "/x"),
        ]
    )
    func lastAttribute(field: String, isHostOnly: Bool, path: String) throws {
        let cookie = try #require(try cookie(field))
        #expect(cookie.isHostOnly == isHostOnly)
        #expect(cookie.path == path)
    }

    @Test func anAttributeThatIsTooLongIsPassedOver() throws {
        let long = "/" + String(repeating: "x", count: 1024)
        #expect(try #require(try cookie("a=b; Path=/y; Path=\(long)")).path == "/y")
        #expect(try #require(try cookie("a=b; Path=\(long.dropLast())")).path.utf8.count == 1024)
    }

    @Test(
        "Prefixes of names are promises, in whatever case",
        arguments: [
            ("__SECURE-a=b; Secure", true), ("__SECURE-a=b", false), ("__hOsT-a=b; Secure; Path=/", true),
            ("__hOsT-a=b; Secure; Path=/; Domain=www.a.test", false), ("__hOsT-a=b; Secure; Path=/x", false),
            ("__Host-=b; Secure", false), ("=__host-a=b; Secure; Path=/", false),
            ("__SeCuRe-a; Secure", false), ("= __Host-a; Secure; Path=/", false),
            ("__Host-a=b; Secure; Path=/; Domain=", true),
        ]
    )
    func prefixes(field: String, isKept: Bool) throws {
        #expect(try (cookie(field) != nil) == isKept)
        #expect(try cookie(field, from: "http://www.a.test/") == nil)
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
            ("a=b; Max-Age=-9223372036854775808", -1_800_000_000),
            ("a=b; Max-Age=-9223372036854776", -1_800_000_000),
            ("a=b; Max-Age=-99999999999999999999", -1_800_000_000),
            ("a=b; Max-Age=9223372036854775807", 400 * 86400),
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
