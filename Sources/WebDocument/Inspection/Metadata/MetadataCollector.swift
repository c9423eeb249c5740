/// Gathers a page's metadata, in one walk.
///
/// Linear in the page's size; what is kept is counted, and beyond a budget that no ordinary page reaches
/// nothing more is.
struct MetadataCollector {
    /// The metadata found so far, except for words and dates, which are sorted by their rules first.
    var metadata = PageMetadata()

    /// Words and dates, with the indices of their rules in ``MetadataRule/all``.
    private var words: [(place: Int, text: String, source: MetadataSource)] = []

    let resolver: ReferenceResolver
    private let responseResolver: ReferenceResolver?
    let budget: InspectionBudget

    /// The names of the `twitter:data` elements that name an author, as the labels before them say.
    private var authorNames: Set<String> = []

    /// Whether a `time` element with a date, and the outermost element, were visited.
    private var hasTime = false
    private var hasRoot = false

    /// - Parameters:
    ///   - resolver: Resolves the document's references.
    ///   - responseURL: The URL that the header fields' references are relative to.
    ///   - budget: The budget of the metadata.
    package init(_ resolver: ReferenceResolver, responseURL: WebURL?, _ budget: InspectionBudget) {
        self.resolver = resolver
        responseResolver = responseURL.map { ReferenceResolver(base: $0, encoding: .utf8) }
        self.budget = budget
    }

    /// The metadata that were found, in order.
    package func finished() -> PageMetadata {
        var metadata = metadata
        for (place, text, source) in words.sorted(by: { $0.place < $1.place }) {
            let found = MetadataText(text: text, source: source)
            switch MetadataRule.all[place].meaning {
            case .title: metadata.titles.append(found)
            case .description: metadata.descriptions.append(found)
            case .siteName: metadata.siteNames.append(found)
            case .author: metadata.authors.append(found)
            case .generator: metadata.generators.append(found)
            case .keywords: metadata.keywords.append(found)
            case .viewport: metadata.viewports.append(found)
            case .published: metadata.published.append(MetadataDate(text: text, source: source))
            case .modified: metadata.modified.append(MetadataDate(text: text, source: source))
            }
        }
        metadata.isTruncated = budget.isTruncated
        return metadata
    }

    /// Gathers the title of a document, before its elements.
    package mutating func begin(_ document: Document) {
        if let title = document.title { add(.element, "title", title, nil) }
    }

    /// Gathers the metadata of the document's next element, in document order.
    package mutating func visit(_ element: TreeNode) {
        guard let initial = unsafe element.nameBytes?[0] else { return }
        if !hasRoot { collectLanguage(element) }
        switch initial {
        case UInt8(ascii: "m"): if element.hasName("meta") { collectMeta(element) }
        case UInt8(ascii: "l"): if element.hasName("link") { collectLink(element) }
        case UInt8(ascii: "a"):
            if element.hasName("a") || element.hasName("area") { collectLink(element) }
        case UInt8(ascii: "t"): if element.hasName("time") { collectTime(element) }
        default: break
        }
        if element.hasAttribute("itemprop") { collectMicrodata(element) }
    }

    /// Gathers the metadata in the document's JSON-LD.
    package mutating func collect(_ blocks: [JSONLDBlock]) {
        for fact in JSONLDFacts.find(in: blocks) {
            guard let place = MetadataRule.place(of: .jsonLD, fact.name) else { continue }
            add(place, .jsonLD, fact.name, fact.text, fact.position)
        }
    }

    /// Gathers the metadata in header fields.
    package mutating func collect(
        language: [String],
        links: [String],
        robots: [String],
        lastModified: String?
    ) {
        for field in language {
            for tag in field.utf8.split(separator: UInt8(ascii: ",")) {
                addLanguage(String(Substring(tag)), .field, "Content-Language", nil)
            }
        }
        for link in LinkField.parse(fieldLines: links) {
            // A link with an anchor describes something other than the page.
            if let anchor = link.anchor, !anchor.isEmpty { continue }
            let attributes = LinkAttributes(
                rel: link.relationTypes,
                type: link[parameter: "type"],
                media: link[parameter: "media"],
                language: link[parameter: "hreflang"],
                title: link[parameter: "title"],
                sizes: link[parameter: "sizes"]
            )
            addLink(link.target, attributes, responseResolver ?? resolver, .field, nil)
        }
        for field in robots {
            let source = MetadataSource(kind: .field, name: "X-Robots-Tag", position: nil)
            for rule in RobotsRule.read(field: field, source: source) { metadata.robots.append(rule) }
        }
        if let lastModified { add(.field, "Last-Modified", lastModified, nil) }
    }

    // MARK: - Elements

    /// The language of the outermost element.
    private mutating func collectLanguage(_ element: TreeNode) {
        hasRoot = true
        let language = element.isHTMLElement ? element.attribute("lang") : nil
        guard let language = language ?? element.xmlLanguage else { return }
        addLanguage(language, .element, "html", element.sourcePosition)
    }

    private mutating func collectMeta(_ element: TreeNode) {
        guard element.isHTMLElement, let content = element.attribute("content") else { return }
        if let pragma = element.attribute("http-equiv") {
            collectPragma(String(asciiLowercasing: pragma.utf8), content, element)
        }
        let property = element.attribute("property")
        let name = element.attribute("name")
        if let property { collectMeta(named: property, content, element) }
        if let name, name != property { collectMeta(named: name, content, element) }
    }

    private mutating func collectMeta(named written: String, _ content: String, _ element: TreeNode) {
        var name = String(asciiLowercasing: written.utf8).trimmingASCIIWhitespace
        if name.hasPrefix("dc:") || name.hasPrefix("dcterms:") {
            name = String(
                name.utf8.split(separator: UInt8(ascii: ":")).map { String(Substring($0)) }.joined(
                    separator: "."
                )
            )
        }
        if name == "theme-color" {
            let color = content.trimmingASCIIWhitespace
            guard !color.isEmpty, budget.spend(size: 384, text: color.utf8.count) else { return }
            let source = MetadataSource(kind: .meta, name: name, position: element.sourcePosition)
            metadata.themeColors.append(
                ThemeColor(color: color, media: element.attribute("media"), source: source)
            )
        } else if RobotsRule.isAgent(name) {
            let source = MetadataSource(kind: .meta, name: name, position: element.sourcePosition)
            guard budget.spend(size: 512, text: 8 * content.utf8.count) else { return }
            if let rule = RobotsRule(content: content, agent: name, source: source) {
                metadata.robots.append(rule)
            }
        } else if name == "keywords" || name == "news_keywords" {
            for word in content.utf8.split(separator: UInt8(ascii: ",")) {
                add(.meta, name, String(Substring(word)), element)
            }
        } else if name.hasPrefix("twitter:label") {
            let data = "twitter:data" + name.dropFirst("twitter:label".count)
            // The metadata has no author for longer names.
            if data.utf8.count == 13, ArticleName.isIntroduction(content) { authorNames.insert(data) }
        } else if name.hasPrefix("twitter:data") {
            if authorNames.contains(name) { add(.meta, name, content, element) }
        } else {
            add(.meta, name, content, element)
        }
    }

    /// Gathers the metadata of a pragma directive.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics.html#pragma-directives>
    private mutating func collectPragma(_ name: String, _ content: String, _ element: TreeNode) {
        if name == "content-language" {
            // The standard ignores a value with a comma.
            guard !content.utf8.contains(UInt8(ascii: ",")), let tag = content.asciiWords.first else {
                return
            }
            addLanguage(tag, .pragma, name, element.sourcePosition)
        } else {
            add(.pragma, name, content, element)
        }
    }

    private mutating func collectTime(_ element: TreeNode) {
        guard !hasTime, element.isHTMLElement, let date = element.attribute("datetime") else { return }
        hasTime = true
        add(.element, "time", date, element)
    }

    /// Gathers the values of an element with `itemprop`, whatever item it belongs to.
    private mutating func collectMicrodata(_ element: TreeNode) {
        guard element.isHTMLElement, let names = element.attribute("itemprop") else { return }
        for name in names.asciiWords {
            guard let place = MetadataRule.place(of: .microdata, name) else { continue }
            let isDate = MetadataRule.all[place].meaning != .author
            // An item is not a text; the author's name is inside it.
            guard isDate || !element.hasAttribute("itemscope") else { continue }
            let value =
                element.attribute("content") ?? (isDate ? element.attribute("datetime") : nil)
                ?? budget.textContent(of: element)
            add(.microdata, name, value, element)
        }
    }

    // MARK: - Words

    mutating func add(
        _ kind: MetadataSource.Kind,
        _ name: String,
        _ text: String,
        _ element: TreeNode?
    ) {
        guard let place = MetadataRule.place(of: kind, name) else { return }
        add(place, kind, name, text, element?.sourcePosition)
    }

    private mutating func add(
        _ place: Int,
        _ kind: MetadataSource.Kind,
        _ name: String,
        _ text: String,
        _ position: SourcePosition?
    ) {
        let text = text.collapsingASCIIWhitespace
        guard !text.isEmpty, budget.spend(size: 384, text: text.utf8.count) else { return }
        words.append((place, text, MetadataSource(kind: kind, name: name, position: position)))
    }

    private mutating func addLanguage(
        _ tag: String,
        _ kind: MetadataSource.Kind,
        _ name: String,
        _ position: SourcePosition?
    ) {
        let tag = tag.trimmingASCIIWhitespace
        guard !tag.isEmpty, budget.spend(size: 384, text: tag.utf8.count) else { return }
        let source = MetadataSource(kind: kind, name: name, position: position)
        // The outermost element is closest to the text, then the pragma, then the field.
        let order = [MetadataSource.Kind.element, .pragma, .field]
        let rank = order.firstIndex(of: kind) ?? order.count
        let place = metadata.languages.firstIndex { (order.firstIndex(of: $0.source.kind) ?? 0) > rank }
        metadata.languages.insert(
            MetadataText(text: tag, source: source),
            at: place ?? metadata.languages.count
        )
    }
}

extension TreeNode {
    /// The value of `xml:lang`; nil without it.
    var xmlLanguage: String? {
        var next = firstAttribute
        while let attribute = next {
            next = attribute.next
            if attribute.hasName("lang"), attribute.isInNamespace("http://www.w3.org/XML/1998/namespace") {
                return attribute.value
            }
        }
        return nil
    }
}

extension MetadataDate {
    fileprivate init(text: String, source: MetadataSource) {
        self.text = text
        self.source = source
        // A longer text is no date but a sentence; the reader's error adds nothing to the text, which is
        // kept.
        date = text.utf8.count <= 80 ? try? DateReader.read(text, order: nil) : nil
    }
}
