import Testing
import WebDocument

/// Tests of the parts of fragments, and of whether a page has their targets.
struct URLFragmentTests {
    @Test func directivesAreNoPartOfTheName() {
        #expect(URLFragment("a").name == "a")
        #expect(URLFragment("a:~:text=b").name == "a")
        #expect(URLFragment(":~:text=b").isTop)
        #expect(URLFragment("a:~:x").texts.isEmpty)
        #expect(URLFragment("a%20b").names == ["a%20b", "a b"])
        #expect(URLFragment("ToP").isTop)
        #expect(!URLFragment("a").isTop)
    }

    @Test(
        arguments: [
            ("text=a", [nil, "a", nil, nil]), ("text=a,b", [nil, "a", "b", nil]),
            ("text=p-,a", ["p", "a", nil, nil]),
            ("text=a,-s", [nil, "a", nil, "s"]), ("text=p-,a,b,-s", ["p", "a", "b", "s"]),
            ("text=a%2Cb,c%26", [nil, "a,b", "c&", nil]), ("text=a-", [nil, "a-", nil, nil]),
        ] as [(String, [String?])]
    )
    func textsHaveFourParts(directive: String, parts: [String?]) throws {
        let text = try #require(URLFragment(":~:\(directive)").texts.first)
        #expect([text.prefix, text.start, text.end, text.suffix] == parts)
    }

    @Test(arguments: [
        "text=", "text=a,b,c", "text=p-,a,b,-s,t", "text=-,a", "text=a,-", "text=p-,", "selector=a", "text",
    ])
    func malformedTextsAreNone(directive: String) {
        #expect(URLFragment(":~:\(directive)").texts.isEmpty)
    }

    private static let page = """
        <title>hidden</title><h1>The Tea  Shop</h1><p>We sell <b>green</b> tea, bl<i>ack</i> tea and café noir.
        <p>You can't buy 3.14 kilos of tea.<p>line one<br>line two</p><div>one<div>two</div>three</div>
        <script>secret</script><p hidden>secret</p><p style="display: none">secret</p><textarea>secret</textarea>
        <template><p>secret</p></template><p>日本語の文章<p>end of the end
        """

    @Test(arguments: [
        ("tea", true), ("Tea", true), ("TEA%20SHOP", true), ("te", false), ("ea", false),
        ("green%20tea", true),
        ("black", true), ("lack", false), ("bl", false), ("cafe", true), ("caf%C3%A9%20noir", true),
        ("can", false), ("can%27t", true), ("3", false), ("3.14", true), ("3.14%20kilos", true),
        ("line%20one%20line%20two", true), ("oneline", false), ("shop%20we", false), ("secret", false),
        ("hidden", false), ("%E6%97%A5%E6%9C%AC", true), ("one,three", true), ("three,one", false),
        ("green,black", true), ("green-,tea", true), ("black-,tea", true), ("noir-,tea", false),
        ("tea,-and", true), ("tea,-shop", true), ("tea,-noir", false), ("green-,tea,-black", false),
        ("green-,tea,-%2C%20black", true),
        ("shop-,we", true), ("end-,of", true), ("the-,end", true), ("we,tea,-and", true),
        ("we,tea,-zzz", false),
        ("nothing", false), ("", false),
    ])
    func wordsAreLookedForAsTheSpecificationHasIt(words: String, isThere: Bool) throws {
        let page = try ParsedPage(html: Self.page)
        let text = try #require(SearchableText(page))
        var steps = 1_000_000
        let found = URLFragment(":~:text=\(words)").texts.contains {
            text.contains($0, steps: &steps) ?? false
        }
        #expect(found == isThere)
    }

    @Test func aSearchWithoutStepsFindsNothingOut() throws {
        let text = try #require(SearchableText(ParsedPage(html: Self.page)))
        let directive = try #require(URLFragment(":~:text=zzz").texts.first)
        var steps = 10
        #expect(text.contains(directive, steps: &steps) == nil)
        #expect(steps <= 0)
        #expect(text.contains(directive, steps: &steps) == nil)
        steps = 1_000_000
        #expect(text.contains(directive, steps: &steps) == false)
    }

    @Test func targetsAreNamesOfElementsInTheTree() throws {
        let page = try ParsedPage(
            html: """
                <p id=a><a name=b id=c></a><a name></a><p name=d><svg><g id=e></g></svg><template><p id=f></template><p id="">
                """
        )
        var names: [String] = []
        page.forEachFragmentTarget { names.append($0) }
        #expect(names == ["a", "c", "b", "e"])
    }
}
