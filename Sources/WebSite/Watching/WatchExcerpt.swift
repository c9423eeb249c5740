import WebLoader

/// The elements that a selector matches, as a page of their own.
enum WatchExcerpt {
    /// The elements that an element has to stand in, or the parser would drop its tags.
    private static let wrappers: [String: (before: String, after: String)] = [
        "tr": ("<table>", "</table>"), "td": ("<table><tr>", "</table>"), "th": ("<table><tr>", "</table>"),
        "tbody": ("<table>", "</table>"), "thead": ("<table>", "</table>"),
        "tfoot": ("<table>", "</table>"), "caption": ("<table>", "</table>"),
    ]

    /// Makes the page; nil if nothing matches.
    ///
    /// What is in another match is there once. Each element begins in the line in which it begins on the page, so that changes name that
    /// line.
    ///
    /// - Throws: ``SelectorError``, ``ParsingError``.
    static func page(
        of selector: Selector,
        in page: ParsedPage,
        _ limits: LoadLimits
    ) throws -> ParsedPage? {
        guard let document = page.document else { return nil }
        // In document order, what stands in a match stands in the last one.
        var last: Node?
        var markup: [UInt8] = []
        var line = 1
        for node in try document.querySelectorAll(selector) {
            if let last, node.ancestors.contains(last) { continue }
            last = node
            let start = node.position?.line ?? line
            if start > line {
                markup += repeatElement(0x0A, count: start - line)
                line = start
            }
            let (before, after) = wrappers[node.name] ?? ("<div>", "</div>")
            let bytes = (before + node.outerHTML + after).utf8
            line += bytes.count { $0 == 0x0A }
            markup += bytes
        }
        guard last != nil else { return nil }
        return try ParsedPage(
            html: String(decoding: markup, as: UTF8.self),
            baseURL: page.baseURL,
            limits: limits
        )
    }
}
