import Foundation
import Testing

@testable import WebStandards

struct MediaTypeTests {
    // MARK: - Parsing and serialising

    @Test(
        "A type is lowercased, parameters are kept in order and in quotes where they need them",
        arguments: [
            ("text/html", "text/html"),
            ("TEXT/HTML;CHARSET=GBK", "text/html;charset=GBK"),
            ("\n\t text/html \r\n", "text/html"),
            ("text/html \t;charset=a", "text/html;charset=a"),
            ("text/html;\r\n charset=a \t", "text/html;charset=a"),
            ("a/b;z=1;a=2", "a/b;z=1;a=2"),
            ("!#$%&'*+-.^_`|~09/AZaz;!#$%&'*+-.^_`|~09=AZ", "!#$%&'*+-.^_`|~09/azaz;!#$%&'*+-.^_`|~09=AZ"),
            ("a/b;c=(", "a/b;c=\"(\""),
            ("a/b;c= d", "a/b;c=\" d\""),
            ("a/b;c= \"d\"", "a/b;c=\" \\\"d\\\"\""),
            ("a/b;c='d;e'", "a/b;c='d"),
            ("a/b;c=\"\"", "a/b;c=\"\""),
            ("a/b;c=\"d e\"", "a/b;c=\"d e\""),
            ("a/b;c=\"\\d\\e\"", "a/b;c=de"),
            ("a/b;c=\"\\\"\\\\\"", "a/b;c=\"\\\"\\\\\""),
            ("a/b;c=d\"", "a/b;c=\"d\\\"\""),
            ("a/b;c=\"d;e=f\"", "a/b;c=\"d;e=f\""),
            ("a/b;c=\"d\te\"", "a/b;c=\"d\te\""),
        ]
    )
    func serialises(input: String, expected: String) throws {
        let parsed = try #require(MediaType(input))
        #expect(parsed.description == expected)
        #expect(MediaType(parsed.description) == parsed)
        #expect(MediaType(bytes: input.utf8) == parsed)
    }

    @Test(
        "Malformed, empty and repeated parameters are dropped, the others stay",
        arguments: [
            ("a/b;", "a/b"),
            ("a/b;;;; ;c=d", "a/b;c=d"),
            ("a/b;c", "a/b"),
            ("a/b;c=", "a/b"),
            ("a/b;c= ", "a/b"),
            ("a/b;c=;d=e", "a/b;d=e"),
            ("a/b;c;d=e", "a/b;d=e"),
            ("a/b;c =d", "a/b"),
            ("a/b;=c;d=e", "a/b;d=e"),
            ("a/b;c(=d;e=f", "a/b;e=f"),
            ("a/b;\";c=d", "a/b;c=d"),
            ("a/b;c=d;C=e;c=f", "a/b;c=d"),
            ("a/b;c=\u{7F};c=d", "a/b;c=d"),
            ("a/b;c=\"\u{0}\";c=d", "a/b;c=d"),
            ("a/b;c=\"d\"garbage;e=f", "a/b;c=d;e=f"),
            ("a/b;c=\"d", "a/b;c=d"),
            ("a/b;c=\"d\\", "a/b;c=\"d\\\\\""),
            ("a/b;c=\"", "a/b;c=\"\""),
        ]
    )
    func dropsParameters(input: String, expected: String) {
        #expect(MediaType(input)?.description == expected)
    }

    @Test(
        "What has no type and subtype of token characters is no MIME type",
        arguments: [
            "", "\t", "/", "a", "a/", "/b", "a/ ", "a /b", "a/ b", "a/b/c", "a/b(", "a/b c;d=e", "(/)",
            "{/}", "</>",
            "a/b,c/d", "\u{C}a/b", "a;b/c", "\u{E9}/\u{E9}", "a/\u{100}", "a\u{0}/b",
        ]
    )
    func fails(input: String) {
        #expect(MediaType(input) == nil)
        #expect(MediaType(bytes: input.utf8) == nil)
    }

    @Test("A value may hold code points up to U+00FF and no others")
    func valuesOutsideOfASCII() {
        #expect(MediaType("a/b;c=\u{FF};d=e")?.description == "a/b;c=\"\u{FF}\";d=e")
        #expect(MediaType("a/b;c=\"\u{80}\u{FF}\"")?[parameter: "c"] == "\u{80}\u{FF}")
        #expect(MediaType("a/b;c=\u{100};d=e")?.description == "a/b;d=e")
        #expect(MediaType("a/b;c=\"\u{FFFD}\";d=e")?.description == "a/b;d=e")
        #expect(MediaType("a/b;c=\u{1F600};d=e")?.description == "a/b;d=e")
    }

    @Test("Bytes stand for the code points of their numbers")
    func isomorphicBytes() {
        let bytes: [UInt8] = Array("a/b;c=".utf8) + [0x80, 0xFF, 0xC3, 0xA9]
        #expect(MediaType(bytes: bytes)?[parameter: "c"] == "\u{80}\u{FF}\u{C3}\u{A9}")
    }

    @Test("Names longer than 127 characters are as good as others")
    func longNames() {
        let long = String(repeating: "x", count: 1000)
        #expect(MediaType("\(long)/\(long);\(long)=\(long)")?.parameters.first?.name == long)
    }

    @Test("Every byte is accepted in a type exactly if it is a token character")
    func tokenCharacters() {
        let token = Set("!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min...UInt8.max {
            let isAlphanumeric =
                (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            let parsed = MediaType(bytes: Array("a".utf8) + [byte] + Array("a/b".utf8))
            // A slash ends the type instead.
            #expect((parsed != nil) == (isAlphanumeric || token.contains(byte)), "byte \(byte)")
        }
    }

    @Test("Fifty thousand parameters, new or repeated, take linear time", .timeLimit(.minutes(20)))
    func manyParameters() throws {
        let distinct = "a/b" + (0..<50_000).map { ";p\($0)=\($0)" }.joined()
        #expect(try #require(MediaType(distinct)).parameters.count == 50_000)
        let repeated = "a/b" + String(repeating: ";p=\"", count: 500_000)
        #expect(try #require(MediaType(repeated)).parameters.count == 1)
        let spaces = "a/b;" + String(repeating: " ", count: 1_000_000) + "c"
        #expect(try #require(MediaType(spaces)).parameters.isEmpty)
    }

    // MARK: - Parts

    @Test("Essence and parameters are readable")
    func parts() throws {
        let type = try #require(MediaType("Text/HTML; Charset=\"utf-8\"; a=1"))
        #expect(type.type == "text")
        #expect(type.subtype == "html")
        #expect(type.essence == "text/html")
        #expect(type.parameters.map(\.name) == ["charset", "a"])
        #expect(type[parameter: "charset"] == "utf-8")
        #expect(type[parameter: "b"] == nil)
    }

    @Test("A media type is encoded as its serialisation, and other strings are refused")
    func codable() throws {
        let type = try #require(MediaType("a/b;c=\"d e\""))
        let encoded = try JSONEncoder().encode([type])
        #expect(try JSONDecoder().decode([String].self, from: encoded) == [type.description])
        #expect(try JSONDecoder().decode([MediaType].self, from: encoded) == [type])
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([MediaType].self, from: Data("[\"bogus\"]".utf8))
        }
    }

    // MARK: - Groups

    /// The groups as one string of letters, for tables.
    private func groups(_ type: MediaType) -> String {
        let all: [(String, Bool)] = [
            ("html", type.isHTML), ("xml", type.isXML), ("json", type.isJSON), ("js", type.isJavaScript),
            ("image", type.isImage), ("av", type.isAudioOrVideo), ("font", type.isFont),
            ("archive", type.isArchive), ("zip", type.isZipBased), ("script", type.isScriptable),
            ("feed", type.isFeed),
        ]
        return all.filter(\.1).map(\.0).joined(separator: " ")
    }

    @Test(
        "A type belongs to the groups the standard says, whatever its parameters",
        arguments: [
            ("a/b", ""), ("text/html", "html script"), ("application/xhtml+xml", "xml script"),
            ("text/xml", "xml script"), ("application/xml", "xml script"), ("a/b+xml", "xml script"),
            ("a/+xml", "xml script"), ("image/svg+xml", "xml image script"), ("application/pdf", "script"),
            ("application/json", "json"), ("text/json", "json"), ("a/b+json", "json"), ("a/json", ""),
            ("application/atom+xml", "xml script feed"), ("application/rss+xml", "xml script feed"),
            ("text/rss+xml", "xml script"), ("image/x", "image"), ("imagex/x", ""), ("audio/x", "av"),
            ("video/x", "av"), ("application/ogg", "av"), ("a/ogg", ""), ("font/x", "font"),
            ("application/font-cff", "font"), ("application/font-otf", "font"),
            ("application/font-sfnt", "font"),
            ("application/font-ttf", "font"), ("application/font-woff", "font"),
            ("application/vnd.ms-fontobject", "font"), ("application/vnd.ms-opentype", "font"),
            ("text/font-ttf", ""), ("application/zip", "archive zip"), ("application/x-gzip", "archive"),
            ("application/x-rar-compressed", "archive"), ("a/x-gzip", ""), ("a/b+zip", "zip"), ("a/zip", ""),
            ("application/ecmascript", "js"), ("application/javascript", "js"),
            ("application/x-ecmascript", "js"), ("application/x-javascript", "js"), ("text/ecmascript", "js"),
            ("text/javascript", "js"), ("text/javascript1.0", "js"), ("text/javascript1.1", "js"),
            ("text/javascript1.2", "js"), ("text/javascript1.3", "js"), ("text/javascript1.4", "js"),
            ("text/javascript1.5", "js"), ("text/jscript", "js"), ("text/livescript", "js"),
            ("text/x-ecmascript", "js"), ("text/x-javascript", "js"), ("a/javascript", ""),
            ("application/javascript1.5", ""), ("text/javascript1.6", ""), ("a+xml/b", ""),
        ]
    )
    func belongsToGroups(input: String, expected: String) throws {
        #expect(groups(try #require(MediaType(input))) == expected)
        #expect(groups(try #require(MediaType(input.uppercased() + ";type=image;x=\"a/b+xml\""))) == expected)
    }

    // MARK: - Extraction

    @Test(
        "The last type of the field lines counts, with the charset of its likes before it",
        arguments: [
            ([], nil), ([""], nil), (["bogus"], nil), (["*/*"], nil),
            (["text/html"], "text/html"),
            (["", "text/plain"], "text/plain"), (["text/plain", ""], "text/plain"),
            (["text/html", "text/plain"], "text/plain"), (["text/html, text/plain"], "text/plain"),
            (["text/plain;charset=a", "text/html"], "text/html"),
            (["text/plain;charset=a", "text/plain"], "text/plain;charset=a"),
            (["text/plain;charset=a", "text/plain;charset=b"], "text/plain;charset=b"),
            (["text/plain;charset=a", "text/plain;charset=b", "text/plain"], "text/plain;charset=a"),
            (["text/plain;charset=a", "bogus", "text/plain;x=y"], "text/plain;x=y;charset=a"),
            (["text/html;charset=a", "text/plain", "text/html"], "text/html"),
            (["text/html;charset=a", "*/*;charset=b"], "text/html;charset=a"),
            (["*/*", "text/html"], "text/html"),
            (["text/html;charset=a", "text/html;x=\",text/plain"], "text/html;x=\",text/plain\";charset=a"),
            (["text/html;x=\"", "text/plain"], "text/html;x=\", text/plain\""),
            (["text/html;x=\"\\\",\", text/plain"], "text/plain"),
            (["text/html;\"", "text/plain"], "text/html"),
        ] as [([String], String?)]
    )
    func extracts(lines: [String], expected: String?) {
        #expect(MediaType.extract(fromContentTypeFields: lines)?.description == expected)
    }

    @Test(
        "A field is cut at the commas outside of quoted strings",
        arguments: [
            ([], []), ([""], [""]), ([",a"], ["", "a"]), (["a , \tb"], ["a", "b"]),
            (["a", "b,c"], ["a", "b", "c"]),
            (["\"a,b\" c, d"], ["\"a,b\" c", "d"]), (["\"\\\",\", a"], ["\"\\\",\"", "a"]),
            (["a,"], ["a", ""]),
        ] as [([String], [String])]
    )
    func splits(lines: [String], expected: [String]) {
        #expect(MediaType.fieldValues(decodingAndSplitting: lines) == expected)
    }
}
