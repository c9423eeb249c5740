extension Page {
    /// What the page says for programs.
    ///
    /// Gathered anew each time. O(n) in the page's size, but for what refers to the same part of the page often, or
    /// nests text in text: this is followed as far as 64 MiB and 40 times the page's size go (``inspectionLimits``).
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var structuredData: StructuredData {
        get throws(ParsingError) {
            guard let document = try document else { return StructuredData() }
            return try inspecting { budget in
                var collector = structuredDataCollector(budget)
                var walk = TreeWalk(inside: document.node)
                while budget.spend(1), let element = walk.nextElement() { collector.visit(element) }
                return collector.finished(document)
            }
        }
    }

    func structuredDataCollector(_ budget: InspectionBudget) -> StructuredDataCollector {
        StructuredDataCollector(
            ReferenceResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8),
            budget
        )
    }
}
