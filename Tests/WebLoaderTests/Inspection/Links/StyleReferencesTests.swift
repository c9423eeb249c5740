import TestSupport
import Testing

@testable import WebDocument

struct StyleReferencesTests {
    /// A style sheet, and its URLs as "kind URL".
    private static let sheets: [(String, [String])] = [
        ("", []),
        ("a{background:url(x.png)}", ["image x.png"]),
        ("a{background:url( x.png )}", ["image x.png"]),
        ("a{background:url('x.png')}", ["image x.png"]),
        ("a{background:url(\n\"x.png\"\n)}", ["image x.png"]),
        ("a{background:URL(x.png), Url('y.png')}", ["image x.png", "image y.png"]),
        ("a{background:u\\72l(x.png)}", ["image x.png"]),
        ("a{background:\\75 \\72 \\6c (x.png)}", ["image x.png"]),
        ("a{background:curl(x.png) -url('y') url-x('z') 1url(w)}", []),
        ("a{background:src('x') src(var(--a) 'y')}", ["image x"]),
        ("a{content:'url(x.png)'; b:\"url(y)\"}", []),
        ("a{b:'\\'url(x)'}", []),
        ("/* url(x.png) */ a{b:/**/url(y.png)/**/}", ["image y.png"]),
        ("a{b:url(/*x*/y)}", ["image /*x*/y"]),
        ("a{b:url(x\\)y.png)}", ["image x)y.png"]),
        ("a{b:url('a\\27 b\\\nc')}", ["image a'bc"]),
        ("a{b:url('a\\0 b\\d800 c\\110000 d')}", ["image a\u{FFFD}b\u{FFFD}c\u{FFFD}d"]),
        ("a{b:url('\\é')}", ["image é"]),
        ("a{b:url()} c{b:url('')}", []),
        // Bad URLs and bad strings.
        ("a{b:url(x y.png);c:url(z)}", ["image z"]),
        ("a{b:url(x'y);c:url(z)}", ["image z"]),
        ("a{b:url(x(y);c:url(z)}", ["image z"]),
        ("a{b:url(x \\) url(y) ; c:url(z)}", ["image z"]),
        ("a{b:url('x\n);c:url(z)}", ["image z"]),
        // The text may end anywhere.
        ("a{b:url(x", ["image x"]),
        ("a{b:url(x ", ["image x"]),
        ("a{b:url('x", ["image x"]),
        ("a{b:url(x\\", ["image x\u{FFFD}"]),
        ("a{b:url(", []),
        ("a{b:'x\\", []),
        ("/*", []),
        ("@", []),
        // @import.
        ("@import 'a.css';", ["stylesheet a.css"]),
        ("@import url(a.css);@IMPORT \"b.css\" screen;", ["stylesheet a.css", "stylesheet b.css"]),
        ("@import url('a.css') supports(background: url(b.png)) screen;", ["stylesheet a.css"]),
        ("@import/**/'a.css'", ["stylesheet a.css"]),
        ("@\\69mport 'a.css'", ["stylesheet a.css"]),
        ("@import a 'b.css'; @import 'c.css'", ["stylesheet c.css"]),
        ("@charset 'utf-8'; @layer a; @import 'b.css'; c{d:url(e)}", ["stylesheet b.css", "image e"]),
        ("a{} @import 'b.css';", []),
        ("@media print{} @import 'b.css';", []),
        ("@media print{@import 'b.css'; a{b:url(c)}}", ["image c"]),
        ("<!-- @import 'a.css'; --> b{c:url(d)}", ["stylesheet a.css", "image d"]),
        // Other at-rules.
        ("@namespace svg url(http://www.w3.org/2000/svg); a{b:url(c)}", ["image c"]),
        (
            "@namespace 'x'; @font-face{src:url(a.woff2) format('woff2'), local('b')} c{d:url(e)}",
            ["font a.woff2", "image e"]
        ),
        ("@media print{@font-face{src:url(a)} b{c:url(d)}}", ["font a", "image d"]),
        // image-set.
        ("a{b:image-set('x.png' 1x, url(y.png) 2x type('image/png'))}", ["image x.png", "image y.png"]),
        ("a{b:-webkit-image-set(url(x) 1x)}", ["image x"]),
        // Unmatched closing brackets are ignored, and open brackets contain the rest.
        ("}]) a{b:url(x)}", ["image x"]),
        ("a{b:(}; c:url(x)", ["image x"]),
        ("a{b:url(x);;c:url(y)}z{d:url(w)}", ["image x", "image y", "image w"]),
        ("a{b:#url(x) c}", []),
        ("a{--x:url(y)}", ["image y"]),
    ]

    @Test(arguments: sheets)
    func urlsOfStyleSheetsAreFound(sheet: String, expected: [String]) {
        #expect(Self.words(StyleReferences.find(in: sheet)) == expected)
    }

    private static let declarations: [(String, [String])] = [
        ("background:url(x.png);border-image:url('y') 1", ["image x.png", "image y"]),
        ("@import 'a.css'; background:url(x)", ["image x"]),
        ("fill:url(#g)", ["image #g"]),
        ("color:red", []),
    ]

    @Test(arguments: declarations)
    func urlsOfDeclarationsAreFound(text: String, expected: [String]) {
        #expect(Self.words(StyleReferences.find(in: text, .declarations)) == expected)
    }

    private static func words(_ references: [StyleReferences.Reference]) -> [String] {
        references.map { "\($0.kind.rawValue) \($0.text)" }
    }

    @Test(
        .enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"),
        .timeLimit(.minutes(20)),
        arguments: ["(", "[", "{", "a{", "@font-face{", "url(", "'", "\\", "/*", "@import '", "-"]
    )
    func timeIsLinearInTheText(unit: String) {
        let text = String(repeating: unit, count: 400_000)
        _ = StyleReferences.find(in: text)
        #expect(StyleReferences.find(in: text + " url(x)").count <= 400_001)
    }
}
