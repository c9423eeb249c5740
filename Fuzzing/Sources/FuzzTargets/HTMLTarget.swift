import HTTPTypes

@testable import WebDocument
@testable import WebLoader
@testable import WebStandards

/// Decodes, parses and writes a page, and checks that the tree is consistent.
///
/// The first byte determines the parser, the sizes of the pieces and the limits.
func fuzzHTML(_ input: UnsafeBufferPointer<UInt8>) {
    guard let choices = input.first else { return }
    let body = Array(input.dropFirst())
    var settings = PageContent.Settings()
    settings.parsing.limits.maximumNodes = 20_000
    settings.parsing.limits.maximumDepth = choices & 1 == 0 ? 512 : 20
    settings.parsing.reportsErrors = choices & 2 != 0
    settings.htmlParser = choices & 0x1C == 0x1C ? .libxml2 : .html5
    let type = choices & 0x60 == 0x60 ? "application/xml" : "text/html"
    guard let page = content(body, type, settings) else { return }
    check(page)
    guard page.kind == .html else { return }

    if settings.htmlParser == .html5 {
        let pieces = arrival(body, type, settings, pieceLength: Int(choices >> 2 & 7) * 97 + 1)
        if let pieces, pieces.detection == page.detection {
            demand(dump(pieces.page.document) == dump(page.document), "pieces make another tree")
        }
    }
    for form in MarkupForm.allCases {
        guard let text = page.document?.markup(form) else { continue }
        // No tree is so deep or has so many attributes that its markup could not be parsed again.
        settings.detection = form == .xml ? nil : .text
        let again = content(Array(text.utf8), form == .xml ? "application/xml" : "text/html", settings)
        if let again { check(again) }
        if form == .xml, settings.htmlParser == .html5, let again {
            demand(
                again.warnings.isEmpty || !again.limits.isEmpty,
                "not well-formed: \(again.warnings)"
            )
        }
    }
}

private func content(_ body: [UInt8], _ type: String, _ settings: PageContent.Settings) -> PageContent? {
    // Input that is not a page, such as XML without a root, has nothing to check.
    try? PageContent(response(body, type), settings)
}

private func response(_ body: [UInt8], _ type: String) -> WebResponse {
    var response = WebResponse(url: .aboutBlank, status: 200, body: body, source: .network)
    response.headerFields[.contentType] = type
    return response
}

private func arrival(
    _ body: [UInt8],
    _ type: String,
    _ settings: PageContent.Settings,
    pieceLength: Int
) -> ArrivedHTML? {
    let arriving = ArrivingHTML(settings, .inline, hints: nil)
    do {
        try arriving.receive(head: response([], type))
        var start = 0
        while start < body.count {
            let end = min(start + pieceLength, body.count)
            try arriving.receive(Array(body[start..<end]).span)
            start = end
        }
    } catch {
        violation("\(error)")
    }
    return arriving.finish()
}

private func dump(_ document: Document?) -> [UInt8] {
    var dump = HTMLTreeDump()
    if let document { dump.append(childrenOf: document.node) }
    return dump.bytes
}

/// Checks that siblings, parents and children are consistent, and that texts are UTF-8.
private func check(_ page: PageContent) {
    guard let document = page.document else { return }
    var walk = ContentsWalk(inside: document.node)
    var count = 0
    while let step = walk.next() {
        guard case .enter(let node) = step else { continue }
        count += 1
        demand(node.next.map { $0.previous == node } ?? true, "the next node has another one before it")
        demand(
            node.previous.map { $0.next == node } ?? true,
            "the node before has another one after it"
        )
        demand((node.next ?? node).parent == node.parent, "siblings have different parents")
        if node.isElement {
            demand(node.firstChild.map { $0.parent == node } ?? true, "a child has another parent")
            demand(node.lastChild.map { $0.next == nil } ?? true, "the last child has one after it")
        }
        if let text = node.textBytes {
            let bytes = UnsafeRawBufferPointer(start: text, count: TreeNode.length(text))
            demand(TextDecoder.isValidUTF8(bytes), "a text is no UTF-8")
        }
    }
    if page.kind == .html, page.limits.isEmpty { demand(count < 20_100, "more nodes than the limit") }
    _ = document.title
}
