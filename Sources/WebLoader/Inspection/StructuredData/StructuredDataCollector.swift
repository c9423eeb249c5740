/// Finds where a page holds data, in one walk, and has each kind of it read.
struct StructuredDataCollector {
    private var data = StructuredData()
    private let resolver: ReferenceResolver
    private var budget: InspectionBudget

    /// The elements with `itemscope`.
    private var items: [TreeNode] = []

    /// Whether an element may be a microformat.
    private var hasMicroformats = false

    /// Whether an element has an attribute that makes statements of RDFa.
    private var hasRDFa = false

    private var dublinCore = DublinCoreReader()

    init(_ resolver: ReferenceResolver, size: Int) {
        self.resolver = resolver
        budget = InspectionBudget(pageSize: size)
    }

    /// Gathers what a document holds.
    mutating func collect(_ document: Document) -> StructuredData {
        var element = document.node.firstElement
        while let current = element {
            collect(current)
            element = current.elementAfter(in: document.node)
        }
        data.openGraph.resolve(resolver, &budget)
        data.dublinCore = dublinCore.statements
        data.microdata = MicrodataReader.read(items, in: document.node, resolver, &budget)
        if hasRDFa { data.rdfa = RDFaReader.read(document, resolver, &budget) }
        if hasMicroformats { data.microformats = MicroformatReader.read(document, resolver, &budget) }
        data.isTruncated = budget.isExhausted
        return data
    }

    private mutating func collect(_ element: TreeNode) {
        if JSONLDBlock.isBlock(element) {
            let block = JSONLDBlock(element)
            data.jsonLD.append(block)
        }
        if element.hasName("meta") {
            collectMeta(element)
        } else if element.hasName("link"), element.isHTMLElement {
            dublinCore.read(link: element, resolver, &budget)
        }
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            switch attribute.initial {
            case UInt8(ascii: "i"):
                if attribute.hasName("itemscope"), element.isHTMLElement { items.append(element) }
            case UInt8(ascii: "c"):
                if !hasMicroformats, attribute.hasName("class") {
                    hasMicroformats = MicroformatClasses.mayHoldRoot(attribute)
                }
            case UInt8(ascii: "p"): if attribute.hasName("property") { hasRDFa = true }
            case UInt8(ascii: "t"): if attribute.hasName("typeof") { hasRDFa = true }
            case UInt8(ascii: "r"):
                // Any other relation is one of HTML's, unless it is a CURIE.
                if attribute.hasName("rel") || attribute.hasName("rev"), RDFaTerms.mayHold(attribute.value) {
                    hasRDFa = true
                }
            default: break
            }
        }
    }

    /// Takes an element of Open Graph, of a Twitter card or of Dublin Core.
    private mutating func collectMeta(_ element: TreeNode) {
        guard element.isHTMLElement, let content = element.attribute("content") else { return }
        let property = element.attribute("property")
        let name = element.attribute("name")
        for written in [property, name == property ? nil : name] {
            guard let written, let initial = written.utf8.first else { continue }
            let names = property == written ? written.asciiWords : [written.trimmingASCIIWhitespace]
            for word in names where word.utf8.contains(UInt8(ascii: ":")) {
                add(String(asciiLowercasing: word.utf8), content, element)
            }
            if initial | 0x20 == UInt8(ascii: "d") {
                dublinCore.read(meta: element, written, content, &budget)
            }
        }
    }

    private mutating func add(_ name: String, _ content: String, _ element: TreeNode) {
        let isTwitter = name.hasPrefix("twitter:")
        guard isTwitter || OpenGraph.isProperty(name) else { return }
        let property = MetaProperty(
            name: name,
            content: content.trimmingASCIIWhitespace,
            position: element.sourcePosition
        )
        guard budget.spend(name.utf8.count + content.utf8.count + 64) else { return }
        if isTwitter { data.twitterCard.append(property) } else { data.openGraph.append(property) }
    }
}
