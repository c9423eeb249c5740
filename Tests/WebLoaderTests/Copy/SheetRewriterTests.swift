import Testing
import WebDocument
import WebStandards

@testable import WebCopy

/// Style sheets with their references replaced.
struct SheetRewriterTests {
    private static func rewrite(_ css: String) throws -> Rewritten {
        SheetRewriter(css, url: try WebURL("http://h.test/css/a.css")).rewritten { reference in
            let path = reference.url.path
            return path.contains("gone") ? .missing : .url("new\(path)")
        }
    }

    @Test(arguments: [
        ("a{b:url(c.png)}", "a{b:url(new/css/c.png)}"),
        ("a{b:URL( \"../c.png\" )}", "a{b:URL( \"new/c.png\" )}"),
        ("a{b:u\\72l(c.png)}", "a{b:u\\72l(new/css/c.png)}"),
        ("a{b:url('it\\27s.png')}", "a{b:url('new/css/it\\27 s.png')}"),
        ("a{b:url(sp\\ ace\\(1\\).png)}", "a{b:url(new/css/sp%20ace\\28 1\\29 .png)}"),
        (
            "@import \"b.css\" layer(l) supports(display:grid) screen;",
            "@import \"new/css/b.css\" layer(l) supports(display:grid) screen;"
        ),
        ("@import\n/* x */ url( 'b.css' );", "@import\n/* x */ url( 'new/css/b.css' );"),
        ("a{}@import 'late.css';", "a{}@import 'data:text/css,';"),
        (
            "@font-face{src:local('x'),url(f.woff2?v=1#iefix) format('woff2')}",
            "@font-face{src:local('x'),url(new/css/f.woff2) format('woff2')}"
        ),
        (
            "a{b:-webkit-image-set(url(c.png) 1x,'d.png' 2x)}",
            "a{b:-webkit-image-set(url(new/css/c.png) 1x,'new/css/d.png' 2x)}"
        ),
        (
            ":root{--a:url(c.png)}a{b:var(--a,url(d.png))}",
            ":root{--a:url(new/css/c.png)}a{b:var(--a,url(new/css/d.png))}"
        ),
        ("/* url(x) */a::before{content:\"url(y)\"}", "/* url(x) */a::before{content:\"url(y)\"}"),
        ("a{b:url()}c{d:url(e f)}g{h:url(#i)}", "a{b:url()}c{d:url(e f)}g{h:url(#i)}"),
        ("a{b:url(gone.png)}", "a{b:url(data:,)}"),
        ("@import 'gone.css';", "@import 'data:text/css,';"),
        ("a{b:url(data:image/png;base64,AAAA)}", "a{b:url(data:image/png;base64,AAAA)}"),
        ("@charset \"windows-1252\";a{b:url(c)}", "@charset \"utf-8\";a{b:url(new/css/c)}"),
        // Constructs that the end of the text closes.
        ("a{b:url(c", "a{b:url(new/css/c"), ("a{b:url('c", "a{b:url('new/css/c"),
        ("@import 'c", "@import 'new/css/c"),
        ("a{b:url(c\\)", "a{b:url(new/css/c\\29 "),
    ])
    func referencesAreReplacedWhereTheyStand(_ css: String, _ expected: String) throws {
        #expect(try Self.rewrite(css).text == expected)
    }

    /// URLs that a browser may load after rules that it does not know, or indirectly.
    @Test(arguments: [
        "{}@import 'L';", "a{b:c}@import 'L';", "!{}@import url(L);", "a>{}@import \"L\";", "@x;@import 'L';",
        "@x{}@import 'L';",
        "@media all;@import 'L';", "@property x{}@import 'L';", "@keyframes{}@import 'L';",
        "-->{}@import 'L';",
        "a{--s:'L';background:image-set(var(--s) 1x)}", "a{--s:'L' 1x;background:image-set(var(--s))}",
        "a{background:image-set(var(--n,'L') 1x)}", "a{background:image-set(env(n,\"L\") 1x)}",
        "a{background:image-set(if(else:'L') 1x)}",
        "@function --f(){result:'L'}a{background:image-set(--f() 1x)}",
        "@property --s{syntax:'<string>';inherits:false;initial-value:'L'}", "a{\\2d-s:'L'}",
        "a{--s:'\\68ttp://evil.test/l'}",
    ])
    func whatMayBeAReferenceLeadsNowhere(_ css: String) throws {
        for leak in ["http://evil.test/l", "//evil.test/l", " HTTPS:evil.test/l"] {
            let text = css.replacing("L", with: leak)
            let sheet = SheetRewriter(text, url: try WebURL("http://h.test/"))
            let copy = sheet.rewritten { _ in .absolute }.text
            #expect(!copy.contains("evil.test"), "\(copy)")
            #expect(sheet.requisites.allSatisfy { $0.isForbidden })
            // It is no link, though.
            let page = try ParsedPage(html: "<style>\(text)</style>", baseURL: WebURL("http://h.test/"))
            #expect(page.links.isEmpty)
            let pageCopy = try PageRewriter(page).rewritten { _ in .absolute }.text
            #expect(!pageCopy.contains("evil.test"), "\(pageCopy)")
        }
    }

    @Test(arguments: [
        "a{content:'http://h.test/'}", "a{--s:'words'}", "a{--s:'a.png'}", "a{quotes:'//' '//'}",
        "a{b:attr(x,'words')}",
    ])
    func textsStay(_ css: String) throws {
        let sheet = SheetRewriter(css, url: try WebURL("http://h.test/"))
        #expect(sheet.rewritten { _ in .missing }.text == css)
    }

    @Test func aSheetCanStandForAWholeURL() throws {
        let sheet = SheetRewriter("a{b:url( \"c.png\" ) red,url(d.png)}", url: try WebURL("http://h.test/"))
        #expect(sheet.rewritten { _ in .value("var(--x)") }.text == "a{b:var(--x) red,var(--x)}")
    }

    @Test func fontsImportsAndImagesAreToldApart() throws {
        let css = "@import 'a';@font-face{src:url(b)}c{d:url(e)}"
        let sheet = SheetRewriter(css, url: try WebURL("http://h.test/"))
        #expect(sheet.requisites.map(\.kind) == [.stylesheet, .font, .image])
        #expect(sheet.requisites.allSatisfy { $0.isStyle && $0.isRequisite && $0.element == nil })
    }

    @Test func typesThatNoBrowserShowsAreOptional() throws {
        let css = "a{b:image-set('a' type('image/x-none'),'b' type(\"image/png\") 2x,url(c) 1x)}"
        let sheet = SheetRewriter(css, url: try WebURL("http://h.test/"))
        #expect(sheet.requisites.map(\.isOptional) == [true, false, false])
        #expect(sheet.requisites.map(\.type) == ["image/x-none", "image/png", nil])
    }

    @Test func theEncodingIsThatOfThePageWhereNothingSaysAnother() throws {
        let body = Array("a{content:'".utf8) + [0x8F, 0x5C] + Array("'}".utf8)
        let response = WebResponse(
            url: try WebURL("http://h.test/a.css"),
            status: 200,
            body: body,
            source: .network
        )
        let encoding = try #require(TextEncoding(label: "shift_jis"))
        #expect(StyleSheetLinks.text(of: response, environment: encoding) == "a{content:'十'}")
    }
}
