extension Page {
    /// What the page says for programs.
    ///
    /// Gathered anew each time. O(n) in the page's size, but for what refers to the same part of the page often, or
    /// nests text in text: this is followed as far as 8 MiB and 16 times the page's size goes.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var structuredData: StructuredData {
        get throws(ParsingError) {
            guard let document = try document else { return StructuredData() }
            var collector = structuredDataCollector
            var walk = TreeWalk(inside: document.node)
            while let element = walk.nextElement() { collector.visit(element) }
            return collector.finished(document)
        }
    }

    var structuredDataCollector: StructuredDataCollector {
        StructuredDataCollector(
            ReferenceResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8),
            size: response.body.count
        )
    }
}
