import Testing

@testable import WebArchive

struct SafeNamesTests {
    @Test(arguments: [
        ("https://a.test/", "text/html", "a.test.html"),
        ("https://a.test/dir/page.html?x=1#f", "text/html", "a.test_dir_page.html_x_1.html"),
        ("https://a.test/i.png", "image/png", "a.test_i.png"),
        ("https://u:p@a.test/x", nil, "a.test_x"),
        ("http://a.test/../../etc/passwd", nil, "a.test_.._.._etc_passwd"),
        ("../../x", nil, "_.._x"),
        ("", nil, "file"),
        ("...", nil, "file"),
        ("-rf", nil, "rf"),
        ("http://a.test/\u{0}\n|;$(x)", nil, "a.test_______x"),
        ("http://ä.test/", nil, "__.test"),
    ])
    func `a name means nothing to a file system`(_ url: String, _ type: String?, _ name: String) {
        var names = SafeNames(reserving: ["list.jsonl"])
        let made = names.name(for: url, mimeType: type)
        #expect(made == name)
        #expect(!made.contains("/") && !made.hasPrefix(".") && !made.hasPrefix("-"))
    }

    @Test func `no name is given twice, whatever its case`() {
        var names = SafeNames(reserving: ["list.jsonl"])
        let made = ["A.txt", "a.txt", "A.TXT", "a/txt", "list.jsonl", "a.txt"].map {
            names.name(for: $0, mimeType: nil)
        }
        #expect(Set(made.map { $0.lowercased() }).count == made.count)
        #expect(!made.contains("list.jsonl"))
    }

    @Test func `a hundred thousand copies of a URL have names at once`() {
        var names = SafeNames(reserving: [])
        var last = ""
        for _ in 0..<100_000 { last = names.name(for: "http://a.test/x.html", mimeType: "text/html") }
        #expect(last == "a.test_x~100000.html")
    }

    @Test func `a long name is cut, its extension kept`() {
        var names = SafeNames(reserving: [])
        let url = "http://a.test/" + String(repeating: "x", count: 10_000) + ".html"
        let made = names.name(for: url, mimeType: "text/html")
        #expect(made.utf8.count < 200)
        #expect(made.hasSuffix(".html"))
        #expect(names.name(for: url, mimeType: "text/html").hasSuffix("~2.html"))
    }
}
