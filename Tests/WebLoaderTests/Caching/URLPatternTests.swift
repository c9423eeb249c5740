import Testing

@testable import WebTransport

struct URLPatternTests {
    @Test(
        "A pattern is a URL, or many by *",
        arguments: [
            ("http://a.test/", "http://a.test/", true), ("HTTP://A.test", "http://a.test/", true),
            ("http://a.test/#x", "http://a.test/", true), ("http://a.test/", "http://a.test/b", false),
            ("*", "http://a.test/", true), ("*", "", true), ("http://*/b", "http://a.test/b", true),
            ("http://a.test/*", "http://a.test/", true), ("*b*c", "abbbc", true), ("*b*c", "abbbd", false),
            ("a*", "ba", false), ("**a**", "xax", true), ("no URL", "no URL", true), ("", "", true),
        ]
    )
    func matching(pattern: String, url: String, matches: Bool) {
        #expect(URLPattern(pattern).matches(url) == matches)
    }

    /// A match that a backtracking matcher would not finish.
    @Test(.timeLimit(.minutes(20)))
    func manyStarsAreNoTrouble() {
        let pattern = URLPattern(String(repeating: "*a", count: 100) + "*b")
        #expect(!pattern.matches(String(repeating: "a", count: 2_000)))
    }

    @Test func credentialsAreFoundByTheirHash() throws {
        let url = try WebURL("http://user:secret@a.test/")
        let key = StoredResponse.key(for: url)
        #expect(URLPattern("http://user:secret@a.test/").matches(key))
        #expect(!URLPattern("http://a.test/").matches(key))
        #expect(URLPattern("http://a.test/*").matches(key))
    }
}
