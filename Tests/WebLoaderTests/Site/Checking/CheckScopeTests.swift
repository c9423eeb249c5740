import Testing
import WebDocument
import WebStandards

@testable import WebSite

/// Tests of the targets that a check requests, and of the pages that it reads.
struct CheckScopeTests {
    @Test(arguments: [
        ("*", "http://h.test/", true), ("http://h.test/", "http://h.test/", true),
        ("http://h.test/", "http://h.test/a", false), ("http://h.test/*", "http://h.test/a/b?c", true),
        ("*/x/*", "http://h.test/a/x/b", true), ("*/x/*", "http://h.test/a/xy/b", false),
        ("*.pdf", "http://h.test/a.pdf", true), ("*.pdf", "http://h.test/a.pdf?x", false),
        ("*?x=*", "http://h.test/?x=1", true), ("*?x=*", "http://h.test/ax=1", false),
        ("a*a", "a", false), ("a*a", "aa", true), ("", "", true), ("", "a", false), ("**a**", "bab", true),
        ("a*b*c", "a-c-b", false), ("a*b*c", "a-b-b-c", true),
    ])
    func patternsAreForWholeURLs(pattern: String, url: String, isMatch: Bool) {
        #expect(URLGlob(pattern).matches(url) == isMatch)
    }

    private func refusal(
        _ text: String,
        own: Bool = true,
        file: Bool = false,
        _ change: (inout CheckScope) -> Void = { _ in }
    ) throws -> String? {
        var scope = CheckScope()
        change(&scope)
        return scope.refusal(try WebURL(text), isOwn: own, fromFile: file)
    }

    @Test func whatIsNotAskedForSaysWhy() throws {
        #expect(try refusal("http://h.test/") == nil)
        #expect(try refusal("https://h.test/", own: false) == nil)
        for text in [
            "mailto:a@b.test", "tel:1", "javascript:void(0)", "data:,x", "ftp://h.test/", "urn:a:b",
            "about:blank",
        ] {
            #expect(try refusal(text) == "scheme.unsupported")
        }
        #expect(try refusal("http://h.test/cdn-cgi/l/email-protection#5a3b") == "scheme.unsupported")
        #expect(try refusal("http://h.test/cdn-cgi/l/email") == nil)
        #expect(try refusal("file:///etc/passwd") == "scheme.unsupported")
        #expect(try refusal("file:///etc/passwd", file: true) == nil)
        #expect(try refusal("http://h.test/", own: false) { $0.checksExternal = false } == "scope.external")
        #expect(try refusal("http://h.test/a") { $0.exclude = [URLGlob("*/a")] } == "scope.excluded")
        #expect(try refusal("http://h.test/b") { $0.exclude = [URLGlob("*/a")] } == nil)
        #expect(try refusal("http://h.test/b") { $0.include = [URLGlob("*/a")] } == "scope.excluded")
        #expect(try refusal("http://h.test/a") { $0.include = [URLGlob("*/a")] } == nil)
    }

    @Test func whatIsSentIsNeverAskedFor() {
        #expect(CheckScope.refusal(.form, rel: []) == "kind.not-requested")
        #expect(CheckScope.refusal(.preload, rel: ["preconnect"]) == "kind.not-requested")
        #expect(CheckScope.refusal(.preload, rel: ["dns-prefetch"]) == "kind.not-requested")
        #expect(CheckScope.refusal(.preload, rel: ["preload"]) == nil)
        #expect(CheckScope.refusal(.navigation, rel: []) == nil)
        // Endpoints that programs post to; a person can follow an `a` to one.
        for rel in ["pingback", "webmention", "hub", "openid2.provider"] {
            #expect(CheckScope.refusal(.other, rel: [rel]) == "kind.not-requested")
            #expect(CheckScope.refusal(.navigation, rel: [rel]) == nil)
        }
        #expect(CheckScope.refusal(.other, rel: ["search"]) == nil)
    }

    @Test func depthCountsLinksFromASeed() {
        var scope = CheckScope()
        #expect(scope.reaches(depth: 0))
        #expect(!scope.reaches(depth: 1))
        scope.isRecursive = true
        #expect(scope.reaches(depth: 1000))
        scope.maximumDepth = 3
        #expect(scope.reaches(depth: 3))
        #expect(!scope.reaches(depth: 4))
    }
}
