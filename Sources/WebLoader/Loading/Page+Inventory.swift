extension Page {
    /// The forms of the page, in document order, without those in templates.
    ///
    /// Gathered anew each time, O(n) in the page's size. URLs have a bound, as with ``images``.
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

    /// Counts, headings, outline, images, forms, scripts, style sheets, frames and comments; nothing of what is not
    /// parsed.
    ///
    /// Gathered anew each time, O(n) in the page's size, in one walk: for who wants several of them.
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

    /// As ``Document/tableSummaries``, within what inspections of the page may take.
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
