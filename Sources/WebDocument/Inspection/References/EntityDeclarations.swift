/// What the doctype of a document of XML declares that puts markup and attributes into it which are not where they seem to be.
///
/// [Extensible Markup Language, sections 3.3 and 4.2](https://www.w3.org/TR/xml/#sec-entity-decl)
enum EntityDeclarations {
    /// The document with entities of markup made empty, and without attributes by default; nil where it declares none.
    ///
    /// Complexity: O(n).
    static func emptied(_ bytes: [UInt8]) -> [UInt8]? {
        let source = SourceTags(xmlSource: bytes)
        guard let doctype = doctype(source) else { return nil }
        var output: [UInt8] = []
        var position = 0
        var index = doctype.lowerBound
        while index < doctype.upperBound {
            if source.begins("<!--", index) {
                index = source.end(of: "-->", from: index + 4)
            } else if source.begins("<?", index) {
                index = source.end(of: "?>", from: index + 2)
            } else if source.begins("<!ENTITY", index) {
                let end = min(source.endOfTag(index), doctype.upperBound)
                if let value = value(bytes, index + 8..<end), !isText(bytes, value) {
                    output += bytes[position..<value.lowerBound]
                    position = value.upperBound
                }
                index = end
            } else if source.begins("<!ATTLIST", index) {
                output += bytes[position..<index]
                index = min(source.endOfTag(index), doctype.upperBound)
                position = index
            } else {
                index += 1
            }
        }
        if position == 0 { return nil }
        return output + bytes[position...]
    }

    private static func doctype(_ source: SourceTags) -> Range<Int>? {
        var index = 0
        while index < source.bytes.count {
            guard source.bytes[index] == UInt8(ascii: "<") else {
                index += 1
                continue
            }
            guard let end = source.skip(index) else { return nil }
            if source.begins("<!DOCTYPE", index) { return index + 9..<max(index + 9, end) }
            index = end
        }
        return nil
    }

    /// The value that a declaration gives an entity; nil for one that is a file.
    private static func value(_ bytes: [UInt8], _ declaration: Range<Int>) -> Range<Int>? {
        guard
            let quote = bytes[declaration].firstIndex(where: {
                $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "'")
            }),
            let end = bytes[quote + 1..<max(quote + 1, declaration.upperBound)].firstIndex(of: bytes[quote])
        else { return nil }
        let words = bytes[declaration.lowerBound..<quote].split(whereSeparator: \.isASCIIWhitespace)
        let isFile = words.last.map { $0.elementsEqual("SYSTEM".utf8) || $0.elementsEqual("PUBLIC".utf8) }
        // An entity may have such a name.
        let names = words.first.map { $0.elementsEqual("%".utf8) } == true ? 2 : 1
        return isFile == true && words.count > names ? nil : quote + 1..<end
    }

    /// Whether a value is text, whatever it is put into.
    private static func isText(_ bytes: [UInt8], _ value: Range<Int>) -> Bool {
        var index = value.lowerBound
        while index < value.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "<"), UInt8(ascii: "%"): return false
            case UInt8(ascii: "&"):
                guard let reference = SourceTags.reference(bytes, index, value.upperBound),
                    reference.bytes != [UInt8(ascii: "<")], reference.bytes != [UInt8(ascii: "&")]
                else { return false }
                index = reference.end
            default: index += 1
            }
        }
        return true
    }
}
