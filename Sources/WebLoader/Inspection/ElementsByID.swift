/// The elements that references by ID mean: of each ID the first one in the document.
///
/// <https://dom.spec.whatwg.org/#concept-id>
struct ElementsByID {
    private var elements: [String: TreeNode?] = [:]

    /// Looks for the IDs that are wanted, in one walk, or in none where there are none.
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

    /// The element of an ID that was wanted; nil where there is none.
    subscript(id: String) -> TreeNode? { elements[id] ?? nil }
}
