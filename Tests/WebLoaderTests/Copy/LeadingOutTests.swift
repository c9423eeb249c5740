import Testing
import WebDocument
import WebStandards

@testable import WebCopy

/// Markup that would become something else once a part of it is taken out, or that is read otherwise than it looks.
struct LeadingOutTests {
    /// Returns the references that a browser would still load, or navigate to, once a copy is opened.
    private static func left(_ markup: String, type: String = "text/html") throws -> [String] {
        let copy = try Self.copy(markup, type: type)
        let again = try ParsedPage(
            data: Array(copy.utf8),
            mimeType: type,
            baseURL: WebURL("http://copy.test/")
        )
        return again.links.filter { link in
            let isLive = link.kind.isRequisite || link.kind == .refresh || link.url?.scheme == "javascript"
            return !link.isInert && isLive && link.url?.scheme != "data"
        }
        .map(\.reference)
    }

    private static func copy(_ markup: String, type: String = "text/html") throws -> String {
        let page = try ParsedPage(
            data: Array(markup.utf8),
            mimeType: type,
            baseURL: WebURL("http://h.test/")
        )
        return try PageRewriter(page).rewritten { $0.isRequisite ? .url("data:,") : .absolute }.text
    }

    @Test(arguments: [
        "<div><meta http-equiv=refresh content='0;url=https://evil.test'><frameset></frameset>",
        "<div><video poster=https://evil.test><frameset></frameset>",
        "<div><style>*{background:url(https://evil.test)}</style><link rel=stylesheet href=https://evil.test><frameset>",
        "<div><svg><image href=https://evil.test /></svg><iframe srcdoc='<img src=https://evil.test>'></iframe><frameset>",
        "<table><caption><frame src=https://evil.test></table>",
    ])
    func nothingIsLeftOfWhatMadeNoElement(_ markup: String) throws {
        let copy = try Self.copy(markup)
        #expect(!copy.contains("evil.test"), "\(copy)")
    }

    private static let xhtml = "<html xmlns='http://www.w3.org/1999/xhtml'><head>"

    /// Pages of XML have no policy that would keep them from asking.
    @Test(arguments: [
        "<?xml-stylesheet type='text/xsl' href='data:text/xsl,evil.test'?><a/>",
        "<?xml-stylesheet href='data:text/xsl,evil.test' type=\"application/xml\"?><a/>",
        "\(xhtml)<meta http-equiv='refresh' content='0;url=data:text/html,evil.test'/></head></html>",
        "\(xhtml)<link rel='prefetch icon' href='http://evil.test/'/></head></html>",
        "\(xhtml)<link rel='preload icon' as='image' href='http://evil.test/'/></head></html>",
        "\(xhtml)<script type='webbundle'>{\"source\":\"http://evil.test/\"}</script></head></html>",
        "<svg xmlns='http://www.w3.org/2000/svg'><style>{}@import 'http://evil.test/';</style></svg>",
        "<svg xmlns='http://www.w3.org/2000/svg'><style>a{--s:'http://evil.test/'}</style></svg>",
    ])
    func nothingIsLeftInXML(_ markup: String) throws {
        let copy = try Self.copy(markup, type: "application/xhtml+xml")
        #expect(!copy.contains("evil.test"), "\(copy)")
    }

    private static let longStyle =
        "<svg><style>" + String(repeating: "<g></g>", count: 100)
        + "b{background:url(https://evil.test)}</style></svg>"

    @Test(arguments: [
        // Markup around a removed element.
        "<<script></script>meta http-equiv=refresh content='0;url=https://evil.test'>",
        "<<noscript>img src=https://evil.test>", "<noscript><</noscript>img src=https://evil.test>",
        "<<link rel=preload href=x>img src=https://evil.test>",
        "<p><<meta http-equiv=refresh content='0;url=x'>img src=https://evil.test>",
        "<a href integrity=''=javascript:alert(1)>x</a>", "<a href integrity=''  =javascript:alert(1)>x</a>",
        "<a href integrity='' nonce='' =javascript:alert(1)>x</a>",
        "<img src=a src=https://evil.test srcset='b 2x'>",
        "<iframe src=a src=https://evil.test srcdoc=x></iframe>",
        "<p onclick=a onclick=b>x</p>",
        // Style sheets with elements in them.
        "<svg><style>a{}<g/>b{background:url(https://evil.test)}</style></svg>",
        "<svg><style>a{}<g></x>more</g>b{background:url(https://evil.test)}</style></svg>",
        "<svg><style>a{}<g><path>more</g>b{background:url(https://evil.test)}</style></svg>",
        "<svg><style>a{}<!x>b{background:url(https://evil.test)}</style></svg>",
        longStyle,
        "<svg><script/><image href=https://evil.test /></svg>",
        // Links that are not followed by themselves.
        "<meta http-equiv=refresh content='5;url=https://evil.test'>",
        "<meta http-equiv=refresh content='0;url=http://h.test/onerror=alert(1)/src=x'><img title=\"",
        "<svg><rect><set attributeName=href to=https://evil.test /></rect></svg>",
    ])
    func nothingIsLeft(_ html: String) throws {
        #expect(try Self.left(html) == [])
        #expect(try !Self.copy(html).contains("onclick"))
    }

    @Test(arguments: [
        "<h:script xmlns:h='http://www.w3.org/1999/xhtml' src='https://evil.test'/>",
        "<s:script xmlns:s='http://www.w3.org/2000/svg' href='https://evil.test'/>",
        "<h:meta xmlns:h='http://www.w3.org/1999/xhtml' http-equiv='refresh' content='0;url=https://evil.test'/>",
        "<h:iframe xmlns:h='http://www.w3.org/1999/xhtml' srcdoc='&lt;img src=https://evil.test>'/>",
        "<h:meta xmlns:h='http://www.w3.org/1999/xhtml' http-equiv='refresh' content='0;url=https://evil.test'></h:meta>",
        "<style>a{b:url(x)}<g/>c{d:url(https://evil.test)}</style>",
    ])
    func prefixesHideNothing(_ element: String) throws {
        let markup = "<svg xmlns='http://www.w3.org/2000/svg'>\(element)</svg>"
        #expect(try Self.left(markup, type: "image/svg+xml") == [])
    }

    @Test(arguments: [
        "<s:set xmlns:s='http://www.w3.org/2000/svg' attributeName='href' to='https://evil.test'/>",
        "<animate attributeName='filter' values='none;url(https://evil.test)'/>",
        "<set attributeName='mask' to='URL(\"https://evil.test\")'/>",
    ])
    func animationsLeadNowhere(_ element: String) throws {
        let markup = "<svg xmlns='http://www.w3.org/2000/svg'>\(element)</svg>"
        #expect(try !Self.copy(markup, type: "image/svg+xml").contains("attributeName"))
        let calm = "<svg><set attributeName=fill to='url(#a)'/><set attributeName=x to='calc(1px)'/></svg>"
        #expect(try Self.copy(calm).hasSuffix(calm))
    }

    @Test(arguments: [
        "<!ENTITY a \"<image href='https://evil.test'/>\">", "<!ENTITY a '&#60;image/>'>",
        "<!ENTITY % p '<!ENTITY a \"<g/>\">'>%p;", "<!ENTITY % SYSTEM '<!ENTITY a \"<g/>\">'>%SYSTEM;",
        "<!ATTLIST image href CDATA 'https://evil.test'>",
        "<?a it's?><!ENTITY a \"<image href='https://evil.test'/>\">",
    ])
    func entitiesOfMarkupAreEmpty(_ declaration: String) throws {
        let markup =
            "<!DOCTYPE svg [\(declaration)]><svg xmlns='http://www.w3.org/2000/svg'><image href='b'/></svg>"
        let copy = try Self.copy(markup, type: "image/svg+xml")
        #expect(!copy.contains("evil"))
        #expect(!copy.contains("<g/>"))
        #expect(!copy.contains("["))
        #expect(copy.contains("<image href=\"data:,\"/>"))
    }

    @Test func entitiesOfTextStay() throws {
        let markup = """
            <!DOCTYPE svg [<!ENTITY space "&#160;"><!ENTITY u "https://evil.test">]>
            <svg xmlns="http://www.w3.org/2000/svg"><text>&space;</text><image href="&u;"/><style>a{b:url(&u;)}</style><rect fill="url(&u;)"/></svg>
            """
        let copy = try Self.copy(markup, type: "image/svg+xml")
        #expect(copy.contains("<text>\u{A0}</text><image href=\"data:,\"/>"))
        #expect(!copy.contains("ENTITY"))
        #expect(!copy.contains("evil"))
    }

    private static let longEntity = String(repeating: "x", count: 1 << 12)

    @Test(arguments: ["&e;", "<a title='&e;'/>", "<a xmlns:q='&e;'/>"])
    func entitiesStandForSoMuchOnly(_ use: String) throws {
        let uses = String(repeating: use, count: 1000)
        let markup = "<!DOCTYPE a [<!ENTITY e '\(Self.longEntity)'>]><a>\(uses)</a>"
        #expect(try Self.copy(markup, type: "application/xml").utf8.count < 5 << 18)
    }

    @Test(arguments: [
        "<script type='&#x00000000000074;ext/javascript'>evil</script>",
        "<a xmlns:x='urn:x' xmlns:l='http://www.w3.org/1999/xlink' x:href='b' l:href='javascript:evil'/>",
        "<a xmlns:l='http://www.w3.org/1999/xlink' href='b' l:href='javascript:evil'/>",
        "<a x:onclick='evil'/>", "<a xmlns:x='urn:x' x:onclick='evil'/>",
        "<animate attributename='x' attributeName='href' values='javascript:evil'/>",
        "<x href='&#x000000000000a;java&#x0000000000073;cript:evil'/>",
        "<h:iframe xmlns:h='http://www.w3.org/1999/xhtml' srcdoc='&#x0000000000003c;script>evil&lt;/script>'/>",
    ])
    func noScriptIsLeftInXML(_ element: String) throws {
        let deep = String(repeating: "<g>", count: 600) + String(repeating: "</g>", count: 600)
        for before in ["", deep] {
            let markup = "<svg xmlns='http://www.w3.org/2000/svg'>\(before)\(element)</svg>"
            let copy = try Self.copy(markup, type: "image/svg+xml")
            #expect(!copy.contains("evil"), "\(copy)")
        }
    }

    /// Content without scripts stays unchanged.
    @Test func honestXMLStays() throws {
        let drawn = try Self.copy(
            "<!DOCTYPE svg [<!ENTITY s 'http://www.w3.org/2000/svg'><!ENTITY o 'http://o.test/?a&#38;#38;b'>]>"
                + "<svg xmlns='&s;' xmlns:ont='&o;' xmlns:q='u:a&amp;b'><ont:Thing/><rect width='1'/></svg>",
            type: "image/svg+xml"
        )
        #expect(drawn.contains("xmlns=\"http://www.w3.org/2000/svg\""), "\(drawn)")
        #expect(drawn.contains("xmlns:ont=\"http://o.test/?a&amp;b\""), "\(drawn)")
        #expect(drawn.contains("xmlns:q=\"u:a&amp;b\""), "\(drawn)")
        let page = try Self.copy(
            "<html xmlns='http://www.w3.org/1999/xhtml'><body><img alt='JavaScript: The Good Parts'/></body></html>",
            type: "application/xhtml+xml"
        )
        #expect(page.contains("JavaScript: The Good Parts"))
    }

    @Test(arguments: [
        "<!NOTATION n SYSTEM '<!--'><!ENTITY x '<script>evil</script>'><!-- end -->",
        "<!NOTATION n SYSTEM '<?'><!ENTITY x '<script>evil</script>'><?end ?>",
        "<!ENTITY y '\"'><!ENTITY x '<script>evil</script>'>",
        "<!NOTATION n SYSTEM '<!--'><!ATTLIST svg onload CDATA 'evil'><!-- end -->",
    ])
    func doctypesHideNothing(_ declarations: String) throws {
        let markup = "<!DOCTYPE svg [\(declarations)]><svg xmlns='http://www.w3.org/2000/svg'>&x;</svg>"
        #expect(try !Self.copy(markup, type: "image/svg+xml").contains("evil"))
    }

    @Test(arguments: [
        ("<html xmlns='X'><head><title/></head></html>", "<head>META<title/></head>"),
        ("<html xmlns='X'><head/><body/></html>", "<head xmlns=\"X\">META</head><head/>"),
        ("<html xmlns='X'><body/></html>", "<head xmlns=\"X\">META</head><body/>"),
        ("<html xmlns='X'/>", "<html xmlns=\"X\"/>"),
        ("<h:html xmlns:h='X'><h:head>x</h:head></h:html>", "<h:head>METAx</h:head>"),
        ("<svg><head xmlns='X'>x</head></svg>", "<svg><head xmlns=\"X\">x</head></svg>"),
    ])
    func whatIsForTheHeadOfXHTMLIsInIt(_ markup: String, _ expected: String) throws {
        let namespace = "http://www.w3.org/1999/xhtml"
        let page = try ParsedPage(
            data: Array(markup.replacing("X", with: namespace).utf8),
            mimeType: "application/xhtml+xml",
            baseURL: WebURL("http://h.test/")
        )
        let copy = try PageRewriter(page).rewritten(head: "META") { _ in .keep }.text
        #expect(copy.contains(expected.replacing("X", with: namespace)), "\(copy)")
    }

    @Test(arguments: ["svg", "math"])
    func aRefreshThatEndsForeignContentStillDoes(_ name: String) throws {
        let copy = try Self.copy(
            "<body><\(name)><meta http-equiv=refresh content='9;url=a'><style><img></style>"
        )
        #expect(copy.contains("<\(name)><meta><style><img></style>"))
        // Nobody knows what the last of very many attributes are.
        let attributes = (0..<5000).map { " a\($0)" }.joined()
        let long = try Self.copy(
            "<body><\(name)><meta http-equiv=refresh content='9;url=a'\(attributes)><style><img></style>"
        )
        #expect(long.contains("<\(name)><meta ><style><img></style>"), "\(long.suffix(200))")
    }

    @Test(arguments: ["<h1 ", "</h1 a='", "<a"])
    func aStyleIsKeptWhereThePageEndsInATag(_ end: String) throws {
        let copy = try Self.copy("<body></svg><svg><style>@import 'n';\(end)")
        #expect(copy.contains("<style>@import 'data:,';\(end)"))
    }

    @Test func aStyleSheetInstructionWithoutAReferenceHasNoPlace() throws {
        let markup = """
            <?xml-stylesheet type="text/css"?><?xml-stylesheet href="a.css"?><?xml-stylesheet x href="b.css"?>\
            <svg xmlns="http://www.w3.org/2000/svg"/>
            """
        let copy = try Self.copy(markup, type: "image/svg+xml")
        #expect(copy.contains("<?xml-stylesheet type=\"text/css\"?><?xml-stylesheet href=\"data:,\"?>"))
    }

    @Test(arguments: [
        ("<iframe src='data: text/html,x'>", true), ("<iframe src=data:image/svg+xml,x>", true),
        ("<object data=data:application/xhtml+xml,x>", true), ("<embed src=data:image/png,x>", true),
        ("<link rel=stylesheet href=data:text/css,x>", true), ("<img src=data:image/svg+xml,x>", false),
        ("<p style=b:url(data:text/html,x)>", false),
    ])
    func pagesInURLsAreAskedFor(_ html: String, _ isAsked: Bool) throws {
        let page = try ParsedPage(html: html, baseURL: WebURL("http://h.test/"))
        #expect(try PageRewriter(page).requisites.isEmpty != isAsked)
    }
}
