import WebStandards

/// The text of a page that a reader sees, as a search for words has it: without case and accents, a block of the page a line, and
/// any white space inside one a space.
package struct SearchableText: Equatable, Sendable {
    /// The text in UTF-8.
    package let bytes: [UInt8]

    /// Takes a text that was kept.
    package init(bytes: [UInt8]) { self.bytes = bytes }

    /// The text of one line, as words that are looked for.
    init(words: String) {
        var builder = Builder()
        for scalar in words.unicodeScalars { builder.append(scalar) }
        bytes = builder.finish()
    }

    /// Gathers the visible text of a page; nil for one without a tree, and for one that has more text than allowed.
    ///
    /// What style sheets hide counts as visible, since they are not applied.
    ///
    /// Complexity: O(n) in the size of the page.
    ///
    /// [Non-searchable subtree](https://wicg.github.io/scroll-to-text-fragment/#non-searchable-subtree)
    package init?(_ page: ParsedPage, maximumSize: Int = .largestBounded) {
        guard let document = page.document else { return nil }
        var builder = Builder()
        var walk = ContentsWalk(inside: document.node)
        var hidden: TreeNode?
        while let step = walk.next() {
            switch step {
            case .enter(let node):
                guard hidden == nil else { continue }
                if let text = unsafe node.textBytes {
                    for scalar in unsafe String(cString: text).unicodeScalars { builder.append(scalar) }
                    guard builder.count <= maximumSize else { return nil }
                } else if node.isElement {
                    if Self.isHidden(node) {
                        hidden = node
                    } else if node.hasName("br") {
                        builder.append(" ")
                    } else if Self.blocks.contains(node.name) {
                        builder.endBlock()
                    }
                }
            case .leave(let node):
                if hidden == node {
                    hidden = nil
                } else if hidden == nil, Self.blocks.contains(node.name) {
                    builder.endBlock()
                }
            case .enterContents(of: let host):
                if hidden == nil, host.isTemplate { hidden = host }
            case .leaveContents(of: let host):
                if hidden == host, host.isTemplate { hidden = nil }
            }
        }
        bytes = builder.finish()
    }

    private static func isHidden(_ element: TreeNode) -> Bool {
        guard element.isHTMLElement else { return false }
        if unsearchable.contains(element.name) || element.hasAttribute("hidden") { return true }
        guard let style = element.attribute("style") else { return false }
        let text = style.utf8.filter { !$0.isASCIIWhitespace }
        return String(asciiLowercasing: Substring(decoding: text, as: UTF8.self).utf8[...]).contains(
            "display:none"
        )
    }

    private static let unsearchable: Set<String> = [
        "audio", "head", "iframe", "img", "meter", "noscript", "object", "progress", "script", "select",
        "style",
        "template", "textarea", "title", "video",
    ]

    private static let blocks: Set<String> = [
        "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "dialog",
        "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure", "footer", "form", "h1", "h2", "h3",
        "h4",
        "h5", "h6", "header", "hgroup", "hr", "html", "legend", "li", "listing", "main", "menu", "nav", "ol",
        "optgroup", "option", "p", "plaintext", "pre", "search", "section", "summary", "table", "tbody", "td",
        "tfoot", "th", "thead", "tr", "ul", "xmp",
    ]

    /// Puts text together, white space collapsed.
    private struct Builder {
        private var text: [UInt8] = []
        /// What comes before the next character: nothing, a space, a line feed.
        private var gap: UInt8 = 0

        var count: Int { text.count }

        mutating func append(_ scalar: Unicode.Scalar) {
            if scalar.properties.isWhitespace {
                if gap == 0 { gap = 0x20 }
                return
            }
            if gap != 0, !text.isEmpty { text.append(gap) }
            gap = 0
            BaseLetters.append(scalar, to: &text)
        }

        mutating func endBlock() { gap = 0x0A }

        func finish() -> [UInt8] { text }
    }
}
