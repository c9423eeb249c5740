import HTTPTypes
import Testing

@testable import WebDocument

/// Tests of the elements that selectors match: their IDs, in document order.
struct SelectorMatchingTests {
    @Test(
        "Types, classes, IDs and combinators",
        arguments: [
            ("p", "p1 p2 p3"), ("P", "p1 p2 p3"), ("div p", "p1 p2"), ("div > p", "p2"),
            ("section > p", "p1"),
            ("p + p", ""), ("h2 ~ p", "p2"), ("h2 + em + p", "p2"), ("em ~ p", "p2"), (".a", "d s p1"),
            (".b", "d p2"),
            (".a.b", "d"), (".A", ""), ("#p1", "p1"), ("#P1", ""), ("*#p1", "p1"), ("div#d.a.b", "d"),
            ("#p1.b", ""),
            ("div section p", "p1"), ("div > * > p", "p1"), ("body *.a", "d s p1"), ("h2, p", "p1 h p2 p3"),
            ("p, p, #p1", "p1 p2 p3"), ("div ~ p", "p3"), ("div + p", "p3"), (".missing", ""),
            ("missing p", ""),
            ("html body div.a > section.a > p.a", "p1"), (":scope > body > p", "p3"), ("html > p", ""),
        ]
    )
    func basics(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            """
            <body id=y><div id=d class="a b"><section id=s class=a><p id=p1 class=" a\tc\n"></p></section><h2 id=h></h2>\
            text<em id=e></em><p id=p2 class=b></p></div><p id=p3></p>
            """
        )
        #expect(try SelectorPages.ids(document, selector) == expected)
    }

    @Test(
        "Attributes",
        arguments: [
            ("[t]", "a b c d e"), ("[T]", "a b c d e"), ("[t=x]", "a"), ("[t='']", "d"), ("[t=X]", ""),
            ("[t=X i]", "a"),
            ("[t=x s]", "a"), ("[t~=y]", "b"), ("[t~='x y']", ""), ("[t~='']", ""), ("[t|=x]", "a c"),
            ("[t|='']", "d"),
            ("[t^=x]", "a b c"), ("[t^='']", ""), ("[t$=z]", "c e"), ("[t$='']", ""), ("[t*=y]", "b c e"),
            ("[t*='']", ""),
            ("[t*=Y i]", "b c e"), ("[t$=Z i]", "c e"), ("[t^=X i]", "a b c"), ("[t~=Y i]", "b"),
            ("[t|=X i]", "a c"),
            ("[t][id=a]", "a"), ("[missing]", ""), ("[type=TEXT]", "f"), ("[type=TEXT s]", ""),
            ("[type=text i]", "f"),
            ("[t='x y']", "b"), ("[id=\"\\61\"]", "a"), ("[*|t]", "a b c d e"), ("[|t]", "a b c d e"),
            ("[t*='x-y-z']", "c"), ("[t^='x-y-zz']", ""), ("[t$='ax-y-z']", ""),
        ]
    )
    func attributes(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            "<i id=a t=x></i><i id=b t='x y'></i><i id=c t=x-y-z></i><i id=d t></i><i id=e t=öyz></i><input id=f type=text>"
        )
        #expect(try SelectorPages.ids(document, selector) == expected)
    }

    @Test(
        "Quirks mode ignores the case of classes and IDs, and of nothing else",
        arguments: [
            (".ABC", "x"), ("#X", "x"), (".abc", "x"), ("[class=ABC]", ""), ("[id=X]", ""), ("P", "x"),
            (".äbc", ""),
        ]
    )
    func quirks(selector: String, expected: String) throws {
        let markup = "<p id=x class='aBc Äbc'>"
        #expect(try SelectorPages.ids(SelectorPages.html(markup, doctype: ""), selector) == expected)
        #expect(
            try SelectorPages.ids(SelectorPages.html(markup), selector) == (selector == "P" ? "x" : "")
        )
    }

    @Test(
        "Children by their numbers",
        arguments: [
            (":nth-child(1)", "a"), (":nth-child(2n)", "b d f"), (":nth-child(odd)", "a c e"),
            (":nth-child(-n+2)", "a b"),
            (":nth-child(n+5)", "e f"), (":nth-child(3n+1)", "a d"), (":nth-child(3n-1)", "b e"),
            (":nth-child(-2n+5)", "a c e"),
            (":nth-child(0)", ""), (":nth-child(-1)", ""), (":nth-child(0n+3)", "c"),
            (":nth-last-child(1)", "f"),
            (":nth-last-child(2n)", "a c e"), (":nth-last-child(-n+2)", "e f"), (":first-child", "a"),
            (":last-child", "f"),
            (":only-child", ""), (":nth-of-type(2)", "c d"), (":nth-last-of-type(1)", "e f"),
            (":first-of-type", "a b"),
            (":last-of-type", "e f"), (":only-of-type", ""), ("p:nth-of-type(2n+1)", "a e"),
            ("b:nth-last-of-type(odd)", "b f"),
            (":nth-child(2 of .k)", "d"), (":nth-child(odd of .k, p)", "a c e"),
            (":nth-last-child(1 of .k)", "f"),
            (":nth-child(1 of p)", "a"), (":nth-child(2 of b)", "d"), (":nth-child(n of :not(.k))", "a c e"),
            ("b:nth-child(1 of p)", ""),
        ]
    )
    func numbers(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            "<main>x<p id=a></p><!--c--><b id=b class=k></b>y<p id=c></p><b id=d class=k></b><p id=e></p><b id=f class=k></b></main>"
        )
        #expect(try SelectorPages.ids(document, "main > \(selector)") == expected)
    }

    @Test(
        "Lists inside",
        arguments: [
            (":is(h1, h2)", "h k"), (":is(main h1, .x)", "h k"), (":is(p, :unknown, h1)", "h p q"),
            (":is()", ""),
            (":where(h1)", "h"), ("main :not(h1, h2)", "p q"), (":not(main *):is(p, h1)", ""),
            ("main :not(h1 + *)", "h p q"),
            ("h1:not(.x)", "h"), (":is(h1, h2):is(.x, .y)", "k"), ("main > :not(:first-child)", "k p q"),
            (":not(:not(h1))", "h"), (":is(:is(:is(h1)))", "h"), ("main :not(h2 ~ p)", "h k"),
            (":is(h1, h2) + p", "p"),
            ("body :is(main p, main h1)", "h p q"), ("::before, h1", "h"), ("h1:hover, h2", "k"),
            (":is(h1::before, h2)", "k"),
        ]
    )
    func lists(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            "<main><h1 id=h></h1><h2 id=k class=x></h2><p id=p></p><p id=q></p></main>"
        )
        #expect(try SelectorPages.ids(document, selector) == expected)
    }

    @Test(
        ":has()",
        arguments: [
            ("div:has(p)", "a b"), ("div:has(> p)", "b"), ("div:has(i)", "a c"), ("div:has(> b p)", ""),
            ("div:has(> div > p)", "a"),
            ("div:has(div i)", "a"), ("b:has(+ p)", "t"), ("b:has(~ p)", "t"), ("b:has(~ i)", ""),
            ("div:has(b + p)", "a b"),
            ("div:has(b ~ p > u)", "a b"), ("div:has(> b, > i)", "b c"), ("div:not(:has(p))", "c"),
            ("div:has(:is(p, i))", "a b c"),
            ("div:has(~ div > i)", "b"), ("div:has(+ div)", "b"), ("div:has(:scope)", ""),
            (":has(u)", "html body a b p"),
            ("div:has(p:not(:has(u)))", ":error"), ("div:has(> :nth-child(2))", "a b"),
            ("div:has(body u)", ""), ("div:has(:is(body u))", "a b"),
            ("body:has(> div > div) i", "i"), ("div:has(> p:has(u))", ":error"),
            ("div:has(b:empty + p u)", ""), ("div:has(missing)", ""),
        ]
    )
    func has(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            "<div id=a><div id=b><b id=t><s id=s></s></b>x<p id=p><u id=u></u></p></div><div id=c><i id=i></i></div></div>"
        )
        guard expected != ":error" else {
            #expect(throws: SelectorError.self) { try Selector(selector) }
            return
        }
        #expect(try SelectorPages.ids(document, selector) == expected)
    }

    @Test(
        "Namespaces",
        arguments: [
            ("a", "h s"), ("*|a", "h s"), ("|a", ""), ("svg|a", "s"), ("html|a", "h"), ("svg|*", "v s f l"),
            ("html|*[id]", "h d"),
            ("[href]", "h"), ("[*|href]", "h s"), ("[xlink|href]", "s"), ("[xlink|href=y]", "s"),
            ("foreignObject", "f"),
            ("FOREIGNOBJECT", "f"), ("svg|linearGradient", "l"), ("[viewBox]", "v"), ("[viewbox]", "v"),
            ("svg|svg > svg|a", "s"),
            ("*|*:not(svg|*)[id]", "h d"), ("svg|a:not(html|*)", "s"),
        ]
    )
    func namespaces(selector: String, expected: String) throws {
        let document = try SelectorPages.html(
            """
            <a id=h href=x></a><svg id=v viewBox="0 0 1 1"><a id=s xlink:href=y></a>\
            <foreignObject id=f><div id=d></div></foreignObject><linearGradient id=l></linearGradient></svg>
            """
        )
        let ids = try SelectorPages.ids(document, selector) { options in
            options.namespaces = [
                "svg": "http://www.w3.org/2000/svg", "html": "http://www.w3.org/1999/xhtml",
                "xlink": "http://www.w3.org/1999/xlink",
            ]
        }
        #expect(ids == expected)
    }

    @Test func aDefaultNamespaceIsThatOfTypesWithoutAPrefix() throws {
        let document = try SelectorPages.html("<a id=h></a><svg id=v><a id=s></a></svg>")
        func ids(_ selector: String) throws -> String {
            try SelectorPages.ids(document, selector) { $0.namespaces = ["": "http://www.w3.org/2000/svg"] }
        }
        #expect(try ids("a") == "s")
        #expect(try ids("*") == "v s")
        #expect(try ids("*|a") == "h s")
        #expect(try ids("[id]") == "v s")
    }

    @Test(
        "XML is compared to the letter",
        arguments: [
            ("Item", "a"), ("item", "b c"), ("ITEM", ""), ("[Kind]", "a"), ("[kind]", "b"), ("[type=X]", "a"),
            ("[type=x]", "b"),
            (".c", "a b"), (".C", ""), ("n|item", "c"), ("*|item", "b c"), ("|item", "b"), (":root", "r"),
            ("Item + item", "b"),
            (":empty", "a b c"), ("[n|kind]", "c"), ("[v='1&2']", "c"), ("[v*='&']", "c"),
        ]
    )
    func xml(selector: String, expected: String) throws {
        let document = try SelectorPages.xml(
            """
            <!DOCTYPE r [<!ENTITY e "1&#38;#38;2">]><r id="r" xmlns:m="urn:n"><Item id="a" Kind="1" type="X" class="c"/>\
            <item id="b" kind="1" type="x" class="c d"/><m:item id="c" m:kind="1" v="&e;"><!-- empty --></m:item></r>
            """
        )
        #expect(try SelectorPages.ids(document, selector) { $0.namespaces = ["n": "urn:n"] } == expected)
    }

    @Test func libxml2sParserGivesTheSame() throws {
        var settings = PageContent.Settings()
        settings.htmlParser = .libxml2
        let response = WebResponse(
            url: try WebURL("http://h.test/"),
            status: 200,
            headerFields: [.contentType: "text/html"],
            body: Array("<div CLASS=x ID=a><P Data-X=1>t</P><p id=b></div>".utf8),
            source: .network
        )
        let document = try #require(try ParsedPage(response, settings).document)
        #expect(try SelectorPages.ids(document, "DIV.x > p") == "p b")
        #expect(try SelectorPages.ids(document, "[data-x='1']") == "p")
        #expect(try SelectorPages.ids(document, "#a :nth-of-type(2)") == "b")
    }

    @Test func templatesAreBesideTheTree() throws {
        let document = try SelectorPages.html("<template id=t><p id=p></p></template><p id=q></p>")
        #expect(try SelectorPages.ids(document, "p") == "q")
        #expect(try SelectorPages.ids(document, "template") == "t")
        #expect(try SelectorPages.ids(document, "template:empty") == "t")
    }
}
