import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebLoader
@testable import WebTransport

struct CookieJarTests {
    private func take(_ jar: CookieJar, _ fields: [String], from url: String) throws {
        jar.take(HTTPFields(lines: fields.map { ("Set-Cookie", $0) }), from: try WebURL(url))
    }

    @Test func sendsLongerPathsFirstAndThenOlderCookies() throws {
        let jar = CookieJar()
        try take(
            jar,
            ["a=1; Path=/", "b=2; Path=/", "c=3; Path=/x/y", "d=4; Path=/x"],
            from: "http://a.test/"
        )
        try take(jar, ["a=5; Path=/"], from: "http://a.test/")
        #expect(jar.field(for: try WebURL("http://a.test/x/y/z")) == "c=3; d=4; a=5; b=2")
        #expect(jar.field(for: try WebURL("http://a.test/")) == "a=5; b=2")
        #expect(jar.field(for: try WebURL("http://b.test/")) == nil)
    }

    @Test func takesCookiesOutThatHaveEnded() throws {
        let jar = CookieJar()
        try take(jar, ["a=1", "b=2"], from: "http://a.test/")
        try take(jar, ["a=; Max-Age=0"], from: "http://a.test/")
        #expect(jar.field(for: try WebURL("http://a.test/")) == "b=2")
    }

    @Test func noCookieIsForAPublicSuffix() throws {
        let jar = CookieJar()
        try take(
            jar,
            ["a=1; Domain=co.uk", "b=2; Domain=com", "c=3; Domain=github.io"],
            from: "https://x.github.io/"
        )
        try take(jar, ["a=1; Domain=co.uk"], from: "https://x.co.uk/")
        #expect(jar.cookies == [])
    }

    @Test func aCookieWithoutTLSDoesNotStandBeforeOneWithIt() throws {
        let jar = CookieJar()
        try take(jar, ["a=good; Secure; Domain=a.test; Path=/"], from: "https://www.a.test/")
        try take(jar, ["a=bad; Domain=a.test; Path=/", "a=bad; Path=/x", "b=1"], from: "http://www.a.test/")
        #expect(jar.field(for: try WebURL("https://www.a.test/x")) == "a=good; b=1")
        #expect(jar.field(for: try WebURL("http://www.a.test/x")) == "b=1")
    }

    @Test(
        "A cookie without TLS does not stand beside one for TLS of a domain above or below",
        arguments: [
            ("secure.example.com", "FALSE", "/", "http://example.com/", "Domain=example.com; Path=/", false),
            ("secure.example.com", "FALSE", "/", "http://example.com/", "Path=/", false),
            (
                "x.secure.example.com", "FALSE", "/", "http://example.com/", "Domain=example.com; Path=/",
                false
            ),
            (".example.com", "TRUE", "/", "http://secure.example.com/", "Path=/", false),
            ("secure.example.com", "FALSE", "/login", "http://example.com/", "Path=/login/en", false),
            // Not what it would hide: another path, another domain, one that has ended.
            ("secure.example.com", "FALSE", "/login", "http://example.com/", "Path=/", true),
            ("secure.example.com", "FALSE", "/login", "http://example.com/", "Path=/loginpage", true),
            ("secure.example.com", "FALSE", "/", "http://other.example.com/", "Path=/", true),
            ("secure-example.com", "FALSE", "/", "http://example.com/", "Path=/", true),
        ]
    )
    func hidesNone(
        domain: String,
        includesSubdomains: String,
        path: String,
        url: String,
        attributes: String,
        isKept: Bool
    ) throws {
        let line = "\(domain)\t\(includesSubdomains)\t\(path)\tTRUE\t0\tsid\tgood\n"
        let jar = CookieJar(text: Array(line.utf8))
        try take(jar, ["sid=evil; \(attributes)"], from: url)
        #expect(jar.text().contains("good"))
        #expect(jar.text().contains("evil") == isKept)
        try take(jar, ["sid=mine; Secure; \(attributes)"], from: url.replacing("http:", with: "https:"))
        #expect(jar.text().contains("mine"))
    }

    @Test func aTimeInAFileMayHaveAFraction() throws {
        let lines =
            "a.test\tFALSE\t/\tFALSE\t4061834357.608\ta\t1\na.test\tFALSE\t/\tFALSE\t1000000000.5\tb\t2\n"
        let jar = CookieJar(text: Array(lines.utf8))
        #expect(jar.field(for: try WebURL("http://a.test/")) == "a=1")
    }

    @Test func aCookieThatHasEndedHidesNothing() throws {
        let jar = CookieJar(text: Array("www.a.test\tFALSE\t/\tTRUE\t1\tsid\told\n".utf8))
        try take(jar, ["sid=new"], from: "http://a.test/")
        #expect(jar.field(for: try WebURL("http://a.test/")) == "sid=new")
    }

    @Test func aCookieForTLSIsNotTakenOutWithoutIt() throws {
        let jar = CookieJar()
        try take(jar, ["sid=good; Secure; Path=/"], from: "https://a.test/")
        try take(jar, ["sid=; Max-Age=0; Path=/", "sid=; Max-Age=0; Path=/; Secure"], from: "http://a.test/")
        #expect(jar.field(for: try WebURL("https://a.test/")) == "sid=good")
    }

    @Test func cookiesWithoutTLSDoNotPushOutThoseForTLS() throws {
        let jar = CookieJar()
        try take(jar, ["sid=good; Secure"], from: "https://a.test/")
        for index in 0..<CookieJar.maximumPerDomain * 2 {
            try take(jar, ["c\(index)=x"], from: "http://a.test/")
        }
        #expect(jar.cookies.count == CookieJar.maximumPerDomain)
        #expect(jar.cookies.contains { $0.value == "good" })
    }

    @Test(
        "What no server can set is not taken from a caller either",
        arguments: [
            Cookie(name: "a\r\nX", value: "y", domain: "a.test"),
            Cookie(name: "a", value: "b; c=d", domain: "a.test"),
            Cookie(name: "a=b", value: "c", domain: "a.test"), Cookie(name: "a", value: "b", domain: ""),
            Cookie(name: "a", value: "b", domain: "a.test", path: "x"),
            Cookie(name: "", value: "", domain: "a.test"),
            Cookie(name: "__Host-a", value: "b", domain: "a.test"),
            Cookie(name: "a", value: "b", domain: "a.test\tTRUE"),
            Cookie(name: "a", value: String(repeating: "x", count: 4096), domain: "a.test"),
        ]
    )
    func ofCallers(cookie: Cookie) {
        #expect(CookieJar([cookie]).cookies == [])
    }

    @Test func hasRoomForSoMany() throws {
        let jar = CookieJar()
        for index in 0..<CookieJar.maximumPerDomain + 20 {
            try take(jar, ["c\(index)=x"], from: "http://a.test/")
        }
        #expect(jar.cookies.count == CookieJar.maximumPerDomain)
        for index in 0..<CookieJar.maximumCount { try take(jar, ["c=x"], from: "http://h\(index).test/") }
        #expect(jar.cookies.count <= CookieJar.maximumCount)
        #expect(jar.field(for: try WebURL("http://h2999.test/")) == "c=x")
    }

    // MARK: - The file

    @Test func readsWhatItWrites() async throws {
        let jar = CookieJar()
        let fields = ["a=1; HttpOnly", "b=2; Domain=a.test; Max-Age=86400; Secure; Path=/x", "=3", "empty="]
        try take(jar, fields, from: "https://www.a.test/")
        try await withTemporaryFolder { folder in
            let path = folder.path + "/jar"
            try jar.write(file: path)
            let read = try CookieJar(file: path)
            #expect(read.text() == jar.text())
            #expect(read.cookies.count == 4)
            #expect(read.cookies.map(\.isHostOnly) == jar.cookies.map(\.isHostOnly))
            #expect(
                try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600
            )
        }
    }

    @Test func readsTheFormatOfCurl() throws {
        let text = """
            # Netscape HTTP Cookie File
            # https://curl.se/docs/http-cookies.html

            .a.test\tTRUE\t/\tFALSE\t0\tsession\tyes
            #HttpOnly_www.a.test\tFALSE\t/x\tTRUE\t4102444800\ttoken\ta b=c\r
            www.a.test\tFALSE\t/\tFALSE\t1\tended\tlong ago
            A.TEST\tTRUE\t/\tFALSE\t0\tnovalue
            """
        let jar = CookieJar(text: Array(text.utf8))
        #expect(jar.field(for: try WebURL("https://www.a.test/x")) == "token=a b=c; session=yes; novalue=")
        #expect(jar.field(for: try WebURL("http://b.a.test/")) == "session=yes; novalue=")
        #expect(!jar.text().contains("ended"))
    }

    @Test(arguments: [
        "a.test", "a.test\tTRUE\t/\tFALSE\t0", "a.test\tTRUE\tx\tFALSE\t0\tn\tv", "\tTRUE\t/\tFALSE\t0\tn\tv",
        "a.test\tTRUE\t/\tFALSE\tx\tn\tv", "a.test\tTRUE\t/\tFALSE\t0\t\t",
        "a.test\tTRUE\t/\tFALSE\t0\tn\ta\tb", "\0", "#",
        // Cookies that no server can have set.
        "a.test\tFALSE\t/\tFALSE\t0\t__Secure-n\tv", "a.test\tFALSE\t/x\tTRUE\t0\t__Host-n\tv",
        ".a.test\tTRUE\t/\tTRUE\t0\t__host-n\tv", "a.test\tFALSE\t/\tTRUE\t0\t\t__Host-n",
        ".co.uk\tTRUE\t/\tFALSE\t0\tn\tv", ".co.uk.\tTRUE\t/\tFALSE\t0\tn\tv",
        ".com\tTRUE\t/\tFALSE\t0\tn\tv",
        ".\tTRUE\t/\tFALSE\t0\tn\tv", "a..test\tFALSE\t/\tFALSE\t0\tn\tv", "a test\tFALSE\t/\tFALSE\t0\tn\tv",
        "a.test\tFALSE\t/\tFALSE\t0\tn\tv;w=x", "a.test\tFALSE\t/\tFALSE\t0\tn;w\tv",
        "a.test\tFALSE\t/\r/\tFALSE\t0\tn\tv", "a.test\tFALSE\t/\tFALSE\t0\tn\u{7F}\tv",
        "a.test\tFALSE\t/\tFALSE\t99999999999999999999\tn\tv",
        "a.test\tFALSE\t/\tFALSE\t0\tn\t\(String(repeating: "x", count: 4096))",
    ])
    func passesOverWhatIsNoCookie(line: String) {
        #expect(CookieJar(text: Array(line.utf8)).cookies == [])
    }

    @Test(
        "Any number of seconds that a line has is read",
        arguments: [
            ("9223372036854775807", true), ("253402300800", true), ("-9223372036854775808", false),
            ("-1", false),
            ("1", false), ("0", true),
        ]
    )
    func seconds(text: String, isSent: Bool) throws {
        let jar = CookieJar(text: Array("a.test\tFALSE\t/\tFALSE\t\(text)\tn\tv\n".utf8))
        #expect((jar.field(for: try WebURL("http://a.test/")) != nil) == isSent)
        #expect(CookieJar(text: Array(jar.text().utf8)).text() == jar.text())
    }

    @Test func anAddressStandsAsCurlWritesIt() throws {
        let jar = CookieJar()
        try take(jar, ["a=1; Path=/"], from: "http://[::1]:8080/")
        #expect(jar.text().hasSuffix("\n::1\tFALSE\t/\tFALSE\t0\ta\t1\n"))
        let read = CookieJar(
            text: Array("::1\tTRUE\t/\tFALSE\t0\ta\t1\n127.0.0.1\tTRUE\t/\tFALSE\t0\tb\t2".utf8)
        )
        #expect(read.field(for: try WebURL("http://[::1]/")) == "a=1")
        #expect(read.field(for: try WebURL("http://127.0.0.1/")) == "b=2")
        #expect(read.text().contains("127.0.0.1\tFALSE\t"))
    }

    @Test func ofAFileOfAnyNumberOfLinesTheLastAreTaken() {
        let lines = (0..<300_000).map { "h\($0).test\tFALSE\t/\tFALSE\t0\tn\tv\n" }.joined()
        let cookies = CookieJar(text: Array(lines.utf8)).cookies
        #expect(cookies.count == CookieJar.maximumCount)
        #expect(cookies.contains { $0.domain == "h299999.test" })
    }

    @Test func aLineHasSevenFieldsWhateverComes() throws {
        var generator = SeededGenerator(seed: 17)
        let pieces = [
            "a", "=", ";", "\t", "\r", "\n", "\0", "\u{7F}", " ", "#", ".", "é", "\u{85}", "\u{2028}", "\"",
            "/", "; Path=/",
            "; Domain=", "a.test", "; Secure", "; HttpOnly", "; Expires=", "__Host-", "TRUE", "0", ",",
            "; Max-Age=", "9",
        ]
        let hosts = [
            "a.test", "www.a.test", "a.test.", ".a.test", "a..test", "$a.test", "[::1]", "127.0.0.1",
        ]
        let jar = CookieJar()
        for _ in 0..<5000 {
            let field = (0..<Int.random(in: 1...12, using: &generator))
                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &generator)] }.joined()
            let host = hosts[Int.random(in: 0..<hosts.count, using: &generator)]
            jar.take(
                HTTPFields([HTTPField(name: .setCookie, lenientValue: Array(field.utf8))]),
                from: try WebURL("https://\(host)/x/y")
            )
        }
        let text = jar.text()
        let lines = text.split(separator: "\n").filter { !$0.hasPrefix("# ") }
        #expect(lines.count > 100)
        for line in lines {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(fields.count == 7)
            // Python's reader gives up the file where these two differ.
            let domain = fields[0].replacing("#HttpOnly_", with: "")
            #expect(domain.hasPrefix(".") == (fields[1] == "TRUE"))
            #expect(!domain.hasPrefix("#"))
        }
        #expect(CookieJar(text: Array(text.utf8)).text() == text)
    }

    @Test func saysThatAFileCannotBeReadOrWritten() {
        #expect(throws: FileError.self) { try CookieJar(file: "/nowhere/jar") }
        let error = #expect(throws: FileError.self) { try CookieJar().write(file: "/proc/nowhere/jar") }
        #expect(error?.code == .unwritable)
    }

    // MARK: - In a load

    @Test func cookiesGoWithEachHopToWhereTheyBelong() async throws {
        let fetcher = ScriptedFetcher { request in
            switch request.url.href {
            case "http://a.test/":
                .answering(request, 302, [("Location", "http://b.test/"), ("Set-Cookie", "a=1")])
            case "http://b.test/":
                .answering(request, 302, [("Location", "http://a.test/end"), ("Set-Cookie", "b=2")])
            default: .answering(request)
            }
        }
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = fetcher
        configuration.cookieJar = CookieJar()
        var request = WebRequest(url: try WebURL("http://a.test/"))
        request.headerFields[.cookie] = "own=0"
        let loader = PageLoader(configuration: configuration)
        _ = try await loader.fetch(request)
        #expect(fetcher.requests.map { $0.headerFields[.cookie] } == ["own=0", nil, "a=1"])
        _ = try await loader.fetch(request)
        #expect(
            fetcher.requests.dropFirst(3).map { $0.headerFields[.cookie] } == ["a=1; own=0", "b=2", "a=1"]
        )
    }
}
