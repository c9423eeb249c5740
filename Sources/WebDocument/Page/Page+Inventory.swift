extension Page {
    /// The forms of the page, in document order, without those in templates.
    ///
    /// Collected again on each call, O(n) in the page's size. The size of URLs is limited, as in ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var forms: [Form] {
        get throws(ParsingError) {
            guard let document = try document else { return [] }
            return try inspecting { budget in
                var collector = FormCollector(document, budget)
                collector.collect()
                guard collector.hasForms else { return [] }
                var assembler = assembler(document, budget)
                return assembler.forms(of: collector)
            }
        }
    }

    /// Counts, headings, outline, images, forms, scripts, style sheets, frames and comments; empty for a page
    /// that is not parsed.
    ///
    /// Collected again on each call, O(n) in the page's size, in one walk: for callers that need several of
    /// them.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var inventory: PageInventory {
        get throws(ParsingError) {
            guard let document = try document else { return PageInventory() }
            return try inspecting { budget in
                var collector = InventoryCollector(document, BoundedResolver(self, budget), budget)
                return collector.collect(assembler(document, budget))
            }
        }
    }

    /// As ``Document/tableSummaries``, within the inspection limits of the page.
    package var tableSummaries: [TableSummary] {
        get throws(ParsingError) {
            guard let document = try document else { return [] }
            return try inspecting { budget in document.tableSummaries(budget) }
        }
    }

    private func assembler(_ document: Document, _ budget: InspectionBudget) -> FormAssembler {
        FormAssembler(
            document,
            documentURL: fallbackBaseURL,
            encoding: encoding?.encoding ?? .utf8,
            resolver: BoundedResolver(self, budget),
            budget
        )
    }
}
