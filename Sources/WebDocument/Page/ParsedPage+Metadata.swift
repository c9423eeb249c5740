import HTTPTypes
import Synchronization

extension ParsedPage {
    /// Metadata of the page and its response: title, dates, canonical URL, icons and the rest.
    ///
    /// For a page that is not parsed, only from header fields. Where ``structuredData`` is needed too, ask for that
    /// first: the same walk gathers the metadata.
    public var metadata: PageMetadata {
        if let known = state.withLock({ $0.metadata ?? $0.described?.metadata }) { return known }
        return kept(\.metadata) { budget in
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

    /// The structured data of the page: JSON-LD, microdata and the like.
    ///
    /// Repeated references to the same part of the page, and nested text, are limited to 64 MiB and 40 times the page's
    /// size (``inspectionLimits``).
    public var structuredData: StructuredData {
        let described = kept(\.described) { budget in
            var collector = metadataCollector(budget)
            guard let document else {
                return Described(metadata: finish(collector, []), data: StructuredData())
            }
            var structured = StructuredDataCollector(facts.resolver, budget)
            collector.begin(document)
            var walk = TreeWalk(inside: document.node)
            while budget.spend(1), let element = walk.nextElement() {
                collector.visit(element)
                structured.visit(element)
            }
            let data = structured.finished(document)
            return Described(metadata: finish(collector, data.jsonLD), data: data)
        }
        return described.data
    }

    /// Metadata and structured data, found in one walk.
    struct Described {
        let metadata: PageMetadata
        let data: StructuredData
    }

    private func metadataCollector(_ budget: InspectionBudget) -> MetadataCollector {
        MetadataCollector(facts.resolver, responseURL: response.url, budget)
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
