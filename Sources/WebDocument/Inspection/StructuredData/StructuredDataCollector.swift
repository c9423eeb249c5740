/// Finds the places of a page's data in one walk, and then reads each format.
struct StructuredDataCollector {
    private var data = StructuredData()
    private let resolver: ReferenceResolver
    private let budget: InspectionBudget

    /// The elements with `itemscope`.
    private var items: [TreeNode] = []

    /// The first element that may be a microformat.
    private var firstMicroformat: TreeNode?

    /// The last element with an attribute that makes statements of RDFa.
    private var lastStatement: TreeNode?

    private var dublinCore = DublinCoreReader()

    package init(_ resolver: ReferenceResolver, _ budget: InspectionBudget) {
        self.resolver = resolver
        self.budget = budget
    }

    /// The data of a document, after all its elements have been visited.
    package mutating func finished(_ document: Document) -> StructuredData {
        data.openGraph.resolve(resolver, budget)
        data.dublinCore = dublinCore.statements
        data.microdata = MicrodataReader.read(items, in: document.node, resolver, budget)
        if let lastStatement {
            data.rdfa = RDFaReader.read(document, upTo: lastStatement, resolver, budget)
        }
        if let firstMicroformat {
            data.microformats = MicroformatReader.read(document, from: firstMicroformat, resolver, budget)
        }
        data.isTruncated = budget.isTruncated
        return data
    }

    /// Processes the document's next element, in document order.
    package mutating func visit(_ element: TreeNode) {
        if element.hasName("script") {
            if let block = JSONLDBlock(element, budget) { data.jsonLD.append(block) }
        } else if element.hasName("meta") {
            collectMeta(element)
        } else if element.hasName("link"), element.isHTMLElement {
            dublinCore.read(link: element, resolver, budget)
        }
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            switch attribute.initial {
            case UInt8(ascii: "i"):
                if attribute.hasName("itemscope"), element.isHTMLElement { items.append(element) }
            case UInt8(ascii: "c"):
                let mayBeFirst = firstMicroformat == nil && attribute.hasName("class")
                if mayBeFirst, MicroformatClasses.mayHoldRoot(attribute) { firstMicroformat = element }
            case UInt8(ascii: "p"): if attribute.hasName("property") { lastStatement = element }
            case UInt8(ascii: "t"): if attribute.hasName("typeof") { lastStatement = element }
            case UInt8(ascii: "v"): if attribute.hasName("vocab") { lastStatement = element }
            case UInt8(ascii: "r"):
                // Any other relation is one of HTML's, unless it is a CURIE.
                if attribute.hasName("rel") || attribute.hasName("rev"), RDFaTerms.mayContainTerm(attribute) {
                    lastStatement = element
                }
            default: break
            }
        }
    }

    /// Reads a `meta` element of Open Graph, of a Twitter card or of Dublin Core.
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
                dublinCore.read(meta: element, written, content, budget)
            }
        }
    }

    private mutating func add(_ name: String, _ content: String, _ element: TreeNode) {
        let isTwitter = name.hasPrefix("twitter:")
        guard isTwitter || OpenGraph.isProperty(name) else { return }
        guard budget.spend(size: 512, text: name.utf8.count + content.utf8.count) else { return }
        let property = MetaProperty(
            name: name,
            content: content.trimmingASCIIWhitespace,
            position: element.sourcePosition
        )
        if isTwitter { data.twitterCard.append(property) } else { data.openGraph.append(property) }
    }
}
