/// The text of elements as people read it: a space where a block begins or ends and for `br`, nothing between other
/// elements; without scripts, style sheets and what hides itself; white space collapsed.
///
/// It takes the steps of a walk, so that elements that are in each other can share it.
///
/// [The rendered text collection steps](https://html.spec.whatwg.org/multipage/dom.html#rendered-text-collection-steps)
struct RenderedText {
    private var bytes: [UInt8] = []
    private let elements = ContentElement.Table()

    /// The outermost open element that does not show.
    private var hidden: TreeNode?

    /// How many bytes there are.
    var count: Int { bytes.count }

    /// Where the text of an element begins, and what hides the element from those around it.
    struct Start {
        fileprivate let count: Int
        fileprivate let hidden: TreeNode?
    }

    /// Begins the text of an element whose start was processed.
    mutating func begin() -> Start {
        defer { hidden = nil }
        return Start(count: bytes.count, hidden: hidden)
    }

    /// Ends the text of an element, before its end is processed: removes it from that around, and returns it without
    /// white space at its ends.
    mutating func end(_ start: Start) -> String {
        defer {
            bytes.removeSubrange(start.count...)
            hidden = start.hidden
        }
        var text = bytes[start.count...]
        if text.first == 0x20 { text.removeFirst() }
        if text.last == 0x20 { text.removeLast() }
        return String(decoding: text, as: UTF8.self)
    }

    /// Processes the start of a node, before its contents.
    mutating func enter(_ node: TreeNode) {
        guard hidden == nil else { return }
        if let text = unsafe node.textBytes {
            unsafe append(text)
        } else if node.isElement {
            let (element, traits) = elements.element(node)
            if Self.isUnseen(node, element) {
                hidden = node
            } else if element == .br || traits.contains(.block) {
                appendSpace()
            }
        }
    }

    /// Processes the start of a node in a heading: links of headings to themselves are no text of theirs.
    mutating func enter(inHeading node: TreeNode) {
        if hidden == nil, node.permalinkSymbol?.isEmpty == false { hidden = node } else { enter(node) }
    }

    /// Processes the end of an element.
    mutating func leave(_ node: TreeNode) {
        if hidden == node {
            hidden = nil
        } else if hidden == nil, elements.element(node).1.contains(.block) {
            appendSpace()
        }
    }

    /// Appends a text that an image has in its place.
    mutating func append(alternative: String) {
        guard hidden == nil else { return }
        for byte in alternative.utf8 {
            if byte.isASCIIWhitespace { appendSpace() } else { bytes.append(byte) }
        }
    }

    /// Appends a text that ends with NUL.
    fileprivate mutating func append(_ text: UnsafePointer<UInt8>) {
        var index = 0
        while unsafe text[index] != 0 {
            let start = index
            while unsafe text[index] != 0 && !text[index].isASCIIWhitespace { index += 1 }
            if index > start {
                unsafe bytes.append(
                    contentsOf: UnsafeBufferPointer(start: text + start, count: index - start)
                )
            }
            if unsafe text[index] != 0 { appendSpace() }
            while unsafe text[index].isASCIIWhitespace { index += 1 }
        }
    }

    private mutating func appendSpace() {
        if let last = bytes.last, last != 0x20 { bytes.append(0x20) }
    }

    /// Whether nothing in an element shows, whatever style sheets say.
    private static func isUnseen(_ node: TreeNode, _ element: ContentElement) -> Bool {
        switch element {
        case .hidden, .audio, .iframe, .video: true
        // Those of SVG have no kind.
        case .other: node.hasName("script") || node.hasName("style") || node.isHidden
        default: node.isHidden
        }
    }
}

extension TreeNode {
    /// The text of the node as people read it, white space stripped and collapsed; of an element that never shows, as a
    /// `title` or a script, all the text in it.
    ///
    /// - Parameter budget: The budget, beyond which the text is cut; `nil` for no limit.
    /// - Returns: The text.
    /// - Complexity: O(n) in the number of nodes inside, without recursion.
    package func renderedText(_ budget: InspectionBudget? = nil) -> String {
        var text = RenderedText()
        let start = text.begin()
        if let bytes = unsafe textBytes {
            unsafe text.append(bytes)
        } else if ContentElement.Table().element(self).0 == .hidden {
            var walk = TreeWalk(inside: self)
            while let node = walk.next() {
                guard budget?.spend(InspectionBudget.visit) ?? true else { break }
                if let bytes = unsafe node.textBytes { unsafe text.append(bytes) }
            }
        } else {
            var walk = RenderedWalk(inside: self)
            while let step = walk.next() {
                guard budget?.spend(InspectionBudget.visit) ?? true else { break }
                switch step {
                case .enter(let node): text.enter(node)
                case .leave(let node): text.leave(node)
                }
            }
        }
        return text.end(start)
    }
}

extension Node {
    /// The text inside as people read it: a space where a block begins or ends and for `br`, white space stripped and
    /// collapsed; without scripts, style sheets and what `hidden` or its own `style` hides, and with what is shown of a
    /// shadow root and its slots.
    ///
    /// Of an element that never shows, as a `title` or a script, it is all the text in it. ``textContent`` has every
    /// text as it is.
    ///
    /// Complexity: O(n) in the number of nodes inside.
    public var text: String { treeNode.renderedText() }
}
