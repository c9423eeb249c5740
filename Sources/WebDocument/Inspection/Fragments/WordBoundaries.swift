import WebStandards

/// Where words of a text begin and end.
struct WordBoundaries {
    /// The text in UTF-8.
    let text: [UInt8]

    /// Whether a word may begin or end at a place: nearly as Unicode has it, without dictionaries.
    ///
    /// [Unicode Standard Annex #29, section 4.1](https://www.unicode.org/reports/tr29/#Word_Boundary_Rules)
    func isBoundary(_ position: Int) -> Bool {
        guard let before = scalar(endingAt: position), let after = scalar(at: position) else { return true }
        switch (Self.kind(before), Self.kind(after)) {
        case (.word, .word): return false
        case (.word, .joining):
            // As in "can't", "3.14".
            let next = position + UTF8.width(after)
            return scalar(at: next).map { Self.kind($0) != .word || !Self.joins(after, before, $0) } ?? true
        case (.joining, .word):
            let previous = position - UTF8.width(before)
            return scalar(endingAt: previous).map { Self.kind($0) != .word || !Self.joins(before, $0, after) }
                ?? true
        default: return true
        }
    }

    private enum Kind { case word, joining, other }

    private static func kind(_ scalar: Unicode.Scalar) -> Kind {
        switch scalar {
        case "'", "\u{2019}", ".", ",", ":", ";", "\u{B7}", "\u{2018}", "\u{2024}": return .joining
        case "_": return .word
        default: break
        }
        // Scripts whose words have no spaces between them.
        switch scalar.value {
        case 0xE00...0xEFF, 0x1000...0x109F, 0x1780...0x17FF, 0x3040...0x30FF, 0x3400...0x9FFF,
            0xF900...0xFAFF,
            0x20000...0x3FFFF:
            return .other
        default: break
        }
        let properties = scalar.properties
        if properties.isAlphabetic || properties.numericType != nil { return .word }
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: return .word
        default: return .other
        }
    }

    /// Whether a mark between two letters, or between two digits, is part of the word.
    private static func joins(_ mark: Unicode.Scalar, _ left: Unicode.Scalar, _ right: Unicode.Scalar) -> Bool
    {
        let (left, right) = (left.properties.numericType != nil, right.properties.numericType != nil)
        guard left == right else { return false }
        switch mark {
        case ",", ";": return left
        case ":", "\u{B7}": return !left
        default: return true
        }
    }

    func scalar(at position: Int) -> Unicode.Scalar? {
        guard text.indices.contains(position) else { return nil }
        return String(decoding: text[position...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    private func scalar(endingAt position: Int) -> Unicode.Scalar? {
        var start = position - 1
        while text.indices.contains(start), text[start] & 0xC0 == 0x80 { start -= 1 }
        return scalar(at: start)
    }
}
