/// The elements that references by ID refer to: for each ID, the first element in the document.
///
/// <https://dom.spec.whatwg.org/#concept-id>
struct ElementsByID {
    private var elements: [String: TreeNode?] = [:]

    /// Finds the elements with the wanted IDs in one walk; without wanted IDs there is no walk.
    ///
    /// Complexity: O(n) in the size of the page and of `wanted`.
    init(_ document: Document, wanted: [String]) {
        guard !wanted.isEmpty else { return }
        for id in wanted where !id.isEmpty { elements[id] = .some(nil) }
        var missing = elements.count
        var walk = TreeWalk(inside: document.node)
        while missing > 0, let element = walk.nextElement() {
            guard let id = element.attribute("id"), let found = elements[id], found == nil else { continue }
            elements[id] = element
            missing -= 1
        }
    }

    /// The element with a wanted ID; nil where there is none.
    subscript(id: String) -> TreeNode? { elements[id] ?? nil }
}
