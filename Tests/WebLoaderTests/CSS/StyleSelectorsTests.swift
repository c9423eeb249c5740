import Testing

@testable import WebDocument

/// Tests of the selectors in style sheets, and of their positions.
struct StyleSelectorsTests {
    @Test func `what has more selectors than anybody writes is not read`() {
        for css in ["a,", "[src]", "#a", "@import x;"] {
            let text = Array(String(repeating: css, count: 300_000).utf8) + Array("b{}".utf8)
            #expect(StyleSelectors(text).isTruncated, "\(css)")
            #expect(!StyleSelectors(Array((String(repeating: css, count: 1000) + "b{}").utf8)).isTruncated)
        }
    }

    /// A text with a bar at each position where conditions on the elements of a rule can be inserted.
    @Test(arguments: [
        ("a{}", "a¦{}"), ("a , b{}", "a¦ , b¦{}"), ("a>b ~ c + d{}", "a>b ~ c + d¦{}"),
        ("a /* , */{}", "a¦ /* , */{}"),
        // Pseudo-elements come last, with one colon too.
        ("a::before{}", "a¦::before{}"), ("a:hover:before{}", "a:hover¦:before{}"),
        ("::selection{}", "¦::selection{}"), ("a ::slotted(b c):hover{}", "a ¦::slotted(b c):hover{}"),
        ("a::before b{}", "a::before b¦{}"),
        // Selectors in brackets are not the rule's own.
        (":is(a,b) c:not(d, e){}", ":is(a,b) c:not(d, e)¦{}"), ("[a=','],b[c]{}", "[a=',']¦,b[c]¦{}"),
        ("a:has(> b)>c{}", "a:has(> b)>c¦{}"), ("n|*,*{}", "n|*¦,*¦{}"), ("a,{}", "a¦,{}"),
        // Rules in rules.
        ("@media (a:b){c{}}", "@media (a:b){c¦{}}"),
        ("a{b:c;&:hover d{e:f}g:h}", "a¦{b:c;&:hover d¦{e:f}g:h}"),
        ("a{--b:{c:d};e{}}", "a¦{--b:{c:d};e¦{}}"), ("@layer x,y;a{}", "@layer x,y;a¦{}"),
        ("@scope(a)to (b){c{}}", "@scope(a)to (b){c¦{}}"), ("<!-- a{} -->b{}", "<!-- a¦{} -->b¦{}"),
        // Blocks of something else.
        ("@keyframes a{from{b:c}50%{}}d{}", "@keyframes a{from{b:c}50%{}}d¦{}"),
        ("@font-face{src:url(a)}@page :first{a{}}b{}", "@font-face{src:url(a)}@page :first{a{}}b¦{}"),
        // Unterminated constructs.
        ("a(b{c{}", "a(b{c{}"), ("a[b", "a[b"), ("a", "a"), ("}a{}", "}a¦{}"),
    ])
    func `conditions can be put at the end of each selector`(css: String, expected: String) {
        var text = Array(css.utf8)
        for place in StyleSelectors(text).subjects.reversed() { text.insert(contentsOf: "¦".utf8, at: place) }
        #expect(String(decoding: text, as: UTF8.self) == expected)
    }

    @Test(arguments: [
        ("[href]{}", ["href"]), ("[ href ^= 'x' i ]{}", ["href="]),
        ("a[HREF=x]:not([src$=y]){}", ["href=", "src="]),
        ("[*|href]{}", ["*href"]), ("[xlink|href='x']{}", ["nhref="]), ("[|href]{}", ["href"]),
        ("[href|=x]{}", ["href="]), ("[\\68 ref]{}", ["href"]), ("[]{}[='x']{}", []),
        // Names of lines of a grid, and a value of a custom property.
        ("a{grid:[b] 1fr;--c:[d];[e]{}}", ["e"]), ("@scope ([a]){}", ["a"]),
        ("@supports selector([a]){}", []),
        ("@keyframes a{[b]{}}", []),
    ])
    func `tests of attributes are found in selectors alone`(css: String, expected: [String]) {
        let found = StyleSelectors(Array(css.utf8)).attributes.map { test in
            let prefix = test.prefix == .none ? "" : test.prefix == .any ? "*" : "n"
            return prefix + test.localName + (test.hasValue ? "=" : "")
        }
        #expect(found == expected)
    }

    @Test func `names have their places`() throws {
        let css = Array("é[ *|a = b ] c#d\\65 {}".utf8)
        let selectors = StyleSelectors(css)
        let test = try #require(selectors.attributes.first)
        #expect(String(decoding: css[test.range], as: UTF8.self) == "[ *|a = b ]")
        #expect(String(decoding: css[test.name], as: UTF8.self) == "*|a")
        let identifier = try #require(selectors.identifiers.first)
        #expect(identifier.id == "de")
        #expect(String(decoding: css[identifier.range], as: UTF8.self) == "#d\\65 ")
    }
}
