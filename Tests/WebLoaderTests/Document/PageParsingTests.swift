import Testing
import WebDocument
import WebStandards

/// Pages that are made without a loader.
struct PageParsingTests {
    @Test func aStringOfHTMLIsAPage() throws {
        let page = try ParsedPage(
            html: "<title>Té</title><a href=b>x</a>",
            baseURL: WebURL("https://h.test/a")
        )
        #expect(page.title == "Té")
        #expect(page.encoding?.source == .text)
        #expect(page.links.map { $0.url?.href } == ["https://h.test/b"])
        #expect(try ParsedPage(html: "<a href=b>x</a>").links.first?.url == nil)
    }

    @Test func bytesAreWhatTheyAreSaidToBe() throws {
        let page = try ParsedPage(data: Array("<r>\u{E9}</r>".utf8), mimeType: "application/xml")
        #expect(page.kind == .xml)
        #expect(page.document?.root?.textContent == "\u{E9}")
        let text = try ParsedPage(data: [0x82, 0xA0], mimeType: "text/plain", textEncodingName: "shift_jis")
        #expect(text.text == "\u{3042}")
        #expect(throws: ParsingError.self) { try ParsedPage(data: [], mimeType: "text") }
        #expect(throws: ParsingError.self) { try ParsedPage(data: [], textEncodingName: "none") }
    }

    @Test(
        arguments: [Int.min, -1, 0, .max],
        [.seconds(Int64.min), .seconds(-1), .zero, .seconds(Int64.max)] as [Duration]
    )
    func anyLimitsAreTaken(number: Int, time: Duration) throws {
        var limits = LoadLimits()
        limits.maximumTime = time
        limits.maximumDepth = number
        limits.maximumNodes = number
        limits.maximumAttributes = number
        limits.maximumTextLength = number
        limits.maximumTreeMemory = number
        do {
            let page = try ParsedPage(html: "<title>T</title><p a=b>x<a href=c>d", limits: limits)
            #expect(page.links.count <= 1)
            #expect(page.metadata.description == nil)
        } catch {
            #expect(!error.message.isEmpty)
        }
    }

    @Test func limitsHold() throws {
        var limits = LoadLimits()
        limits.maximumNodes = 10
        let page = try ParsedPage(html: String(repeating: "<p>x", count: 100), limits: limits)
        #expect(page.isTruncated)
        limits = LoadLimits()
        limits.maximumTime = .seconds(0)
        #expect(try ParsedPage(html: String(repeating: "<p>x", count: 100_000), limits: limits).isTruncated)
    }
}
