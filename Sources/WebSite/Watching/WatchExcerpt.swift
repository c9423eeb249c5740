import WebLoader

/// The elements that a selector matches, as a page of their own, for its text.
enum WatchExcerpt {
    /// The wrappers for elements whose tags the parser would otherwise drop.
    private static let wrappers: [String: (before: String, after: String)] = [
        "tr": ("<table>", "</table>"), "td": ("<table><tr>", "</table>"), "th": ("<table><tr>", "</table>"),
        "tbody": ("<table>", "</table>"), "thead": ("<table>", "</table>"),
        "tfoot": ("<table>", "</table>"), "caption": ("<table>", "</table>"),
    ]

    /// Creates the page; `nil` if nothing matches.
    ///
    /// A match within another match is only included once.
    ///
    /// - Throws: ``SelectorError``, ``ParsingError``.
    static func page(
        of selector: Selector,
        in page: ParsedPage,
        _ limits: LoadLimits
    ) throws -> ParsedPage? {
        guard let document = page.document else { return nil }
        // In document order, a match within another one is within the last one.
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
