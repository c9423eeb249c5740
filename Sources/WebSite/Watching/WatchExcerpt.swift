import WebLoader

/// The elements that a selector matches, as a page of their own: for its text.
enum WatchExcerpt {
    /// The elements that an element has to stand in, or the parser would drop its tags.
    private static let wrappers: [String: (before: String, after: String)] = [
        "tr": ("<table>", "</table>"), "td": ("<table><tr>", "</table>"), "th": ("<table><tr>", "</table>"),
        "tbody": ("<table>", "</table>"), "thead": ("<table>", "</table>"),
        "tfoot": ("<table>", "</table>"), "caption": ("<table>", "</table>"),
    ]

    /// Makes the page; nil if nothing matches.
    ///
    /// What is in another match is there once.
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
        for node in try document.querySelectorAll(selector) {
            if let last, node.ancestors.contains(last) { continue }
            last = node
            let (before, after) = wrappers[node.name] ?? ("<div>", "</div>")
            markup += (before + node.outerHTML + after).utf8
        }
        guard last != nil else { return nil }
        return try ParsedPage(
            html: String(decoding: markup, as: UTF8.self),
            baseURL: page.baseURL,
            limits: limits
        )
    }
}
