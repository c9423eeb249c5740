/// Passes tokens on to the tree builder, and notes where the tags are.
struct HTMLTagRecorder: ~Copyable, HTMLTokenSink {
    /// A tag that was seen.
    struct Tag {
        let start: Int
        let end: Int
        let isEnd: Bool
        let isSelfClosing: Bool
        /// Where it begins, packed as ``HTMLSourcePosition``; 0 for an end tag.
        let position: UInt64
    }

    var builder: HTMLTreeBuilder
    private(set) var tags: [Tag] = []
    /// Where the doctype that counts ends; nil without one.
    private(set) var doctypeEnd: Int?
    /// Whether nothing came yet that a doctype does not count after.
    private var isAtStart = true
    private var attributeCount = 0
    private var range = 0..<0

    /// How many tags are noted at most: what is after them is no part of the page.
    private let maximumCount: Int
    /// How many attributes are.
    private static let maximumAttributes = 1 << 19

    init(_ builder: consuming HTMLTreeBuilder, maximumNodes: Int) {
        self.builder = builder
        // A node has two tags at most, but there may be any number of end tags of nothing.
        maximumCount = 2 * min(maximumNodes, 1 << 18)
    }

    var names: HTMLNames { builder.names }

    var position: UInt64 {
        get { builder.position }
        set { builder.position = newValue }
    }

    var isStopped: Bool { builder.isStopped }
    var allowsCDATA: Bool { builder.allowsCDATA }
    var acknowledgedSelfClosing: Bool { builder.acknowledgedSelfClosing }

    mutating func beginTag(from start: Int, to end: Int) { range = start..<end }

    mutating func characters(_ text: HTMLBytes) throws(HTMLParserError) {
        if isAtStart, text.leadingWhitespace < text.count { isAtStart = false }
        try builder.characters(text)
    }

    mutating func nullCharacter() throws(HTMLParserError) {
        isAtStart = false
        try builder.nullCharacter()
    }

    mutating func startTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLTokenizerState? {
        note(isEnd: false, tag)
        return try builder.startTag(tag)
    }

    mutating func endTag(_ tag: HTMLTag) throws(HTMLParserError) {
        note(isEnd: true, tag)
        try builder.endTag(tag)
    }

    private mutating func note(isEnd: Bool, _ tag: HTMLTag) {
        isAtStart = false
        attributeCount += tag.attributeCount
        if tags.count >= maximumCount || attributeCount >= Self.maximumAttributes { builder.stop(.nodeLimit) }
        tags.append(
            Tag(
                start: range.lowerBound,
                end: range.upperBound,
                isEnd: isEnd,
                isSelfClosing: tag.isSelfClosing,
                position: isEnd ? 0 : builder.position
            )
        )
    }

    mutating func comment(_ data: HTMLBytes) throws(HTMLParserError) { try builder.comment(data) }

    mutating func doctype(_ doctype: HTMLDoctype) throws(HTMLParserError) {
        if isAtStart { doctypeEnd = range.upperBound }
        isAtStart = false
        try builder.doctype(doctype)
    }

    mutating func processingInstruction(target: HTMLBytes, data: HTMLBytes) throws(HTMLParserError) {
        try builder.processingInstruction(target: target, data: data)
    }

    mutating func endOfFile() throws(HTMLParserError) { try builder.endOfFile() }
}
