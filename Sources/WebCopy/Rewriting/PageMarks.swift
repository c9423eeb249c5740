package import WebDocument

/// The marks of a copy for its readers: marked elements, and the node that a fragment of its URL points to.
///
/// Elements are marked by attributes in their start tags, which our style sheet selects. The target of the fragment
/// gets an ID as well; an element that has one already keeps it, and an empty element with our ID is inserted at its
/// start.
package struct PageMarks: Sendable {
    /// The elements that are marked; one without a tag is represented by the nearest one inside or around it.
    package var marked: [Node] = []

    /// The target of the fragment, and then its ancestors, which represent a node that has no tag, or is invisible.
    package var target: [Node] = []

    /// The note above the page, without quotation marks and backslashes; `nil` if there is none.
    package var note: String?

    package init() {}

    /// The ID of the target.
    private static let id = "webinspect-at"
    private static let mark = "data-webinspect-mark"
    private static let at = "data-webinspect-at"

    /// The maximum number of elements that are examined inside of one without a tag.
    private static let depth = 100

    /// The style sheet, as markup.
    var style: String {
        var rules = ""
        if !marked.isEmpty {
            rules += """
                [\(Self.mark)]{outline:2px solid #c2410c!important;\
                box-shadow:inset 0 0 0 100vmax rgb(251 191 36/.3)!important}
                """
        }
        if !target.isEmpty {
            rules += """
                [\(Self.at)]{outline:3px solid #2563eb!important;outline-offset:1px!important}\
                #\(Self.id){scroll-margin:4rem 1rem!important}
                """
        }
        if let note {
            rules += """
                :root::before{content:"\(note)"!important;display:block!important;padding:.5em 1em;\
                background:#7f1d1d;color:#fff;font:14px/1.4 sans-serif}
                """
        }
        return rules.isEmpty ? "" : "<style>\(rules)</style>"
    }

    /// Adds the attributes to a page.
    ///
    /// - Parameters:
    ///   - writer: The writer of the page that has these nodes.
    ///   - removed: The tags that are omitted.
    func add(to writer: inout PageWriter, without removed: Set<Int>) {
        let source = writer.source
        func tags(_ nodes: [Node]) -> [Int] {
            nodes.compactMap(\.sourceTag).filter { number in
                guard source.tags.indices.contains(number), !removed.contains(number) else { return false }
                let tag = source.tags[number]
                return !tag.isInert && !tag.isInShadowRoot && tag.parent != .head
            }
        }
        var seen: Set<Int> = []
        for node in marked {
            let tag = tags(node.sourceTag == nil ? Self.around(node, node.ancestors) : [node]).first
            if let tag, seen.insert(tag).inserted { writer.add(Self.mark, "", tag) }
        }
        guard let node = target.first else { return }
        let places = tags(Self.around(node, target.dropFirst()))
        if let first = places.first { writer.add(Self.at, "", first) }
        for place in places {
            let tag = source.tags[place]
            if source.attribute("id", of: tag) == nil { return writer.add("id", Self.id, place) }
            guard tag.vocabulary == .html, Self.containers.contains(tag.name) else { continue }
            // Taken out of the flow, so that it is no item of a box or a grid.
            let anchor = "<span id=\"\(Self.id)\" style=\"position:absolute\"></span>"
            return writer.insert(anchor, at: tag.range.upperBound)
        }
    }

    /// Returns the nodes that may represent a node, the best first: itself, its descendants, and its ancestors except
    /// for the page as a whole.
    private static func around(_ node: Node, _ ancestors: some Sequence<Node>) -> [Node] {
        [node] + Array(node.descendants.prefix(depth))
            + ancestors.filter { $0.name != "html" && $0.name != "head" }
    }

    /// Elements that may begin with any other, wherever they are.
    private static let containers: Set<String> = [
        "a", "address", "article", "aside", "b", "blockquote", "body", "button", "caption", "code", "dd",
        "del", "details", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure", "footer", "form",
        "h1", "h2", "h3", "h4", "h5", "h6", "header", "i", "ins", "label", "legend", "li", "main", "nav",
        "ol", "p", "section", "small", "span", "strong", "summary", "td", "th", "ul",
    ]
}
