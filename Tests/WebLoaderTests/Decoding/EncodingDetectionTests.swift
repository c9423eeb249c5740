import Foundation
import TestSupport
import Testing

@testable import WebStandards

@Suite struct EncodingDetectionTests {
    private func html(_ text: String, label: String? = nil) -> EncodingDetection {
        EncodingDetection.html([UInt8](text.utf8).span, transportLabel: label)
    }

    private func xml(_ text: String, label: String? = nil) -> EncodingDetection {
        EncodingDetection.xml([UInt8](text.utf8).span, transportLabel: label)
    }

    // MARK: - Order

    @Test(
        arguments: [
            ([0xEF, 0xBB, 0xBF], TextEncoding.utf8, 3), ([0xFE, 0xFF], .utf16BE, 2),
            ([0xFF, 0xFE], .utf16LE, 2),
            ([0xFF, 0xFE, 0x00, 0x00], .utf16LE, 2), ([0xEF, 0xBB, 0xBF, 0x3C], .utf8, 3),
        ] as [([UInt8], TextEncoding, Int)]
    )
    func byteOrderMarkBeatsTheTransport(bytes: [UInt8], encoding: TextEncoding, length: Int) {
        for detection in [
            EncodingDetection.html(bytes.span, transportLabel: "koi8-r"),
            EncodingDetection.xml(bytes.span, transportLabel: "koi8-r"),
        ] {
            #expect(detection.encoding == encoding)
            #expect(detection.source == .byteOrderMark)
            #expect(detection.confidence == .certain)
            #expect(detection.byteOrderMarkLength == length)
        }
    }

    @Test(
        arguments: [[], [0xEF], [0xFF], [0xFE], [0xEF, 0xBB], [0xEF, 0xBB, 0x3C], [0xBB, 0xBF]] as [[UInt8]]
    )
    func partOfAByteOrderMarkIsNone(bytes: [UInt8]) {
        let detection = EncodingDetection.html(bytes.span)
        #expect(
            detection == EncodingDetection(encoding: .windows1252, source: .fallback, confidence: .tentative)
        )
        #expect(detection.byteOrderMarkLength == 0)
    }

    @Test func transportBeatsMeta() {
        let expected = EncodingDetection(encoding: .koi8R, source: .transport, confidence: .certain)
        #expect(html("<meta charset=utf-8>", label: " KOI8-R ") == expected)
    }

    @Test func transportMayNameUTF16AndReplacement() {
        #expect(html("<meta charset=utf-8>", label: "utf-16be").encoding == .utf16BE)
        #expect(html("<meta charset=utf-8>", label: "hz-gb-2312").encoding == .replacement)
        #expect(html("<meta charset=utf-8>", label: "x-user-defined").encoding == .xUserDefined)
    }

    @Test func unknownTransportLabelIsPassedOver() {
        let expected = EncodingDetection(encoding: .utf8, source: .meta, confidence: .tentative)
        #expect(html("<meta charset=utf-8>", label: "no-such-thing") == expected)
    }

    @Test func singleQuotesAroundTheTransportLabelDoNotCount() {
        #expect(html("", label: "'koi8-r'").encoding == .koi8R)
        #expect(html("", label: "'koi8-r").source == .fallback)
        #expect(html("", label: "''").source == .fallback)
        #expect(html("", label: "'").source == .fallback)
    }

    @Test func callerNamesTheFallback() {
        let detection = EncodingDetection.html([UInt8]("<p>".utf8).span, fallback: .shiftJIS)
        #expect(
            detection == EncodingDetection(encoding: .shiftJIS, source: .fallback, confidence: .tentative)
        )
    }

    @Test func textHasNoEncodingToBeSureOf() {
        #expect(EncodingDetection.text.encoding == .utf8)
        #expect(EncodingDetection.text.confidence == .irrelevant)
    }

    // MARK: - Prescan

    @Test(
        arguments: [
            ("<meta charset=koi8-r>", TextEncoding.koi8R),
            ("<META CHARSET='KOI8-R'>", .koi8R),
            ("<meta/charset=koi8-r/>", nil),
            ("<meta/charset=koi8-r >", .koi8R),
            ("<meta\u{0C}charset\n=\r\"koi8-r\">", .koi8R),
            ("<meta charset=utf-16>", .utf8),
            ("<meta charset=utf-16be>", .utf8),
            ("<meta charset=x-user-defined>", .windows1252),
            ("<meta charset=replacement>", .replacement),
            // The first attribute of a name counts.
            ("<meta charset=koi8-r charset=gbk>", .koi8R),
            ("<meta charset=bogus charset=gbk>", nil),
            // A pragma needs both attributes, a charset attribute beats it wherever it stands.
            ("<meta http-equiv=content-type content='text/html; charset=gbk'>", .gbk),
            ("<meta content='text/html; charset=gbk' HTTP-EQUIV=Content-Type>", .gbk),
            ("<meta content='text/html; charset=gbk'>", nil),
            ("<meta http-equiv=refresh content='text/html; charset=gbk'>", nil),
            ("<meta http-equiv=content-type content='charset=gbk' charset=koi8-r>", .koi8R),
            ("<meta charset=koi8-r http-equiv=content-type content='charset=gbk'>", .koi8R),
            ("<meta content='charset=gbk' charset=koi8-r>", .koi8R),
            ("<meta http-equiv=content-type content='charset=gbk' charset=bogus>", nil),
            ("<meta charset=bogus http-equiv=content-type content='charset=gbk'>", nil),
            ("<meta http-equiv=content-type content='charset=gbk' content='charset=koi8-r'>", .gbk),
            ("<meta http-equiv=content-type content='x' content='charset=koi8-r'>", nil),
            ("<meta http-equiv=content-type content='charset=utf-16'>", .utf8),
            // Elements without an encoding are skipped.
            ("<meta name=x><meta charset=gbk>", .gbk),
            ("<meta charset=bogus><meta charset=gbk>", .gbk),
            ("<meta =charset=gbk><meta charset=koi8-r>", .koi8R),
            // Comments.
            ("<!-- <meta charset=gbk> --><meta charset=koi8-r>", .koi8R),
            ("<!--><meta charset=gbk>-->", .gbk),
            ("<!---><meta charset=gbk>-->", .gbk),
            ("<!--->--><meta charset=gbk>", .gbk),
            ("<!-- <meta charset=gbk> -- ><meta charset=koi8-r>", nil),
            ("<!-- <meta charset=gbk> --!><meta charset=koi8-r>", .koi8R),
            ("<!--!><meta charset=gbk>", nil),
            ("<!---!><meta charset=gbk>", nil),
            ("<!----!><meta charset=gbk>", .gbk),
            ("<!- <meta charset=gbk>", nil),
            ("<!- x><meta charset=gbk>", .gbk),
            // Other markup.
            ("<!doctype x '<meta charset=gbk>'><meta charset=koi8-r>", .koi8R),
            ("<?x <meta charset=gbk>", nil),
            ("</ <meta charset=gbk><meta charset=koi8-r>", .koi8R),
            ("</p title='<meta charset=gbk>'><meta charset=koi8-r>", .koi8R),
            ("<p title='<meta charset=gbk>'><meta charset=koi8-r>", .koi8R),
            ("<p title=x'><meta charset=gbk>'>", .gbk),
            ("<metal charset=gbk>", nil),
            ("<meta\u{0B}charset=gbk>", nil),
            ("</meta charset=gbk>", nil),
            ("< meta charset=gbk>", nil),
            ("<<meta charset=gbk>", .gbk),
            ("<p/title='<meta charset=gbk>'><meta charset=koi8-r>", .koi8R),
            ("<p=x><meta charset=gbk>", .gbk),
            ("</><meta charset=gbk>", .gbk),
            // Text that holds no elements.
            ("<title><meta charset=gbk></title>", nil),
            (
                "<title><meta charset=gbk></titles></title x='<meta charset=gbk>'><meta charset=koi8-r>",
                .koi8R
            ),
            ("<TEXTAREA></p><meta charset=gbk></TextArea><meta charset=koi8-r>", .koi8R),
            ("<style/><meta charset=gbk></style><meta charset=koi8-r>", .koi8R),
            ("<xmp><meta charset=gbk>", nil),
            ("<plaintext></plaintext><meta charset=gbk>", nil),
            ("<noscript><meta charset=gbk></noscript>", .gbk),
            ("<svg><title><meta charset=gbk></title></svg><meta charset=koi8-r>", .koi8R),
            ("</title><meta charset=gbk>", .gbk),
            ("<script>'<meta charset=gbk>'</script><meta charset=koi8-r>", .koi8R),
            ("<script><meta charset=gbk></scripts><meta charset=gbk></script><meta charset=koi8-r>", .koi8R),
            ("<script><!-- </script><meta charset=koi8-r>", .koi8R),
            ("<script><!-- <script> </script><meta charset=gbk></script><meta charset=koi8-r>", .koi8R),
            ("<script><!-- <script> --></script><meta charset=koi8-r>", .koi8R),
            ("<script><!--><script></script><meta charset=koi8-r>", .koi8R),
            ("<script><!-- <scripts></script><meta charset=koi8-r>", .koi8R),
            ("<script><!-- <script></script x>", nil),
            // The bytes run out.
            ("<meta charset=gbk", nil),
            ("<meta charset='gbk", nil),
            ("<meta charset=gbk ", nil),
            ("<meta charset='gbk'", nil),
            ("<meta charset", nil),
            ("<meta", nil),
            ("<", nil),
        ] as [(String, TextEncoding?)]
    )
    func prescanFindsTheFirstMetaThatNamesAnEncoding(text: String, encoding: TextEncoding?) {
        let detection = html(text)
        #expect(detection.encoding == encoding ?? .windows1252)
        #expect(detection.source == (encoding == nil ? .fallback : .meta))
        #expect(detection.confidence == .tentative)
    }

    @Test(arguments: [
        ("", true), ("<p>", false), ("</head>", false), ("</html>", false), ("<body>", false),
        ("<div>", false),
        (
            "<html><head><base><link><title>x</title><script>x</script><style>x</style><noscript></noscript>",
            true
        ),
        ("<!doctype html><!-- -->", true), ("<meta name=x>", true), ("<meta>", true),
        ("<object></object>", true),
    ])
    func prescanGoesOnBehind1024BytesInTheHeadAlone(start: String, isFound: Bool) {
        let meta = "<meta charset=gbk>"
        #expect(
            html(start + String(repeating: "x", count: 4096) + meta).encoding
                == (isFound ? .gbk : .windows1252)
        )
        let last = start + String(repeating: "x", count: 1023 - start.utf8.count) + meta
        #expect(html(last).encoding == .gbk)
        #expect(html("x" + last).encoding == (isFound ? .gbk : .windows1252))
    }

    @Test(
        .timeLimit(.minutes(20)),
        arguments: [
            "<", "<!", "<!-", "<!--", "<!-->", "-->", "</", "</a", "<a ", "<a b=", "<a b='", "'", "<meta ",
            "<meta x>", "<?",
            "<script>", "<script><!--", "<!--<script>", "<title>", "</title", "=", "/", "charset=",
        ]
    )
    func prescanTakesLinearTime(piece: String) {
        let text = String(repeating: piece, count: 300_000)
        #expect(html(text).source == .fallback)
        #expect(html("<script>" + text).source == .fallback)
        #expect(html("<meta content='" + text).source == .fallback)
    }

    @Test(
        arguments: [
            ("<?xml version='1.0' encoding='koi8-r'?>", TextEncoding.koi8R),
            ("<?xml encoding=\"koi8-r\">", .koi8R),
            ("<?xmlencoding='koi8-r'>", .koi8R),
            ("<?xml encoding \n= \u{1} 'koi8-r' ?>", .koi8R),
            ("<?xml encoding='utf-16'?>", .utf8),
            ("<?xml encoding='x-user-defined'?>", .xUserDefined),
            ("<?xml encoding='koi8-r?>", nil),
            ("<?xml encoding='koi8-r'", nil),
            ("<?xml encoding=koi8-r?>", nil),
            ("<?xml encoding=' koi8-r'?>", nil),
            ("<?xml encoding='bogus'?>", nil),
            ("<?xml encodings='koi8-r'?>", nil),
            ("<?xml Encoding='koi8-r'?>", nil),
            ("<?XML encoding='koi8-r'?>", nil),
            (" <?xml encoding='koi8-r'?>", nil),
            ("<?xml?> encoding='koi8-r'", nil),
            ("<?xml", nil),
            ("", nil),
        ] as [(String, TextEncoding?)]
    )
    func xmlDeclarationCountsAtTheVeryStart(text: String, encoding: TextEncoding?) {
        #expect(html(text).encoding == encoding ?? .windows1252)
        #expect(html(text).source == (encoding == nil ? .fallback : .xmlDeclaration))
        #expect(html(text).confidence == .tentative)
        #expect(xml(text).encoding == encoding ?? .utf8)
        #expect(xml(text).source == (encoding == nil ? .fallback : .xmlDeclaration))
        #expect(xml(text).confidence == .certain)
    }

    @Test func metaBeatsTheXMLDeclarationInHTMLAlone() {
        let text = "<?xml encoding='koi8-r'?><meta charset='gbk'>"
        #expect(html(text).encoding == .gbk)
        #expect(html(text).source == .meta)
        #expect(xml(text).encoding == .koi8R)
        #expect(xml("<meta charset='gbk'>").encoding == .utf8)
        #expect(
            xml(text, label: "big5")
                == EncodingDetection(encoding: .big5, source: .transport, confidence: .certain)
        )
    }

    @Test func xmlDeclarationInUTF16IsSeen() {
        let little: [UInt8] = [0x3C, 0, 0x3F, 0, 0x78, 0, 0x6D, 0]
        let big: [UInt8] = [0, 0x3C, 0, 0x3F, 0, 0x78, 0, 0x6D]
        #expect(EncodingDetection.html(little.span).encoding == .utf16LE)
        #expect(EncodingDetection.html(big.span).encoding == .utf16BE)
        #expect(EncodingDetection.xml(little.span).encoding == .utf16LE)
        #expect(EncodingDetection.xml(big.span).encoding == .utf16BE)
    }

    // MARK: - Changing the encoding while parsing

    @Test func tentativeEncodingChangesToAnother() {
        let new = EncodingDetection(encoding: .gbk, source: .meta, confidence: .certain)
        #expect(html("").change(to: .gbk) == .reparse(new))
        #expect(html("").change(to: .windows1252) == .keep)
        #expect(html("").change(to: .xUserDefined) == .keep)
        let utf8 = EncodingDetection(encoding: .utf8, source: .meta, confidence: .certain)
        #expect(html("").change(to: .utf16BE) == .reparse(utf8))
    }

    @Test func certainEncodingAndUTF16Stay() {
        #expect(html("", label: "big5").change(to: .gbk) == .keep)
        #expect(EncodingDetection.text.change(to: .gbk) == .keep)
        let bytes: [UInt8] = [0x3C, 0, 0x3F, 0, 0x78, 0]
        let little = EncodingDetection.html(bytes.span)
        #expect(little.change(to: .gbk) == .keep)
    }

    // MARK: - Conformance

    /// The cases that browsers have another answer to, and why.
    private static let exceptions = [
        "<!DOCTYPE HTML>\n<script>document.write('<meta charset=\"iso8859-2\">')</script>": "a script's text",
        "<!DOCTYPE HTML>\n<style type=\"text/plain\"><meta charset=\"iso8859-2\"></style>":
            "a style sheet's text",
    ]

    /// Of the cases that are only in the whole suite, those of the same two kinds.
    private static func isException(_ text: String) -> Bool {
        exceptions[text] != nil || html5libIsWhole && text.contains(/<(script|style)\b/)
    }

    private static let html5libIsWhole = ProjectFolder.isWhole("conformance/html5lib/encoding")

    @Test(
        .enabled(
            if: ProjectFolder.suite("conformance/html5lib/encoding") != nil,
            "conformance/html5lib is absent; Scripts/suites gets it"
        )
    )
    func html5libDetection() throws {
        var count = 0
        var exceptions: Set<String> = []
        for file in ["tests1.dat", "tests2.dat"] {
            let bytes = try EncodingFixtures.bytes("conformance/html5lib/encoding/\(file)")
            for (data, expected) in Self.html5libCases(bytes) {
                count += 1
                let text = String(decoding: data, as: UTF8.self)
                let encoding = try #require(TextEncoding(label: expected))
                let detection = EncodingDetection.html(data.span)
                if detection.encoding == encoding { continue }
                exceptions.insert(text)
                #expect(Self.isException(text), "\(text): \(detection)")
            }
        }
        #expect(count == 52 || Self.html5libIsWhole && count > 52)
        #expect(exceptions.isSuperset(of: Self.exceptions.keys))
    }

    /// Parts a file into its cases: `#data`, lines, `#encoding`, a line.
    private static func html5libCases(_ bytes: [UInt8]) -> [(data: [UInt8], encoding: String)] {
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        var cases: [(data: [UInt8], encoding: String)] = []
        var data: [ArraySlice<UInt8>]?
        var isEncoding = false
        for line in lines {
            if line.elementsEqual("#data".utf8) {
                data = []
            } else if line.elementsEqual("#encoding".utf8) {
                isEncoding = true
            } else if isEncoding, let lines = data {
                cases.append(
                    (
                        Array(lines.joined(separator: [UInt8(ascii: "\n")])),
                        String(decoding: line, as: UTF8.self)
                    )
                )
                data = nil
                isEncoding = false
            } else {
                data?.append(line)
            }
        }
        return cases
    }

    private struct Page: Decodable {
        var id: String
        var file: String
        var contentType: String
        var characterSet: String

        enum CodingKeys: String, CodingKey {
            case id
            case file
            case contentType = "content_type"
            case characterSet
        }
    }

    @Test(
        .enabled(
            if: ProjectFolder.suite("conformance/encoding") != nil,
            "conformance/encoding is absent: it is only in ../shared"
        )
    )
    func pagesAreInTheEncodingABrowserSees() throws {
        let lines = try EncodingFixtures.bytes("conformance/encoding/oracle.jsonl").split(
            separator: UInt8(ascii: "\n")
        )
        #expect(lines.count == 93)
        for line in lines {
            let page = try JSONDecoder().decode(Page.self, from: Data(line))
            let bytes = try EncodingFixtures.bytes("conformance/encoding/\(page.file)")
            // The label alone: what a media type's parameters are is for the HTTP layer to say.
            let label = page.contentType.lowercased().split(separator: "charset=").dropFirst().first.map(
                String.init
            )
            let detection = EncodingDetection.html(bytes.span, transportLabel: label)
            #expect(detection.encoding.name == page.characterSet, "\(page.id)")
        }
    }
}
