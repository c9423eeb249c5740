/// The results of one walk over the tree, all of which are stored when the first of them is requested.
///
/// The size of URLs is limited: a page that was made to exhaust memory, by a million references to a base URL of a
/// megabyte, has none beyond a bound in proportion to its size.
extension ParsedPage {
    /// Counts, headings, outline, images, forms, scripts, style sheets, frames and comments; empty for a page
    /// that is not parsed.
    public var inventory: PageInventory {
        kept(\.inventory) { budget in
            guard let document else { return PageInventory() }
            let resolver = BoundedResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8, budget)
            var collector = InventoryCollector(document, resolver, budget)
            return collector.collect(formAssembler(document, resolver, budget))
        }
    }

    private func formAssembler(
        _ document: Document,
        _ resolver: BoundedResolver,
        _ budget: InspectionBudget
    ) -> FormAssembler {
        FormAssembler(
            document,
            documentURL: facts.fallbackBaseURL,
            encoding: encoding?.encoding ?? .utf8,
            resolver: resolver,
            budget
        )
    }

    /// The forms, with the elements of all controls, and in which form each of these is; nil for a page that is not
    /// parsed.
    ///
    /// Complexity: O(n) in the size of the page: it is walked again, since the inventory keeps no elements.
    func assembledForms() -> AssembledForms? {
        guard let document else { return nil }
        let budget = InspectionBudget(document)
        var collector = FormCollector(document, budget)
        var walk = ContentsWalk(inside: document.node)
        while budget.spend(1), let step = walk.next() { collector.take(step) }
        let resolver = BoundedResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8, budget)
        var assembler = formAssembler(document, resolver, budget)
        let (forms, places) = assembler.assembled(collector)
        return AssembledForms(
            forms: forms,
            places: places,
            nodes: collector.controls.map(\.node),
            isTruncated: budget.isTruncated
        )
    }

    struct AssembledForms {
        let forms: [Form]
        /// For each control its form, if any, and its index among the fields of that.
        let places: [(form: Int?, field: Int)]
        let nodes: [TreeNode]
        /// Whether something was left out for want of memory.
        let isTruncated: Bool
    }

    /// How much of what the page has.
    public var counts: PageCounts { inventory.counts }

    /// The headings, in document order.
    public var headings: [Heading] { inventory.headings }

    /// The headings with their levels and their sections, and the landmarks.
    public var outline: Outline { inventory.outline }

    /// The images, in document order, without reading their files; without those in a `srcdoc`.
    public var images: [PageImage] { inventory.images }

    /// The forms, in document order, without those in templates.
    public var forms: [Form] { inventory.forms }

    /// The scripts, in document order; without those that scripts add.
    public var scripts: [PageScript] { inventory.scripts }

    /// The style sheets, in document order; not those that they import, nor `style` attributes.
    public var stylesheets: [PageStylesheet] { inventory.stylesheets }

    /// The frames, in document order; not those inside a `srcdoc`.
    public var frames: [PageFrame] { inventory.frames }

    /// The comments, in document order.
    public var comments: [PageComment] { inventory.comments }
}

extension ParsedPage {
    /// The tables, in document order, including those inside others.
    ///
    /// Complexity: O(n) in the size of the page and the slots of its tables; the header cells of each are looked for in
    /// 50,000,000 steps at most.
    public var tables: [Table] { kept(\.tables) { document?.tables($0) ?? [] } }

    /// The summaries of the tables, without their texts.
    public var tableSummaries: [TableSummary] {
        kept(\.tableSummaries) { document?.tableSummaries($0) ?? [] }
    }
}
