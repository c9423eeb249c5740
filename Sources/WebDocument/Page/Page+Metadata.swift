import HTTPTypes

extension Page {
    /// Metadata of the page and its response: title, dates, canonical URL, icons and the rest.
    ///
    /// Collected again on each call, O(n) in the page's size. For a page that is not parsed, only from header
    /// fields.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var metadata: PageMetadata {
        get throws(ParsingError) {
            let document = try document
            return try inspecting { budget in
                var collector = metadataCollector(budget)
                var blocks: [JSONLDBlock] = []
                if let document {
                    collector.begin(document)
                    var walk = TreeWalk(inside: document.node)
                    while budget.spend(1), let element = walk.nextElement() {
                        collector.visit(element)
                        if element.hasName("script"), let block = JSONLDBlock(element, budget) {
                            blocks.append(block)
                        }
                    }
                }
                return finish(collector, blocks)
            }
        }
    }

    /// ``metadata`` and ``structuredData``, found in one walk.
    package var metadataAndStructuredData: (PageMetadata, StructuredData) {
        get throws(ParsingError) {
            let document = try document
            return try inspecting { budget in
                var collector = metadataCollector(budget)
                guard let document else { return (finish(collector, []), StructuredData()) }
                var structured = structuredDataCollector(budget)
                collector.begin(document)
                var walk = TreeWalk(inside: document.node)
                while budget.spend(1), let element = walk.nextElement() {
                    collector.visit(element)
                    structured.visit(element)
                }
                let data = structured.finished(document)
                return (finish(collector, data.jsonLD), data)
            }
        }
    }

    private func metadataCollector(_ budget: InspectionBudget) -> MetadataCollector {
        MetadataCollector(
            ReferenceResolver(base: baseURL, encoding: encoding?.encoding ?? .utf8),
            responseURL: response.url,
            budget
        )
    }

    private func finish(_ collector: MetadataCollector, _ blocks: [JSONLDBlock]) -> PageMetadata {
        var collector = collector
        collector.collect(blocks)
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
