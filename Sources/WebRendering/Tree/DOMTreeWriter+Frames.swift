import WebStandards

extension DOMTreeWriter {
    /// The document in a frame, if it is one that a page has.
    func frame(in element: Open) -> DOMNode? {
        guard element.name == "iframe" || element.name == "frame", let index = element.node.document else {
            return nil
        }
        let document = nodes[index]
        guard document.kind == .document, let place = document.name else { return nil }
        var url: [UInt8] = []
        nodes.strings.read(at: place, into: &url)
        // The browser's own pages, of errors.
        if url.starts(with: "chrome".utf8) { return nil }
        return url.starts(with: "about:blank".utf8) && isEmpty(document) ? nil : document
    }

    /// Whether nothing is in a document but the elements that each has.
    private func isEmpty(_ document: DOMNode) -> Bool {
        guard let root = document.firstChild else { return true }
        guard isPlain(nodes[root], "html"), nodes[root].next == nil else { return false }
        var child = nodes[root].firstChild
        while let index = child {
            let node = nodes[index]
            guard isPlain(node, "head") || isPlain(node, "body"), node.firstChild == nil else { return false }
            child = node.next
        }
        return true
    }

    /// Whether a node is an element of this name without attributes.
    private func isPlain(_ node: DOMNode, _ name: StaticString) -> Bool {
        guard node.kind == .element, let place = node.name else { return false }
        var text: [UInt8] = []
        nodes.strings.read(at: place, into: &text)
        guard MarkupRules.equals(text, name) else { return false }
        guard let start = node.attributes, start < nodes.strings.bytes.count else { return true }
        return nodes.strings.bytes[start] == UInt8(ascii: "]")
    }

    /// Writes a `base` in the beginning of a frame's head: in `srcdoc`, a document would have the base URL of the page around.
    mutating func writeBase(in element: Open) {
        guard isBaseDue, element.name == "head", documents.count > 1 else { return }
        isBaseDue = false
        guard let place = documents[documents.count - 1].value else { return }
        if let outer = documents[documents.count - 2].value, nodes.strings.areEqual(place, outer) { return }
        read(place)
        let isHierarchical = ["http:", "https:", "file:"].contains { text.starts(with: $0.utf8) }
        guard isHierarchical else { return }
        attempt { writer in
            writer.output.write("<base href=\"")
            writer.output.write(writer.text, .value)
            writer.output.write("\">")
        }
    }
}
