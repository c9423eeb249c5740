extension Document {
    /// Parses a fragment of HTML as the content of an element, as setting `innerHTML` does.
    ///
    /// - Parameters:
    ///   - html: The fragment.
    ///   - context: The name of the element, in lower case: "td" allows the contents of cells, "tr" allows
    ///     cells. "svg NAME" and "math NAME" stand for elements of SVG and MathML.
    ///   - limits: The limits: depth, nodes, attributes, text and memory.
    /// - Returns: A document whose ``root`` is an `html` element with the fragment inside, and the limits
    ///   that it reached.
    /// - Throws: ``ParsingError`` if there is no memory or the fragment has more than 2,147,483,647 bytes.
    /// - Complexity: O(n) in the length of the fragment.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#parsing-html-fragments>
    public static func fragment(
        _ html: String,
        inside context: String = "body",
        limits: LoadLimits = LoadLimits()
    ) throws(ParsingError) -> (document: Document, limits: [ReachedLimit]) {
        let parser = StandardHTMLParser(settings: ParsingSettings(limits: limits))
        var options = parser.options
        options.fragmentContext = HTMLFragmentContext(named: context)
        do throws(HTMLParserError) {
            let parsed = try html.withHTMLBytes { (bytes) throws(HTMLParserError) in
                try unsafe HTMLParser.parse(
                    utf8: UnsafeBufferPointer(start: bytes.base, count: bytes.count),
                    options: options
                )
            }
            let page = try parser.page(parsed)
            return (page.document, page.limits)
        } catch {
            throw StandardHTMLParser.error(error, count: html.utf8.count)
        }
    }
}

extension HTMLFragmentContext {
    /// The element that a name stands for, as in "td", "svg path" and "math mi".
    init(named name: String) {
        let parts = name.split(separator: " ", maxSplits: 1)
        switch parts.first {
        case "svg" where parts.count == 2: self.init(namespace: .svg, localName: String(parts[1]))
        case "math" where parts.count == 2: self.init(namespace: .mathML, localName: String(parts[1]))
        default: self.init(localName: name)
        }
    }
}
