/// A correction that was made to parse a text that should be JSON.
public enum JSONRepair: String, Hashable, Sendable, Codable, CaseIterable {
    /// Comments of JavaScript or HTML, or the delimiters of a CDATA section, were skipped.
    case comment
    /// Control characters, such as line feeds, were in strings, where they must be escaped, or between
    /// values.
    case controlCharacter = "control-character"
    /// A comma was before the end of an object or an array.
    case trailingComma = "trailing-comma"
    /// A backslash was before a character that is not an escape, and was removed.
    case unknownEscape = "unknown-escape"
    /// A semicolon was after the value.
    case semicolon
    /// There were several values in a row; they were put into one array.
    case severalValues = "several-values"
}

/// Tolerant parsing of invalid JSON in pages.
extension JSONParser {
    /// Parses values up to the end, at least one.
    mutating func values() throws(JSONValue.ParsingError) -> [Builder.Value] {
        skipWhitespace()
        var values = [try value()]
        skipWhitespace()
        while position < input.count {
            if skip(UInt8(ascii: ";")) {
                note(.semicolon)
            } else {
                let isSeparated = skip(UInt8(ascii: ","))
                skipWhitespace()
                if isSeparated, position == input.count {
                    note(.trailingComma)
                    break
                }
                note(.severalValues)
                values.append(try value())
            }
            skipWhitespace()
        }
        return values
    }

    /// Records a correction.
    mutating func note(_ repair: JSONRepair) {
        if !repairs.contains(repair) { repairs.append(repair) }
    }

    /// Skips a comment, delimiter or blank that JSON does not allow, and returns whether there was one.
    mutating func skipNonJSON() -> Bool {
        guard let byte = current else { return false }
        switch byte {
        case UInt8(ascii: "/"):
            if skip("//") {
                skipLineComment()
            } else if skip("/*") {
                skipBlockComment()
            } else {
                return false
            }
            note(.comment)
        case UInt8(ascii: "<"), UInt8(ascii: "-"), UInt8(ascii: "]"):
            // Skips the delimiters only: the text between them is the JSON.
            guard skip("<!--") || skip("-->") || skip("<![CDATA[") || skip("]]>") else { return false }
            note(.comment)
        case 0..<0x20, 0x7F:
            position += 1
            note(.controlCharacter)
        case 0xC2, 0xE2, 0xEF:
            // No-break space, line and paragraph separators, zero-width space, byte order mark.
            let isBlank =
                skip("\u{A0}") || skip("\u{2028}") || skip("\u{2029}") || skip("\u{200B}") || skip("\u{FEFF}")
            guard isBlank else { return false }
            note(.controlCharacter)
        default: return false
        }
        return true
    }

    /// Skips the end of an object or array after a comma.
    mutating func skipAfterComma(_ end: UInt8) -> Bool {
        guard skip(end) else { return false }
        note(.trailingComma)
        return true
    }

    /// Skips the line, unless it is the delimiter of a CDATA section or an HTML comment: then only that.
    private mutating func skipLineComment() {
        while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
        if skip("<![CDATA[") || skip("]]>") || skip("<!--") || skip("-->") { return }
        while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
    }

    /// Skips a comment up to its end, or the text's.
    private mutating func skipBlockComment() {
        while position < input.count {
            if skip("*/") { return }
            position += 1
        }
    }

    /// Skips a text if it comes next, and returns whether it did.
    private mutating func skip(_ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard position + count <= input.count else { return false }
        for index in 0..<count {
            guard unsafe input[position + index] == text.utf8Start[index] else { return false }
        }
        position += count
        return true
    }
}
