extension SourceTags {
    /// The tags of a page of XML.
    ///
    /// - Parameters:
    ///   - bytes: The page.
    ///   - document: Its tree.
    ///   - maximumAttributes: How many attributes of a tag are looked at.
    /// - Throws: ``ParsingError`` for one with more tags than can be noted, of which nothing could be left out.
    init(xml bytes: [UInt8], of document: Document, maximumAttributes: Int) throws(ParsingError) {
        try self.init(xml: bytes, maximumAttributes: maximumAttributes)
        join(document)
        decodeStyles { Self.reference(bytes, $0, $1) }
    }

    private init(xml bytes: [UInt8], maximumAttributes: Int) throws(ParsingError) {
        self.init(xmlSource: bytes, maximumAttributes: maximumAttributes)
        var index = 0
        let count = bytes.count
        while index < count {
            guard max(tags.count, attributes.count) < 1 << 19 else { throw ParsingError.inputTooLarge(count) }
            guard bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            if begins("<?xml-stylesheet", index) {
                // The last but one byte is the question mark.
                let end = end(of: "?>", from: index)
                addInstruction(index..<max(index, end - 1)) { Self.reference(bytes, $0, $1) }
                index = end
            } else if let end = skip(index) {
                index = end
            } else {
                let isEnd = index + 1 < count && bytes[index + 1] == UInt8(ascii: "/")
                let end = endOfTag(index)
                let isEmpty = !isEnd && end - 2 > index && bytes[end - 2] == UInt8(ascii: "/")
                add(index..<end, isEnd: isEnd, isSelfClosing: isEmpty, position: 0) {
                    Self.reference(bytes, $0, $1)
                }
                index = end
            }
        }
    }

    /// The end of what begins with `<` and is no tag: a comment, a CDATA section, an instruction, a doctype; nil for a tag.
    func skip(_ start: Int) -> Int? {
        if begins("<!--", start) { return end(of: "-->", from: start + 4) }
        if begins("<![CDATA[", start) { return end(of: "]]>", from: start + 9) }
        if begins("<?", start) { return end(of: "?>", from: start + 2) }
        guard begins("<!", start) else { return nil }
        // A doctype, with declarations in brackets, strings and comments.
        var index = start + 2
        var brackets = 0
        while index < bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "["): brackets += 1
            case UInt8(ascii: "]"): brackets -= 1
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                let quote = bytes[index]
                index += 1
                while index < bytes.count, bytes[index] != quote { index += 1 }
            case UInt8(ascii: ">") where brackets <= 0: return index + 1
            case UInt8(ascii: "<") where begins("<!--", index):
                index = end(of: "-->", from: index + 4)
                continue
            case UInt8(ascii: "<") where begins("<?", index):
                index = end(of: "?>", from: index + 2)
                continue
            default: break
            }
            index += 1
        }
        return bytes.count
    }

    /// The end of a tag, whose attributes may contain `>`.
    func endOfTag(_ start: Int) -> Int {
        var index = start + 1
        var quote: UInt8 = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: ">") {
                return index
            }
        }
        return bytes.count
    }

    /// What a reference of XML stands for; nil for one to an entity of the document's own.
    static func reference(_ bytes: [UInt8], _ start: Int, _ limit: Int) -> (end: Int, bytes: [UInt8])? {
        guard let end = bytes[start..<min(limit, start + 12)].firstIndex(of: UInt8(ascii: ";")) else {
            return nil
        }
        let name = String(decoding: bytes[start + 1..<end], as: UTF8.self)
        guard let text = PseudoAttributes.character(name[...]) else { return nil }
        return (end + 1, Array(text.utf8))
    }
}
