/// Gathers the references of a page, in document order.
///
/// Time and memory are linear in the page: the memory of the links is counted, and once ``budget`` is used
/// up, which only a page made for it reaches (a million references of one byte, or to a base URL of a
/// megabyte), no more are gathered.
struct LinkCollector {
    /// The links so far.
    private(set) var links: [Link] = []

    /// Resolves the references of the current document.
    package var resolver: ReferenceResolver

    /// The URL of the current document, to which references in CSS that are only a fragment are always
    /// relative.
    private var documentURL: WebURL?

    /// Where the links of elements are; nil where that is not asked for.
    private(set) var places: [LinkPlace]?

    /// The budget of the links.
    let budget: InspectionBudget

    /// The current element, and the data that its links share; these are nil until the first link.
    private var element: (node: TreeNode, facts: ElementFacts?)?

    /// The anchors that are open, the innermost one last.
    private var anchors: [Anchor] = []

    /// The text that belongs to the open anchors, one after the other.
    private var anchorText = RenderedText()

    /// Whether the current document is a feed, and for each open element with `xml:base`, the resolver that
    /// is used outside it.
    private var isFeed = false
    var outerResolvers: [(node: TreeNode, resolver: ReferenceResolver)] = []

    private let limits: LoadLimits

    /// How many templates are open.
    private var templates = 0

    /// How many `srcdoc`s the current document is inside, and the position of the outermost one.
    private var frameDepth = 0
    private var framePosition: SourcePosition?

    /// The data that the links of one element share.
    struct ElementFacts {
        let name: String
        let rel: [String]
        let position: SourcePosition?
        let size: Int
    }

    /// An element whose text is that of its link; or, without a link, one whose text does not count for
    /// anchors around it.
    private struct Anchor {
        let node: TreeNode
        let link: Int?
        let start: RenderedText.Start
    }

    /// - Parameters:
    ///   - documentURL: The URL of the document.
    ///   - base: The URL that its references are relative to; if it is nil, only absolute ones resolve.
    ///   - encoding: Its encoding, in which queries are percent-encoded.
    ///   - budget: The budget of the links.
    ///   - limits: How far a `srcdoc` may be parsed.
    ///   - notesPlaces: Whether to note where links are; a `srcdoc`, which is a source of its own, is left out then.
    package init(
        documentURL: WebURL?,
        base: WebURL?,
        encoding: TextEncoding,
        _ budget: InspectionBudget,
        limits: LoadLimits = LoadLimits(),
        notesPlaces: Bool = false
    ) {
        if notesPlaces { places = [] }
        self.documentURL = documentURL
        self.limits = limits
        resolver = ReferenceResolver(base: base, encoding: encoding)
        self.budget = budget
    }

    /// The units that a link takes besides its texts, including the report.
    private static let linkSize = 640

    // MARK: - Adding

    /// Adds a link of the current element.
    mutating func add(
        _ reference: String,
        _ kind: Link.Kind,
        attribute: StaticString?,
        text: String? = nil,
        descriptor: ImageDescriptor? = nil,
        resolver: ReferenceResolver? = nil,
        part: LinkPart = LinkPart()
    ) {
        guard let facts = facts() else { return }
        let count = links.count
        append(
            Reference(text: reference, kind: kind),
            resolver ?? self.resolver,
            element: facts.name,
            attribute: attribute.map { "\($0)" },
            rel: facts.rel,
            text: text,
            descriptor: descriptor,
            position: facts.position,
            size: facts.size
        )
        if places != nil, links.count > count, let node = element?.node {
            places?.append(
                LinkPlace(
                    link: count,
                    node: node,
                    attribute: attribute,
                    range: part.range,
                    value: part.value,
                    syntax: part.syntax,
                    type: part.type,
                    isUncertain: part.isUncertain
                )
            )
        }
    }

    /// Adds the style sheet of an `xml-stylesheet` processing instruction.
    mutating func addStylesheetInstruction(_ reference: String) {
        append(
            Reference(text: reference, kind: .stylesheet),
            resolver,
            element: "xml-stylesheet",
            attribute: "href",
            size: 0
        )
    }

    private struct Reference {
        let text: String
        let kind: Link.Kind
    }

    private mutating func append(
        _ reference: Reference,
        _ resolver: ReferenceResolver,
        element: String? = nil,
        attribute: String? = nil,
        field: String? = nil,
        rel: [String] = [],
        text: String? = nil,
        descriptor: ImageDescriptor? = nil,
        position: SourcePosition? = nil,
        size: Int
    ) {
        let base = resolver.base?.href.utf8.count ?? 0
        let texts = 2 * reference.text.utf8.count + (text?.utf8.count ?? 0) + size
        guard budget.spendOptional(size: 0, text: base), budget.spend(size: Self.linkSize, text: texts) else {
            return
        }
        var url: WebURL?
        var failure: WebURLError?
        do throws(WebURLError) {
            url = try resolver.resolve(reference.text)
        } catch {
            failure = error
        }
        links.append(
            Link(
                kind: reference.kind,
                element: element,
                attribute: attribute,
                field: field,
                reference: reference.text,
                url: url,
                failure: failure,
                rel: rel,
                text: text,
                descriptor: descriptor,
                isInert: templates > 0,
                position: position
            )
        )
    }

    /// The data that the links of the current element share, found once.
    mutating func facts() -> ElementFacts? {
        guard let current = element else { return nil }
        if let facts = current.facts { return facts }
        let name = current.node.name
        let rel = Self.words(current.node.attribute("rel") ?? "")
        let facts = ElementFacts(
            name: name,
            rel: rel,
            position: framePosition ?? current.node.sourcePosition,
            size: name.utf8.count + rel.reduce(0) { $0 + $1.utf8.count + 16 }
        )
        element?.facts = facts
        return facts
    }

    /// The words of a text, which white space separates, in lower case.
    private static func words(_ text: String) -> [String] {
        text.utf8.split(whereSeparator: \.isASCIIWhitespace)
            .map { String(asciiLowercasing: $0) }
    }

    // MARK: - Header fields

    /// Gathers the references of the response's Link and Refresh fields.
    mutating func collect(linkFields: [String], refreshFields: [String], responseURL: WebURL) {
        let responseResolver = ReferenceResolver(base: responseURL, encoding: .utf8)
        for field in LinkField.parse(fieldLines: linkFields) {
            append(
                Reference(text: field.target, kind: Link.Kind(rel: field.relationTypes)),
                responseResolver,
                field: "Link",
                rel: field.relationTypes,
                text: field[parameter: "title"]?.collapsingASCIIWhitespace,
                size: field.relationTypes.reduce(0) { $0 + $1.utf8.count + 16 }
            )
        }
        for field in refreshFields {
            guard let reference = DeclarativeRefresh.reference(in: field) else { continue }
            append(Reference(text: reference, kind: .refresh), resolver, field: "Refresh", size: 0)
        }
    }

    // MARK: - Documents

    /// Gathers the references of a document.
    mutating func collect(_ document: Document) {
        isFeed = document.kind == .xml && document.root.map { FeedSource.isFeed($0.treeNode) } ?? false
        let hasShadowRoots = document.slotAssignments != nil
        var walk = ContentsWalk(inside: document.node)
        while budget.spend(1), let step = walk.next() {
            switch step {
            case .enter(let node):
                if !hasShadowRoots, anchors.last?.link != nil { anchorText.enter(node) }
                if node.isElement {
                    element = (node, nil)
                    enter(node)
                } else if let data = node.processingInstruction("xml-stylesheet") {
                    collectStylesheetInstruction(data)
                }
            case .leave(let node):
                if anchors.last?.node == node { closeAnchor(hasShadowRoots) }
                if !hasShadowRoots, anchors.last?.link != nil { anchorText.leave(node) }
                if outerResolvers.last?.node == node { resolver = outerResolvers.removeLast().resolver }
            case .enterContents(of: let host):
                if host.hasName("template") { templates += 1 }
                // Their text is not part of the text of elements around them.
                anchors.append(Anchor(node: host, link: nil, start: anchorText.begin()))
            case .leaveContents(of: let host):
                if host.hasName("template") { templates -= 1 }
                _ = anchorText.end(anchors.removeLast().start)
            }
        }
    }

    /// Gathers the references of one element, whose text and surroundings are not known yet.
    package mutating func collect(arriving node: TreeNode) {
        element = (node, nil)
        enter(node)
        anchors = []
    }

    /// Removes the links so far, and returns them.
    mutating func takeLinks() -> [Link] {
        defer { links = [] }
        return links
    }

    private mutating func enter(_ node: TreeNode) {
        if isFeed { enterFeedElement(node) }
        let first = links.count
        var isAnchor = false
        if node.isHTMLElement {
            isAnchor = node.hasName("a")
            collectHTML(node)
            if node.hasName("style") { collectStyleSheet(node) }
        } else if node.isInNamespace("http://www.w3.org/2000/svg") {
            isAnchor = node.hasName("a")
            collectSVG(node)
            if node.hasName("style") { collectStyleSheet(node) }
        } else {
            collectOther(node)
        }
        guard isAnchor else { return }
        guard let link = links[first...].firstIndex(where: { $0.kind == .navigation || $0.kind == .download })
        else {
            return
        }
        anchors.append(Anchor(node: node, link: link, start: anchorText.begin()))
    }

    private mutating func closeAnchor(_ hasShadowRoots: Bool) {
        let anchor = anchors.removeLast()
        let own = anchorText.end(anchor.start)
        guard let link = anchor.link else { return }
        // The text shown in a link may stand anywhere on a page with shadow roots.
        let text = hasShadowRoots ? anchor.node.renderedText(budget) : own
        guard budget.spend(size: 0, text: text.utf8.count) else { return }
        links[link].text = text
    }

    /// How many `srcdoc`s are taken, each in the one before it.
    static let maximumFrameDepth = 16

    /// Gathers the references of a `srcdoc`, whose base URL is by default that of the page it is in.
    ///
    /// <https://html.spec.whatwg.org/multipage/iframe-embed-object.html#an-iframe-srcdoc-document>
    mutating func collectFrame(_ markup: String) {
        // Each level is shorter than the one around it, so this bounds the work to a multiple of the page's
        // size.
        guard frameDepth < Self.maximumFrameDepth, places == nil else { return }
        var markup = markup
        let parsed = markup.withUTF8 { bytes in
            // If there is no memory to parse it, its links are missing; the page's own are kept.
            try? unsafe StandardHTMLParser(settings: ParsingSettings(limits: limits)).parse(bytes)
        }
        guard let document = parsed?.document else { return }
        var inner = self
        inner.links = []
        inner.anchors = []
        inner.anchorText = RenderedText()
        inner.framePosition = facts()?.position
        inner.frameDepth += 1
        inner.documentURL = .aboutSrcdoc
        inner.resolver = ReferenceResolver(
            base: document.baseURL(fallback: resolver.base, encoding: .utf8),
            encoding: .utf8
        )
        inner.collect(document)
        links += inner.links
    }

    // MARK: - CSS

    /// Gathers the references in CSS of the current element.
    mutating func collectStyle(_ text: String, _ content: StyleReferences.Content, attribute: StaticString?) {
        // CSS resolves its URLs without the document's encoding.
        let styleResolver = ReferenceResolver(base: resolver.base, encoding: .utf8)
        // Who rewrites a page has to know of what may be one, too.
        for reference in StyleReferences.find(in: text, content, includesUncertain: places != nil) {
            let isFragment = reference.text.utf8.first == UInt8(ascii: "#")
            add(
                reference.text,
                reference.kind,
                attribute: attribute,
                resolver: isFragment ? ReferenceResolver(base: documentURL, encoding: .utf8) : styleResolver,
                part: LinkPart(
                    range: reference.range,
                    value: reference.value,
                    syntax: .style,
                    type: reference.type,
                    isUncertain: reference.isUncertain
                )
            )
        }
    }

    /// Gathers the references of a `style` element, if it holds CSS.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics.html#update-a-style-block>
    private mutating func collectStyleSheet(_ node: TreeNode) {
        let type = node.attribute("type") ?? ""
        guard type.isEmpty || type.isEqualIgnoringASCIICase(to: "text/css") else { return }
        collectStyle(node.childTextContent, .styleSheet, attribute: nil)
    }
}
