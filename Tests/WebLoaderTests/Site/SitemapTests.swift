import Testing
import WebSite
import WebStandards

struct SitemapTests {
    private static let open = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">"

    private static func sitemap(_ bytes: some Sequence<UInt8>, includesImages: Bool = false) throws -> Sitemap
    {
        let url = try WebURL("http://site.example/maps/s.xml")
        return Sitemap(parsing: Array(bytes), url: url, includesImages: includesImages)
    }

    private static func locations(_ text: String) throws -> [String] {
        try sitemap(text.utf8).entries.map(\.location.href)
    }

    // MARK: - Kinds

    @Test(
        arguments: [
            ("<urlset><url><loc>http://a.example/</loc></url></urlset>", Sitemap.Kind.urlset),
            ("<s:urlset xmlns:s='x'><s:url><s:loc>http://a.example/</s:loc></s:url></s:urlset>", .urlset),
            ("\n <sitemapindex><sitemap><loc>http://a.example/</loc></sitemap></sitemapindex>", .index),
            ("<rss><channel><item><link>http://a.example/</link></item></channel></rss>", .rss),
            ("<rss><channel><item><guid>http://a.example/</guid></item></channel></rss>", .rss),
            ("<feed><entry><link href='http://a.example/'/></entry></feed>", .atom),
            ("\u{FEFF}http://a.example/", .text), ("\r\nhttp://a.example/\r\n\n", .text),
        ]
    )
    func allKindsAreRead(text: String, kind: Sitemap.Kind) throws {
        let sitemap = try Self.sitemap(text.utf8)
        #expect(sitemap.kind == kind)
        #expect(sitemap.entries.map(\.location.href) == ["http://a.example/"])
        #expect(sitemap.faults.isEmpty)
    }

    @Test(arguments: ["", "<html><p>no</p></html>", "{\"no\": 1}", "no\n", "<!-- nothing -->", "\u{1F}"])
    func othersAreNone(text: String) throws {
        let sitemap = try Self.sitemap(text.utf8)
        #expect(sitemap.kind == nil)
        #expect(sitemap.entries.isEmpty)
        #expect(sitemap.faults.last?.code == .kind)
    }

    @Test func whatIsSaidOfAPageIsRead() throws {
        let text = """
            <?xml version="1.0"?>
            \(Self.open)<url>
            <lastmod> 2024-05-01T10:00:00.5+02:00 </lastmod><changefreq>Daily</changefreq>
            <loc> a?b=1&amp;c=&#x32; </loc><priority>0.8</priority>
            <x:link rel="alternate" hreflang="de-CH" href="/de?a&amp;b"/><x:link rel="other" href="/no"/>
            <image:image><image:loc>/i.png</image:loc><image:title>t</image:title></image:image>
            </url></urlset>
            """
        let entry = try #require(try Self.sitemap(text.utf8, includesImages: true).entries.first)
        #expect(entry.location.href == "http://site.example/maps/a?b=1&c=2")
        #expect(entry.line == 4)
        #expect(entry.lastModified?.text == "2024-05-01T08:00:00Z")
        #expect(entry.changeFrequency == .daily)
        #expect(entry.priority == 0.8)
        #expect(entry.alternates.map(\.language) == ["de-CH"])
        #expect(entry.alternates.map(\.location.href) == ["http://site.example/de?a&b"])
        #expect(entry.images.map(\.href) == ["http://site.example/i.png"])
        #expect(try Self.sitemap(text.utf8).entries.first?.images == [])
    }

    @Test(
        arguments: [
            ("2024", "2024-01-01T00:00:00Z"), ("2024-02", "2024-02-01T00:00:00Z"),
            ("2024-02-29", "2024-02-29T00:00:00Z"),
            ("2024-05-01T10:00Z", "2024-05-01T10:00:00Z"),
            ("2024-05-01T10:00:00-0130", "2024-05-01T11:30:00Z"),
            ("2024-05-01 10:00:00", "2024-05-01T10:00:00Z"),
            ("Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00Z"),
            ("2023-02-29", nil), ("soon", nil), ("", nil), ("2024-05-01T25:00Z", nil),
            ("99999999999999999999", nil),
        ]
    )
    func datesAreRead(text: String, date: String?) throws {
        let map = "<urlset><url><loc>/a</loc><lastmod>\(text)</lastmod></url></urlset>"
        #expect(try Self.sitemap(map.utf8).entries.first?.lastModified?.text == date)
    }

    @Test func feedsAreRead() throws {
        let rss = """
            <rss><channel><link>/home</link><image><url>/no</url><link>/no</link></image>
            <item><guid isPermaLink="false">/no</guid><atom:link href="/no"/><link>/1</link><guid>/no</guid>
            <pubDate>Wed, 01 May 2024 10:00:00 +0200</pubDate></item>
            <item><guid isPermaLink="false">/no</guid></item></channel></rss>
            """
        let feed = try Self.sitemap(rss.utf8)
        #expect(feed.entries.map(\.location.path) == ["/1"])
        #expect(feed.entries.first?.lastModified?.text == "2024-05-01T08:00:00Z")
        let atom = """
            <feed><link href="/home"/><entry><link rel="self" href="/no"/><link rel="alternate" href="/1"/>
            <published>2024-01-01</published><updated>2024-05-01</updated><link href="/no"/></entry></feed>
            """
        let second = try Self.sitemap(atom.utf8)
        #expect(second.entries.map(\.location.path) == ["/1"])
        #expect(second.entries.first?.lastModified?.text == "2024-05-01T00:00:00Z")
    }

    // MARK: - Damage

    @Test(
        arguments: [
            ("<url><loc>/1</loc></url><url><loc>/2", ["/1"], ["sitemap.truncated"]),
            ("<url><loc>/1</loc>", ["/1"], ["sitemap.truncated"]),
            ("<url><loc>/?a&b</loc></url></urlset>", ["/?a&b"], ["sitemap.entity"]),
            ("<url><loc>/?&nbsp;</loc></url></urlset>", ["/?&nbsp;"], ["sitemap.entity"]),
            ("<url><loc>/1</url></urlset>", ["/1"], ["sitemap.markup"]),
            ("<url><loc>/1</loc><url><loc>/2</loc></url></urlset>", ["/1", "/2"], ["sitemap.markup"]),
            ("<url><loc>/1</loc></b></url></urlset>", ["/1"], ["sitemap.markup"]),
            ("<url><loc>ftp://a/</loc></url></urlset>", [], ["sitemap.location"]),
            ("<url><loc>http://[/</loc></url></urlset>", [], ["sitemap.location"]),
            ("<url/><url><loc/><loc> </loc></url></urlset>", [], ["sitemap.location", "sitemap.location"]),
            ("<url><loc>/1</loc></url></urlset><urlset>", ["/1"], ["sitemap.markup"]),
            ("<!-- <url> -- <loc> --><url><loc><![CDATA[/?a&b]]]></loc></url></urlset>", ["/?a&b]"], []),
            ("<url><loc>/1</loc><n><loc>/no</loc></n><video:loc>/no</video:loc></url></urlset>", ["/1"], []),
            ("<URL><Loc a='>' b=\"'\">/1</Loc></URL></urlset>", ["/1"], []),
        ]
    )
    func damagedFilesAreReadOn(text: String, locations: [String], faults: [String]) throws {
        let sitemap = try Self.sitemap((Self.open + text).utf8)
        #expect(
            sitemap.entries.map { $0.location.path + ($0.location.query.map { "?" + $0 } ?? "") } == locations
        )
        #expect(sitemap.faults.map(\.code.rawValue) == faults)
    }

    @Test func faultsHaveLines() throws {
        let text = "<urlset>\r\n<url>\r<loc>/a</loc></url>\n<url>\n<loc>mailto:a</loc></url></urlset>"
        let sitemap = try Self.sitemap(text.utf8)
        #expect(sitemap.entries.map(\.line) == [3])
        #expect(sitemap.faults.map(\.line) == [5])
    }

    @Test func aDocumentTypeMeansNothing() throws {
        let text = """
            <!DOCTYPE urlset [<!-- it's > --><!ENTITY a "]>"><!ENTITY b SYSTEM "http://site.example/b">
            <!ENTITY c "&a;&a;&a;">]><urlset><url><loc>/&a;&c;</loc></url><url><loc>/1</loc></url></urlset>
            """
        let sitemap = try Self.sitemap(text.utf8)
        #expect(sitemap.entries.map(\.location.path) == ["/&a;&c;", "/1"])
        #expect(sitemap.faults.map(\.code) == [.entity, .entity])
    }

    @Test func otherEncodingsAreRead() throws {
        let text = "<urlset><url><loc>/\u{E9}</loc></url></urlset>"
        let latin = "<?xml version='1.0' encoding='ISO-8859-1'?>\(text)".unicodeScalars.map {
            UInt8($0.value)
        }
        #expect(try Self.sitemap(latin).entries.map(\.location.path) == ["/%C3%A9"])
        let wide = "\u{FEFF}\(text)".utf16.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8($0 >> 8)] }
        #expect(try Self.sitemap(wide).entries.map(\.location.path) == ["/%C3%A9"])
    }

    // MARK: - Pieces and packing

    /// "<urlset><url><loc>/1</loc></url></urlset>", packed.
    private static let packed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xB3, 0x29, 0x2D, 0xCA, 0x29, 0x4E,
        0x2D, 0xB1, 0xB3, 0x01, 0xD2, 0x76, 0x36, 0x39, 0xF9, 0xC9, 0x76, 0xFA, 0x86, 0x36, 0xFA, 0x20,
        0xDA, 0x46, 0x1F, 0x2C, 0xA4, 0x0F, 0x55, 0x00, 0x00, 0x3A, 0xAD, 0x8E, 0xAC, 0x29, 0x00, 0x00,
        0x00,
    ]

    @Test func gzipIsToldByItsFirstBytes() throws {
        #expect(try Self.sitemap(Self.packed).entries.map(\.location.path) == ["/1"])
        let cut = try Self.sitemap(Self.packed.dropLast(4))
        #expect(cut.faults.map(\.code) == [.compression])
        let damaged = try Self.sitemap(Self.packed.prefix(12) + [0xFF, 0xFF, 0xFF])
        #expect(damaged.faults.first?.code == .compression)
    }

    @Test(arguments: [1, 2, 3, 7, 64])
    func piecesMakeNoDifference(length: Int) throws {
        let text = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE urlset [<!ENTITY a "b">]>
            \(Self.open)<!-- a -- b --><url><loc><![CDATA[/a]]b]]></loc><x:link rel='alternate' href='/&lt;'/></url>
            <url><loc>/&amp;&#49;&x;</loc><priority>0.5</priority></url><p a=b><url><loc>\u{E9}</loc></url>
            """
        let url = try WebURL("http://site.example/s.xml")
        for bytes in [Array(text.utf8), Self.packed, Array("http://a.example/\r\nno\r\n".utf8)] {
            let whole = Sitemap(parsing: bytes, url: url)
            var reader = SitemapReader(url: url)
            var entries: [SitemapEntry] = []
            for start in stride(from: 0, to: bytes.count, by: length) {
                reader.read(Array(bytes[start..<min(start + length, bytes.count)]))
                entries += reader.takeEntries()
            }
            reader.finish()
            entries += reader.takeEntries()
            let (kind, faults) = (reader.kind, reader.faults)
            #expect(kind == whole.kind)
            #expect(entries == whole.entries)
            #expect(faults == whole.faults)
        }
    }

    @Test func aReaderSaysWhenNothingMoreMatters() throws {
        var reader = SitemapReader(url: try WebURL("http://site.example/s.xml"))
        reader.read(Array(Self.open.utf8))
        let isWanting = reader.wantsMore
        #expect(isWanting)
        var page = SitemapReader(url: try WebURL("http://site.example/"))
        page.read(Array(("<html>" + String(repeating: " ", count: 1000)).utf8))
        let (isWantingPage, kind) = (page.wantsMore, page.kind)
        #expect(!isWantingPage)
        #expect(kind == nil)
    }

    @Test func linksAreBounded() throws {
        let link = "<x:link rel='alternate' href='/'/>"
        let links = String(repeating: link, count: Sitemap.maximumLinkCount + 1)
        let sitemap = try Self.sitemap((Self.open + "<url><loc>/</loc>" + links + "</url></urlset>").utf8)
        #expect(sitemap.entries.first?.alternates.count == Sitemap.maximumLinkCount)
        #expect(sitemap.faults.map(\.code) == [.limit])
    }

    // MARK: - Limits

    @Test func entriesAreBounded() throws {
        let entry = "<url><loc>/a</loc></url>"
        let text = Self.open + String(repeating: entry, count: Sitemap.maximumEntryCount + 5) + "</urlset>"
        let sitemap = try Self.sitemap(text.utf8)
        #expect(sitemap.entries.count == Sitemap.maximumEntryCount)
        #expect(sitemap.faults.map(\.code) == [.limit])
    }

    @Test func aLongLocationIsLeftOut() throws {
        let long = "/" + String(repeating: "a", count: Sitemap.maximumLocationLength)
        let text = "<urlset><url><loc>\(long)</loc></url><url><loc>/1</loc></url></urlset>"
        let sitemap = try Self.sitemap(text.utf8)
        #expect(sitemap.entries.map(\.location.path) == ["/1"])
        #expect(sitemap.faults.map(\.code) == [.limit])
    }

    @Test func depthDoesNotMatter() throws {
        let (start, end) = (
            String(repeating: "<a>", count: 100_000), String(repeating: "</a>", count: 100_000)
        )
        #expect(try Self.locations(Self.open + start + end + "<url><loc>/1</loc></url></urlset>").count == 1)
        #expect(try Self.locations(Self.open + "<url><loc>/1</loc>" + start).count == 1)
    }

    @Test func faultsAreBounded() throws {
        let sitemap = try Self.sitemap((Self.open + String(repeating: "&", count: 1000)).utf8)
        #expect(sitemap.faults.count == Sitemap.maximumFaultCount)
        #expect(sitemap.faultCount == 1001)
    }

    @Test(arguments: 0..<20)
    func damageDoesNotTrap(seed: Int) throws {
        let text = Array(
            (Self.open
                + "<url><loc>/a&amp;b</loc><!-- c --><x:link rel='alternate' href='/'/></url><![CDATA[x]]>")
                .utf8
        )
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
        for _ in 0..<50 {
            var bytes = text + text
            for _ in 0..<8 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] =
                    Array("<>/!-[]&;'\"=\0\u{FF}a".utf8)[Int(state >> 20 & 15)]
            }
            #expect(try Self.sitemap(bytes).entries.count <= 4)
        }
    }
}
