/// Something found in a page while it is still arriving, for callers that act early: to open connections, to
/// load resources of the page, or to stop reading.
///
/// It is based on the data so far: a later `base` element changes what references are relative to, and an
/// encoding that is declared late makes the page be parsed again.
public enum PageHint: Sendable {
    /// The document's base URL, from its first `base` element.
    case base(WebURL)
    /// A `meta` element: its `name`, `property` or `http-equiv`, and its `content`.
    case metadata(name: String, content: String)
    /// A reference, without the text that is inside its element.
    case link(Link)
}

/// Finds the hints of elements as they arrive.
struct HintCollector {
    private let documentURL: WebURL
    private let encoding: TextEncoding
    private var links: LinkCollector
    private var hasBase = false

    init(documentURL: WebURL, encoding: TextEncoding) {
        self.documentURL = documentURL
        self.encoding = encoding
        links = LinkCollector(
            documentURL: documentURL,
            base: documentURL,
            encoding: encoding,
            InspectionBudget(units: InspectionBudget.units(besides: nil, pageSize: 0))
        )
    }

    /// The hints of elements that have just been made, in their order.
    mutating func hints(of elements: [TreeNode]) -> [PageHint] {
        var hints: [PageHint] = []
        for element in elements {
            if !hasBase, element.isHTMLElement, element.hasName("base"),
                let reference = element.attribute("href")
            {
                hasBase = true
                let resolver = ReferenceResolver(base: documentURL, encoding: encoding)
                // As in the standard: for an invalid reference, the document's own URL is used.
                let url = (try? resolver.resolve(reference)) ?? documentURL
                links.resolver = ReferenceResolver(base: url, encoding: encoding)
                hints.append(.base(url))
            } else if element.isHTMLElement, element.hasName("meta"),
                let content = element.attribute("content"),
                let name = element.attribute("name") ?? element.attribute("property")
                    ?? element.attribute("http-equiv")
            {
                hints.append(.metadata(name: name, content: content))
            }
            links.collect(arriving: element)
            hints += links.takeLinks().map(PageHint.link)
        }
        return hints
    }
}
