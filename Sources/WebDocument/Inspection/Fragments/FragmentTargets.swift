import WebStandards

extension ParsedPage {
    /// Calls `body` with each name by which a fragment can refer to an element: the IDs of all elements, and the `name`
    /// of anchors.
    ///
    /// Elements in a `template` or a shadow root are not in the document's tree, so that no fragment refers to them.
    ///
    /// Complexity: O(n) in the size of the page.
    ///
    /// [Find a potential indicated
    /// element](https://html.spec.whatwg.org/multipage/browsing-the-web.html#find-a-potential-indicated-element)
    package func forEachFragmentTarget(_ body: (String) -> Void) {
        guard let document else { return }
        var walk = TreeWalk(inside: document.node)
        while let element = walk.nextElement() {
            if let id = element.attribute("id"), !id.isEmpty { body(id) }
            if element.hasName("a"), element.isHTMLElement, let name = element.attribute("name"),
                !name.isEmpty
            {
                body(name)
            }
        }
    }
}
