extension SourceTags {
    /// The tags of a page of XML, as it is written from its tree.
    ///
    /// Nothing reads the page a second time, in another way than its parser did: what is in no tree is in no copy.
    ///
    /// - Parameters:
    ///   - source: The page.
    ///   - maximumAttributes: How many attributes of a tag are looked at.
    /// - Throws: ``ParsingError`` for one with more tags than can be noted, of which nothing could be left out.
    init(xml source: XMLSourceWriter, maximumAttributes: Int) throws(ParsingError) {
        let bytes = source.bytes
        self.init(bytes, isXML: true, maximumAttributes: maximumAttributes)
        isTruncated = source.isTruncated
        headPlace = source.headPlace
        let decode: Decoder = { Self.reference(bytes, $0, $1) }
        var open: [Int] = []
        for written in source.tags {
            guard max(tags.count, attributes.count) < 1 << 19 else {
                throw ParsingError.inputTooLarge(bytes.count)
            }
            let index = tags.count
            switch written.kind {
            case .instruction: addInstruction(written.range, decode)
            case .end:
                add(written.range, isEnd: true, isSelfClosing: false, position: 0, decode)
                if let start = open.popLast() { tags[start].endTag = index }
            case .start, .empty:
                let isEmpty = written.kind == .empty
                add(written.range, isEnd: false, isSelfClosing: isEmpty, position: 0, decode)
                if !isEmpty { open.append(index) }
                join(written.node, index, isInert: false, isInShadowRoot: false)
            }
        }
        decodeStyles(decode)
    }

    /// Returns the end of a reference that ``XMLSourceWriter`` writes, and its text; `nil` for any other reference.
    private static func reference(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> (end: Int, bytes: [UInt8])?
    {
        guard let end = bytes[start..<limit].prefix(12).firstIndex(of: UInt8(ascii: ";")) else { return nil }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        guard let text = PseudoAttributes.character(name[...]) else { return nil }
        return (end + 1, Array(text.utf8))
    }
}
