/// Property copying: what `rdfa:copy` refers to is said of many subjects.
///
/// [HTML+RDFa 1.1, section 3.5](https://www.w3.org/TR/html-rdfa/#property-copying)
extension RDFaReader {
    /// Gives the subjects that copy patterns the statements of these, and removes the patterns.
    mutating func copyPatterns() {
        let copied = copiedPatterns()
        guard !copied.isEmpty else { return }
        for place in nodes.indices where copied[nodes[place].id] == nil { copy(copied, to: place) }
        nodes.removeAll { copied[$0.id] != nil }
    }

    /// The patterns that something copies, each with its place.
    private func copiedPatterns() -> [String: Int] {
        var targets: Set<String> = []
        for node in nodes {
            for property in node.properties where property.name == RDFaTerms.copy {
                if case .resource(let target) = property.value { targets.insert(target) }
            }
        }
        guard !targets.isEmpty else { return [:] }
        var patterns: [String: Int] = [:]
        for (place, node) in nodes.enumerated() where targets.contains(node.id) {
            if node.types.contains(RDFaTerms.pattern) { patterns[node.id] = place }
        }
        return patterns
    }

    /// Puts what patterns say in place of the statements that copy them.
    private mutating func copy(_ patterns: [String: Int], to place: Int) {
        /// The pattern that a statement copies.
        func copied(_ property: RDFaNode.Property) -> Int? {
            guard property.name == RDFaTerms.copy, case .resource(let id) = property.value else { return nil }
            return patterns[id]
        }
        let own = nodes[place].properties
        guard own.contains(where: { copied($0) != nil }) else { return }
        var properties = own.filter { copied($0) == nil }
        var known = Set(properties)
        // Patterns may copy patterns, and one another.
        var waiting = own.compactMap(copied)
        var seen = Set(waiting)
        while let pattern = waiting.popLast() {
            for property in nodes[pattern].properties {
                if let next = copied(property) {
                    if seen.insert(next).inserted { waiting.append(next) }
                    continue
                }
                guard property.name != RDFaTerms.type || property.value != .resource(RDFaTerms.pattern) else {
                    continue
                }
                guard budget.spend(size: 512, text: property.name.utf8.count + property.value.size) else {
                    return
                }
                if known.insert(property).inserted { properties.append(property) }
            }
        }
        nodes[place] = RDFaNode(id: nodes[place].id, properties: properties)
    }
}
