/// Reads microformats, both microformats2 and classic ones, in one walk.
///
/// Time is linear except for texts inside texts, which the budget limits.
///
/// [microformats2 parsing](https://microformats.org/wiki/microformats2-parsing)
struct MicroformatReader {
    let document: Document
    let resolver: ReferenceResolver
    let budget: InspectionBudget

    private var items: [MicroformatItem] = []

    /// The open items, the innermost one last.
    private var open: [OpenItem] = []

    /// An item whose end has not been reached.
    private struct OpenItem {
        let element: TreeNode
        let place: Int
        /// The properties of the outer item that have this one as their value, by their indices, and how they
        /// are read.
        let slots: [(place: Int, form: MicroformatClasses.Form)]
        /// Whether there are properties that prevent implied ones.
        var hasTextOrMarkup = false
        var hasURL = false
        var hasNested = false
    }

    /// - Parameters:
    ///   - document: The page.
    ///   - first: The first element that may be an item.
    ///   - resolver: Resolves references.
    ///   - budget: The budget to spend from.
    /// - Returns: The items, in document order.
    static func read(
        _ document: Document,
        from first: TreeNode,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) -> [MicroformatItem] {
        var reader = MicroformatReader(document: document, resolver: resolver, budget: budget)
        reader.walk(document.node, from: first)
        return reader.items
    }

    private init(document: Document, resolver: ReferenceResolver, budget: InspectionBudget) {
        self.document = document
        self.resolver = resolver
        self.budget = budget
    }

    private mutating func walk(_ root: TreeNode, from first: TreeNode) {
        var next: TreeNode? = first
        while let element = next, budget.spend(InspectionBudget.visit) {
            enter(element)
            if let child = element.firstElement {
                next = child
                continue
            }
            var node = element
            next = nil
            while node != root {
                if open.last?.element == node { leave() }
                if let sibling = node.nextElement {
                    next = sibling
                    break
                }
                guard let parent = node.parent else { break }
                node = parent
            }
        }
        while !open.isEmpty { leave() }
    }

    private mutating func enter(_ element: TreeNode) {
        if open.isEmpty, !Self.mayBeRoot(element) { return }
        let hasRelation = open.last.map { items[$0.place].isClassic } ?? false && element.hasAttribute("rel")
        guard element.hasAttribute("class") || hasRelation else { return }
        let classes = MicroformatClasses(element)
        let properties = self.properties(classes, element)
        if !classes.types.isEmpty {
            begin(classes, element, properties)
        } else {
            for property in properties {
                guard let value = value(of: element, property.form), spend(value, property.name) else {
                    continue
                }
                add(property, value)
            }
        }
    }

    /// Whether an element may be an item: a fast check of its bytes, since most elements are not.
    private static func mayBeRoot(_ element: TreeNode) -> Bool {
        var next = element.firstAttribute
        while let attribute = next {
            if attribute.hasName("class") { return MicroformatClasses.mayHoldRoot(attribute) }
            next = attribute.next
        }
        return false
    }

    private func properties(
        _ classes: MicroformatClasses,
        _ element: TreeNode
    ) -> [MicroformatClasses.Property] {
        guard let outer = open.last else { return [] }
        guard items[outer.place].isClassic else { return classes.properties(ofClassic: nil, relations: []) }
        let relations = element.attribute("rel")?.asciiWords ?? []
        return classes.properties(ofClassic: items[outer.place].types, relations: relations)
    }

    /// Takes the units for a property, and returns whether there were enough.
    private func spend(_ value: MicroformatItem.Value, _ name: String) -> Bool {
        var size = name.utf8.count + value.text.utf8.count
        if case .markup(let markup, _) = value { size += markup.utf8.count }
        if case .url(_, let alternative) = value { size += alternative?.utf8.count ?? 0 }
        return budget.spend(size: 384, text: size)
    }

    // MARK: - Items

    private mutating func begin(
        _ classes: MicroformatClasses,
        _ element: TreeNode,
        _ properties: [MicroformatClasses.Property]
    ) {
        guard budget.spend(size: 640, text: element.attributesLength) else { return }
        let place = items.count
        var slots: [(place: Int, form: MicroformatClasses.Form)] = []
        items.append(
            MicroformatItem(
                types: classes.types,
                id: element.attribute("id"),
                isNested: !open.isEmpty,
                isClassic: classes.isClassic,
                position: element.sourcePosition
            )
        )
        if let outer = open.last {
            open[open.count - 1].hasNested = true
            for property in properties {
                guard budget.spend(size: 384, text: property.name.utf8.count) else { break }
                slots.append((items[outer.place].properties.count, property.form))
                add(property, .item(place, text: ""))
            }
            if properties.isEmpty { items[outer.place].children.append(place) }
        }
        open.append(OpenItem(element: element, place: place, slots: slots))
    }

    private mutating func add(_ property: MicroformatClasses.Property, _ value: MicroformatItem.Value) {
        guard let place = open.last?.place else { return }
        switch property.form {
        case .text, .markup, .tag: open[open.count - 1].hasTextOrMarkup = true
        case .url: open[open.count - 1].hasURL = true
        case .date: break
        }
        items[place].properties.append(MicroformatItem.Property(name: property.name, value: value))
    }

    private mutating func leave() {
        guard let item = open.popLast() else { return }
        if !items[item.place].isClassic { imply(item) }
        guard let outer = open.last else { return }
        for slot in item.slots {
            let text = text(of: item, slot.form)
            guard budget.spend(size: 0, text: text.utf8.count) else { return }
            items[outer.place].properties[slot.place].value = .item(item.place, text: text)
        }
    }

    /// The value of an item in the one around it, as a text or a URL.
    private mutating func text(of item: OpenItem, _ form: MicroformatClasses.Form) -> String {
        let own: MicroformatItem.Value? =
            switch form {
            case .text: items[item.place]["name"].first
            case .url: items[item.place]["url"].first
            case .date, .markup, .tag: nil
            }
        return (own ?? value(of: item.element, form))?.text ?? ""
    }

    /// Adds the implied properties, where the page states none.
    ///
    /// <https://microformats.org/wiki/microformats2-parsing#parsing_for_implied_properties>
    private mutating func imply(_ item: OpenItem) {
        guard !item.hasNested else { return }
        let names = items[item.place].properties.map(\.name)
        func add(_ name: String, _ value: MicroformatItem.Value?) {
            guard let value, spend(value, name) else { return }
            items[item.place].properties.append(MicroformatItem.Property(name: name, value: value))
        }
        if !item.hasTextOrMarkup, !names.contains("name") {
            let words = MicroformatImplied.name(of: item.element) ?? text(of: item.element)
            add("name", .text(words.collapsingASCIIWhitespace))
        }
        if !item.hasURL, !names.contains("photo"), let photo = MicroformatImplied.photo(of: item.element) {
            add("photo", value(of: photo, .url))
        }
        if !item.hasURL, !names.contains("url"), let link = MicroformatImplied.link(of: item.element) {
            add("url", value(of: link, .url))
        }
    }
}

extension MicroformatItem.Value {
    /// The value as a text, or as a URL.
    public var text: String {
        switch self {
        case .text(let text): text
        case .url(let url, _): url
        case .markup(_, let text): text
        case .item(_, let text): text
        }
    }
}
