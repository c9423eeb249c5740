/// The tags of a source, and which of them the elements of its tree are.
struct SourceTags {
    private(set) var bytes: [UInt8]
    var tags: [SourceTag] = []
    var attributes: [SourceAttribute] = []
    /// For each tag of HTML, where it begins, packed as ``HTMLSourcePosition``; 0 for an end tag.
    private(set) var positions: [(position: UInt64, tag: Int)] = []
    let isXML: Bool
    /// Whether the page reached a limit.
    var isTruncated = false
    /// Where a doctype that counts ends; nil without one.
    private(set) var doctypeEnd: Int?
    /// Where markup for the head of a page of XHTML is put; nil for others.
    var headPlace: XMLSourceWriter.HeadPlace?
    /// The tag of each element.
    var tagOf: [UInt: Int] = [:]
    /// The start tags of `html` and `body`: further ones give their attributes to the first.
    var roots: [Int] = []
    /// The number among ``positions`` of the tag that was found last: most elements come in the order of their tags.
    var lastPosition = -1
    /// The elements that are style sheets.
    var styles: [(tag: Int, node: TreeNode)] = []
    /// How many attributes of a tag are looked at.
    private let maximumAttributes: Int

    init(_ bytes: [UInt8], isXML: Bool, maximumAttributes: Int) {
        self.bytes = bytes
        self.isXML = isXML
        self.maximumAttributes = maximumAttributes
    }

    /// Parses a page of HTML, and notes its tags with its document.
    ///
    /// - Parameters:
    ///   - utf8: The page.
    ///   - parser: The parser for pages whose tags are not needed.
    /// - Returns: The same result as that of the parser, without parse errors.
    /// - Throws: ``HTMLParserError``.
    static func parse(
        _ utf8: UnsafeBufferPointer<UInt8>,
        _ parser: StandardHTMLParser
    ) throws(HTMLParserError) -> ParserResult {
        guard utf8.count < Int(Int32.max) else { throw HTMLParserError(code: .inputTooLarge) }
        var options = parser.options
        options.reportsErrors = false
        let input = unsafe HTMLBytes(utf8.baseAddress ?? HTMLParser.nothing, count: utf8.count)
        var tokenizer = HTMLTokenizer(
            sink: HTMLTagRecorder(
                try HTMLTreeBuilder.make(options: options),
                maximumNodes: options.maximumNodes
            ),
            input: input,
            maximumAttributes: options.maximumAttributes,
            reportsErrors: false
        )
        tokenizer.sink.builder.allowMemory(inputSize: utf8.count)
        try tokenizer.runInSteps(input) { [interruption = options.interruption] recorder in
            if let interruption = interruption?() { recorder.builder.stop(interruption) }
        }
        let bytes = unsafe Array(utf8)
        var found = SourceTags(bytes, isXML: false, maximumAttributes: options.maximumAttributes)
        found.doctypeEnd = tokenizer.sink.doctypeEnd
        found.tags.reserveCapacity(tokenizer.sink.tags.count)
        found.positions.reserveCapacity(tokenizer.sink.tags.count)
        for tag in tokenizer.sink.tags {
            found.add(
                tag.start..<tag.end,
                isEnd: tag.isEnd,
                isSelfClosing: tag.isSelfClosing,
                position: tag.position
            ) { start, end in
                let reference = tokenizer.characterReference(at: start, inAttribute: true)
                guard !reference.isNone, reference.end <= end else { return nil }
                return (reference.end, reference.utf8)
            }
        }
        tokenizer.sink.builder.limits.droppedAttributes += tokenizer.attributes.dropped
        let parsed = try tokenizer.sink.builder.takeResult()
        let result = try parser.page(parsed)
        found.isTruncated =
            found.isTruncated || parsed.limits.stop != nil || parsed.limits.truncatedTextBytes > 0
            || tokenizer.attributes.dropped > 0
        // Bytes that were not parsed are no part of the page.
        if parsed.limits.stop != nil { found.bytes = Array(bytes[..<min(tokenizer.position, bytes.count)]) }
        found.join(result.document)
        found.decodeStyles { start, end in
            let reference = tokenizer.characterReference(at: start, inAttribute: false)
            guard !reference.isNone, reference.end <= end else { return nil }
            return (reference.end, reference.utf8)
        }
        result.document.sourceTags = found
        return result
    }

    /// Decodes a `&` at an index before an end to where the reference ends and the bytes that it stands for; `nil` if
    /// it is text.
    typealias Decoder = (_ start: Int, _ end: Int) -> (end: Int, bytes: [UInt8])?

    /// Adds a tag.
    mutating func add(
        _ range: Range<Int>,
        isEnd: Bool,
        isSelfClosing: Bool,
        position: UInt64,
        _ decode: Decoder
    ) {
        var scanner = TagScanner(bytes, range, isEnd: isEnd)
        let first = attributes.count
        var excess: Range<Int>?
        if !isEnd {
            var names: [String: Int] = [:]
            while let found = scanner.next() {
                guard attributes.count - first < maximumAttributes else {
                    let end = range.upperBound - (isSelfClosing ? 2 : 1)
                    excess = found.range.lowerBound..<max(found.range.lowerBound, end)
                    isTruncated = true
                    break
                }
                let name = text(found.name)
                // Most tags have few attributes, which are compared faster than they are hashed.
                let same: Int?
                if attributes.count - first < 8 {
                    same = attributes[first...].firstIndex { $0.name == name }
                } else {
                    if names.isEmpty {
                        for index in first..<attributes.count where attributes[index].first == nil {
                            names[attributes[index].name] = index
                        }
                    }
                    same = names[name]
                    if same == nil { names[name] = attributes.count }
                }
                attributes.append(
                    SourceAttribute(
                        name: name,
                        range: found.range,
                        nameEnd: found.name.upperBound,
                        value: found.value,
                        quote: found.quote,
                        first: same,
                        decoded: same == nil ? decoded(found.value, decode) : nil
                    )
                )
            }
            positions.append((position, tags.count))
        }
        let name = text(scanner.name)
        let colon = isXML ? name.lastIndex(of: ":") : nil
        let localName = colon.map { String(name[name.index(after: $0)...]) } ?? name
        var tag = SourceTag(range: range, name: name, localName: localName, isEnd: isEnd)
        tag.isSelfClosing = isSelfClosing
        tag.isEmptyElement = isXML && isSelfClosing
        tag.excess = excess
        tag.attributes = first..<attributes.count
        if !isEnd, tag.name == "html" || tag.name == "body" { roots.append(tags.count) }
        tags.append(tag)
    }

    /// A name: in HTML in lower case, with U+FFFD for NUL.
    private func text(_ range: Range<Int>) -> String {
        let name = bytes[range]
        if isXML { return String(decoding: name, as: UTF8.self) }
        if let short = Self.short(name) { return short }
        guard name.contains(0) else { return String(asciiLowercasing: name) }
        return String(asciiLowercasing: name.flatMap { $0 == 0 ? Array("\u{FFFD}".utf8) : [$0] })
    }

    /// The same of a name that is kept without memory of its own, as nearly all are; nil for others.
    private static func short(_ name: ArraySlice<UInt8>) -> String? {
        let count = name.count
        guard count <= 15, name.allSatisfy({ $0 != 0 && $0 < 0x80 }) else { return nil }
        return unsafe String(unsafeUninitializedCapacity: count) { buffer in
            for (index, byte) in name.enumerated() { unsafe buffer[index] = byte.asciiLowercased }
            return count
        }
    }

    /// The value of an attribute, where that is not what is written.
    private func decoded(_ range: Range<Int>, _ decode: Decoder) -> SourceText? {
        let isPlain = bytes[range].allSatisfy {
            $0 != UInt8(ascii: "&") && $0 != 0 && $0 != 0x0D && !(isXML && ($0 == 0x0A || $0 == 0x09))
        }
        if isPlain { return nil }
        var text = SourceText(at: range.lowerBound)
        var index = range.lowerBound
        var plain = index
        func flush() { text.append(bytes[plain..<index]) }
        while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "&"):
                guard let reference = decode(index, range.upperBound) else {
                    index += 1
                    continue
                }
                flush()
                text.append(reference.bytes, for: index..<reference.end)
                index = reference.end
            case 0:
                flush()
                text.append("\u{FFFD}".utf8, for: index..<index + 1)
                index += 1
            case 0x0D:
                flush()
                let isPair = index + 1 < range.upperBound && bytes[index + 1] == 0x0A
                let end = index + (isPair ? 2 : 1)
                text.append([isXML ? 0x20 : 0x0A], for: index..<end)
                index = end
            case 0x0A where isXML, 0x09 where isXML:
                flush()
                text.append([0x20], for: index..<index + 1)
                index += 1
            default:
                index += 1
                continue
            }
            plain = index
        }
        flush()
        return text
    }

    /// Adds a processing instruction, whose pseudo-attributes are written as those of a tag are.
    mutating func addInstruction(_ range: Range<Int>, _ decode: Decoder) {
        add(range, isEnd: false, isSelfClosing: true, position: 0, decode)
        tags[tags.count - 1].isInstruction = true
    }
}
