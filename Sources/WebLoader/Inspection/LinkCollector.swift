/// Gathers the references of a document, in document order.
struct LinkCollector {
    private let base: WebURL?
    private let encoding: TextEncoding
    private(set) var links: [Link] = []

    /// - Parameters:
    ///   - base: What references are resolved against; nil has only absolute ones resolve.
    ///   - encoding: The document's, in which queries are percent-encoded.
    init(base: WebURL?, encoding: TextEncoding) {
        self.base = base
        self.encoding = encoding
    }

    /// Gathers all of them. Complexity: O(n) in the number of nodes.
    mutating func collect(_ document: Document) {
        var walk = TreeWalk(inside: document.node)
        while let element = walk.nextElement() {
            guard element.isHTMLElement else { continue }
            for source in LinkSource.all where element.hasName(source.element) {
                guard let reference = element.attribute(source.attribute) else { continue }
                add(reference, from: element, source)
            }
        }
    }

    private mutating func add(_ reference: String, from element: TreeNode, _ source: LinkSource) {
        let rel = (element.attribute("rel") ?? "").utf8.split(whereSeparator: \.isASCIIWhitespace)
            .map { String(Substring($0)).lowercased() }
        var url: WebURL?
        var failure: WebURLError?
        do throws(WebURLError) {
            url = try resolve(reference)
        } catch {
            failure = error
        }
        let isLinkElement = element.hasName("link")
        links.append(
            Link(
                kind: isLinkElement ? Link.Kind(rel: rel) : source.kind,
                element: element.name, attribute: "\(source.attribute)", reference: reference, url: url,
                failure: failure, rel: rel, text: text(of: element), position: element.sourcePosition))
    }

    /// [Encoding-parsing a URL](https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url)
    private func resolve(_ reference: String) throws(WebURLError) -> WebURL {
        let output = encoding.outputEncoding
        guard output != .utf8 else { return try WebURL(reference, base: base) }
        return try WebURL.parse(
            utf8: reference.utf8.span, base: base, queryEncoder: TextEncoder(output))
    }

    private func text(of element: TreeNode) -> String? {
        if element.hasName("a") { return element.textContent.collapsingASCIIWhitespace }
        if element.hasName("img") || element.hasName("area") || element.hasName("input") {
            return element.attribute("alt")?.collapsingASCIIWhitespace
        }
        return nil
    }
}
