/// RDFa Core's processing of one element.
///
/// [RDFa Core 1.1, section 7.5](https://www.w3.org/TR/rdfa-core/#s_sequence)
extension RDFaReader {
    /// The local variables of the processing steps for an element.
    struct Local {
        var newSubject: RDFaResource?
        var currentObject: RDFaResource?
        var typedResource: RDFaResource?
        /// Whether the new subject is the parent object, since the element has none of its own.
        var inheritsSubject = false
        var skipsElement = false
        var incomplete: [RDFaContext.IncompleteTriple] = []
        var listMapping: Int
    }

    /// Processes an element, and makes the context inside it.
    mutating func process(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ outer: RDFaContext
    ) -> RDFaContext {
        var attributes = attributes
        // 2. to 4.
        var context = outer
        declare(element, attributes, &context)
        ignoreRelationsOfHTML(&attributes)
        var local = Local(listMapping: outer.listMapping)
        // 5., 6.
        let hasRelation = attributes.rel != nil || attributes.rev != nil
        if hasRelation {
            establishByRelation(element, attributes, context, &local)
        } else if attributes.property != nil, attributes.content == nil, attributes.datatype == nil {
            establishByProperty(element, attributes, context, &local)
        } else {
            establishSubject(element, attributes, context, &local)
        }
        // The subject is resolved once, for all steps that follow.
        let isUsed = attributes.makesStatement || !outer.incomplete.isEmpty
        var subject = ""
        if isUsed, let iri = local.newSubject.flatMap({ iri($0) }) {
            subject = iri
            local.newSubject = .iri(iri)
        }
        // 7.
        addTypes(attributes, context, local)
        // 8.
        if !local.inheritsSubject, local.newSubject != nil {
            listMappings.append([])
            local.listMapping = listMappings.count - 1
        }
        // 9., 10.
        if hasRelation { addRelations(attributes, context, subject, &local) }
        // 11.
        addProperties(element, attributes, context, subject, local)
        // 12.
        if !local.skipsElement, !subject.isEmpty { complete(outer, subject) }
        // 13.
        context.listMapping = local.listMapping
        guard !local.skipsElement else { return context }
        context.parentSubject = local.newSubject ?? outer.parentSubject
        context.parentObject = local.currentObject ?? local.newSubject ?? outer.parentSubject
        context.incomplete = local.incomplete
        return context
    }

    /// Steps 2 to 4: the vocabulary, prefixes, the language.
    private mutating func declare(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: inout RDFaContext
    ) {
        if let vocabulary = attributes.vocab {
            let name = vocabulary.trimmingASCIIWhitespace
            context.vocabulary = name.isEmpty ? nil : name
            if !name.isEmpty, vocabularies.insert(name).inserted, let page = iri(.reference("")) {
                add(page, RDFaTerms.usesVocabulary, .resource(name))
            }
        }
        if let base = attributes.base, let url = url(of: .reference(base, base: context.baseURL)) {
            context.baseURL = url
        }
        if attributes.prefix != nil || !attributes.namespaces.isEmpty {
            // The prefixes are copied, since those of the outer context must not change.
            guard budget.spend(64 * (1 + context.prefixes.count) + 16 * element.attributesLength) else {
                return
            }
            for (prefix, name) in attributes.namespaces {
                context.prefixes[String(asciiLowercasing: prefix.utf8)] = name
            }
            if let prefix = attributes.prefix { context.declare(prefix) }
        }
        if let language = attributes.language {
            context.language = language.isEmpty ? nil : language
        }
    }

    /// HTML's rule 7: beside `property`, relations without a colon are HTML's own.
    private func ignoreRelationsOfHTML(_ attributes: inout RDFaAttributes) {
        guard attributes.property != nil else { return }
        if let rel = attributes.rel, !rel.utf8.contains(UInt8(ascii: ":")) { attributes.rel = nil }
        if let rev = attributes.rev, !rev.utf8.contains(UInt8(ascii: ":")) { attributes.rev = nil }
    }

    // MARK: - Subjects

    /// The resource of `about`; for the outermost element, the document.
    private func ownSubject(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: RDFaContext
    ) -> RDFaResource? {
        if let about = attributes.about.flatMap({ context.resource($0) }) { return about }
        return element.isRoot ? .reference("", base: context.baseURL) : nil
    }

    /// The resource of `resource`, `href` or `src`.
    private func object(_ attributes: RDFaAttributes, _ context: RDFaContext) -> RDFaResource? {
        if let resource = attributes.resource.flatMap({ context.resource($0) }) { return resource }
        return (attributes.href ?? attributes.src).map {
            .reference($0.trimmingASCIIWhitespace, base: context.baseURL)
        }
    }

    /// HTML's rule for `head` and `body`: their type is that of the resource around them.
    private func isHeadOrBody(_ element: TreeNode) -> Bool {
        element.isHTMLElement && (element.hasName("head") || element.hasName("body"))
    }

    /// Step 5.1.
    private mutating func establishByProperty(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: RDFaContext,
        _ local: inout Local
    ) {
        let own = ownSubject(element, attributes, context)
        local.newSubject = own ?? context.parentObject
        local.inheritsSubject = own == nil
        guard attributes.typeof != nil else { return }
        local.typedResource =
            own ?? object(attributes, context)
            ?? (isHeadOrBody(element) ? context.parentObject : .iri(makeBlankNode()))
        local.currentObject = local.typedResource
    }

    /// Step 5.2.
    private mutating func establishSubject(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: RDFaContext,
        _ local: inout Local
    ) {
        let about = attributes.about.flatMap { context.resource($0) }
        if let subject = about ?? object(attributes, context) ?? ownSubject(element, attributes, context) {
            local.newSubject = subject
        } else if attributes.typeof != nil, !isHeadOrBody(element) {
            local.newSubject = .iri(makeBlankNode())
        } else {
            local.newSubject = context.parentObject
            local.inheritsSubject = true
            local.skipsElement = attributes.property == nil && attributes.typeof == nil
        }
        if attributes.typeof != nil { local.typedResource = local.newSubject }
    }

    /// Step 6.
    private mutating func establishByRelation(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: RDFaContext,
        _ local: inout Local
    ) {
        let own = ownSubject(element, attributes, context)
        local.newSubject = own ?? context.parentObject
        local.inheritsSubject = own == nil
        local.currentObject = object(attributes, context)
        guard attributes.typeof != nil else { return }
        if attributes.about != nil, own != nil {
            local.typedResource = own
        } else {
            if local.currentObject == nil { local.currentObject = .iri(makeBlankNode()) }
            local.typedResource = local.currentObject
        }
    }

    // MARK: - Statements

    /// Step 7.
    private mutating func addTypes(_ attributes: RDFaAttributes, _ context: RDFaContext, _ local: Local) {
        guard let types = attributes.typeof, let resource = local.typedResource,
            let subject = iri(resource)
        else { return }
        for type in iris(types, context) { add(subject, RDFaTerms.type, .resource(type)) }
    }

    /// The IRIs of words, as far as the budget suffices.
    private mutating func iris(_ words: String, _ context: RDFaContext) -> [String] {
        var iris: [String] = []
        for word in words.asciiWords {
            guard let iri = context.iri(word) else { continue }
            guard budget.spend(size: 64, text: iri.utf8.count) else { return iris }
            iris.append(iri)
        }
        return iris
    }

    /// The IRIs of predicates; blank nodes are left out, since they cannot be predicates.
    private mutating func predicates(_ words: String?, _ context: RDFaContext) -> [String] {
        guard let words else { return [] }
        return iris(words, context).filter { !$0.hasPrefix("_:") }
    }

    /// Steps 9 and 10.
    private mutating func addRelations(
        _ attributes: RDFaAttributes,
        _ context: RDFaContext,
        _ subject: String,
        _ local: inout Local
    ) {
        let forward = predicates(attributes.rel, context)
        let reverse = predicates(attributes.rev, context)
        if forward.isEmpty, reverse.isEmpty, local.currentObject != nil { return }
        if let object = local.currentObject {
            guard let iri = iri(object) else { return }
            local.currentObject = .iri(iri)
            for predicate in forward {
                if attributes.hasInlist {
                    append(.resource(iri), to: local.listMapping, predicate)
                } else {
                    add(subject, predicate, .resource(iri))
                }
            }
            for predicate in reverse { add(iri, predicate, .resource(subject)) }
            return
        }
        for predicate in forward {
            if attributes.hasInlist {
                append(nil, to: local.listMapping, predicate)
                local.incomplete.append(.init(predicate: predicate, direction: .list(local.listMapping)))
            } else {
                local.incomplete.append(.init(predicate: predicate, direction: .forward))
            }
        }
        for predicate in reverse { local.incomplete.append(.init(predicate: predicate, direction: .reverse)) }
        local.currentObject = .iri(makeBlankNode())
    }

    /// Step 12: completes the statements that waited for this subject.
    private mutating func complete(_ outer: RDFaContext, _ subject: String) {
        guard !outer.incomplete.isEmpty, let parent = iri(outer.parentSubject) else { return }
        for triple in outer.incomplete {
            switch triple.direction {
            case .forward: add(parent, triple.predicate, .resource(subject))
            case .reverse: add(subject, triple.predicate, .resource(parent))
            case .list(let mapping): append(.resource(subject), to: mapping, triple.predicate)
            }
        }
    }

    /// Adds a value to the list of a predicate; without a value, it only begins the list.
    private mutating func append(_ value: RDFaNode.Value?, to mapping: Int, _ predicate: String) {
        guard budget.spend(size: 96 + listMappings[mapping].count, text: value?.size ?? 0) else { return }
        let place =
            listMappings[mapping].firstIndex { $0.predicate == predicate } ?? listMappings[mapping].count
        if place == listMappings[mapping].count { listMappings[mapping].append((predicate, [])) }
        if let value { listMappings[mapping][place].values.append(value) }
    }

    /// Step 11.
    private mutating func addProperties(
        _ element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: RDFaContext,
        _ subject: String,
        _ local: Local
    ) {
        let names = predicates(attributes.property, context)
        guard !names.isEmpty, !subject.isEmpty else { return }
        guard let value = value(of: element, attributes, context, local) else { return }
        for name in names {
            if attributes.hasInlist {
                append(value, to: local.listMapping, name)
            } else {
                add(subject, name, value)
            }
        }
    }
}
