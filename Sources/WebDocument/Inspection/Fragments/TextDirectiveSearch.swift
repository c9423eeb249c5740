import WebStandards

extension SearchableText {
    /// Looks for the words of a directive.
    ///
    /// Complexity: O(n · m) in the sizes of the text and of the directive; `steps` and ``TextDirectiveSearch/maximumSteps`` at most.
    ///
    /// - Parameters:
    ///   - directive: The directive.
    ///   - steps: How many more bytes may be compared, for this and what comes after it.
    /// - Returns: Whether they are there; nil where they were not found in so many steps.
    ///
    /// [Find a range from a text
    /// directive](https://wicg.github.io/scroll-to-text-fragment/#find-a-range-from-a-text-directive)
    package func contains(_ directive: TextDirective, steps: inout Int) -> Bool? {
        guard steps > 0 else { return nil }
        let most = min(steps, TextDirectiveSearch.maximumSteps)
        var search = TextDirectiveSearch(bytes, directive, steps: most)
        let isFound = search.range() != nil
        steps -= most - search.steps
        return isFound ? true : search.steps > 0 ? false : nil
    }
}

/// The search for the words of a directive.
///
/// Where the specification looks for the next place of a text and then asks whether that is right here, this looks only here: of
/// all that comes later it would only find that it is not here.
struct TextDirectiveSearch {
    private let text: [UInt8]
    private let boundaries: WordBoundaries
    private let prefix: [UInt8]?
    private let start: [UInt8]
    private let end: [UInt8]?
    private let suffix: [UInt8]?

    /// How many more bytes may be compared: a page and its links are made so that none would suffice.
    private(set) var steps: Int

    /// Steps for all directives of a fragment: many times what a long page and an honest directive take.
    static let maximumSteps = 100_000_000

    init(_ text: [UInt8], _ directive: TextDirective, steps: Int) {
        self.text = text
        self.steps = steps
        boundaries = WordBoundaries(text: text)
        prefix = directive.prefix.map { SearchableText(words: $0).bytes }
        start = SearchableText(words: directive.start).bytes
        end = directive.end.map { SearchableText(words: $0).bytes }
        suffix = directive.suffix.map { SearchableText(words: $0).bytes }
    }

    /// Where the words are, from the first of the start to the last of the end; nil where they are not, and where there are no
    /// steps left.
    mutating func range() -> Range<Int>? {
        guard ![prefix, start, end, suffix].contains([]) else { return nil }
        var position = 0
        while position < text.count, steps >= 0 {
            guard let match = nextStart(from: &position) else { return nil }
            guard let end else {
                guard let suffix else { return match }
                if isHere(suffix, at: skipWhitespace(match.upperBound), endsWord: true) { return match }
                continue
            }
            // Which start it is makes no difference to the ends that come after it; those after a later start are fewer.
            var rest = match.upperBound
            while let last = find(end, from: rest, startsWord: true, endsWord: suffix == nil) {
                let found = match.lowerBound..<last.upperBound
                guard let suffix else { return found }
                if isHere(suffix, at: skipWhitespace(last.upperBound), endsWord: true) { return found }
                rest = last.lowerBound + 1
            }
            return nil
        }
        return nil
    }

    /// The next place of the start, after the prefix; `position` is moved behind where the first of both begins.
    private mutating func nextStart(from position: inout Int) -> Range<Int>? {
        let endsWord = end != nil || suffix == nil
        guard let prefix else {
            guard let match = find(start, from: position, startsWord: true, endsWord: endsWord) else {
                return nil
            }
            position = match.lowerBound + 1
            return match
        }
        while let match = find(prefix, from: position, startsWord: true, endsWord: false) {
            position = match.lowerBound + 1
            let place = skipWhitespace(match.upperBound)
            if isHere(start, at: place, endsWord: endsWord) { return place..<(place + start.count) }
        }
        return nil
    }

    private func skipWhitespace(_ position: Int) -> Int {
        position < text.count && (text[position] == 0x20 || text[position] == 0x0A) ? position + 1 : position
    }

    private mutating func isHere(_ words: [UInt8], at position: Int, endsWord: Bool) -> Bool {
        steps -= words.count
        return text[min(position, text.count)...].starts(with: words)
            && (!endsWord || boundaries.isBoundary(position + words.count))
    }

    private mutating func find(
        _ words: [UInt8],
        from start: Int,
        startsWord: Bool,
        endsWord: Bool
    ) -> Range<Int>? {
        guard words.count <= text.count else { return nil }
        var position = start
        while position <= text.count - words.count, steps >= 0 {
            steps -= 1
            if text[position] == words[0], text[position] & 0xC0 != 0x80,
                !startsWord || boundaries.isBoundary(position),
                isHere(words, at: position, endsWord: endsWord)
            {
                return position..<(position + words.count)
            }
            position += 1
        }
        return nil
    }
}
