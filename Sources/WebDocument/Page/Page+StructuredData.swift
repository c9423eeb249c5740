extension Page {
    /// The structured data of the page: JSON-LD, microdata and the like.
    ///
    /// Collected again on each call, O(n) in the page's size, except for repeated references to the same part
    /// of the page and for nested text: these are limited to 64 MiB and 40 times the page's size
    /// (``inspectionLimits``).
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
