/// Reads items of microdata.
///
/// <https://html.spec.whatwg.org/multipage/microdata.html#associating-names-with-items>
struct MicrodataReader {
    private let root: TreeNode
    private let resolver: ReferenceResolver

    /// The indices of the items, by their elements.
    private var places: [TreeNode: Int] = [:]

    /// The data for `itemref`: the first element of each ID, and the document order of the elements with `itemprop`.
    private var references: References?

    private struct References {
        var elements: [String: TreeNode] = [:]
        var orders: [TreeNode: Int] = [:]
    }

    /// - Parameters:
    ///   - elements: The elements with `itemscope`, in document order.
    ///   - root: The document.
    ///   - resolver: Resolves references.
    ///   - budget: The budget to spend from; without `itemref`, and texts inside texts, time is linear.
    /// - Returns: The items, in document order.
    static func read(
        _ elements: [TreeNode],
        in root: TreeNode,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) -> [MicrodataItem] {
        guard !elements.isEmpty else { return [] }
        var reader = MicrodataReader(root: root, resolver: resolver)
        var items: [MicrodataItem] = []
        for element in elements {
            guard reader.spend(on: element, budget) else { break }
            reader.places[element] = items.count
            items.append(MicrodataItem(element, resolver))
        }
        for index in items.indices {
            items[index].properties = reader.properties(of: elements[index], budget)
        }
        for index in items.indices {
            for property in items[index].properties {
                if case .item(let other) = property.value { items[other].isProperty = true }
            }
        }
        for index in items.indices where !items[index].isProperty && elements[index].hasAttribute("itemprop")
        {
            items[index].isStray = true
        }
        return items
    }

    private init(root: TreeNode, resolver: ReferenceResolver) {
        self.root = root
        self.resolver = resolver
    }

    private func spend(on element: TreeNode, _ budget: InspectionBudget) -> Bool {
        guard let id = element.attribute("itemid") else {
            return budget.spend(size: 512, text: element.attributesLength)
        }
        return budget.spend(size: 512, text: id.utf8.count + (resolver.base?.href.utf8.count ?? 0))
    }

    // MARK: - Properties

    private mutating func properties(
        of item: TreeNode,
        _ budget: InspectionBudget
    ) -> [MicrodataItem.Property] {
        var properties: [MicrodataItem.Property] = []
        for element in elements(of: item, budget) {
            guard let names = element.attribute("itemprop") else { continue }
            var isFirst = true
            var value = MicrodataItem.Value.text("")
            var seen: [String] = []
            let content = element.hasName("meta") ? nil : element.attribute("content")
            for name in names.asciiWords {
                // The names are an ordered set; in a set of 32 names or more, which no ordinary page has,
                // repetitions stay.
                if seen.count < 32, seen.contains(name) { continue }
                seen.append(name)
                if isFirst { value = self.value(of: element, budget) }
                isFirst = false
                // The value is kept once and written under each name.
                let texts = name.utf8.count + value.size + (content?.utf8.count ?? 0)
                guard budget.spend(size: 384, text: texts) else { return properties }
                properties.append(MicrodataItem.Property(name: name, value: value, content: content))
            }
        }
        return properties
    }

    /// The elements with `itemprop` that are properties of an item, in tree order.
    ///
    /// <https://html.spec.whatwg.org/multipage/microdata.html#the-properties-of-an-item>
    private mutating func elements(of item: TreeNode, _ budget: InspectionBudget) -> [TreeNode] {
        var results: [TreeNode] = []
        let names = item.attribute("itemref")?.asciiWords ?? []
        if names.isEmpty {
            crawl(item, into: &results, budget)
            return results
        }
        let references = self.references ?? makeReferences()
        self.references = references
        // The elements that were visited, the standard's memory.
        var memory: Set<TreeNode> = [item]
        var pending = [item]
        for name in names {
            guard budget.spend(1) else { break }
            if let element = references.elements[name] { pending.append(element) }
        }
        for start in pending {
            crawl(start, into: &results, budget, isItem: start == item, &memory)
        }
        return results.sorted { (references.orders[$0] ?? 0) < (references.orders[$1] ?? 0) }
    }

    /// Collects the elements with `itemprop` inside an item without `itemref`.
    private func crawl(_ item: TreeNode, into results: inout [TreeNode], _ budget: InspectionBudget) {
        var next = item.firstElement
        while let element = next {
            guard budget.spend(InspectionBudget.visit) else { return }
            if element.isHTMLElement, element.hasAttribute("itemprop") { results.append(element) }
            let isItem = element.isHTMLElement && element.hasAttribute("itemscope")
            next = isItem ? element.elementAfterAll(in: item) : element.elementAfter(in: item)
        }
    }

    /// Collects those in an element, itself included, except for visited ones and for what is inside other
    /// items.
    private func crawl(
        _ start: TreeNode,
        into results: inout [TreeNode],
        _ budget: InspectionBudget,
        isItem: Bool,
        _ memory: inout Set<TreeNode>
    ) {
        var next = isItem ? start.firstElement : start
        while let element = next {
            // The memory costs more than the visit.
            guard budget.spend(16) else { return }
            guard memory.insert(element).inserted else {
                next = element.elementAfterAll(in: start)
                continue
            }
            if element.isHTMLElement, element.hasAttribute("itemprop") { results.append(element) }
            let isOther = element.isHTMLElement && element.hasAttribute("itemscope")
            next = isOther ? element.elementAfterAll(in: start) : element.elementAfter(in: start)
        }
    }

    private func makeReferences() -> References {
        var references = References()
        var order = 0
        var next = root.firstElement
        while let element = next {
            order += 1
            if let id = element.attribute("id"), references.elements[id] == nil {
                references.elements[id] = element
            }
            if element.hasAttribute("itemprop") { references.orders[element] = order }
            next = element.elementAfter(in: root)
        }
        return references
    }

    // MARK: - Values

    /// The value of a property's element.
    ///
    /// <https://html.spec.whatwg.org/multipage/microdata.html#values>
    private func value(of element: TreeNode, _ budget: InspectionBudget) -> MicrodataItem.Value {
        if element.hasAttribute("itemscope"), let place = places[element] { return .item(place) }
        for (name, attribute) in Self.urls where element.hasName(name) {
            return url(element.attribute(attribute), budget)
        }
        if element.hasName("meta") { return .text(element.attribute("content") ?? "") }
        if element.hasName("data") || element.hasName("meter") {
            return .text(element.attribute("value") ?? "")
        }
        if element.hasName("time"), let date = element.attribute("datetime") { return .text(date) }
        return .text(budget.textContent(of: element))
    }

    private func url(_ reference: String?, _ budget: InspectionBudget) -> MicrodataItem.Value {
        guard let reference else { return .text("") }
        guard budget.spend(size: 64, text: reference.utf8.count + (resolver.base?.href.utf8.count ?? 0)),
            let url = try? resolver.resolve(reference)
        else { return .invalidURL(reference) }
        return .url(url)
    }

    /// The elements whose value is a URL, and the attribute that holds it.
    private static let urls: [(element: StaticString, attribute: StaticString)] = [
        ("a", "href"), ("link", "href"), ("img", "src"), ("area", "href"), ("audio", "src"), ("embed", "src"),
        ("iframe", "src"), ("source", "src"), ("track", "src"), ("video", "src"), ("object", "data"),
    ]
}

extension MicrodataItem.Value {
    /// How many bytes it is written with.
    fileprivate var size: Int {
        switch self {
        case .text(let text), .invalidURL(let text): text.utf8.count
        case .url(let url): url.href.utf8.count
        case .item: 0
        }
    }
}
