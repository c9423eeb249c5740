/// Reads RDFa: the statements that elements make by their attributes.
///
/// It follows RDFa Core's processing, with the changes of RDFa in HTML; RDFa Lite is a subset of it.
/// Vocabularies are not fetched, and `role` makes no statements. Time is linear except for relations that
/// wait for many objects, for texts inside texts, and for references relative to a long base URL: there the
/// budget limits it.
///
/// [RDFa Core 1.1, section 7.5](https://www.w3.org/TR/rdfa-core/#s_sequence),
/// [HTML+RDFa 1.1, section 3.1](https://www.w3.org/TR/html-rdfa/#additional-rdfa-processing-rules)
struct RDFaReader {
    let document: Document
    let resolver: ReferenceResolver
    let budget: InspectionBudget

    /// The nodes of the graph, and the index of each subject's node.
    var nodes: [RDFaNode] = []
    private var places: [String: Int] = [:]

    private var blankNodes = 0

    /// The list mappings: the values gathered for lists, for each subject that begins one.
    var listMappings: [[(predicate: String, values: [RDFaNode.Value])]] = [[]]

    /// The elements that changed the context and are open, with the context inside them.
    private var open: [(element: TreeNode, context: RDFaContext, ending: Ending?)] = []

    /// The last element that makes statements, and whether it was visited.
    private let last: TreeNode
    private var isLastVisited = false

    /// The vocabularies that the page was said to use.
    var vocabularies: Set<String> = []

    private let language: RDFaAttributes.HostLanguage

    /// How many open elements have statements that wait for what is inside them.
    private var waiting = 0

    /// The work that is left for the end of an element: adding the lists of its subject.
    private struct Ending {
        let subject: RDFaResource
        let listMapping: Int
    }

    /// - Parameters:
    ///   - document: The page.
    ///   - last: The last element that makes statements: for most pages one in the head.
    ///   - resolver: Resolves references.
    ///   - budget: The budget to spend from.
    /// - Returns: The graph.
    static func read(
        _ document: Document,
        upTo last: TreeNode,
        _ resolver: ReferenceResolver,
        _ budget: InspectionBudget
    ) -> [RDFaNode] {
        var reader = RDFaReader(document: document, last: last, resolver: resolver, budget: budget)
        reader.walk(document.node)
        reader.copyPatterns()
        return reader.nodes
    }

    private init(
        document: Document,
        last: TreeNode,
        resolver: ReferenceResolver,
        budget: InspectionBudget
    ) {
        self.document = document
        self.last = last
        self.resolver = resolver
        self.budget = budget
        language = RDFaAttributes.HostLanguage(document)
    }

    // MARK: - Walking

    private mutating func walk(_ root: TreeNode) {
        var context = RDFaContext(base: iri(.reference("")).map { .iri($0) } ?? .reference(""))
        var next = root.firstElement
        while let element = next, budget.spend(InspectionBudget.visit), !isLastVisited || waiting > 0 {
            let isChanged = enter(element, &context)
            if let child = element.firstElement {
                next = child
                continue
            }
            if isChanged { leave(&context) }
            next = after(element, root, &context)
        }
        while !open.isEmpty { leave(&context) }
        addLists(of: context.parentSubject, 0)
    }

    /// The next element after another one and everything inside it; leaves the elements that end before it.
    private mutating func after(
        _ element: TreeNode,
        _ root: TreeNode,
        _ context: inout RDFaContext
    ) -> TreeNode? {
        var node = element
        while node != root {
            if let next = node.nextElement { return next }
            guard let parent = node.parent else { return nil }
            if open.last?.element == parent { leave(&context) }
            node = parent
        }
        return nil
    }

    /// Processes an element; returns whether it changed the context.
    private mutating func enter(_ element: TreeNode, _ context: inout RDFaContext) -> Bool {
        if element == last { isLastVisited = true }
        guard let attributes = RDFaAttributes(element, in: language) else { return false }
        // A link that contains only text makes no statement by itself.
        if !attributes.makesStatement, attributes.vocab == nil, element.firstElement == nil,
            context.incomplete.isEmpty
        {
            return false
        }
        let inner = process(element, attributes, context)
        let ending =
            inner.listMapping != context.listMapping
            ? Ending(subject: inner.parentSubject, listMapping: inner.listMapping) : nil
        open.append((element, context, ending))
        if !inner.incomplete.isEmpty { waiting += 1 }
        context = inner
        return true
    }

    private mutating func leave(_ context: inout RDFaContext) {
        guard let ended = open.popLast() else { return }
        if !context.incomplete.isEmpty { waiting -= 1 }
        context = ended.context
        if let ending = ended.ending { addLists(of: ending.subject, ending.listMapping) }
    }

    // MARK: - The graph

    mutating func makeBlankNode() -> String {
        blankNodes += 1
        return "_:b\(blankNodes - 1)"
    }

    /// The IRI of a resource; nil where it is not a valid one, or the budget does not suffice.
    mutating func iri(_ resource: RDFaResource) -> String? {
        switch resource {
        case .iri(let iri): iri
        case .reference("", let base):
            // The page itself, even where its URL cannot be a base URL.
            (base ?? resolver.base).map { String(Substring($0.href.utf8.prefix { $0 != UInt8(ascii: "#") })) }
        case .reference: url(of: resource)?.href
        }
    }

    /// The URL of a reference; nil where it is not a valid one, or the budget does not suffice.
    mutating func url(of resource: RDFaResource) -> WebURL? {
        guard case .reference(let reference, let base) = resource else { return nil }
        let length = (base ?? resolver.base)?.href.utf8.count ?? 0
        guard budget.spend(size: 64, text: reference.utf8.count + length) else { return nil }
        guard let base else { return try? resolver.resolve(reference) }
        return try? resolver.relative(to: base).resolve(reference)
    }

    mutating func add(_ subject: String, _ predicate: String, _ value: RDFaNode.Value) {
        // The value is kept once and written with each predicate.
        guard budget.spend(size: 512, text: subject.utf8.count + predicate.utf8.count + value.size) else {
            return
        }
        let place = places[subject] ?? nodes.count
        if place == nodes.count {
            nodes.append(RDFaNode(id: subject))
            places[subject] = place
        }
        nodes[place].properties.append(RDFaNode.Property(name: predicate, value: value))
    }

    /// Step 14: makes lists of the gathered values.
    private mutating func addLists(of resource: RDFaResource, _ mapping: Int) {
        guard !listMappings[mapping].isEmpty, let subject = iri(resource) else { return }
        for (predicate, values) in listMappings[mapping] {
            var head = values.isEmpty ? RDFaTerms.empty : makeBlankNode()
            add(subject, predicate, .resource(head))
            for (index, value) in values.enumerated() {
                let next = index + 1 < values.count ? makeBlankNode() : RDFaTerms.empty
                add(head, RDFaTerms.first, value)
                add(head, RDFaTerms.rest, .resource(next))
                head = next
            }
        }
        listMappings[mapping] = []
    }
}

extension RDFaNode.Value {
    /// How many bytes it is written with.
    var size: Int {
        switch self {
        case .resource(let iri): iri.utf8.count
        case .literal(let text, let language, let datatype):
            text.utf8.count + (language?.utf8.count ?? 0) + (datatype?.utf8.count ?? 0)
        }
    }
}
