import WebLoader

/// The elements of a page, each to be opened for those inside it; text stands in those that have only text.
struct ElementTree {
    /// How many elements are drawn at most, and how deep.
    private static let maximumDepth = 64
    private var left = ReportTree.maximumRows

    /// Draws an element and what is inside it.
    static func write(_ root: Node, into html: inout HTMLBuilder) {
        var tree = ElementTree()
        html.markup("<div class=tree>")
        tree.write(root, into: &html, depth: 0)
        html.markup("</div>")
        if tree.left == 0 { html.element("p", "\(ReportTree.maximumRows) elements are shown at most.") }
    }

    private mutating func write(_ node: Node, into html: inout HTMLBuilder, depth: Int) {
        left -= 1
        guard let first = node.firstElementChild else {
            html.open("div")
            Self.tag(of: node, into: &html)
            html.element("bdi", node.textContent.prefix(scalars: 200).collapsingASCIIWhitespace)
            html.close("div")
            return
        }
        html.open("details", depth < 2 ? ["open": ""] : [:])
        html.open("summary")
        Self.tag(of: node, into: &html)
        html.close("summary")
        var child: Node? = depth < Self.maximumDepth ? first : nil
        while let next = child, left > 0 {
            write(next, into: &html, depth: depth + 1)
            child = next.nextElementSibling
        }
        if child != nil || depth >= Self.maximumDepth { html.element("div", "…") }
        html.close("details")
    }

    private static func tag(of node: Node, into html: inout HTMLBuilder) {
        html.element("b", node.name.shortened)
        for attribute in node.attributes.prefix(20) {
            html.text(" ")
            html.element("span", ["class": "muted"], "\(attribute.name.shortened)=")
            html.element("bdi", attribute.value.shortened)
        }
        html.text(" ")
    }
}
