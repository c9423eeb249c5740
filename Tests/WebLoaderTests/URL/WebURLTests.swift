import Foundation
import Testing

@testable import WebStandards

struct WebURLTests {
    @Test func takesAURLApart() throws {
        let url = try WebURL("HTTPS://user:pass@EXAMPLE.com:1234/foo/../bar?baz#qux")
        #expect(url.href == "https://user:pass@example.com:1234/bar?baz#qux")
        #expect(url.scheme == "https")
        #expect(url.protocol == "https:")
        #expect(url.username == "user")
        #expect(url.password == "pass")
        #expect(url.includesCredentials)
        #expect(url.host == "example.com")
        #expect(url.hostAndPort == "example.com:1234")
        #expect(url.port == 1234)
        #expect(url.path == "/bar")
        #expect(url.query == "baz")
        #expect(url.fragment == "qux")
        #expect(url.origin == "https://example.com:1234")
    }

    @Test func tellsMissingFromEmpty() throws {
        let missing = try WebURL("http://h/")
        #expect(missing.query == nil)
        #expect(missing.fragment == nil)
        let empty = try WebURL("http://h/?#")
        #expect(empty.query == "")
        #expect(empty.fragment == "")
        #expect(empty.search == "")
        #expect(empty.hash == "")
        #expect(try WebURL("file:///x").host == "")
        #expect(try WebURL("data:x").host == nil)
        #expect(try WebURL("foo:/x").host == nil)
        #expect(try WebURL("foo:///x").host == "")
    }

    @Test func knowsDefaultPorts() throws {
        #expect(try WebURL("http://h:80/").port == nil)
        #expect(try WebURL("http://h:80/").effectivePort == 80)
        #expect(try WebURL("wss://h/").effectivePort == 443)
        #expect(try WebURL("ftp://h:0021/").href == "ftp://h/")
        #expect(try WebURL("http://h:0/").port == 0)
        #expect(try WebURL("foo://h:80/").effectivePort == 80)
        #expect(try WebURL("file:///").effectivePort == nil)
    }

    struct Resolution: Sendable {
        let reference: String
        let href: String
    }

    /// RFC 3986, section 5.4, with the answers of the URL standard.
    @Test(arguments: [
        Resolution(reference: "g:h", href: "g:h"),
        Resolution(reference: "g", href: "http://a/b/c/g"),
        Resolution(reference: "./g", href: "http://a/b/c/g"),
        Resolution(reference: "g/", href: "http://a/b/c/g/"),
        Resolution(reference: "/g", href: "http://a/g"),
        Resolution(reference: "//g", href: "http://g/"),
        Resolution(reference: "?y", href: "http://a/b/c/d;p?y"),
        Resolution(reference: "g?y", href: "http://a/b/c/g?y"),
        Resolution(reference: "#s", href: "http://a/b/c/d;p?q#s"),
        Resolution(reference: "g;x?y#s", href: "http://a/b/c/g;x?y#s"),
        Resolution(reference: "", href: "http://a/b/c/d;p?q"),
        Resolution(reference: ".", href: "http://a/b/c/"),
        Resolution(reference: "..", href: "http://a/b/"),
        Resolution(reference: "../..", href: "http://a/"),
        Resolution(reference: "../../../../g", href: "http://a/g"),
        Resolution(reference: "/./g", href: "http://a/g"),
        Resolution(reference: "g.", href: "http://a/b/c/g."),
        Resolution(reference: "..g", href: "http://a/b/c/..g"),
        Resolution(reference: "./g/.", href: "http://a/b/c/g/"),
        Resolution(reference: "g;x=1/../y", href: "http://a/b/c/y"),
        Resolution(reference: "g?y/../x", href: "http://a/b/c/g?y/../x"),
        Resolution(reference: "http:g", href: "http://a/b/c/g"),
        Resolution(reference: "%2E%2e/g", href: "http://a/b/g"),
        Resolution(reference: "\\\\g\\h", href: "http://g/h"),
        Resolution(reference: " \t/a\nb\r ", href: "http://a/ab"),
        Resolution(reference: "ä?ä#ä", href: "http://a/b/c/%C3%A4?%C3%A4#%C3%A4"),
    ])
    func resolves(_ expected: Resolution) throws {
        let base = try WebURL("http://a/b/c/d;p?q#f")
        let url = try base.resolving(expected.reference)
        #expect(url.href == expected.href)
        #expect(try WebURL(expected.reference, base: base) == url)
        #expect(try WebURL(url.href).components == url.components)
    }

    struct Failure: Sendable {
        let input: String
        let code: WebURLError.Code
        let offset: Int
    }

    @Test(arguments: [
        Failure(input: "x", code: .missingSchemeNonRelativeURL, offset: 0),
        Failure(input: "http://", code: .hostMissing, offset: 7),
        Failure(input: "  http://u@", code: .hostMissing, offset: 11),
        Failure(input: "http://h:x", code: .portInvalid, offset: 9),
        Failure(input: "ht\ntp://h:1x", code: .portInvalid, offset: 11),
        Failure(input: "http://h:65536/", code: .portOutOfRange, offset: 9),
        Failure(input: "http://a b/", code: .domainInvalidCodePoint, offset: 8),
        Failure(input: "http://\u{00AD}/", code: .domainToASCII, offset: 7),
        Failure(input: "http://%ff/", code: .domainToASCII, offset: 7),
        Failure(input: "foo://a b/", code: .hostInvalidCodePoint, offset: 7),
        Failure(input: "http://1.2.3.4.5/", code: .ipv4TooManyParts, offset: 7),
        Failure(input: "http://a.1/", code: .ipv4NonNumericPart, offset: 7),
        Failure(input: "http://256.1/x", code: .ipv4OutOfRangePart, offset: 7),
        Failure(input: "http://4294967296/", code: .ipv4OutOfRangePart, offset: 7),
        Failure(input: "http://[::1", code: .ipv6Unclosed, offset: 11),
        Failure(input: "http://[:1]", code: .ipv6InvalidCompression, offset: 8),
        Failure(input: "http://[1:2:3:4:5:6:7:8:9]", code: .ipv6TooManyPieces, offset: 24),
        Failure(input: "http://[1::2::3]", code: .ipv6MultipleCompression, offset: 13),
        Failure(input: "http://[1:x]", code: .ipv6InvalidCodePoint, offset: 10),
        Failure(input: "http://[1:2]", code: .ipv6TooFewPieces, offset: 11),
        Failure(input: "http://[1:2:3:4:5:6:7:1.2.3.4]", code: .ipv4InIPv6TooManyPieces, offset: 22),
        Failure(input: "http://[::1.2.3.04]", code: .ipv4InIPv6InvalidCodePoint, offset: 17),
        Failure(input: "http://[::1.2.3.256]", code: .ipv4InIPv6OutOfRangePart, offset: 18),
        Failure(input: "http://[::1.2.3]", code: .ipv4InIPv6TooFewParts, offset: 15),
    ])
    func saysWhatIsWrongAndWhere(_ failure: Failure) {
        #expect(throws: WebURLError(failure.code, at: failure.offset)) { try WebURL(failure.input) }
    }

    @Test func showsNoCredentials() throws {
        let url = try WebURL("https://alice:secret@h:8080/p?q")
        #expect(url.description == "https://***@h:8080/p?q")
        #expect("\(url)" == url.debugDescription)
        var dumped = ""
        dump(url, to: &dumped)
        #expect(!dumped.contains("secret") && !dumped.contains("alice"))
        #expect(!String(reflecting: [url]).contains("secret"))
        #expect(try WebURL("https://alice@h/").description == "https://***@h/")
        #expect(try WebURL("https://h/@x").description == "https://h/@x")
        #expect(throws: WebURLError.self) { try WebURL("https://alice:secret@h:x/") }
        do {
            _ = try WebURL("https://alice:secret@h:x/")
        } catch {
            #expect(error.description == "port-invalid at byte 23")
        }
    }

    @Test func dropsCredentialsAndFragment() throws {
        let url = try WebURL("https://alice:secret@h:8080/p?q#f")
        #expect(url.withoutCredentials.components == (try WebURL("https://h:8080/p?q#f").components))
        #expect(url.withoutFragment.components == (try WebURL("https://alice:secret@h:8080/p?q").components))
        let plain = try WebURL("https://h/")
        #expect(plain.withoutCredentials == plain)
        #expect(plain.withoutFragment == plain)
    }

    @Test func comparesBytes() throws {
        let urls = try ["http://b/", "http://a/b", "http://a/", "http://a/?"].map { text in try WebURL(text) }
        #expect(urls.sorted().map(\.href) == ["http://a/", "http://a/?", "http://a/b", "http://b/"])
        #expect(try WebURL("HTTP://A:80") == WebURL("http://a/"))
        #expect(Set(try [WebURL("HTTP://A:80"), WebURL("http://a/")]).count == 1)
    }

    @Test func isCodedAsItsString() throws {
        let url = try WebURL("https://u:p@h/ä")
        let data = try JSONEncoder().encode([url])
        #expect(try JSONDecoder().decode([WebURL].self, from: data) == [url])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([WebURL].self, from: Data(#"["/relative"]"#.utf8))
        }
    }

    @Test func hasAnOrigin() throws {
        #expect(try WebURL("https://u:p@h:443/x").origin == "https://h")
        #expect(try WebURL("ws://h:81/").origin == "ws://h:81")
        #expect(try WebURL("file:///x").origin == "null")
        #expect(try WebURL("data:,x").origin == "null")
        #expect(try WebURL("blob:https://h:8/id").origin == "https://h:8")
        #expect(try WebURL("blob:ftp://h/id").origin == "null")
        #expect(try WebURL("https://h/a").isSameOrigin(as: WebURL("https://h:443/b")))
        #expect(try !WebURL("https://h/a").isSameOrigin(as: WebURL("http://h/a")))
        #expect(try !WebURL("data:,x").isSameOrigin(as: WebURL("data:,x")))
    }

    @Test func readsInvalidUTF8AsReplacementCharacters() throws {
        let bytes: [UInt8] = Array("http://h/a".utf8) + [0xFF, 0xC3] + Array("?".utf8) + [0x80]
        #expect(try WebURL.parse(utf8: bytes.span).href == "http://h/a%EF%BF%BD%EF%BF%BD?%EF%BF%BD")
        #expect(throws: WebURLError.self) {
            try WebURL.parse(utf8: [0x68, 0x3A, 0x2F, 0x2F, 0xFF, 0x3C].span)
        }
    }

    @Test func guardsPathsThatLookLikeAuthorities() throws {
        for text in ["foo:/.//x", "foo:/a/..//x", "foo:/%2e//x"] {
            let url = try WebURL(text)
            #expect(url.href == "foo:/.//x")
            #expect(url.path == "//x")
            #expect(url.host == nil)
            #expect(try url.resolving("?q").href == "foo:/.//x?q")
            #expect(try url.resolving("y").href == "foo:/.//y")
            #expect(try url.resolving("/y").href == "foo:/y")
            #expect(try url.resolving("#f").path == "//x")
        }
        var url = try WebURL("foo:/.//x?q")
        try? url.setHost("h")
        #expect(url.components == (try WebURL("foo://h//x?q").components))
        var other = try WebURL("foo:/x")
        try? other.setPathname("//y")
        #expect(other.components == (try WebURL("foo:/.//y").components))
    }

    struct Change: Sendable {
        let from: String
        let to: String
        let change: @Sendable (inout WebURL) -> Void

        init(_ from: String, _ to: String, _ change: @escaping @Sendable (inout WebURL) -> Void) {
            self.from = from
            self.to = to
            self.change = change
        }
    }

    @Test(arguments: [
        Change("http://h/", "https://h/") { try? $0.setProtocol("HTTPS:x") },
        Change("http://h:443/", "https://h/") { try? $0.setProtocol("https") },
        Change("http://u@h/", "http://u@h/") { try? $0.setProtocol("file") },
        Change("foo://h/", "foo://h/") { try? $0.setProtocol("http") },
        Change("http://h/", "http://a%40:b%2F@h/") {
            try? $0.setUsername("a@"); try? $0.setPassword("b/")
        },
        Change("http://a:b@h/", "http://h/") {
            try? $0.setUsername(""); try? $0.setPassword("")
        },
        Change("file:///", "file:///") { try? $0.setUsername("a") },
        Change("http://u@h:1/p?q#f", "http://u@i:2/p?q#f") { try? $0.setHost("I:2/x") },
        Change("http://u@h:1/p?q#f", "http://u@h:1/p?q#f") { try? $0.setHostname("i:2") },
        Change("http://h:1/", "http://h/") { try? $0.setPort("") },
        Change("http://h:1/", "http://h:8080/") { try? $0.setPort(8080) },
        Change("http://h:1/", "http://h/") { try? $0.setPort(nil) },
        Change("http://h/", "http://h:9/") { try? $0.setPort("9x") },
        Change("http://h/a?q", "http://h/b%3F%23?q") { try? $0.setPathname("a/../b?#") },
        Change("http://h/a?q#f", "http://h/a#f") { try? $0.setSearch("") },
        Change("http://h/a#f", "http://h/a?x%23%27#f") { try? $0.setSearch("?x#'") },
        Change("http://h/a#f", "http://h/a") { try? $0.setHash("") },
        Change("http://h/a", "http://h/a##%20") { try? $0.setHash("## ") },
        Change("http://h/?a=b", "http://h/?a=b&c=d+e") { $0.searchParameters.append("c", "d e") },
        Change("http://h/?a=b", "http://h/") { $0.searchParameters.remove("a") },
        Change("http://h/", "http://h/") { try? $0.setHref("x") },
        Change("http://h/", "data:x") { try? $0.setHref("data:x") },
    ])
    func changes(_ change: Change) throws {
        var url = try WebURL(change.from)
        change.change(&url)
        #expect(url.components == (try WebURL(change.to).components))
    }

    private struct Refusal: Sendable {
        let url: String
        let code: WebURLError.Code
        let change: @Sendable (inout WebURL) throws -> Void

        init(
            _ url: String,
            _ code: WebURLError.Code,
            _ change: @escaping @Sendable (inout WebURL) throws -> Void
        ) {
            self.url = url
            self.code = code
            self.change = change
        }
    }

    @Test(
        "What a browser's setter ignores is an error, and changes nothing",
        arguments: [
            Refusal("foo://h/", .schemeNotAllowed) { try $0.setProtocol("http") },
            Refusal("http://h/", .schemeNotAllowed) { try $0.setProtocol("1") },
            Refusal("file:///a", .componentNotAllowed) { try $0.setUsername("u") },
            Refusal("mailto:a", .componentNotAllowed) { try $0.setHost("h") },
            Refusal("mailto:a", .componentNotAllowed) { try $0.setPathname("b") },
            Refusal("http://h/", .domainInvalidCodePoint) { try $0.setHost("a b") },
            Refusal("mailto:a", .componentNotAllowed) { try $0.setPort(80) },
            Refusal("http://h/", .portInvalid) { try $0.setPort("x") },
            Refusal("http://h/", .portOutOfRange) { try $0.setPort("65536") },
            Refusal("http://h/", .portOutOfRange) { try $0.setPort(-1) },
            Refusal("http://h/", .portOutOfRange) { try $0.setPort(.max) },
        ]
    )
    private func refusals(_ refusal: Refusal) throws {
        var url = try WebURL(refusal.url)
        let error = #expect(throws: WebURLError.self) { try refusal.change(&url) }
        #expect(error?.code == refusal.code)
        #expect(url.href == refusal.url)
    }
}
