import TestSupport
import Testing

@testable import WebDocument

/// Text of pages that would be markup: what a strict reader makes of the Markdown is the text that the page had.
struct HostileMarkdownTests {
    private static func markdown(_ markup: String) throws -> String {
        try #require(try InspectionPages.page("<!DOCTYPE html><body>\(markup)").wholeText?.markdown)
    }

    // MARK: - Any text

    private static let pieces =
        "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~".map(String.init) + [
            " ", " ", "\t", "\n", "\r", "\r\n", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}", "\u{A0}",
            "a", "b", "é",
            "名", "😀", "word", "1.", "2)", "---", "===", "```", "~~~", "- ", "+ ", "# ", "> ", "|-|", ":-:",
            "|---|---|",
            "<script>", "<!--", "&amp;", "&#42;", "[a](b)", "[a]: /u", "[^1]: ", "http://x.y", "www.x.y",
            "**a**", "\\|",
        ]

    private static func text(_ generator: inout SeededGenerator) -> String {
        (0..<Int.random(in: 1...12, using: &generator)).map { _ in
            pieces.randomElement(using: &generator) ?? ""
        }
        .joined()
    }

    /// The text as HTML that has nothing but it.
    private static func escaped(_ text: String) -> String {
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case "\r": "&#13;"
            case "\n": "&#10;"
            default: String(scalar)
            }
        }.joined()
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" || scalar == "\u{C}"
    }

    private static func collapsed(_ text: String) -> String {
        text.unicodeScalars.split(whereSeparator: isSpace).map { String(String.UnicodeScalarView($0)) }
            .joined(separator: " ")
    }

    @Test(arguments: PropertySeeds.first(300))
    func anyTextIsReadBack(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let texts = (0..<Int.random(in: 1...3, using: &generator)).map { _ in Self.text(&generator) }
        let isCode = texts.map { _ in Bool.random(using: &generator) }
        let markup = zip(texts, isCode)
            .map { text, isCode in isCode ? "<code>\(Self.escaped(text))</code>" : Self.escaped(text) }
            .joined(separator: "<br>")
        let places: [(String, String, String, String)] = [
            ("<p>", "</p>", "", ""), ("<blockquote>", "</blockquote>", "> ", "> "),
            ("<ul><li>", "</ul>", "- ", "  "), ("<ol start=7><li>", "</ol>", "7. ", "   "),
        ]
        for (start, end, marker, indentation) in places {
            let markdown = try Self.markdown("<p>x</p>\(start)\(markup)\(end)")
            // Lines end with these two alone, for every reader.
            try #require(!markdown.utf8.contains(0x0D))
            var lines = markdown.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
                Substring($0)
            }
            try #require(lines.removeFirst() == "x" && lines.popLast() == "")
            guard !lines.isEmpty else { continue }
            try #require(lines.removeFirst() == "")
            for index in lines.indices {
                let prefix = index == 0 ? marker : indentation
                try #require(lines[index].hasPrefix(prefix))
                lines[index] = Substring(lines[index].unicodeScalars.dropFirst(prefix.unicodeScalars.count))
            }
            let read = try StrictMarkdown.text(ofParagraph: lines)
            // Lines of nothing but spaces at its end are left out.
            let expected = Self.collapsed(texts.joined(separator: " "))
            let got = Self.collapsed(read)
            #expect(expected.hasPrefix(got), "\(seed): \(markdown)")
            let rest = expected.unicodeScalars.dropFirst(got.unicodeScalars.count)
            #expect(!rest.contains { !$0.isBlank })
        }
    }

    @Test(arguments: PropertySeeds.first(100))
    func anyCodeIsReadBack(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        let text = "x" + (0..<6).map { _ in Self.text(&generator) }.joined()
        for (start, end, indentation) in [
            ("<pre>", "</pre>", ""), ("<blockquote><pre>", "</pre></blockquote>", "> "),
        ] {
            let markdown = try Self.markdown(start + Self.escaped(text) + end)
            try #require(!markdown.utf8.contains(0x0D))
            let lines = markdown.utf8.split(separator: 0x0A, omittingEmptySubsequences: false).map {
                Substring($0)
            }
            .dropLast()
            .map { line in
                // Of an empty line of a quote, its space is left out.
                let isEmptyInQuote = !indentation.isEmpty && line == ">"
                return Substring(line.unicodeScalars.dropFirst(isEmptyInQuote ? 1 : indentation.count))
            }
            var expected = Array(text.utf8).map { $0 == 0x0D ? 0x20 : $0 }
                .split(separator: 0x0A, omittingEmptySubsequences: false)
            while expected.last?.isEmpty == true { expected.removeLast() }
            #expect(
                try StrictMarkdown.code(ofBlock: Array(lines)).map { Array($0.utf8) }
                    == expected.map(Array.init)
            )
        }
    }

    // MARK: - Elements

    /// Elements side by side whose marks would be read as others, and markup that readers look for before marks.
    @Test(arguments: [
        ("<p><code>a</code><code>`b</code>", "``a`b``\n"),
        ("<p>`<code>a</code><b><code>b</code></b>", "\\``a`**`b`**\n"),
        ("<p>a<code> </code>b", "a b\n"),
        ("<p><code>x|y</code><br>|-|-|", "`x|y`\\\n\\|-|-|\n"),
        ("<p>http://x.y&lt;script>", "http\\://x.y\\<script>\n"),
        ("<p>WWW.x.y", "WWW\\.x.y\n"),
        ("<p><a href=/u>^x</a>", "[\\^x](http://h.test/u)\n"),
        ("<p><img src=/u alt='^x'>", "![\\^x](http://h.test/u)\n"),
        ("<p><a href='/u?`'>x</a>", "[x](http://h.test/u?\\`)\n"),
        // A definition of a link.
        ("<p><a href=/u><code>a]: b</code></a>", "[a\\]\\: b](http://h.test/u)\n"),
        ("<p>x<a href=/u><code>a]: b</code></a>", "x[`a]: b`](http://h.test/u)\n"),
        // Marks between which others are left out.
        ("<p><b>-</b><i><b>.a</b>\u{2028}</i>", "**-.a**\u{2028}\n"),
        ("<p><i>a\u{2028}</i>b", "*a*\u{2028}b\n"),
        ("<p><i>a\u{2028}<b></b></i>b", "*a*\u{2028}b\n"),
        ("<p>😀<b>.a</b>", "😀.**a**\n"),
        // An empty item begins no list that the next could go on with.
        ("<ul><li>a<ol start=2><li></li><li>b</ol></ul>", "- a\n\n  3. b\n"),
        (
            "<table><tr><th><code>a\\|b</code><th>c|<tr><td><code>|</code><td>d</table>",
            "| a\\\\\\|b | c\\| |\n| --- | --- |\n| \\| | d |\n"
        ),
    ])
    func neighboursMakeNoOtherMarkup(markup: String, expected: String) throws {
        #expect(try Self.markdown(markup) == expected)
    }

    /// A reader without footnotes takes the text after a note's name for a link definition.
    @Test(arguments: [
        ("javascript:alert(1)", "&#32; &#32;\n\n    javascript:alert(1)"), ("some words", "some words"),
        ("a &quot;b&quot;", "&#32; &#32;\n\n    a \"b\""),
        ("<pre>&lt;script></pre>", "&#32; &#32;\n\n    ```\n    <script>\n    ```"),
    ])
    func notesDefineNoLinks(note: String, expected: String) throws {
        let markdown = try Self.markdown("<p>a!<sup><a href=#n>1</a></sup>: b</p><ol><li id=n>\(note)</ol>")
        #expect(markdown == "a\\![^1]: b\n\n[^1]: \(expected)\n")
    }

    @Test func plainTextIsOneLine() {
        #expect(String(decoding: MarkdownText.line("a\n# b\r- c"), as: UTF8.self) == "a # b - c")
        #expect(String(decoding: MarkdownText.cell("a\r| b"), as: UTF8.self) == "a \\| b")
        #expect(
            String(decoding: MarkdownText.code("a\r```\r\nb"), as: UTF8.self) == "````\na\n```\nb\n````\n"
        )
    }
}

extension Unicode.Scalar {
    /// Whether it shows nothing: white space, or a character that controls.
    fileprivate var isBlank: Bool { properties.isWhitespace || properties.generalCategory == .control }
}
