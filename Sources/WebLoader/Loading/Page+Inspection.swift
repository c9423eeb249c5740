extension Page {
    /// Every reference that the page makes, absolute, in document order; empty for what is not parsed.
    ///
    /// Gathered anew each time, O(n) in the number of nodes.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var links: [Link] {
        get throws(ParsingError) {
            guard let document = try document else { return [] }
            var collector = LinkCollector(base: baseURL, encoding: encoding?.encoding ?? .utf8)
            collector.collect(document)
            return collector.links
        }
    }
}
