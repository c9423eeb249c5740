import Testing
import WebStandards

@testable import WebSite

/// Which pages a crawl enters, and what it takes for a trap.
@Suite struct CrawlScopeTests {
    @Test(arguments: [
        ("host", "https://example.com/docs/a", "http://example.com/b", nil),
        ("host", "https://example.com/", "https://www.example.com/", "scope.outside"),
        ("host", "http://127.0.0.1:80/", "http://127.0.0.1/x", nil),
        ("host", "http://127.0.0.1:8080/", "http://127.0.0.1/x", "scope.outside"),
        ("domain", "https://www.example.co.uk/", "https://shop.example.co.uk/", nil),
        ("domain", "https://www.example.co.uk/", "https://other.co.uk/", "scope.outside"),
        ("domain", "http://127.0.0.1:1/", "http://127.0.0.1:2/", nil),
        ("domain", "http://127.0.0.1/", "http://127.0.0.2/", "scope.outside"),
        ("prefix", "https://example.com/docs/index.html", "https://example.com/docs/a/b?c=/d", nil),
        ("prefix", "https://example.com/docs/", "https://example.com/docsearch", "scope.outside"),
        ("prefix", "https://example.com/docs/", "https://example.com/?x=/docs/", "scope.outside"),
        ("prefix", "https://example.com/docs/", "http://example.com/docs/", "scope.outside"),
        ("host", "file:///srv/site/index.html", "file:///srv/site/a/b.html", nil),
        ("host", "file:///srv/site/index.html", "file:///srv/other.html", "scope.outside"),
        ("any", "https://example.com/", "https://elsewhere.example/", nil),
        ("any", "https://example.com/", "mailto:a@b.example", "scope.scheme"),
        ("any", "https://example.com/", "https://elsewhere.example/print/x", "scope.excluded"),
    ])
    func says(_ extent: String, _ seed: String, _ url: String, _ exclusion: String?) throws {
        var scope = CrawlScope(try #require(CrawlScope.Extent(rawValue: extent)), around: [try WebURL(seed)])
        scope.exclude("*/print/*")
        let found = scope.exclusion(of: try WebURL(url))
        #expect(found?.rawValue == exclusion)
    }

    @Test(arguments: [
        ("file:///site/a/b.png", nil), ("file:///site/../etc/passwd", "scope.outside"),
        ("file:///etc/passwd", "scope.outside"), ("file:///site", "scope.outside"),
        ("https://example.com/a.png", nil),
    ])
    func aFileBringsFilesOfItsFolder(_ resource: String, _ exclusion: String?) throws {
        let scope = CrawlScope(.host, around: [try WebURL("file:///site/index.html")])
        #expect(scope.exclusion(ofResource: try WebURL(resource))?.rawValue == exclusion)
    }

    @Test func includesOnlyWhatMatches() throws {
        var scope = CrawlScope(.host, around: [try WebURL("https://example.com/")])
        scope.include("*/a/*")
        scope.include("https://example.com/b")
        let exclusions = try ["a/x", "b", "c"].map {
            scope.exclusion(of: try WebURL("https://example.com/\($0)"))
        }
        #expect(exclusions == [nil, nil, .notIncluded])
        let picture = try WebURL("https://cdn.example/c.png")
        #expect(scope.exclusion(ofResource: picture) == nil)
    }

    @Test(arguments: [
        ("www.example.com", "example.com"), ("example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("co.uk", "co.uk"), ("localhost", "localhost"), ("127.0.0.1", "127.0.0.1"), ("[::1]", "[::1]"),
        ("", ""),
    ])
    func knowsWhatIsRegistered(_ host: String, _ domain: String) {
        #expect((PublicSuffix.registrableDomain(of: host) ?? host) == domain)
    }

    @Test(arguments: [
        ("http://a.example/x/y/z", nil),
        ("http://a.example/2024/01/01/1/1", nil),
        ("http://a.example/a/a/a/a/a", "trap.repeated-segments"),
        ("http://a.example/a/b/a/b/a/b/a/b/a/b", "trap.repeated-segments"),
        ("http://a.example/x/a.html/x/a.html/x/a.html/x/a.html/x/a.html", "trap.repeated-segments"),
        (
            "http://a.example/a/b/c/d/e/f/g/h/i/j/k/l/m/n/o/p/q/r/s/t/u/v/w/x/y/z/a1/b1/c1/d1/e1",
            "trap.path-depth"
        ),
        (
            "http://a.example/?a&b&c&d&e&f&g&h&i&j&k&l&m&n&o&p&q&r&s&t&u&v&w&x&y&z&a1&b1&c1&d1&e1",
            "trap.query-parameters"
        ),
        ("http://a.example/?a=1&b=2&c=3", nil),
    ])
    func findsTrapsByTheURL(_ url: String, _ trap: String?) throws {
        let found = CrawlTrap.found(in: try WebURL(url), CrawlLimits())
        #expect(found?.rawValue == trap)
    }

    @Test func findsLongURLs() throws {
        let url = try WebURL("http://a.example/\(String(repeating: "x", count: 2000))")
        #expect(CrawlTrap.found(in: url, CrawlLimits()) == .length)
    }

    @Test(arguments: [
        ("http://a.example/cal/2024/1.html", "http://a.example/cal/1999/12.html", true),
        ("http://a.example/s?sid=00f1", "http://a.example/s?sid=zz", true),
        ("http://a.example/x/8f14e45fceea167a/y", "http://a.example/x/c9f0f895fb98ab91/y", true),
        ("http://a.example/page12", "http://a.example/page7", true),
        ("http://a.example/tea", "http://a.example/coffee", false),
        ("http://a.example/?a=1", "http://a.example/?b=1", false),
        ("http://a.example/1", "http://b.example/1", false),
    ])
    func knowsTheFormOfURLs(_ one: String, _ other: String, _ isSame: Bool) throws {
        let forms = try [one, other].map { URLForm.form(of: try WebURL($0)) }
        #expect((forms[0] == forms[1]) == isSame)
    }

    @Test(arguments: [
        (
            "<title>May 2024</title><a href=/6>Next 6</a>", "<title>May 1999</title><a href=/7>Next 12</a>",
            true
        ),
        ("<p>tea", "<p>coffee", false),
        ("<p>x<script>a</script>", "<p>x<script>b</script>", true),
        ("<img src=1.png>", "<img src=2.png>", false),
        ("<img class=a1 src='1.png'>", "<img class=a2 src=\"1.png\">", true),
        ("", "<p><b></b>", true),
        ("<", "<p", true),
    ])
    func knowsLookAlikes(_ one: String, _ other: String, _ isSame: Bool) {
        let hash = KeyHash(k0: 1, k1: 2)
        let numbers = [one, other].map { PageLikeness.number(of: Array($0.utf8), hash) }
        #expect((numbers[0] == numbers[1]) == isSame)
    }

    @Test(arguments: [
        ("http://a.example/%7Euser/%c3%a4", "http://a.example/~user/%C3%A4", false, true),
        ("http://a.example:80/#x", "http://a.example/", false, true),
        ("http://a.example/?a=1&b=2", "http://a.example/?b=2&a=1", false, false),
        ("http://a.example/%2F", "http://a.example//", false, false),
        ("http://a.example/%zz%4", "http://a.example/%zz%4", false, true),
        ("http://a.example/?PHPSESSID=1&a=2", "http://a.example/?a=2", false, false),
        ("http://a.example/?PHPSESSID=1&a=2&utm_source=x", "http://a.example/?a=2", true, true),
        ("http://a.example/x;jsessionid=77?utm_a=b", "http://a.example/x", true, true),
        ("http://a.example/(S(abc))/x.aspx", "http://a.example/x.aspx", true, true),
        ("http://a.example/?side=1", "http://a.example/", true, false),
    ])
    func knowsTheSameURL(_ one: String, _ other: String, _ strips: Bool, _ isSame: Bool) throws {
        let form = CanonicalURL(stripsSessions: strips)
        let keys = try [one, other].map { form.key(of: try WebURL($0)) }
        #expect((keys[0] == keys[1]) == isSame)
    }

    @Test func keepsItsStepInOneNumber() {
        for step in [
            CrawlStep(role: .page, depth: 0), CrawlStep(role: .resource, depth: 7, hops: 3),
            CrawlStep(role: .page, depth: .max, hops: .max), CrawlStep(role: .page, depth: -1, hops: -1),
        ] {
            #expect(CrawlStep(step.number) == step)
        }
        #expect(CrawlStep(-5) == CrawlStep(role: .page, depth: 0))
    }
}
