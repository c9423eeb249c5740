import Testing

@testable import WebDocument

struct DeclarativeRefreshTests {
    /// Values of `content`, and the URL in each; `nil` if the value has no URL or is invalid.
    private static let cases: [(String, String?)] = [
        ("", nil),
        ("5", nil),
        ("5;", nil),
        ("x", nil),
        ("-1; url=a", nil),
        ("url=a", nil),
        ("5; url=a.html", "a.html"),
        ("5;url=a.html", "a.html"),
        ("5,url=a.html", "a.html"),
        ("5 url=a.html", "a.html"),
        ("5 ; url=a.html", "a.html"),
        ("  5\n;\turl\n=\ta.html ", "a.html "),
        ("5; URL=a.html", "a.html"),
        ("5; uRl=a.html", "a.html"),
        ("5; a.html", "a.html"),
        ("5; 'a.html'", "a.html"),
        ("5; url='a.html'x", "a.html"),
        ("5; url=\"a.html", "a.html"),
        ("5; url='a\"b'", "a\"b"),
        ("5; url=a'b'", "a'b'"),
        ("5; url a.html", "url a.html"),
        ("5; ur=a.html", "ur=a.html"),
        ("5; u", "u"),
        ("5; url", "url"),
        ("5; url=", ""),
        ("5; url=''", ""),
        ("5;; url=a", "; url=a"),
        ("5x; url=a", nil),
        ("0.5; url=a", "a"),
        (".5; url=a", "a"),
        ("1.2.3; url=a", "a"),
        (". url=a", "a"),
        ("99999999999999999999999; url=a", "a"),
        ("5; url=日本", "日本"),
    ]

    @Test(arguments: cases)
    func theURLIsFoundAsTheStandardHasIt(content: String, expected: String?) {
        #expect(DeclarativeRefresh.reference(in: content) == expected)
    }
}
