/// Records where values come from, for the field that is being evaluated.
struct ProvenanceNotes {
    private var notes: [Provenance] = []
    private var paths = NodePath()
    private var document: ObjectIdentifier?
    /// Keeps the document alive: another one at the same address would be given the paths of its nodes.
    private var held: Document?

    /// Records a value's origin.
    mutating func add(_ node: XPathNode?, rule: String, path: String, source: String) {
        var place: Node?
        var suffix = ""
        switch node {
        case .node(let node)?: place = node
        case .attribute(let attribute, let owner)?:
            place = owner
            suffix = "/@\(attribute.name)"
        case .namespace?, nil: break
        }
        if let place, document != ObjectIdentifier(place.document) {
            document = ObjectIdentifier(place.document)
            held = place.document
            paths = NodePath()
        }
        let element = place.map { $0.isElement ? $0 : $0.parent ?? $0 }
        notes.append(
            Provenance(
                path: path,
                rule: rule,
                node: place.flatMap { paths.xpath($0) }.map { $0 + suffix },
                position: element?.position,
                source: source
            )
        )
    }

    /// Drops the notes on a value that is not used after all.
    mutating func forget(_ path: String) {
        notes.removeAll { $0.path == path || $0.path.hasPrefix("\(path)[") || $0.path.hasPrefix("\(path).") }
    }

    /// Returns all notes since the last call, and clears them.
    mutating func take() -> [Provenance] {
        defer { notes = [] }
        return notes
    }
}

extension RecipeEvaluator {
    /// Records the nodes that a field's value was made from.
    ///
    /// If a list still has one item per node, each item gets its own node as origin; for any other value,
    /// each node is an origin of the whole value.
    mutating func note(
        _ nodes: [XPathNode],
        of field: RecipeField,
        _ value: JSONValue,
        in scope: RuleScope,
        at path: String
    ) {
        guard origins != nil, field.value.isLeaf else { return }
        let rule = recipe.rules[field.rule].name
        let source = scope.page.source.description
        if nodes.isEmpty {
            if !value.isNothing { origins?.add(nil, rule: rule, path: path, source: source) }
            return
        }
        var isItemwise = field.transforms.allSatisfy(\.isItemwise)
        if case .array(let items) = value {
            isItemwise = isItemwise && items.count == nodes.count
        } else {
            isItemwise = false
        }
        for (index, node) in nodes.enumerated() {
            let place = isItemwise ? "\(path)[\(index)]" : path
            origins?.add(node, rule: rule, path: place, source: source)
        }
    }
}

extension RecipeValue {
    /// Whether it produces a value itself, not from other fields.
    fileprivate var isLeaf: Bool {
        switch self {
        case .constant, .selection, .script: true
        case .each, .alternatives, .follow: false
        }
    }
}

extension RecipeTransform {
    /// Whether it turns each item of a list into one item at the same index.
    fileprivate var isItemwise: Bool {
        switch self {
        case .unique, .sort, .split, .join, .slice, .matchAll: false
        case .trim, .collapse, .lower, .upper, .number, .date, .url, .json, .match, .replace, .map, .template,
            .fallback, .repetition:
            true
        }
    }
}
