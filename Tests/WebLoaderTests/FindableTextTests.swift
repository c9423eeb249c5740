import Testing
import WebDocument

/// Finding text on a page, and where it is.
struct FindableTextTests {
    private func find(
        _ words: String,
        in html: String,
        _ options: FindOptions = FindOptions(),
        maximumCount: Int = 1000
    ) throws -> [TextMatch] {
        let text = try #require(FindableText(ParsedPage(html: html)))
        return text.matches(of: words, options: options, maximumCount: maximumCount)
    }

    @Test(
        arguments: [
            ("tea", "<p>Tea TEA tea", ["Tea", "TEA", "tea"]), ("TEA", "<p>green tea", ["tea"]),
            ("cafe", "<p>café", ["café"]), ("cafe", "<p>cafe\u{301} x", ["cafe\u{301}"]),
            ("CAFÉ", "<p>Cafe", ["Cafe"]),
            ("москва", "<p>в Москва́", ["Москва́"]), ("한국", "<p>한국어", ["한국"]),
            ("straße", "<p>STRAẞE", ["STRAẞE"]),
            ("needle", "<p>one <b>Need</b>le", ["Needle"]), ("ab", "<p>a<p>b", []), ("a b", "<p>a<p>b", []),
            ("a b", "<p>a<br>b", ["a b"]), ("a b", "<p>a \n\t b", ["a b"]),
            ("a\n\u{A0} b", "<p>a&nbsp;b", ["a b"]),
            (" a b ", "<p>xa bx", ["a b"]), ("ab", "<p>a<div>b</div>", []),
            ("ab", "<p>a&shy;b", ["a\u{AD}b"]),
            (
                "x",
                "<p hidden>x</p><script>x</script><style>x</style><textarea>x</textarea><title>x</title>", []
            ),
            ("x", "<p style='display: none'>x</p><template>x</template>", []),
            ("x", "<div><template shadowrootmode=open>x</template>x</div>", ["x", "x"]),
            ("aaa", "<p>aaaa", ["aaa"]), ("aa", "<p>aaaa", ["aa", "aa"]), ("aab", "<p>aaab", ["aab"]),
            ("abab", "<p>ababab abab", ["abab", "abab"]),
            ("", "<p>a", []), (" \n\u{A0}", "<p>a b", []), ("\u{301}", "<p>a", []),
        ] as [(String, String, [String])]
    )
    func textIsFoundAsItIsSeen(words: String, html: String, texts: [String]) throws {
        #expect(try find(words, in: html).map(\.text) == texts)
    }

    @Test(
        arguments: [
            ("Tea", FindOptions(isCaseSensitive: true), ["Tea"]),
            ("É", FindOptions(isCaseSensitive: true), ["E", "É", "E"]),
            ("é", FindOptions(matchesDiacritics: true), ["é", "É"]),
            ("é", FindOptions(isCaseSensitive: true, matchesDiacritics: true), ["é"]),
            ("e", FindOptions(isCaseSensitive: true, matchesDiacritics: true), ["e", "e", "e", "e"]),
            ("tea", FindOptions(matchesWholeWords: true), ["Tea", "tea", "TEA"]),
            ("can", FindOptions(matchesWholeWords: true), []),
            ("can't", FindOptions(matchesWholeWords: true), ["can't"]),
            ("TEAS", FindOptions(isCaseSensitive: true), []),
        ] as [(String, FindOptions, [String])]
    )
    func optionsSayWhatHasToAgree(words: String, options: FindOptions, texts: [String]) throws {
        let page = "<p>Tea, tea; TEA teas can't <p>é É e E e\u{301}x"
        #expect(try find(words, in: page, options).map(\.text) == texts)
    }

    @Test(
        arguments: [
            ("b", "<p>a b", 1, 6, 1, 7), ("b", "<p>a &amp; b", 1, 12, 1, 13),
            ("&", "<p>a &amp; b", 1, 6, 1, 11),
            ("b", "<p>a\r\n&eacute;é b", 2, 11, 2, 12), ("b", "<p>日本\r&#x65e5; b", 2, 10, 2, 11),
            ("c", "<p><b>x</b> <i>y</i> c", 1, 22, 1, 23), ("xy", "<p><b>x</b><i a='>'>y</i>", 1, 7, 1, 22),
            ("c", "<p>a<!-- c --> c", 1, 16, 1, 17), ("c", "<pre>\n\nc</pre>", 3, 1, 3, 2),
            ("c", "<script>c<b></script><p>c", 1, 25, 1, 26),
            ("c", "<script>'</b>c'</script>c", 1, 25, 1, 26),
            ("c", "<p>&notit; c", 1, 12, 1, 13), ("c", "<p>a < b c", 1, 10, 1, 11),
            ("c", "<html>\n<head></head>\n<body>\n\n c", 5, 2, 5, 3), ("c", "<ul><li>a</ul>c", 1, 15, 1, 16),
            ("c", "<title>c</title><p hidden>c</p>c", 1, 32, 1, 33),
        ] as [(String, String, Int, Int, Int, Int)]
    )
    func placesInTheSourceAreExact(
        words: String,
        html: String,
        line: Int,
        column: Int,
        endLine: Int,
        endColumn: Int
    ) throws {
        let match = try #require(try find(words, in: html).first)
        #expect(match.start.position?.line == line)
        #expect(match.start.position?.column == column)
        #expect(match.end.position?.line == endLine)
        #expect(match.end.position?.column == endColumn)
    }

    @Test func misnestedTextIsPlacedAtAnElement() throws {
        let match = try #require(
            try find("moved", in: "<div>\n<table><tr><td>x</td></tr>moved</table>").first
        )
        #expect(match.start.position?.line == 1)
        #expect(match.start.position?.column == 1)
    }

    @Test func aMatchHasItsNodesAndWhatIsAround() throws {
        let matches = try find("green tea", in: "<p>We  sell é <b>Green</b>\ntea, and more<p>else")
        let match = try #require(matches.first)
        #expect(match.before == "We sell é ")
        #expect(match.text == "Green tea")
        #expect(match.after == ", and more")
        #expect(match.start.path == "html > body:nth-child(2) > p:nth-child(1) > b:nth-child(1)")
        #expect(match.start.offset == 0)
        #expect(match.end.path == "html > body:nth-child(2) > p:nth-child(1)")
        #expect(match.end.offset == 4)
        #expect(match.start.node.textContent == "Green")
    }

    @Test func contextHasFortyCharacters() throws {
        let words = String(repeating: "é", count: 100)
        let match = try #require(try find("needle", in: "<p>\(words)needle\(words)").first)
        #expect(match.before.count == 40)
        #expect(match.after.count == 40)
        #expect(match.start.offset == 200)
    }

    @Test(arguments: [(-1, 0), (0, 0), (1, 1), (3, 3), (Int.max, 5)])
    func noMoreAreFoundThanAskedFor(maximum: Int, count: Int) throws {
        #expect(try find("a", in: "<p>aaaaa", maximumCount: maximum).count == count)
    }

    /// An algorithm that takes the product of both sizes would take minutes.
    @Test(.timeLimit(.minutes(20)), arguments: [FindOptions(), FindOptions(isCaseSensitive: true)])
    func hostileTextsTakeNoLonger(options: FindOptions) throws {
        let page = "<p>" + String(repeating: "a", count: 1 << 20)
        let words = String(repeating: "a", count: 1000)
        #expect(try find(words + "b", in: page, options).isEmpty)
        #expect(try find(words + "A", in: page, options).count == (options.isCaseSensitive ? 0 : 1000))
        var whole = options
        whole.matchesWholeWords = true
        #expect(try find(words, in: page, whole).isEmpty)
    }

    @Test(
        arguments: [
            ("text=tea", "tea"), ("text=green-,tea", "tea"), ("text=tea,-cup", "tea"),
            ("text=we,black", "We sell green tea, and black"), ("text=nothing&text=black", "black"),
            ("text=end,start", nil), ("text=one,three", "one\ntwo\nthree"), ("text=ea", nil),
        ] as [(String, String?)]
    )
    func directivesHaveTheirRange(directive: String, text: String?) throws {
        let page = try ParsedPage(
            html: "<p>We sell green <b>tea</b>, and black tea cup<div>one<p>two<p>three</div>"
        )
        let match = try #require(FindableText(page)).match(ofFragment: "top:~:\(directive)")
        #expect(match?.text == text)
    }

    @Test func ofSeveralPlacesADirectiveMeansTheOneWithItsNeighbours() throws {
        let text = try #require(FindableText(ParsedPage(html: "<p>a tea<p>b tea<p>c tea")))
        #expect(text.match(ofFragment: ":~:text=b-,tea")?.start.position?.column == 14)
        #expect(text.match(ofFragment: "tea") == nil)
    }

    @Test func aPageOfTextHasNone() throws {
        let page = try ParsedPage(html: "")
        #expect(FindableText(page)?.matches(of: "a").isEmpty == true)
    }
}
