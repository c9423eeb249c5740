import Testing
import WebStandards

@testable import WebCopy

/// Names of files that every system takes.
struct MirrorNamesTests {
    @Test(arguments: [
        ("plain.html", "plain.html"), ("", "_"), (".", "_._"), ("..", "_.._"), (".htaccess", "_.htaccess"),
        ("-rf", "_-rf"), ("a b", "a_b"), ("a:b*c?\"<>|\\", "a_b_c______"),
        ("../../etc/passwd", "_.._.._etc_passwd"),
        ("end.", "end._"), ("end ", "end_"), ("con", "_con"), ("CON.html", "_CON.html"),
        ("aux.tar.gz", "_aux.tar.gz"),
        ("com1", "_com1"), ("COM¹.txt", "_COM¹.txt"), ("lpt0", "_lpt0"), ("com10", "com10"),
        ("comb", "comb"), ("come.html", "come.html"), ("lpta", "lpta"),
        ("console", "console"),
        ("nul\u{0}x", "nul_x"), ("a\u{202E}gpj.exe", "a_gpj.exe"), ("日本語", "日本語"), ("\u{301}a", "_\u{301}a"),
        ("100%", "100_"), ("~user", "_user"), ("a\u{200D}b", "a_b"), ("line\nbreak", "line_break"),
    ])
    func makesSafeNames(_ text: String, _ name: String) {
        #expect(SafeFileName.name(like: text.utf8) == name)
    }

    @Test func takesNoBytesThatAreNoText() {
        #expect(SafeFileName.name(like: [0x61, 0xFF, 0xC3]) == "a__")
    }

    @Test(arguments: ["x", "é", "日", "👩‍👩‍👧"])
    func keepsNamesShort(_ letter: String) {
        let name = SafeFileName.name(like: String(repeating: letter, count: 1000).utf8)
        #expect(name.utf8.count <= SafeFileName.maximumLength)
        #expect(!name.unicodeScalars.contains("\u{FFFD}"))
    }

    @Test(arguments: [
        ("Case", "case"), ("STRASSE", "straße"), ("caf\u{E9}", "cafe\u{301}"), ("\u{17F}", "s"),
        ("\u{212A}", "k"),
        ("\u{212B}ngstrom", "\u{E5}ngstrom"), ("ΟΔΟΣ", "οδος"),
    ])
    func takesForTheSameWhatSystemsMay(_ one: String, _ other: String) {
        #expect(SafeFileName.key(one) == SafeFileName.key(other))
    }

    // MARK: - Extensions

    @Test(arguments: [
        ("text/html", "page", ".html"), ("text/html", "page.htm", ""), ("text/html", "page.php", ".html"),
        ("text/html", "v1.2", ".html"), ("image/png", "a.png", ""), ("image/png", "a.PNG", ""),
        ("image/png", "a.jpg", ".png"), ("text/xml", "e.svg", ".xml"), ("image/svg+xml", "d", ".svg"),
        ("text/plain", "t.css", ".txt"), ("application/octet-stream", "x.html", ".bin"),
        ("application/octet-stream", "x.shtm", ".bin"), ("application/x-rss", "feed.rss", ".bin"),
        ("application/octet-stream", "setup.exe", ""), ("application/octet-stream", "LICENSE", ".bin"),
        ("text/css", "css", ".css"), ("text/javascript", "m.mjs", ""), ("application/x-tar", "a.tar", ""),
    ])
    func addsTheExtensionOfTheType(_ type: String, _ name: String, _ ending: String) throws {
        #expect(FileExtension.added(for: try #require(MediaType(type)), to: name) == ending)
    }

    // MARK: - Sites

    private func paths(_ urls: [(String, String)]) throws -> [String] {
        let files = try urls.map { url, type in
            MirrorNames.File(url: try WebURL(url), type: try #require(MediaType(type)))
        }
        return MirrorNames.paths(for: files).map { $0.joined(separator: "/") }
    }

    @Test func namesFilesLikeURLs() throws {
        let names = try paths([
            ("http://h/", "text/html"), ("http://h/a", "text/html"), ("http://h/a/", "text/html"),
            ("http://h/a/b", "text/html"), ("http://h:8080/i.png", "image/png"),
            ("file:///x/y.html", "text/html"),
        ])
        #expect(
            names == [
                "h/index.html", "h/a.html", "h/a/index.html", "h/a/b.html", "h_8080/i.png", "file/x/y.html",
            ]
        )
    }

    @Test func givesWayToFolders() throws {
        let names = try paths([("http://h/a.png", "image/png"), ("http://h/a.png/b.png", "image/png")])
        #expect(names[1] == "h/a.png/b.png")
        #expect(names[0].hasPrefix("h/a-") && names[0].hasSuffix(".png"))
    }

    @Test(arguments: [
        ["http://h/Case.html", "http://h/case.html"], ["http://h/q?a=1", "http://h/q?a=2", "http://h/q"],
        ["http://h/caf%C3%A9", "http://h/cafe%CC%81"], ["http://h/a/", "http://h/a/index.html"],
        ["http://h/A/x", "http://h/a/x"], ["http://h/con", "http://h/_con", "http://h/CON"],
        ["http://h/a%2Fb", "http://h/a_b", "http://h/a%5Cb", "http://h/a%00b"],
        ["http://h/x", "https://h/x"],
        ["http://h//x", "http://h/x", "http://h/_/x"], ["http://h/a", "http://h/a.html"],
        ["http://h/%2e%2e%2f", "http://h/..%2f..%2fx"], ["http://h/.mirror/x", "http://h/.mirror%20/x"],
    ])
    func givesEachItsOwn(_ urls: [String]) throws {
        let names = try paths(urls.map { ($0, "text/html") })
        #expect(Set(names.map(SafeFileName.key)).count == urls.count, "\(names)")
        for name in names {
            for part in name.split(separator: "/", omittingEmptySubsequences: false) {
                #expect(part == SafeFileName.name(like: part.utf8), "\(name)")
            }
        }
    }

    @Test func doesNotMindTheOrder() throws {
        let urls = [
            "http://h/a", "http://h/A", "http://h/a?1", "http://h/A/b", "http://h/a/B", "http://h/a/b",
        ]
        let names = try paths(urls.map { ($0, "text/html") })
        let others = try paths(urls.reversed().map { ($0, "text/html") })
        #expect(names == others.reversed())
    }

    @Test func boundsPaths() throws {
        let deep = "http://h/" + String(repeating: "d/", count: 600)
        let wide = "http://h/" + (0..<9).map { String(repeating: "\($0)", count: 150) }.joined(separator: "/")
        let long = "http://h/" + String(repeating: "x", count: 300)
        let names = try paths(
            [deep + "1", deep + "2", wide + "1", wide + "2", long + "1", long + "2"].map { ($0, "text/html") }
        )
        #expect(Set(names).count == names.count)
        for name in names {
            #expect(name.utf8.count <= 180)
            #expect(name.split(separator: "/").allSatisfy { $0.utf8.count <= 100 })
        }
    }

    @Test func tellsApartWhatIsTooLong() throws {
        let folders = (0..<3).map { String(repeating: "\($0)", count: 70) }.joined(separator: "/")
        let names = try paths([("http://h/\(folders)/a", "text/html"), ("http://h/a", "text/html")])
        // Neither depends on whether the other is there.
        #expect(names[1] == "h/a.html")
        #expect(names[0].hasPrefix("h/a-") && names[0].hasSuffix(".html"))
        #expect(try paths([("http://h/\(folders)/a", "text/html")]) == [names[0]])
    }

    // MARK: - References

    @Test(arguments: [
        ("h/index.html", "h/index.html", "index.html"), ("h/a.html", "h/a/b.html", "a/b.html"),
        ("h/a/b.html", "h/index.html", "../index.html"), ("h/a/b.html", "x/i.png", "../../x/i.png"),
        ("h/a.html", "h/日 %.html", "%E6%97%A5%20%25.html"),
        ("index.html", "h/a+b=c.html", "h/a%2Bb%3Dc.html"),
    ])
    func leadsFromFileToFile(_ from: String, _ to: String, _ reference: String) throws {
        let parts = { (path: String) in path.split(separator: "/").map(String.init) }
        #expect(RelativeReference.reference(from: parts(from), to: parts(to)) == reference)
        let base = try WebURL("file:///m/\(from)")
        #expect(try WebURL(reference, base: base).filePath == "/m/\(to)")
    }
}
