/// A heading of a page, `h1` through `h6`.
public struct Heading: Hashable, Sendable, Codable {
    /// 1 through 6.
    public let level: Int

    /// Its text, white space stripped and collapsed; without that of a heading inside it.
    public internal(set) var text: String

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}

/// Gathers headings in one walk, however they are nested.
struct HeadingCollector {
    private(set) var headings: [Heading] = []

    /// The headings that are open, innermost last, and where their text begins.
    private var open: [(node: TreeNode, index: Int, start: RenderedText.Start)] = []
    private var text = RenderedText()

    private let budget: InspectionBudget

    init(_ budget: InspectionBudget) {
        self.budget = budget
    }

    /// Processes the start of a node that is rendered, before its contents.
    @inline(__always)
    mutating func enter(_ node: TreeNode) {
        if !open.isEmpty { text.enter(inHeading: node) }
        guard let level = node.headingLevel, budget.spend(size: 384) else { return }
        open.append((node, headings.count, text.begin()))
        headings.append(Heading(level: level, text: "", position: node.sourcePosition))
    }

    /// Processes the end of an element that is rendered.
    @inline(__always)
    mutating func leave(_ node: TreeNode) {
        guard let last = open.last else { return }
        if last.node == node { close() }
        if !open.isEmpty { text.leave(node) }
    }

    private mutating func close() {
        let heading = open.removeLast()
        let own = text.end(heading.start)
        if budget.spend(size: 0, text: own.utf8.count) { headings[heading.index].text = own }
    }
}

extension TreeNode {
    /// 1 through 6 for `h1` through `h6` of HTML, nil for anything else.
    var headingLevel: Int? {
        guard let name = unsafe nameBytes, unsafe name[0] == UInt8(ascii: "h"), unsafe name[1] != 0,
            unsafe name[2] == 0
        else { return nil }
        let digit = unsafe name[1]
        guard UInt8(ascii: "1")...UInt8(ascii: "6") ~= digit, isHTMLElement else { return nil }
        return Int(digit &- UInt8(ascii: "0"))
    }
}
