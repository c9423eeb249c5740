import WebStandards

extension SearchableText {
    /// Whether the words of a directive are there.
    ///
    /// Complexity: O(n · m) in the sizes of the text and of the directive, at most.
    ///
    /// [Find a range from a text
    /// directive](https://wicg.github.io/scroll-to-text-fragment/#find-a-range-from-a-text-directive)
    package func contains(_ directive: TextDirective) -> Bool {
        TextDirectiveSearch(self, directive).isFound
    }
}

/// The search for the words of a directive.
///
/// Where the specification looks for the next place of a text and then asks whether that is right here, this looks only here: of
/// all that comes later it would only find that it is not here.
private struct TextDirectiveSearch {
    private let text: [UInt8]
    private let prefix: [UInt8]?
    private let start: [UInt8]
    private let end: [UInt8]?
    private let suffix: [UInt8]?

    init(_ text: SearchableText, _ directive: TextDirective) {
        self.text = text.bytes
        prefix = directive.prefix.map { SearchableText(words: $0).bytes }
        start = SearchableText(words: directive.start).bytes
        end = directive.end.map { SearchableText(words: $0).bytes }
        suffix = directive.suffix.map { SearchableText(words: $0).bytes }
    }

    var isFound: Bool {
        guard ![prefix, start, end, suffix].contains([]) else { return false }
        var position = 0
        while position < text.count {
            guard let match = nextStart(from: &position) else { return false }
            guard let end else {
                guard let suffix else { return true }
                if isHere(suffix, at: skipWhitespace(match), endsWord: true) { return true }
                continue
            }
            // Which start it is makes no difference to the ends that come after it; those after a later start are fewer.
            var rest = match
            while let last = find(end, from: rest, startsWord: true, endsWord: suffix == nil) {
                guard let suffix else { return true }
                if isHere(suffix, at: skipWhitespace(last.upperBound), endsWord: true) { return true }
                rest = last.lowerBound + 1
            }
            return false
        }
        return false
    }

    /// Where the next place of prefix and start ends; `position` is moved behind where it begins.
    private func nextStart(from position: inout Int) -> Int? {
        let endsWord = end != nil || suffix == nil
        guard let prefix else {
            guard let match = find(start, from: position, startsWord: true, endsWord: endsWord) else {
                return nil
            }
            position = match.lowerBound + 1
            return match.upperBound
        }
        while let match = find(prefix, from: position, startsWord: true, endsWord: false) {
            position = match.lowerBound + 1
            let place = skipWhitespace(match.upperBound)
            if isHere(start, at: place, endsWord: endsWord) { return place + start.count }
        }
        return nil
    }

    private func skipWhitespace(_ position: Int) -> Int {
        position < text.count && (text[position] == 0x20 || text[position] == 0x0A) ? position + 1 : position
    }

    private func isHere(_ words: [UInt8], at position: Int, endsWord: Bool) -> Bool {
        text[min(position, text.count)...].starts(with: words)
            && (!endsWord || isBoundary(position + words.count))
    }

    private func find(_ words: [UInt8], from start: Int, startsWord: Bool, endsWord: Bool) -> Range<Int>? {
        guard words.count <= text.count else { return nil }
        var position = start
        while position <= text.count - words.count {
            if text[position] == words[0], text[position] & 0xC0 != 0x80, !startsWord || isBoundary(position),
                isHere(words, at: position, endsWord: endsWord)
            {
                return position..<(position + words.count)
            }
            position += 1
        }
        return nil
    }

    // MARK: - Words

    /// Whether a word may begin or end at a place: nearly as Unicode has it, without dictionaries.
    ///
    /// [Unicode Standard Annex #29, section 4.1](https://www.unicode.org/reports/tr29/#Word_Boundary_Rules)
    private func isBoundary(_ position: Int) -> Bool {
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

    private func scalar(at position: Int) -> Unicode.Scalar? {
        guard text.indices.contains(position) else { return nil }
        return String(decoding: text[position...].prefix(4), as: UTF8.self).unicodeScalars.first
    }

    private func scalar(endingAt position: Int) -> Unicode.Scalar? {
        var start = position - 1
        while text.indices.contains(start), text[start] & 0xC0 == 0x80 { start -= 1 }
        return scalar(at: start)
    }
}
