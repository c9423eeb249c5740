import HTTPTypes

extension Page {
    /// What the page and its response say of the page: title, dates, canonical URL, icons and the rest.
    ///
    /// Gathered anew each time, O(n) in the page's size. Of what is not parsed only what the header fields say.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var metadata: PageMetadata {
        get throws(ParsingError) {
            try metadata(with: try document?.jsonLD ?? [])
        }
    }

    /// As ``metadata``, of a page whose JSON-LD is read already.
    package func metadata(with blocks: [JSONLDBlock]) throws(ParsingError) -> PageMetadata {
        let document = try document
        var collector = MetadataCollector(
            ReferenceResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8),
            responseURL: response.url,
            size: response.body.count
        )
        if let document { collector.collect(document, blocks) }
        collector.collect(
            language: response.values(.contentLanguage),
            links: values("Link"),
            robots: values("X-Robots-Tag"),
            lastModified: response.values(.lastModified).first
        )
        return collector.finished()
    }

    private func values(_ name: String) -> [String] {
        HTTPField.Name(name).map { response.values($0) } ?? []
    }
}
