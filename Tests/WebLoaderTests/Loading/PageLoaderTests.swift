import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebLoader

@Suite(.timeLimit(.minutes(20)))
struct PageLoaderTests {
    /// A page that comes with these fields and bytes.
    private func page(
        _ fields: [(String, String)],
        _ body: [UInt8],
        _ overrides: ContentOverrides = ContentOverrides(),
        _ configure: (inout PageLoader.Configuration) -> Void = { _ in }
    ) async throws -> ParsedPage {
        let fetcher = ScriptedFetcher { request in
            var response = WebResponse.answering(request, 200, fields)
            response.body = body
            return response
        }
        let request = WebRequest(url: try WebURL("http://a.test/dir/page"))
        return try await PageLoader(fetcher, configure).load(request, overriding: overrides).parsed()
    }

    private func page(_ type: String?, _ body: String) async throws -> ParsedPage {
        try await page(type.map { [("Content-Type", $0)] } ?? [], Array(body.utf8))
    }

    private func failure(_ url: String) async throws -> LoadError? {
        await #expect(throws: LoadError.self) {
            try await PageLoader.offline().load(WebRequest(url: WebURL(url)))
        }
    }

    // MARK: - Defaults

    @Test func theDefaultsAreTheStatedOnes() throws {
        let limits = LoadLimits()
        #expect(limits.maximumBodySize == 67_108_864)
        #expect(limits.maximumHeaderSize == 262_144)
        #expect(limits.maximumRedirects == 20)
        #expect(limits.connectTimeout == .seconds(30))
        #expect(limits.maximumTime == .seconds(300))
        #expect(limits.maximumDepth == 512)
        #expect(limits.maximumNodes == 5_000_000)
        #expect(CurlFetcher.userAgent == "WebLoader/\(WebLoaderVersion.current)")
        #expect(CurlFetcher.accept == "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8")
        let request = WebRequest(url: try WebURL("http://a.test/"))
        #expect(request.cachePolicy == .useProtocolCachePolicy)
        #expect(request.timeoutInterval == .seconds(60))
        #expect(request.httpMethod == "GET")
        #expect(request.httpBody == nil)
        #expect(request.headerFields.isEmpty)
        #expect(request.omittedFields.isEmpty)
        #expect(request.followsRedirects)
        #expect(request.storesResponse)
        let configuration = PageLoader.Configuration()
        #expect(configuration.limits == limits)
        #expect(configuration.htmlParser == .html5)
        #expect(configuration.fallbackEncoding == .windows1252)
    }

    // MARK: - Kinds

    struct KindRow: Sendable, CustomTestStringConvertible {
        let fields: [(String, String)]
        let body: String
        let type: String
        let kind: PageKind

        init(_ type: String?, _ body: String, _ expected: String, _ kind: PageKind, noSniff: Bool = false) {
            fields =
                (type.map { [("Content-Type", $0)] } ?? [])
                + (noSniff ? [("X-Content-Type-Options", "nosniff")] : [])
            self.body = body
            self.type = expected
            self.kind = kind
        }

        var testDescription: String { "\(fields.map { "\($0): \($1)" }) \(body.prefix(20).debugDescription)" }
    }

    @Test(
        "The type says what a page is",
        arguments: [
            KindRow("text/html; charset=utf-8", "plain", "text/html", .html),
            // Browsers no longer look for feeds in HTML.
            KindRow("text/html", "<rss version='2.0'>", "text/html", .html),
            KindRow(
                "application/xhtml+xml",
                "<html xmlns='http://www.w3.org/1999/xhtml'/>",
                "application/xhtml+xml",
                .xhtml
            ),
            KindRow("application/rss+xml", "<rss/>", "application/rss+xml", .feed),
            KindRow("application/atom+xml", "<feed/>", "application/atom+xml", .feed),
            KindRow("image/svg+xml", "<svg xmlns='http://www.w3.org/2000/svg'/>", "image/svg+xml", .xml),
            KindRow("text/xml", "<x/>", "text/xml", .xml),
            KindRow("text/plain", "<title>", "text/plain", .text),
            KindRow("text/css", "a {}", "text/css", .text),
            KindRow("application/json", "{}", "application/json", .text),
            KindRow("image/png", "\u{89}PNG", "image/png", .other),
            KindRow("application/pdf", "%PDF-1.7", "application/pdf", .other),
            KindRow("application/octet-stream", "<html>", "application/octet-stream", .other),
            // Without Content-Type the bytes decide.
            KindRow(nil, " <!doctype HTML><p>", "text/html", .html),
            KindRow(nil, "<?xml version='1.0'?><x/>", "text/xml", .xml),
            KindRow(nil, "%PDF-1.7", "application/pdf", .other), KindRow(nil, "GIF89a", "image/gif", .other),
            KindRow(nil, "words", "text/plain", .text),
            KindRow(nil, "\u{1}\u{2}", "application/octet-stream", .other),
            KindRow(nil, "", "text/plain", .text), KindRow("no type", "<html>", "text/html", .html),
            KindRow("*/*", "<html>", "text/html", .html),
            // With nosniff they do not.
            KindRow("text/plain", "<html>", "text/plain", .text, noSniff: true),
            KindRow("text/html", "<rss version='2.0'>", "text/html", .html, noSniff: true),
        ]
    )
    func kinds(row: KindRow) async throws {
        let page = try await page(row.fields, Array(row.body.utf8))
        #expect(page.mediaType.essence == row.type)
        #expect(page.kind == row.kind)
        #expect((page.document != nil) == [.html, .xhtml, .xml, .feed].contains(row.kind))
        #expect((page.text != nil) == (row.kind == .text))
        if row.kind == .text { #expect(page.text == row.body) }
        if row.kind == .other {
            #expect(page.encoding == nil)
            #expect(page.title == nil)
            #expect(page.response.body == Array(row.body.utf8))
            #expect(page.warnings.isEmpty)
        }
    }

    @Test func anEmptyPageHasATree() async throws {
        let page = try await page("text/html", "")
        #expect(page.title == nil)
        let document = try #require(page.document)
        #expect(document.counts.elements == 3)
        #expect(document.compatibilityMode == .quirks)
    }

    @Test func xhtmlIsParsedAsXML() async throws {
        let page = try await page(
            "application/xhtml+xml",
            """
            <?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title> A\u{A0}  b </title>
            <base href="http://b.test/x/"/></head><body><P/><p><a href="c">d</a></p></body></html>
            """
        )
        #expect(page.title == "A\u{A0} b")
        #expect(page.baseURL.href == "http://b.test/x/")
        #expect(page.document?.kind == .xml)
        #expect(page.links.compactMap(\.url?.href).contains("http://b.test/x/c"))
    }

    @Test func malformedXMLIsReadAsFarAsItGoes() async throws {
        let page = try await page("text/xml", "<a><b>text</b><c></a>")
        #expect(page.warnings.count == 1)
        #expect(page.warnings.first?.contains("not well-formed") == true)
        #expect(page.document?.root?.children.first?.name == "b")
    }

    @Test(arguments: ["", "no xml", "<", "<?xml version='1.0'?>", "<!-- only -->"])
    func whatIsNoXMLIsAnError(text: String) async throws {
        let error = await #expect(throws: LoadError.self) { try await page("application/xml", text) }
        #expect(error?.code == "parse.xml")
        #expect(error?.url == "http://a.test/dir/page")
    }

    @Test(arguments: [("HEAD", 200), ("HEAD", 404), ("GET", 204), ("GET", 205), ("GET", 304)])
    func whatHasNoContentIsNoBrokenXML(method: String, status: Int) async throws {
        let fetcher = ScriptedFetcher { .answering($0, status, [("Content-Type", "application/xml")]) }
        var request = WebRequest(url: try WebURL("http://a.test/dir/page"))
        request.httpMethod = method
        let page = try await PageLoader(fetcher).load(request).parsed()
        #expect(page.kind == .xml)
        #expect(page.response.status?.code == status)
        #expect(page.document == nil)
        #expect(page.links.isEmpty)
    }

    @Test func xmlLoadsNothingFromOutside() async throws {
        let page = try await page(
            "text/xml",
            "<!DOCTYPE x [<!ENTITY e SYSTEM 'file:///etc/passwd'>]><x>a&e;b</x>"
        )
        let text = try #require(page.document?.root?.textContent)
        #expect(!text.contains("root"))
    }

    // MARK: - Encodings

    @Test(
        "Content-Type names the encoding, else the page, else nobody",
        arguments: [
            ("text/html; charset=iso-8859-2", "<meta charset=koi8-r><title>\u{B1}", "ISO-8859-2", "ą"),
            ("text/html", "<title>\u{E4}", "windows-1252", "ä"),
            ("text/html", "<meta charset=koi8-r><title>\u{C1}", "KOI8-R", "а"),
            ("text/html; charset=none-such", "<meta charset=koi8-r><title>\u{C1}", "KOI8-R", "а"),
        ]
    )
    func encodings(type: String, latin1: String, name: String, title: String) async throws {
        let bytes = latin1.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let page = try await page([("Content-Type", type)], bytes)
        #expect(page.title == title)
        #expect(page.encoding?.encoding.name == name)
    }

    @Test(
        "A page of this machine that names no encoding is UTF-8 where it fits more than ASCII; one of the web is not",
        arguments: [
            ([0xE2, 0x82, 0xAC] as [UInt8], "UTF-8", "€"), ([0x61], "windows-1252", "a"),
            ([0xE4], "windows-1252", "ä"), ([0xC3, 0xA4, 0xE4], "windows-1252", "Ã¤ä"),
        ]
    )
    func encodingsOfFiles(bytes: [UInt8], name: String, title: String) async throws {
        let body = Array("<title>".utf8) + bytes
        let web = try await page([("Content-Type", "text/html")], body)
        #expect(web.encoding?.encoding == .windows1252)
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("x.html")
            try Data(body).write(to: file)
            let page = try await PageLoader.offline().load(WebRequest(url: WebURL(filePath: file.path)))
            #expect(page.title == title)
            #expect(page.encoding?.encoding.name == name)
            #expect(page.encoding?.source == .fallback)
        }
    }

    @Test func aLateMetaHasThePageDecodedAgain() async throws {
        let filler = String(repeating: "<!-- filler -->", count: 200)
        let text = "<title>\u{E4}</title><body>\(filler)<p><meta charset=windows-1251>"
        let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
        let page = try await page([("Content-Type", "text/html")], bytes)
        #expect(page.title == "д")
        #expect(page.encoding?.encoding == .windows1251)
        #expect(page.encoding?.source == .meta)
        #expect(page.encoding?.confidence == .certain)
    }

    @Test func malformedBytesAreSaidInAWarning() async throws {
        let page = try await page([("Content-Type", "text/html; charset=utf-8")], [0x61, 0xFF, 0x62])
        #expect(page.warnings.count == 1)
        #expect(page.warnings.first?.hasPrefix("1 malformed") == true)
    }

    // MARK: - Overrides

    @Test func overridesBeatWhatTheServerSays() async throws {
        var overrides = ContentOverrides(
            mimeType: "text/html",
            textEncodingName: "koi8-r",
            baseURL: try WebURL("http://b.test/x/")
        )
        let body: [UInt8] =
            Array("<meta charset=utf-8><title>".utf8) + [0xC1] + Array("</title><a href=y>".utf8)
        let html = try await page([("Content-Type", "text/plain; charset=utf-8")], body, overrides)
        #expect(html.kind == .html)
        #expect(html.title == "а")
        #expect(html.baseURL.href == "http://b.test/x/")
        #expect(html.response.url.href == "http://a.test/dir/page")
        #expect(html.links.first?.url?.href == "http://b.test/x/y")
        overrides.mimeType = "image/png"
        #expect(try await page([("Content-Type", "text/html")], body, overrides).kind == .other)
    }

    @Test func aByteOrderMarkBeatsAnOverride() async throws {
        let page = try await page(
            [],
            [0xEF, 0xBB, 0xBF] + Array("<title>ä".utf8),
            ContentOverrides(mimeType: "text/html", textEncodingName: "koi8-r")
        )
        #expect(page.title == "ä")
        #expect(page.encoding?.source == .byteOrderMark)
    }

    @Test(
        arguments: [("html", nil, "parse.type"), (nil, "klingon", "parse.encoding")]
            as [(String?, String?, String)]
    )
    func overridesThatAreNoneAreErrors(type: String?, encoding: String?, code: String) async throws {
        let error = await #expect(throws: LoadError.self) {
            try await page([], [], ContentOverrides(mimeType: type, textEncodingName: encoding))
        }
        #expect(error?.code.rawValue == code)
    }

    // MARK: - Strings and bytes

    @Test func aStringIsNotDecodedWhateverItsMetaSays() async throws {
        let page = try await PageLoader.offline().loadHTMLString(
            "<meta charset=windows-1251><title>ä☕</title><a href=x>",
            baseURL: WebURL("http://a.test/b/")
        ).parsed()
        #expect(page.title == "ä☕")
        #expect(page.encoding?.source == .text)
        #expect(page.kind == .html)
        #expect(page.response.source == .memory)
        #expect(page.response.status == nil)
        #expect(page.links.first?.url?.href == "http://a.test/b/x")
    }

    @Test func withoutABaseOnlyAbsoluteReferencesResolve() async throws {
        let page = try await PageLoader.offline().loadHTMLString(
            "<a href=x><a href=http://b.test>",
            baseURL: nil
        ).parsed()
        #expect(page.links.map(\.url?.href) == [nil, "http://b.test/"])
    }

    @Test(
        "Bytes are taken by their type and encoding",
        arguments: [
            ("text/html", "koi8-r", "<title>\u{C1}", PageKind.html, "а"),
            (nil, nil, "<html><title>b", .html, "b"),
            (nil, nil, "text", .text, nil),
            ("image/svg+xml", nil, "<svg xmlns='http://www.w3.org/2000/svg'/>", .xml, nil),
        ] as [(String?, String?, String, PageKind, String?)]
    )
    func data(type: String?, encoding: String?, latin1: String, kind: PageKind, title: String?) async throws {
        let page = try await PageLoader.offline().loadData(
            latin1.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) },
            mimeType: type,
            textEncodingName: encoding,
            baseURL: nil
        )
        #expect(page.kind == kind)
        #expect(page.title == title)
    }

    @Test func boundsWhatItIsHanded() async throws {
        let loader = PageLoader.offline { $0.limits.maximumBodySize = 3 }
        _ = try await loader.loadHTMLString("abc", baseURL: nil)
        let error = await #expect(throws: LoadError.self) {
            try await loader.loadHTMLString("abcd", baseURL: nil)
        }
        #expect(error?.code == "limit.size")
    }

    // MARK: - Other schemes

    @Test(
        "data: URLs hold their page",
        arguments: [
            ("data:text/html,<title>%C3%A4</title>", "text/html", "Ã¤"),
            ("data:text/html;charset=utf-8,<title>%C3%A4</title>#x", "text/html", "ä"),
            ("data:text/html;base64,PHRpdGxlPmI=", "text/html", "b"), ("data:,hello", "text/plain", nil),
            ("data:image/png;base64,iVBORw==", "image/png", nil),
        ] as [(String, String, String?)]
    )
    func dataURLs(url: String, type: String, title: String?) async throws {
        let page = try await PageLoader.offline().load(WebRequest(url: WebURL(url)))
        #expect(page.mediaType.essence == type)
        #expect(page.title == title)
        #expect(page.response.source == .memory)
    }

    @Test func filesAreReadAndTypedByTheirNames() async throws {
        try await withTemporaryFolder { folder in
            let loader = PageLoader.offline()
            for (name, text, kind) in [
                ("a.html", "<title>ä</title>", PageKind.html), ("b.txt", "<title>", .text),
                ("c", "<html>", .html),
                ("d.xhtml", "<x/>", .xhtml), ("e ü%41.png", "<html>", .other),
            ] {
                let file = folder.appendingPathComponent(name)
                try Data(text.utf8).write(to: file)
                let page = try await loader.load(WebRequest(url: WebURL(filePath: file.path)))
                #expect(page.kind == kind, "\(name)")
                #expect(page.response.source == .file)
                #expect(page.response.status == nil)
                #expect(page.response.body == Array(text.utf8))
            }
        }
    }

    @Test(
        "What cannot be loaded says so",
        arguments: [
            ("file:///nothing/here", "file.not-found"), ("file:///", "file.directory"),
            ("file://host/x", "file.path"),
            ("file:///a%00b", "file.path"), ("data:text/html", "url.data"), ("data:;base64,*", "url.data"),
        ]
    )
    func failures(url: String, code: String) async throws {
        #expect(try await failure(url)?.code.rawValue == code)
    }

    @Test(arguments: ["ftp://a.test/", "about:blank", "javascript:1", "mailto:a@b.test"])
    func otherSchemesAreNotLoaded(url: String) async throws {
        let loader = PageLoader(CurlFetcher())
        let error = await #expect(throws: LoadError.self) {
            try await loader.load(WebRequest(url: WebURL(url)))
        }
        #expect(error?.code == "url.unsupported")
    }

    @Test func errorsHoldNoPassword() async throws {
        let error = try await failure("http://user:secret@a.test/")
        #expect(error?.url == "http://***@a.test/")
        #expect(error.map { !"\($0)".contains("secret") } == true)
    }

    @Test func withoutACacheNothingIsLoadedFromIt() async throws {
        let fetcher = ScriptedFetcher { .answering($0) }
        let request = WebRequest(url: try WebURL("http://a.test/"), cachePolicy: .returnCacheDataDontLoad)
        let error = await #expect(throws: LoadError.self) { try await PageLoader(fetcher).load(request) }
        #expect(error?.code == "cache.miss")
        #expect(fetcher.requests.isEmpty)
    }

    @Test func anErrorStatusIsAPage() async throws {
        let fetcher = ScriptedFetcher {
            .answering($0, 404, [("Content-Type", "text/html")], body: "<title>Not here</title>")
        }
        let page = try await PageLoader(fetcher).load(WebRequest(url: WebURL("http://a.test/")))
        #expect(page.response.status == 404)
        #expect(page.title == "Not here")
    }
}
