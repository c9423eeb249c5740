extension Page {
    /// The scripts of the page, in document order; without those that scripts add.
    ///
    /// Collected again on each call, O(n) in the page's size. The size of URLs is limited, as in ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var scripts: [PageScript] {
        get throws(ParsingError) { try resources(.scripts).scripts }
    }

    /// The style sheets of the page, in document order; not those that they import, nor `style` attributes.
    ///
    /// Collected again on each call, O(n) in the page's size. The size of URLs is limited, as in ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var styles: [PageStyle] {
        get throws(ParsingError) { try resources(.styles).styles }
    }

    /// The frames of the page, in document order; not those inside a `srcdoc`.
    ///
    /// Collected again on each call, O(n) in the page's size. The size of URLs is limited, as in ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var frames: [PageFrame] {
        get throws(ParsingError) { try resources(.frames).frames }
    }

    /// The comments of the page, in document order.
    ///
    /// Collected again on each call, O(n) in the page's size.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var comments: [PageComment] {
        get throws(ParsingError) { try resources(.comments).comments }
    }

    private func resources(_ kinds: ResourceCollector.Kinds) throws(ParsingError) -> ResourceCollector {
        let document = try document
        return try inspecting { budget in
            var collector = ResourceCollector(kinds, BoundedResolver(self, budget), budget)
            if let document { collector.collect(document) }
            return collector
        }
    }
}
