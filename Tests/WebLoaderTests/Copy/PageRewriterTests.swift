import Testing
import WebDocument
import WebStandards

@testable import WebCopy

/// Pages with their references replaced.
struct PageRewriterTests {
    /// Returns the tests' replacement for a reference: requisites are named by their last path segment.
    static func decide(_ reference: CopyReference) -> Replacement {
        guard reference.isRequisite else { return .absolute }
        let name = reference.url.path.split(separator: "/").last.map(String.init) ?? ""
        return name.hasPrefix("gone") ? .missing : .url("new/\(name)")
    }

    static func copy(
        _ html: String,
        _ options: PageRewriter.Options = PageRewriter.Options(),
        base: String = "http://h.test/dir/page.html",
        _ decide: (CopyReference) -> Replacement = decide
    ) throws -> Rewritten {
        let page = try ParsedPage(html: html, baseURL: WebURL(base))
        return try PageRewriter(page, options: options).rewritten(decide)
    }

    /// The markup that replaces a script, so that selectors count it.
    static let emptyScript = "<script type=\"text/plain\"></script>"

    /// Without the declaration of the encoding that each copy begins its head with.
    static func text(_ html: String) throws -> String {
        let text = try copy(html).text
        let mark = "<meta charset=\"utf-8\">"
        guard let range = text.firstRange(of: mark) else { return text }
        return text.replacingCharacters(in: range)
    }

    @Test(arguments: [
        // Attributes, however they are written.
        ("<p><img src=a.png>", "<p><img src=\"new/a.png\">"),
        ("<p><IMG  SRC='a.png'  ALT=x>", "<p><IMG  SRC='new/a.png'  ALT=x>"),
        ("<p><img src=\"a.png?x=1&amp;y\">", "<p><img src=\"new/a.png\">"),
        ("<p><img\nsrc = a.png/>", "<p><img\nsrc = \"new/a.png\">"),
        ("<p><img alt='>' src='a.png' src='b.png'>", "<p><img alt='>' src='new/a.png' src='b.png'>"),
        ("<p><img src='a.png'alt=x>", "<p><img src='new/a.png'alt=x>"),
        ("<p><img src='' alt=x>", "<p><img src='' alt=x>"),
        ("<p><img src='gone.png'>", "<p><img src='data:,'>"),
        ("<p><image src=a.png>", "<p><image src=\"new/a.png\">"),
        ("<body background=a.png><p>", "<body background=\"new/a.png\"><p>"),
        ("<p>x<body background=a.png>", "<p>x<body background=\"new/a.png\">"),
        (
            "<table background=t.png><tr background=r.png><td background=c.png>",
            "<table background=\"new/t.png\"><tr background=\"new/r.png\"><td background=\"new/c.png\">"
        ),
        (
            "<input type=image src=a.png><input src=a.png>",
            "<input type=image src=\"new/a.png\"><input src=a.png>"
        ),
        ("<video src=a.mp4 poster=b.png></video>", "<video src=\"new/a.mp4\" poster=\"new/b.png\"></video>"),
        ("<audio><source src=a.wav></audio>", "<audio><source src=\"new/a.wav\"></audio>"),
        ("<video><track src=t.vtt></video>", "<video><track src=\"new/t.vtt\"></video>"),
        (
            "<embed src=a.svg><object data=b.svg></object>",
            "<embed src=\"new/a.svg\"><object data=\"new/b.svg\"></object>"
        ),
        (
            "<object data=gone.svg>F</object>",
            "<object type=\"image/png\" data=\"data:image/png,\">F</object>"
        ),
        (
            "<iframe src=f.html></iframe><iframe src=about:blank></iframe>",
            "<iframe src=\"new/f.html\"></iframe><iframe src=about:blank></iframe>"
        ),
        // Links.
        ("<a href=x>a</a>", "<a href=\"http://h.test/dir/x\">a</a>"),
        ("<a href='#f'>a</a><a href='page.html#f'>b</a>", "<a href='#f'>a</a><a href='#f'>b</a>"),
        ("<a href=''>a</a>", "<a href='http://h.test/dir/page.html'>a</a>"),
        ("<a href>a</a>", "<a href=\"http://h.test/dir/page.html\">a</a>"),
        ("<a href=mailto:x@y.z>a</a>", "<a href=\"mailto:x@y.z\">a</a>"),
        ("<a href='?a=1&b=2'>a</a>", "<a href='http://h.test/dir/page.html?a=1&amp;b=2'>a</a>"),
        (
            "<form action=send><button formaction=t></form>",
            "<form action=\"http://h.test/dir/send\"><button formaction=\"http://h.test/dir/t\"></form>"
        ),
        ("<form></form>", "<form></form>"),
        ("<q cite=c>q</q>", "<q cite=\"http://h.test/dir/c\">q</q>"),
        ("<img usemap='#m'>", "<img usemap='#m'>"),
        ("<a href=x ping='y z' id=i>a</a>", "<a href=\"http://h.test/dir/x\" id=i>a</a>"),
        ("<img data-src=a.png>", "<img data-src=a.png>"),
        // Images with several sources: the densest up to 2.
        ("<img src=a.png srcset='b.png 1x, c.png 2x, d.png 3x'>", "<img srcset='new/c.png 2x'>"),
        ("<img src=a.png srcset='d.png 3x'>", "<img src=\"new/a.png\">"),
        ("<img srcset='d.png 3x'>", "<img srcset='new/d.png 3x'>"),
        (
            "<img src=a.png srcset='s.png 100w, m.png 400w, l.png 900w' sizes='200px'>",
            "<img srcset='new/m.png 400w' sizes='200px'>"
        ),
        (
            "<picture><source srcset='a,b.png 1x,c.png 2x,,'><img src=d.png></picture>",
            "<picture><source srcset='new/c.png 2x'><img src=\"new/d.png\"></picture>"
        ),
        // CSS.
        ("<p style='background:url(a.png)'>", "<p style='background:url(new/a.png)'>"),
        (
            "<p style=\"background:url(&quot;a.png&quot;) red\">",
            "<p style=\"background:url(&quot;new/a.png&quot;) red\">"
        ),
        ("<p style=background:url(a.png)>", "<p style=\"background:url(new/a.png)\">"),
        (
            "<p style='--a:url( \"a.png\" );b:var(--a,url(b.png))'>",
            "<p style='--a:url( \"new/a.png\" );b:var(--a,url(new/b.png))'>"
        ),
        (
            "<style>@import 'a.css';p{b:image-set('a.png' 1x,url(b.png) 2x)}</style>",
            "<style>@import 'new/a.css';p{b:image-set('new/a.png' 1x,url(new/b.png) 2x)}</style>"
        ),
        ("<style>p{b:url(gone.png)}</style>", "<style>p{b:url(data:,)}</style>"),
        (
            "<style>@import url(gone.css) screen;</style>",
            "<style>@import url(data:text/css,) screen;</style>"
        ),
        ("<style>/*\r\n*/p{b:url(a\\.png)}</style>", "<style>/*\r\n*/p{b:url(new/a.png)}</style>"),
        ("<style type=text/x>p{b:url(a.png)}</style>", "<style type=text/x>p{b:url(a.png)}</style>"),
        ("<link rel=stylesheet href=a.css>", "<link rel=stylesheet href=\"new/a.css\">"),
        (
            "<p><svg><style>a{b:url(&quot;a.png&quot;)}c{d:url(#e)}</style></svg>",
            "<p><svg><style>a{b:url(&quot;new/a.png&quot;)}c{d:url(#e)}</style></svg>"
        ),
        (
            "<p><svg><style>a{b:url(a.png)}<![CDATA[c{b:url(b.png)}]]></style></svg>",
            "<p><svg><style>a{b:url(new/a.png)}<![CDATA[c{b:url(new/b.png)}]]></style></svg>"
        ),
        // SVG.
        (
            "<p><svg><image href=a.png /><image xlink:href=b.png /><feImage href=c.png></svg>",
            "<p><svg><image href=\"new/a.png\" /><image xlink:href=\"new/b.png\" /><feImage href=\"new/c.png\"></svg>"
        ),
        (
            "<p><svg><use href='#a'/><rect fill='url(#g)' mask=\"url('m.svg#a')\"/></svg>",
            "<p><svg><use href='#a'/><rect fill='url(#g)' mask=\"url('new/m.svg')\"/></svg>"
        ),
        // Trees that are not the source's order.
        (
            "<p><b><p><img src=a.png></b><img src=b.png>",
            "<p><b><p><img src=\"new/a.png\"></b><img src=\"new/b.png\">"
        ),
        (
            "<table><img src=a.png><tr><td style='b:url(b.png)'>",
            "<table><img src=\"new/a.png\"><tr><td style='b:url(new/b.png)'>"
        ),
        ("<a style=b:url(a.png)><p>x</a>", "<a style=\"b:url(new/a.png)\"><p>x</a>"),
        ("<b style=x:url(a.png)><p>1<p>2</b>3", "<b style=\"x:url(new/a.png)\"><p>1<p>2</b>3"),
        // Markup in text.
        ("<textarea><img src=a.png></textarea>", "<textarea><img src=a.png></textarea>"),
        (
            "<!-- <img src=a.png> --><xmp><img src=a.png></xmp>",
            "<!-- <img src=a.png> --><xmp><img src=a.png></xmp>"
        ),
        ("<p><img src=a.png", "<p><img src=a.png"),
        // Templates: nothing of them is loaded, but for shadow roots.
        (
            "<template><img src=a.png></template>",
            "<template><img src=\"http://h.test/dir/a.png\"></template>"
        ),
        (
            "<div><template shadowrootmode=open><img src=a.png><style>b{c:url(b.png)}</style></template></div>",
            "<div><template shadowrootmode=open><img src=\"new/a.png\"><style>b{c:url(new/b.png)}</style></template></div>"
        ),
        // Scripts.
        ("<p onclick='x()' id=i>a<script>1<2</script>b", "<p id=i>a\(emptyScript)b"),
        (
            "<script src=a.js></script>c<script type=application/ld+json>{}</script>",
            "c<script type=application/ld+json>{}</script>"
        ),
        ("<a href='javascript:x()'>a</a>", "<a href='#'>a</a>"),
        ("<p><svg onload=x><script>1</script><rect/></svg>", "<p><svg><rect/></svg>"),
        ("<noscript><img src=a.png></noscript>", "<img src=\"new/a.png\">"),
        ("<script>document.write(\"<!--<script>\")</script><p>x", ""),
        // Metadata.
        ("<meta charset=latin1><p>x", "<meta charset=\"utf-8\"><p>x"),
        (
            "<base href=/b/><p><img src=a.png><a href='#f'>b</a>",
            "<base><p><img src=\"new/a.png\"><a href=\"http://h.test/b/#f\">b</a>".replacing(
                "\"http://h.test/b/#f\"",
                with: "'http://h.test/b/#f'"
            )
        ),
        (
            "<meta http-equiv=refresh content='900; url=n.html'>x", "x"
        ),
        ("<link rel=preload as=image href=a.png><link rel='dns-prefetch' href=//x>y", "y"),
        (
            "<link rel=icon href=i.png><link rel=canonical href=c>",
            "<link rel=icon href=\"new/i.png\"><link rel=canonical href=\"http://h.test/dir/c\">"
        ),
        (
            "<link rel=stylesheet href=a.css integrity='sha256-x' crossorigin nonce=n>",
            "<link rel=stylesheet href=\"new/a.css\">"
        ),
        // Frames in the page.
        (
            "<iframe srcdoc=\"<img src=a.png><p title='&quot;'>\"></iframe>",
            "<iframe srcdoc=\"&lt;img src=&quot;new/a.png&quot;>&lt;p title=&#39;&quot;&#39;>\"></iframe>"
        ),
        (
            "<iframe srcdoc='&lt;iframe srcdoc=\"&lt;img src=a.png>\">'></iframe>",
            "<iframe srcdoc='&lt;iframe srcdoc=&quot;&amp;lt;img src=&amp;quot;new/a.png&amp;quot;>&quot;>'></iframe>"
        ),
    ])
    func referencesAreReplacedWhereTheyStand(_ html: String, _ expected: String) throws {
        #expect(try Self.text(html) == expected)
    }

    @Test func theHeadComesFirstInTheHead() throws {
        for (html, expected) in [
            (
                "<!doctype html><html><head lang=en><title>t</title>",
                "<!doctype html><html><head lang=en><meta charset=\"utf-8\"><title>t</title>"
            ),
            (
                "<!-- a --><!DOCTYPE html>\n<title>t",
                "<!-- a --><!DOCTYPE html><meta charset=\"utf-8\">\n<title>t"
            ),
            ("x", "<meta charset=\"utf-8\">x"),
            ("", "<meta charset=\"utf-8\">"),
        ] {
            #expect(try Self.copy(html).text == expected)
        }
    }

    @Test func whatIsChangedIsCounted() throws {
        let copy = try Self.copy(
            """
            <meta http-equiv=content-security-policy content="default-src 'self'"><base href=/><link rel=preload href=a>
            <script>1</script><p onclick=x onload=y><noscript>n</noscript><img crossorigin integrity=x srcset="a 1x,b 2x">
            """
        )
        #expect(
            copy.changed == [
                "csp": 1, "base": 1, "preload": 1, "scripts": 1, "handlers": 2, "noscript": 1,
                "crossorigin": 1,
                "integrity": 1, "srcset": 1,
            ]
        )
    }

    @Test func policiesForbid() throws {
        let html = """
            <link rel=stylesheet href=before.css><meta http-equiv=content-security-policy
            content="img-src 'self' https://*.x.test; style-src 'nonce-n'">
            <p><meta http-equiv=content-security-policy content="img-src 'none'"><img src=a.png><img src=http://o.test/b.png><img src=https://a.x.test/c.png>
            <link rel=stylesheet href=a.css><link rel=stylesheet href=b.css nonce=n>
            """
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        let forbidden = try PageRewriter(page).requisites.filter(\.isForbidden).map(\.url.href)
        #expect(forbidden == ["http://o.test/b.png", "http://h.test/a.css"])
    }

    @Test func scriptsStayWhereTheyAreWanted() throws {
        var options = PageRewriter.Options()
        options.keepsScripts = true
        let html =
            "<p onclick=x><script src=a.js></script><noscript><img src=a.png></noscript><a href=javascript:x>"
        let text = try Self.copy(html, options).text
        #expect(text.contains("<p onclick=x><script src=\"new/a.js\"></script>"))
        #expect(text.contains("<noscript><img src=\"new/a.png\"></noscript><a href=javascript:x>"))
    }

    @Test func aRefreshAtOnceIsALink() throws {
        let copy = try Self.copy("<body><meta http-equiv=refresh content='0;url=n'>x")
        #expect(copy.text.contains("<body><p><a href=\"http://h.test/dir/n\">http://h.test/dir/n</a></p>x"))
        #expect(copy.changed["refresh"] == 1)
    }

    @Test func anElementThatIsMarkedHasTheAttributeOnce() throws {
        let copy = try Self.copy("<object type=image/png type=x data=a></object>") { _ in
            .marked("data:,", attribute: "type", value: "text/x")
        }
        #expect(copy.text.contains("<object type=\"text/x\" type=x data=\"data:,\">"))
    }

    @Test func thePasswordOfThePageIsNotInItsLinks() throws {
        let html = "<a href=x>a</a><a href='http://other:pass@h.test/y'>b</a><p style='b:url(c)'>"
        let copy = try Self.copy(html, base: "http://me:secret@h.test/dir/page.html") { _ in .absolute }
        #expect(!copy.text.contains("secret"))
        #expect(
            copy.text.contains("<a href=\"http://h.test/dir/x\">a</a><a href='http://other:pass@h.test/y'>")
        )
        let sheet = SheetRewriter("a{b:url(c)}", url: try WebURL("http://me:secret@h.test/"))
        #expect(sheet.rewritten { _ in .absolute }.text == "a{b:url(http://h.test/c)}")
    }

    @Test func whereAFileIsStaysUnknown() throws {
        let html =
            "<a href=x>a</a><template><img src=b></template><meta http-equiv=refresh content='9;url=c'>"
        let copy = try Self.copy(html, base: "file:///home/me/page.html")
        #expect(!copy.text.contains("home"))
        #expect(copy.text.hasSuffix("<a href=x>a</a><template><img src=b></template>"))
    }

    @Test func theEncodingThatXMLDeclaresIsThatOfTheCopy() throws {
        let markup =
            "<?xml version='1.0' encoding='iso-8859-1'?><svg xmlns='http://www.w3.org/2000/svg'><text>\u{E9}</text></svg>"
        let page = try ParsedPage(
            data: markup.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
            mimeType: "image/svg+xml",
            baseURL: WebURL("http://h.test/")
        )
        let text = try PageRewriter(page).rewritten { _ in .keep }.text
        #expect(
            text == """
                <?xml version="1.0" encoding="utf-8"?>
                <svg xmlns="http://www.w3.org/2000/svg"><text>\u{E9}</text></svg>
                """
        )
    }

    @Test func anElementCanBeMarked() throws {
        let copy = try Self.copy("<img alt=x src=a.png><p style='b:url(b.png)'>") { reference in
            reference.isStyle ? .value("var(--x)") : .marked("data:,", attribute: "data-i", value: "1")
        }
        #expect(copy.text.contains("<img data-i=\"1\" alt=x src=\"data:,\"><p style='b:var(--x)'>"))
    }

    @Test func aFrameCanBecomeMarkup() throws {
        let copy = try Self.copy("<iframe width=1 src=f.html></iframe>") { _ in .frame("<p title=\"&\">") }
        #expect(copy.text.contains("<iframe srcdoc=\"&lt;p title=&quot;&amp;&quot;>\" width=1></iframe>"))
    }

    /// Attributes that selectors test exist under names of our own, with the values of the page.
    @Test(arguments: [
        (
            "<style>[src$='a.png'],img:not([SRC^=x]){}</style><p><img src=a.png><img>",
            "<style>[data-webloader-src$='a.png'],img:not([data-webloader-src^=x]){}</style>"
                + "<p><img data-webloader-src=\"a.png\" src=\"new/a.png\"><img>"
        ),
        (
            "<style>a[href],[srcset],[onclick]{}</style><a href=/x onclick='y()'>",
            "<style>a[href],[data-webloader-srcset],[data-webloader-onclick]{}</style>"
                + "<a data-webloader-onclick=\"y()\" href=\"http://h.test/x\">"
        ),
        (
            "<style>[*|href='#a'],[x|href]{}</style><svg><use xlink:href='#a'/></svg><a href='?&quot;'>",
            "<style>[data-webloader-any-href='#a'],[x|href]{}</style><svg><use data-webloader-any-href=\"#a\" xlink:href='#a'/></svg>"
                + "<a data-webloader-any-href=\"?&quot;\" href='http://h.test/dir/page.html?%22'>"
        ),
        // A copy of a copy.
        (
            "<style>[href=x]{}</style><a href=x data-webloader-href=y>",
            "<style>[data-webloader-href=x]{}</style><a href=\"http://h.test/dir/x\" data-webloader-href=\"x\">"
        ),
        ("<style>[class=x],a{}</style><a class=x>", "<style>[class=x],a{}</style><a class=x>"),
        (
            "<iframe srcdoc='<style>[href=x]{}</style><a href=x>'></iframe>",
            "<iframe srcdoc='<style>[data-webloader-href=x]{}</style><a data-webloader-href=&quot;x&quot; href=&quot;http://h.test/dir/x&quot;>'></iframe>"
        ),
    ])
    func `selectors ask for the values of the page`(html: String, expected: String) throws {
        let text = try Self.text(html).replacing("&lt;", with: "<")
        #expect(text == expected)
    }

    /// Rewriting the selectors adds few bytes.
    @Test(arguments: 0..<4)
    func `selectors do not grow beyond measure`(_ number: Int) throws {
        let html = [
            "<style>" + String(repeating: "a,", count: 300_000) + "b{}</style>",
            "<style>" + String(repeating: "a,", count: 100_000) + "b{}</style>",
            "<style>" + String(repeating: "[onx]{}", count: 300_000) + "</style>",
            "<style>[onx]{}</style><p onx=\"" + String(repeating: "'", count: 1_000_000) + "\">",
        ][number]
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        var selectors = SelectorWriting()
        selectors.sparesSymbols = true
        let copy = try PageRewriter(page).rewritten(selectors: selectors, Self.decide)
        #expect(copy.bytes.count < 3 * html.utf8.count + (2 << 20))
    }

    @Test func `frames in frames do not grow beyond measure`() throws {
        var html = String(repeating: "'", count: 2_000_000)
        for _ in 0..<8 {
            let inner = html.replacing("&", with: "&amp;").replacing("\"", with: "&quot;")
            html =
                "<style>[href^=x]{}</style><a href=\"\(inner.prefix(500_000).filter { $0 == "'" })\"></a><iframe srcdoc=\"\(inner)\"></iframe>"
        }
        #expect(try Self.copy(html).bytes.count < (80 << 20))
    }

    @Test(arguments: [
        ("<img src=cid:a><img src=about:blank>", "<img src=\"data:,\"><img src=\"data:,\">"),
        (
            "<iframe src=cid:a></iframe><iframe src=about:blank></iframe>",
            "<iframe src=\"about:blank\"></iframe><iframe src=about:blank></iframe>"
        ),
        ("<p style='background:url(blob:x)'>", "<p style='background:url(data:,)'>"),
        ("<embed src=cid:a>", "<embed src=\"data:image/png,\">"),
        ("<object data=cid:a>x</object>", "<object type=\"image/png\" data=\"data:image/png,\">x</object>"),
        ("<svg><use href='cid:a#b'/></svg>", "<svg><use href='#'/></svg>"),
    ])
    func `nothing is left of what browsers cannot load`(_ html: String, _ expected: String) throws {
        #expect(try Self.text(html) == expected)
    }

    @Test func `what is in front of a base is loaded without it`() throws {
        let html =
            "<img src=a><p style='background:url(b)'><a href=c></a><base href=/x/><img src=d><base href=/y/><img src=e>"
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        let urls = try PageRewriter(page).requisites.map(\.url.path)
        #expect(urls == ["/a", "/b", "/x/d", "/x/e"])
    }

    @Test func `scripts change the values that selectors ask for`() throws {
        let html = "<style>[href=x]{}</style><a href=x>"
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        var options = PageRewriter.Options()
        options.keepsScripts = true
        let rewriter = try PageRewriter(page, options: options)
        let text = rewriter.rewritten(selectors: SelectorWriting(keepsValues: false), Self.decide).text
        #expect(text.contains("[href=x]") && !text.contains("data-webloader"))
    }

    @Test func `a link that a handler makes a style sheet is one`() throws {
        let html =
            "<link rel=preload as=style href=a.css onload=\"this.rel='stylesheet'\"><link rel=preload as=style href=b.css>"
        var options = PageRewriter.Options()
        options.keepsScripts = true
        let kept = try Self.copy(html, options)
        #expect(
            kept.text.contains("<link rel=preload as=style href=\"new/a.css\" onload=")
                && !kept.text.contains("b.css")
        )
        #expect(try !Self.copy(html).text.contains("<link"))
    }

    @Test func symbolsArePutIntoThePage() throws {
        let copy = try Self.copy("<svg><use href='s.svg#a'/></svg>") { reference in
            #expect(reference.isSymbol)
            return .symbol(markup: "<defs></defs>", id: "c1-a")
        }
        #expect(copy.text.contains("<svg><defs></defs><use href='#c1-a'/></svg>"))
    }

    @Test func xhtmlStaysXML() throws {
        let markup = """
            <?xml version="1.0"?>\n<!DOCTYPE html [<!ENTITY x "<b>">]>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><style>p{b:url("a.png")}</style></head>
            <body><!-- <img src="no.png"/> --><img src="b.png" alt="&gt;"/><svg xmlns="http://www.w3.org/2000/svg"><image xmlns:l="http://www.w3.org/1999/xlink" l:href="c.png"/></svg></body></html>
            """
        let page = try ParsedPage(
            data: Array(markup.utf8),
            mimeType: "application/xhtml+xml",
            baseURL: WebURL("http://h.test/")
        )
        let rewriter = try PageRewriter(page)
        #expect(rewriter.isXML)
        let text = rewriter.rewritten(Self.decide).text
        #expect(
            text
                == markup.replacing("version=\"1.0\"", with: "version=\"1.0\" encoding=\"utf-8\"")
                .replacing("\"a.png\"", with: "\"new/a.png\"").replacing(
                    "\"b.png\"",
                    with: "\"new/b.png\""
                )
                .replacing("\"c.png\"", with: "\"new/c.png\"")
                // Its declarations are in the tree already.
                .replacing(" [<!ENTITY x \"<b>\">]", with: "")
        )
    }

    @Test func linksAndCopiesHaveTheSameReferences() throws {
        let html = """
            <link rel=stylesheet href=a.css><style>@import "b.css"; p { c: url(d) }</style><img src=e srcset="f 1x, g 2x">
            <p style="h:url(i)"><svg><image href=j /><rect fill="url(k)"/></svg><template><a href=l></a></template>
            <b><p></b><object data=m></object><a ping="n o" href=p></a>
            """
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        let source = try PageSource(page)
        #expect(source.references.map(\.link) == page.links)
        #expect(source.references.allSatisfy { $0.place != nil })
    }
}

extension Rewritten {
    var text: String { String(decoding: bytes, as: UTF8.self) }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>) -> String {
        String(self[..<range.lowerBound]) + String(self[range.upperBound...])
    }
}
