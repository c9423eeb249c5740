/// What was put right to read a text that should be JSON.
public enum JSONRepair: String, Hashable, Sendable, Codable, CaseIterable {
    /// Comments of JavaScript or HTML, or the marks of a CDATA section, were passed over.
    case comment
    /// Control characters, as line feeds, stood in strings, where they have to be escaped, or between values.
    case controlCharacter = "control-character"
    /// A comma stood before the end of an object or an array.
    case trailingComma = "trailing-comma"
    /// A backslash stood before a character that needs none, and was left out.
    case unknownEscape = "unknown-escape"
    /// A semicolon stood behind the value.
    case semicolon
    /// Several values followed each other; they are one array.
    case severalValues = "several-values"
}

/// Reading what pages put where JSON belongs.
extension JSONParser {
    /// Reads values up to the end, at least one.
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

    /// Keeps that something was put right.
    mutating func note(_ repair: JSONRepair) {
        if !repairs.contains(repair) { repairs.append(repair) }
    }

    /// Passes over one thing that is no white space of JSON, and says whether there was one.
    mutating func skipForeignMatter() -> Bool {
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
            // The marks only: what is between them is what counts.
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

    /// Takes an object's or array's end that stands behind a comma.
    mutating func skipAfterComma(_ end: UInt8) -> Bool {
        guard skip(end) else { return false }
        note(.trailingComma)
        return true
    }

    /// Passes over the line, unless it is the mark of a CDATA section or a comment of HTML.
    private mutating func skipLineComment() {
        while let byte = current, byte == 0x20 || byte == 0x09 { position += 1 }
        if skip("<![CDATA[") || skip("]]>") || skip("<!--") || skip("-->") { return }
        while let byte = current, byte != 0x0A, byte != 0x0D { position += 1 }
    }

    /// Passes over a comment up to its end, or the text's.
    private mutating func skipBlockComment() {
        while position < input.count {
            if skip("*/") { return }
            position += 1
        }
    }

    /// Passes over a text if it comes next, and says whether it did.
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
