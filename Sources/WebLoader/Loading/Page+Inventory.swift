extension Page {
    /// The forms of the page, in document order, without those in templates.
    ///
    /// Gathered anew each time, O(n) in the page's size. URLs have a bound, as with ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var forms: [Form] {
        get throws(ParsingError) {
            guard let document = try document else { return [] }
            var collector = FormCollector(document)
            collector.collect()
            guard collector.hasForms else { return [] }
            var assembler = assembler(document)
            return assembler.forms(of: collector)
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
            var collector = InventoryCollector(document, BoundedResolver(self))
            return collector.collect(assembler(document))
        }
    }

    private func assembler(_ document: Document) -> FormAssembler {
        FormAssembler(
            document,
            documentURL: fallbackBaseURL,
            encoding: encoding?.encoding ?? .utf8,
            resolver: BoundedResolver(self)
        )
    }
}
