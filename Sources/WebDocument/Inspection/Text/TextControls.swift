/// The controls in a text that are no part of it: links of headings to themselves, links to edit a section, and the
/// numbers of the lines of a listing.
struct TextControls {
    /// The meaning of a class.
    private struct Meaning: OptionSet {
        let rawValue: UInt8

        /// Something to edit.
        static let editing = Self(rawValue: 1)
        /// Numbers of lines.
        static let numbers = Self(rawValue: 2)
    }

    private let tree: ContentTree
    /// Whether each entry is one, or inside of one.
    private(set) var isControl: [Bool]
    /// Characters of texts in front of each entry, and of all.
    private var sums: [Int] = [0]

    /// Finds them on a page.
    ///
    /// - Complexity: O(n) in the number of entries, and of the bytes of the attributes.
    init(_ tree: ContentTree) {
        self.tree = tree
        var meanings = [Meaning?](repeating: nil, count: tree.nameCount)
        isControl = [Bool](repeating: false, count: tree.entries.count)
        sums.reserveCapacity(tree.entries.count + 1)
        for entry in tree.entries { sums.append((sums.last ?? 0) + Int(entry.length)) }
        var heading = 0..<0
        var index = 1
        while index < tree.entries.count {
            let entry = tree.entries[index]
            let range = index..<Int(entry.end)
            if entry.isHeading, index >= heading.upperBound { heading = range }
            let isFound: Bool
            switch entry.element {
            case .a: isFound = isPermalink(range, in: heading)
            case .inline, .td, .div, .pre, .code:
                let name = Int(entry.className)
                let meaning = meanings[name] ?? Self.meaning(of: entry)
                meanings[name] = meaning
                isFound =
                    meaning.contains(.editing) && entry.element == .inline && isEditing(range)
                    || (meaning.contains(.numbers) || entry.element == .td && isBeforeCode(range))
                        && isNumbers(range)
            default: isFound = false
            }
            guard isFound else {
                index += 1
                continue
            }
            for inner in range { isControl[inner] = true }
            index = range.upperBound
        }
    }

    private func length(_ range: Range<Int>) -> Int { sums[range.upperBound] - sums[range.lowerBound] }

    // MARK: - Headings

    /// Whether a link is one from a heading, a term or a caption to itself.
    ///
    /// The heading has more than that. A pilcrow is one anywhere.
    private func isPermalink(_ range: Range<Int>, in heading: Range<Int>) -> Bool {
        guard length(range) <= TreeNode.longestSymbol,
            let symbol = tree.entries[range.lowerBound].node.permalinkSymbol
        else { return false }
        return symbol == "¶" || heading.contains(range.lowerBound) && length(heading) > length(range)
    }

    /// Characters of the longest link to edit, with the brackets around it.
    private static let longestEditing = 40

    /// Whether what is there to edit something, by its class, is a link in brackets.
    private func isEditing(_ range: Range<Int>) -> Bool {
        guard 3...Self.longestEditing ~= length(range) else { return false }
        let text = text(range).collapsingASCIIWhitespace
        return text.hasPrefix("[") && text.hasSuffix("]") && range.contains { tree.entries[$0].element == .a }
    }

    // MARK: - Numbers of lines

    private static let numberNames: Set<String> = [
        "linenos", "lineno", "linenumber", "linenumbers", "linenum", "linenums", "gutter", "ln", "lnt",
    ]

    /// Whether an element has numbers, and nothing else.
    private func isNumbers(_ range: Range<Int>) -> Bool {
        var bytes = 0
        for inner in range {
            guard let text = unsafe tree.entries[inner].node.textBytes, tree.entries[inner].element == .text
            else { continue }
            var cursor = unsafe text
            while unsafe cursor[0] != 0 {
                guard unsafe cursor[0].isASCIIDigit || cursor[0].isASCIIWhitespace else { return false }
                bytes += 1
                unsafe cursor += 1
            }
        }
        return bytes > 0
    }

    /// Whether a cell with lines of its own stands right before one with code.
    private func isBeforeCode(_ range: Range<Int>) -> Bool {
        let next = range.upperBound
        guard next < tree.entries.count, tree.entries[next].element == .td,
            tree.entries[next].parent == tree.entries[range.lowerBound].parent
        else { return false }
        let hasLines = { (cell: Range<Int>) in
            cell.prefix(4).contains { self.tree.entries[$0].element == .pre }
        }
        return hasLines(range) && hasLines(next..<Int(tree.entries[next].end))
    }

    // MARK: - Texts

    private func text(_ range: Range<Int>) -> String {
        var bytes: [UInt8] = []
        for index in range { tree.entries[index].node.appendText(to: &bytes) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Returns the meaning of an element's class; empty if it has none.
    private static func meaning(of entry: ContentTree.Entry) -> Meaning {
        guard entry.className > 0, let name = entry.node.attribute("class").map(words) else { return [] }
        var meaning: Meaning = []
        if name.contains(where: { $0.hasPrefix("edit") }) { meaning.insert(.editing) }
        let isNumbered = zip(name, name.dropFirst()).contains {
            ($0 == "line" || $0 == "blob") && $1.hasPrefix("num")
        }
        if isNumbered || name.contains(where: numberNames.contains) { meaning.insert(.numbers) }
        return meaning
    }

    /// The words of a class, in lower case.
    private static func words(_ name: String) -> [String] {
        name.utf8.split { !$0.isASCIIAlphanumeric }.map { String(asciiLowercasing: $0) }
    }
}

extension ContentTree.Entry {
    /// Whether links to it may stand in it: a heading, a term, a caption.
    fileprivate var isHeading: Bool {
        switch element {
        case .dt, .caption, .figcaption, .summary: true
        default: traits.contains(.heading)
        }
    }
}

extension TreeNode {
    /// The text of a link to a place, without a letter or a digit, as in links of headings to themselves.
    ///
    /// It is `nil` for anything else, and empty for a link with a picture.
    var permalinkSymbol: String? {
        guard hasName("a"), isHTMLElement, attribute("href")?.contains("#") == true else { return nil }
        var text: [UInt8] = []
        var nodes = 0
        var walk = TreeWalk(inside: self)
        while let node = walk.next() {
            node.appendText(to: &text)
            nodes += 1
            guard nodes <= Self.longestSymbol, text.count <= Self.longestSymbol else { return nil }
        }
        let symbol = String(decoding: text, as: UTF8.self).collapsingASCIIWhitespace
        let hasWord = symbol.unicodeScalars.contains {
            $0.properties.isAlphabetic || $0.properties.numericType != nil
        }
        return hasWord ? nil : symbol
    }

    /// Bytes of the longest symbol, with white space around it, and the most nodes that it has.
    fileprivate static var longestSymbol: Int { 16 }
}
