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
        /// Whether what is not stated is implied.
        let isImplying: Bool
        /// The first `p-name` and the first `u-url`, by their indices in the properties.
        var name: Int?
        var url: Int?
        /// The last date of a property so far.
        var date: String?
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
        guard element.hasAttribute("class") || hasRelation, !element.isTemplate else { return }
        var classes = MicroformatClasses(element)
        let properties = self.properties(classes, element)
        classes.becomeItem(by: properties)
        guard classes.types.isEmpty else { return begin(classes, element, properties) }
        // However many properties there are, an element is read once in each way.
        var values: [MicroformatClasses.Form: MicroformatItem.Value] = [:]
        for property in properties {
            guard let value = values[property.form] ?? value(of: element, property.form, in: scope),
                spend(value, property.name)
            else { return }
            values[property.form] = value
            add(property, value)
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
        guard !open.isEmpty else { return [] }
        guard let types = scope else { return classes.properties(ofClassic: nil, relations: []) }
        return classes.properties(ofClassic: types, relations: element.attribute("rel")?.asciiWords ?? [])
    }

    /// The types of the innermost open item, if its root class name is a classic one; else nil.
    private var scope: [String]? { open.last.flatMap { scope(of: items[$0.place]) } }

    /// The last date of a property of the innermost open item, which one that is only a time has too.
    var impliedDate: String? {
        get { open.last?.date }
        set { if !open.isEmpty { open[open.count - 1].date = newValue } }
    }

    private func scope(of item: MicroformatItem) -> [String]? { item.isClassic ? item.types : nil }

    /// Takes the units for a property, and returns whether there were enough.
    private func spend(_ value: MicroformatItem.Value, _ name: String) -> Bool {
        budget.spend(size: 384, text: name.utf8.count + Self.length(of: value))
    }

    /// How many bytes a value has.
    private static func length(of value: MicroformatItem.Value) -> Int {
        switch value {
        case .text(let text): text.utf8.count
        case .url(let url, let alternative): url.utf8.count + (alternative?.utf8.count ?? 0)
        case .markup(let markup, let text): markup.utf8.count + text.utf8.count
        case .item(_, let value): length(of: value)
        }
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
                id: element.attribute("id").flatMap { $0.isEmpty ? nil : $0 },
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
                add(property, .item(place, value: .text("")))
            }
            if properties.isEmpty { items[outer.place].children.append(place) }
        }
        let isImplying = !classes.isClassic || classes.isMadeByProperty
        open.append(OpenItem(element: element, place: place, slots: slots, isImplying: isImplying))
    }

    private mutating func add(_ property: MicroformatClasses.Property, _ value: MicroformatItem.Value) {
        guard var item = open.popLast() else { return }
        let place = item.place
        let index = items[place].properties.count
        switch property.form {
        case .text where property.name == "name": item.name = item.name ?? index
        case .url where property.name == "url": item.url = item.url ?? index
        default: break
        }
        switch property.form {
        case .text, .markup, .tag: item.hasTextOrMarkup = true
        case .url: item.hasURL = true
        case .date: break
        }
        open.append(item)
        items[place].properties.append(MicroformatItem.Property(name: property.name, value: value))
    }

    private mutating func leave() {
        guard var item = open.popLast() else { return }
        if item.isImplying { imply(&item) }
        guard let outer = open.last else { return }
        for slot in item.slots {
            guard let value = value(of: item, slot.form),
                budget.spend(size: 0, text: Self.length(of: value))
            else { return }
            items[outer.place].properties[slot.place].value = .item(item.place, value: value)
        }
    }

    /// The value of an item in the one around it.
    private mutating func value(
        of item: OpenItem,
        _ form: MicroformatClasses.Form
    ) -> MicroformatItem.Value? {
        let properties = items[item.place].properties
        switch form {
        case .text: if let name = item.name { return .text(properties[name].value.text) }
        case .url:
            if let url = item.url {
                guard case .item(_, let value) = properties[url].value else { return properties[url].value }
                return value
            }
        case .date, .markup, .tag: break
        }
        return value(of: item.element, form, in: scope(of: items[item.place]))
    }

    /// Adds the implied properties, where the page states none.
    ///
    /// <https://microformats.org/wiki/microformats2-parsing#parsing_for_implied_properties>
    private mutating func imply(_ item: inout OpenItem) {
        guard !item.hasNested else { return }
        let names = items[item.place].properties.map(\.name)
        let count = names.count
        func add(_ name: String, _ value: MicroformatItem.Value?) {
            guard let value, spend(value, name) else { return }
            items[item.place].properties.append(MicroformatItem.Property(name: name, value: value))
        }
        if !item.hasTextOrMarkup, !names.contains("name") {
            let words = MicroformatImplied.name(of: item.element) ?? text(of: item.element, .alternatives)
            add("name", .text(words.trimmingASCIIWhitespace))
            if items[item.place].properties.count > count { item.name = count }
        }
        if !item.hasURL, !names.contains("photo"), let photo = MicroformatImplied.photo(of: item.element) {
            add("photo", url(of: photo, in: nil))
        }
        if !item.hasURL, !names.contains("url"), let link = MicroformatImplied.link(of: item.element) {
            let index = items[item.place].properties.count
            add("url", url(of: link, in: nil))
            if items[item.place].properties.count > index { item.url = index }
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
        case .item(_, let value): value.text
        }
    }
}
