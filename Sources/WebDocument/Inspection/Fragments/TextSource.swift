import WebStandards

/// Finds where the text of a tree's nodes is in the source, going through both together.
///
/// The tree stores where tags and comments begin. From the one before a node on, the characters of the source are
/// compared with those of the tree, and tags between them are skipped; where they differ, places are unknown up to the
/// next tag that has one. All places, requested in document order, take O(n) in the size of the page.
struct TextSource: ~Copyable {
    private let bytes: HTMLBytes
    private let lines: SourceLines
    private let nodes: [TextMap.TextNode]
    private let document: Document
    /// The reader of character references.
    private var tokenizer: HTMLTokenizer<HTMLTreeBuilder>

    /// The element or the comment from which reading began; 0 if there is none.
    private var anchor: UInt = 0
    private var number = 0
    /// How many bytes of the node of that number were found.
    private var offset = 0
    /// Where what follows begins in the source; nil once both differ.
    private var index: Int?
    private var isInCDATA = false

    /// Takes a source, which has to live as long as this.
    ///
    /// - Throws: ``HTMLParserError``, if there is not enough memory.
    init(
        _ utf8: UnsafeBufferPointer<UInt8>,
        _ nodes: [TextMap.TextNode],
        _ document: Document
    ) throws(HTMLParserError) {
        let builder = try HTMLTreeBuilder.make(options: HTMLParser.Options())
        bytes = unsafe HTMLBytes(utf8.baseAddress ?? HTMLParser.nothing, count: utf8.count)
        lines = SourceLines(bytes)
        self.nodes = nodes
        self.document = document
        tokenizer = HTMLTokenizer(sink: builder, input: bytes, maximumAttributes: 1, reportsErrors: false)
        tokenizer.isFinal = true
    }

    /// Where a place of a node is; nil where that is not known.
    mutating func position(ofNode target: Int, at place: TextOffset) -> SourcePosition? {
        let node = nodes[target]
        guard node.anchor != 0 else { return nil }
        if node.anchor != anchor || (target, place.bytes) < (number, offset) {
            begin(at: node.anchor, before: target)
        }
        while number <= target, let from = index {
            let end = number == target ? place.bytes : nodes[number].count
            index = read(to: end, from: from)
            guard number < target else { break }
            number += 1
            offset = 0
        }
        guard let found = index else { return nil }
        if place.isEnd { return lines.position(at: found) }
        return character(at: found).map { lines.position(at: $0.start) }
    }

    /// Goes behind the tag or the comment of an address, before the first text that follows it.
    private mutating func begin(at address: UInt, before target: Int) {
        anchor = address
        number = target
        while number > 0, nodes[number - 1].anchor == address { number -= 1 }
        offset = 0
        isInCDATA = false
        index = nil
        let node = Node(address: address, in: document).treeNode
        guard let place = HTMLSourcePosition(packed: node.packedPosition),
            let start = lines.index(of: place), start < bytes.count, bytes[start] == UInt8(ascii: "<")
        else { return }
        index = SourceMarkup.end(of: start, in: bytes)
        // The parser leaves out the first line feed of these.
        guard let end = index, end < bytes.count, node.isHTMLElement,
            node.hasName("pre") || node.hasName("listing") || node.hasName("textarea")
        else { return }
        if bytes[end] == 0x0A || bytes[end] == 0x0D { index = afterLineEnd(end) }
    }

    private func afterLineEnd(_ index: Int) -> Int {
        bytes[index] == 0x0D && index + 1 < bytes.count && bytes[index + 1] == 0x0A ? index + 2 : index + 1
    }

    /// Goes over the text of the node of `number`, up to an offset; nil if the source has another one.
    private mutating func read(to end: Int, from start: Int) -> Int? {
        let node = Node(address: nodes[number].address, in: document).treeNode
        guard let content = unsafe node.textBytes else { return nil }
        let text = unsafe HTMLBytes(content, count: nodes[number].count)
        var index = start
        while offset < end {
            // Most bytes stand for themselves.
            while offset < end, index < bytes.count, bytes[index] == text[offset],
                Self.isPlain(bytes[index])
            {
                index += 1
                offset += 1
            }
            guard offset < end else { break }
            guard let next = character(at: index) else { return nil }
            index = next.end
            offset += next.count
        }
        return index
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x26 && byte != 0x3C && byte != 0x5D || byte == 0x20 || byte == 0x0A
    }

    /// The next character of the node of `number`, as the source has it at an index or after tags that follow there:
    /// where that begins and ends, and how many bytes it has in the node; nil if it has another one.
    private mutating func character(at start: Int) -> (start: Int, end: Int, count: Int)? {
        let node = Node(address: nodes[number].address, in: document).treeNode
        guard offset < nodes[number].count, let content = unsafe node.textBytes else { return nil }
        let text = unsafe HTMLBytes(content, count: nodes[number].count)
        let kind = kind(of: node)
        var index = start
        while index < bytes.count {
            let byte = bytes[index]
            if isInCDATA, SourceMarkup.starts("]]>", at: index, in: bytes) {
                isInCDATA = false
                index += 3
                continue
            }
            if byte == UInt8(ascii: "<"), kind == .markup, !isInCDATA {
                if SourceMarkup.starts("<![CDATA[", at: index, in: bytes),
                    node.parentElement?.isHTMLElement == false
                {
                    isInCDATA = true
                    index += 9
                    continue
                }
                if let end = SourceMarkup.end(of: index, in: bytes) {
                    index = end
                    continue
                }
            }
            if byte == UInt8(ascii: "&"), kind != .raw, !isInCDATA {
                let reference = tokenizer.characterReference(at: index, inAttribute: false)
                if !reference.isNone, !reference.isUnknown {
                    let value = reference.utf8
                    guard matches(value, text) else { return nil }
                    return (index, reference.end, value.count)
                }
            }
            if byte == 0 {
                if matches([0xEF, 0xBF, 0xBD], text) { return (index, index + 1, 3) }
                index += 1
                continue
            }
            let isReturn = byte == 0x0D
            let end = isReturn ? afterLineEnd(index) : index + 1
            if text[offset] == (isReturn ? 0x0A : byte) { return (index, end, 1) }
            // White space between some tags is no part of the tree.
            guard offset == 0, byte.isASCIIWhitespace else { return nil }
            index = end
        }
        return nil
    }

    private func matches(_ value: [UInt8], _ text: HTMLBytes) -> Bool {
        guard value.count <= text.count - offset else { return false }
        return value.indices.allSatisfy { text[offset + $0] == value[$0] }
    }

    private enum Kind { case markup, references, raw }

    /// Returns the syntax in the source of a text that is not text itself.
    private func kind(of text: TreeNode) -> Kind {
        guard let parent = text.parent, parent.address == anchor, parent.isHTMLElement else { return .markup }
        switch parent.name {
        case "title", "textarea": return .references
        case "script", "style", "xmp", "iframe", "noembed", "noframes", "plaintext": return .raw
        default: return .markup
        }
    }
}
