extension Page {
    /// The scripts of the page, in document order; those that scripts add are not among them.
    ///
    /// Gathered anew each time, O(n) in the page's size. URLs have a bound, as with ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var scripts: [PageScript] {
        get throws(ParsingError) { try resources(.scripts).scripts }
    }

    /// The style sheets of the page, in document order; not those that they import, nor `style` attributes.
    ///
    /// Gathered anew each time, O(n) in the page's size. URLs have a bound, as with ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var styles: [PageStyle] {
        get throws(ParsingError) { try resources(.styles).styles }
    }

    /// The frames of the page, in document order; not those inside a `srcdoc`.
    ///
    /// Gathered anew each time, O(n) in the page's size. URLs have a bound, as with ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var frames: [PageFrame] {
        get throws(ParsingError) { try resources(.frames).frames }
    }

    /// The comments of the page, in document order.
    ///
    /// Gathered anew each time, O(n) in the page's size.
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
