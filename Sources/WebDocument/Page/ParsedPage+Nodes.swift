extension ParsedPage {
    /// The nodes of the page by their numbers; nil for a page without a tree.
    package var nodes: NodeIndex? {
        guard let document else { return nil }
        return kept(\.nodes) { _ in NodeIndex(document) }
    }
}
