import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebLoader

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
    ])
    func passesOverWhatIsNoCookie(line: String) {
        #expect(CookieJar(text: Array(line.utf8)).cookies == [])
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
