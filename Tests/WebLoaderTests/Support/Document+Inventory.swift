@testable import WebDocument
@testable import WebStandards

extension Document {
    /// The inventory that one walk over the tree collects, without limits, as if the page came from `about:blank`.
    var inventory: PageInventory {
        let resolver = BoundedResolver(base: .aboutBlank, encoding: .utf8, .unlimited)
        var collector = InventoryCollector(self, resolver, .unlimited)
        return collector.collect(
            FormAssembler(self, documentURL: .aboutBlank, encoding: .utf8, resolver: resolver, .unlimited)
        )
    }

    /// The numbers of its elements.
    var counts: PageCounts { inventory.counts }

    /// Its headings, in document order.
    var headings: [Heading] { inventory.headings }
}
