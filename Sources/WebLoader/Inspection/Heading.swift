/// A heading of a page, `h1` through `h6`.
public struct Heading: Hashable, Sendable, Codable {
    /// 1 through 6.
    public let level: Int

    /// Its text, white space stripped and collapsed.
    public let text: String

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}

extension Document {
    /// The headings, in document order.
    ///
    /// Complexity: O(n) in the number of nodes.
    public var headings: [Heading] {
        var headings: [Heading] = []
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            guard let level = element.headingLevel else { continue }
            headings.append(
                Heading(
                    level: level,
                    text: element.textContent.collapsingASCIIWhitespace,
                    position: element.sourcePosition
                )
            )
        }
        return headings
    }
}

extension TreeNode {
    /// 1 through 6 for `h1` through `h6` of HTML, nil for anything else.
    fileprivate var headingLevel: Int? {
        guard let name = unsafe nameBytes, unsafe name[0] == UInt8(ascii: "h"), unsafe name[1] != 0,
            unsafe name[2] == 0
        else { return nil }
        let digit = unsafe name[1]
        guard UInt8(ascii: "1")...UInt8(ascii: "6") ~= digit, isHTMLElement else { return nil }
        return Int(digit - UInt8(ascii: "0"))
    }
}
