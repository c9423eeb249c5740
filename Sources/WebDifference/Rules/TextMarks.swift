internal import WebStandards

/// The places where two texts differ, by words.
///
/// White space is not compared. Masked text counts as equal, regardless of its content and its number of words.
package struct TextMarks: Sendable {
    /// A place where the texts differ, as byte ranges of both; one of them may be empty.
    package struct Gap: Hashable, Sendable {
        package var old: Range<Int>
        package var new: Range<Int>
    }

    /// The places, in order.
    package let gaps: [Gap]

    /// - Parameters:
    ///   - old: The one text, in UTF-8.
    ///   - new: The other.
    ///   - masks: The byte ranges of each that do not count.
    ///   - tolerance: The difference up to which numbers count as the same.
    init(
        _ old: [UInt8],
        _ new: [UInt8],
        masks: (old: [Range<Int>], new: [Range<Int>]) = ([], []),
        tolerance: PageDifference.Tolerance? = nil
    ) {
        let (left, right) = (TextToken.all(old, masks.old), TextToken.all(new, masks.new))
        var aligner = Aligner(
            old: left.map(\.hash),
            new: right.map(\.hash),
            weights: Array(repeating: 1, count: left.count)
        )
        aligner.run()
        func range(_ tokens: [TextToken], _ range: Range<Int>, _ end: Int) -> Range<Int> {
            guard let first = range.first, let last = range.last else {
                let place = range.lowerBound < tokens.count ? tokens[range.lowerBound].range.lowerBound : end
                return place..<place
            }
            return tokens[first].range.lowerBound..<tokens[last].range.upperBound
        }
        gaps = aligner.gaps().compactMap { gap in
            let (one, other) = (left[gap.old], right[gap.new])
            if one.allSatisfy(\.isMasked), other.allSatisfy(\.isMasked) { return nil }
            if let tolerance, one.count == other.count,
                zip(one, other).allSatisfy({ first, second in
                    first.hash == second.hash || tolerance.covers(old[first.range], new[second.range])
                })
            {
                return nil
            }
            return Gap(old: range(left, gap.old, old.count), new: range(right, gap.new, new.count))
        }
    }

    /// Splits a text at the places where it differs.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - ranges: The byte ranges that differ, in order.
    /// - Returns: The parts of the text, each with whether it differs.
    package static func pieces(
        _ text: String,
        _ ranges: some Sequence<Range<Int>>
    ) -> [(text: String, isChanged: Bool)] {
        let bytes = Array(text.utf8)
        var pieces: [(text: String, isChanged: Bool)] = []
        var start = 0
        func add(_ range: Range<Int>, _ isChanged: Bool) {
            if !range.isEmpty { pieces.append((String(decoding: bytes[range], as: UTF8.self), isChanged)) }
        }
        for range in ranges where range.lowerBound >= start && range.upperBound <= bytes.count {
            add(start..<range.lowerBound, false)
            add(range, true)
            start = range.upperBound
        }
        add(start..<bytes.count, false)
        return pieces
    }
}

/// A word, a number or a punctuation mark of a text.
struct TextToken {
    private(set) var range: Range<Int>
    let hash: UInt64
    let isMasked: Bool

    /// Returns the tokens of a text; a masked range is one token, and ends the tokens around it.
    ///
    /// - Parameters:
    ///   - text: The text, in UTF-8.
    ///   - masks: The masked ranges, in order.
    /// - Returns: The tokens, in order; only masked tokens contain white space.
    static func all(_ text: [UInt8], _ masks: [Range<Int>]) -> [TextToken] {
        var tokens: [TextToken] = []
        var (place, mask) = (0, 0)
        while place < text.count {
            while mask < masks.count, masks[mask].upperBound <= place { mask += 1 }
            let next = mask < masks.count ? masks[mask] : text.count..<text.count
            if next.lowerBound <= place {
                // Consecutive masks are one token: their number does not count either.
                if let last = tokens.last, last.isMasked {
                    tokens[tokens.count - 1].range = last.range.lowerBound..<next.upperBound
                } else {
                    tokens.append(TextToken(range: place..<next.upperBound, hash: 0, isMasked: true))
                }
                place = next.upperBound
                continue
            }
            if text[place].isASCIIWhitespace {
                place += 1
                continue
            }
            let stop = min(end(of: text, from: place), next.lowerBound)
            var mixer = Mixer()
            mixer.add(text[place..<stop])
            tokens.append(TextToken(range: place..<stop, hash: mixer.value, isMasked: false))
            place = stop
        }
        return tokens
    }

    private static func isWord(_ byte: UInt8) -> Bool { byte.isASCIIAlphanumeric || byte >= 0x80 }

    /// The end of the token that begins at a place.
    private static func end(of text: [UInt8], from start: Int) -> Int {
        let first = text[start]
        guard isWord(first) else { return start + 1 }
        // From U+3000 on, scripts have no spaces between words: each character is a token.
        if first >= 0xE3 { return min(text.count, start + (first < 0xF0 ? 3 : 4)) }
        var end = start + 1
        while end < text.count {
            let byte = text[end]
            if isWord(byte), byte < 0xE3 {
                end += 1
            } else if byte == 0x2E || byte == 0x2C, end + 1 < text.count, text[end + 1].isASCIIDigit,
                text[end - 1].isASCIIDigit
            {
                end += 2
            } else {
                break
            }
        }
        return end
    }
}
