import HTTPTypes

@testable import WebDocument
@testable import WebLoader

/// Parses a page and extracts everything from it: links, metadata, structured data, text, tables, images, forms,
/// findings.
func fuzzInspection(_ input: UnsafeBufferPointer<UInt8>) {
    var settings = PageContent.Settings()
    settings.parsing.limits.maximumNodes = 20_000
    settings.parsing.limits.maximumDepth = 512
    settings.parsing.reportsErrors = true
    var response = WebResponse(url: .aboutBlank, status: 200, body: Array(input), source: .network)
    if let url = try? WebURL("https://fuzz.test/a/b?c") { response.url = url }
    response.headerFields[.contentType] = "text/html"
    // Input that is not a page has nothing to check.
    guard let page = try? ParsedPage(response, settings) else { return }
    let links = page.links
    let metadata = page.metadata
    let data = page.structuredData
    let inventory = page.inventory
    let findings = page.findings
    demand(findings.findings.count <= Findings.maximumCount, "more findings than are kept")
    for table in page.document?.tables ?? [] {
        for cell in table.cells {
            demand(cell.row + cell.rowSpan <= table.rowCount, "a cell ends below its table")
            demand(
                cell.column + cell.columnSpan <= table.columnCount,
                "a cell ends beside its table"
            )
        }
    }
    let readable = page.mainText
    _ = page.wholeText
    _ = (links.count, metadata.title, data.isTruncated, inventory.images.count, readable?.markdown)
}

/// Reads an image's size from its first bytes.
func fuzzImage(_ input: UnsafeBufferPointer<UInt8>) {
    guard let header = ImageHeader(Array(input)) else { return }
    demand(header.width.map { $0 >= 0 } ?? true, "a width below zero")
    demand(header.height.map { $0 >= 0 } ?? true, "a height below zero")
}

/// Reads a `srcset`.
func fuzzSrcset(_ input: UnsafeBufferPointer<UInt8>) {
    for candidate in ImageCandidate.parse(String(decoding: input, as: UTF8.self)) {
        demand(!candidate.reference.isEmpty, "a candidate without a URL")
    }
}

/// Finds the URLs in a style sheet and in a `style` attribute.
func fuzzStyle(_ input: UnsafeBufferPointer<UInt8>) {
    let text = String(decoding: input, as: UTF8.self)
    _ = StyleReferences.find(in: text)
    _ = StyleReferences.find(in: text, .declarations)
}
