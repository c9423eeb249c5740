import Testing

@testable import WebDocument

struct XMLLinkTests {
    private static let documents: [(type: String, markup: String, links: [String])] = [
        (
            "application/rss+xml",
            """
            <rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">
            <channel><link> /home </link><atom:link rel="self" href="feed.xml"/><image><url>i.png</url></image>
            <item><link>one</link><guid>one?g</guid><guid isPermaLink="false">no</guid><comments>c</comments>
            <enclosure url="e.mp3"/><source url="s.xml">S</source><media:content url="m.mp4"/>
            <media:thumbnail url="t.jpg"/><description>&lt;a href="no"></description></item></channel></rss>
            """,
            [
                "navigation link http://h.test/home", "other link@href http://h.test/d/feed.xml",
                "image url http://h.test/d/i.png", "navigation link http://h.test/d/one",
                "navigation guid http://h.test/d/one?g", "navigation comments http://h.test/d/c",
                "media enclosure@url http://h.test/d/e.mp3", "alternate source@url http://h.test/d/s.xml",
                "media content@url http://h.test/d/m.mp4", "image thumbnail@url http://h.test/d/t.jpg",
            ]
        ),
        (
            "application/atom+xml",
            """
            <feed xmlns="http://www.w3.org/2005/Atom" xml:base="/b/"><link href="."/><link rel="self" href="f"/>
            <icon>i.ico</icon><logo>l.png</logo><author><uri>me</uri></author>
            <entry xml:base="c/"><link rel="alternate" href="x" title="T"/><link rel="enclosure" href="e"/>
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><a href="h">t</a></div></content></entry>
            <entry><content src="y"/></entry></feed>
            """,
            [
                "navigation link@href http://h.test/b/", "other link@href http://h.test/b/f",
                "icon icon http://h.test/b/i.ico", "image logo http://h.test/b/l.png",
                "navigation uri http://h.test/b/me",
                "navigation link@href http://h.test/b/c/x", "media link@href http://h.test/b/c/e",
                "navigation a@href http://h.test/b/c/h", "navigation content@src http://h.test/b/y",
            ]
        ),
        (
            "application/xml",
            """
            <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/">
            <channel><link>a</link></channel><item><link>b</link></item></rdf:RDF>
            """, ["navigation link http://h.test/d/a", "navigation link http://h.test/d/b"]
        ),
        (
            "application/xhtml+xml",
            """
            <?xml-stylesheet href="s.css" type="text/css"?>
            <html xmlns="http://www.w3.org/1999/xhtml"><head><base href="/b/"/></head>
            <body><a href="x">one <a href="y">two</a></a><A href="no"/>
            <svg xmlns="http://www.w3.org/2000/svg" xmlns:l="http://www.w3.org/1999/xlink"><a l:href="z"/></svg>
            <a xmlns="" href="no"/></body></html>
            """,
            [
                "stylesheet xml-stylesheet@href http://h.test/b/s.css", "navigation a@href http://h.test/b/x",
                "navigation a@href http://h.test/b/y", "navigation a@href http://h.test/b/z",
            ]
        ),
        (
            "application/xml",
            """
            <?xml-stylesheet type='text/xsl' href='a&amp;b.xsl'?><?other href="no"?>
            <doc xmlns:xlink="http://www.w3.org/1999/xlink" xlink:href="x" href="no"><link>no</link></doc>
            """,
            [
                "stylesheet xml-stylesheet@href http://h.test/d/a&b.xsl",
                "navigation doc@href http://h.test/d/x",
            ]
        ),
        (
            "image/svg+xml",
            """
            <svg xmlns="http://www.w3.org/2000/svg"><a href="x">t</a><style>@import 'y';</style></svg>
            """, ["navigation a@href http://h.test/d/x", "stylesheet style http://h.test/d/y"]
        ),
    ]

    @Test(arguments: documents.indices)
    func everySourceOfXMLIsGathered(index: Int) throws {
        let document = Self.documents[index]
        let page = try InspectionPages.page(document.markup, type: document.type)
        #expect(try InspectionPages.summary(page) == document.links)
    }

    private static let instructions: [(String, String?)] = [
        ("href=\"a\"", "a"), ("type='x' href = 'a'", "a"),
        ("href='a&#38;b&#x26;c&lt;&amp;d&e'", "a&b&c<&d&e"),
        ("href=a", nil), ("href", nil), ("", nil), ("type='x", nil), ("href='", nil),
    ]

    @Test(arguments: instructions)
    func pseudoAttributesAreRead(data: String, expected: String?) {
        #expect(PseudoAttributes.value(of: "href", in: data) == expected)
    }
}
