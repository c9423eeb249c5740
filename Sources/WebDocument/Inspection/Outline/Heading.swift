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

    /// How many templates and shadow roots are open: they are not part of the page's outline.
    private var contents = 0

    /// The headings that are open, innermost last, and where their text begins.
    private var open: [(node: TreeNode, index: Int, textStart: Int)] = []
    private var text: [UInt8] = []

    private let budget: InspectionBudget

    init(_ budget: InspectionBudget) {
        self.budget = budget
    }

    /// Processes the next step of a walk over a document.
    @inline(__always)
    mutating func take(_ step: ContentsWalk.Step) {
        switch step {
        case .enterContents: contents += 1
        case .leaveContents: contents -= 1
        case .enter(let node): if contents == 0 { enter(node) }
        case .leave(let node): if open.last?.node == node { close() }
        }
    }

    private mutating func enter(_ node: TreeNode) {
        if let level = node.headingLevel {
            guard budget.spend(size: 384) else { return }
            open.append((node, headings.count, text.count))
            headings.append(Heading(level: level, text: "", position: node.sourcePosition))
        } else if !open.isEmpty {
            node.appendText(to: &text)
        }
    }

    private mutating func close() {
        let heading = open.removeLast()
        guard budget.spend(size: 0, text: text.count - heading.textStart) else { return }
        let own = String(decoding: text[heading.textStart...], as: UTF8.self)
        headings[heading.index].text = own.collapsingASCIIWhitespace
        text.removeSubrange(heading.textStart...)
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
