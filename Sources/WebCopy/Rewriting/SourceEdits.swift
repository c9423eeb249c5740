/// Replacements of parts of a source.
struct SourceEdits {
    private struct Edit {
        let range: Range<Int>
        let text: [UInt8]
        let order: Int
    }

    private var edits: [Edit] = []

    /// Replaces a part; one that overlaps another that begins before it counts for nothing.
    mutating func replace(_ range: Range<Int>, with text: some Sequence<UInt8>) {
        edits.append(Edit(range: range, text: Array(text), order: edits.count))
    }

    mutating func insert(_ text: String, at index: Int) { replace(index..<index, with: text.utf8) }

    /// The source with all of them made, but for those beyond its end.
    ///
    /// Complexity: O(n log n).
    func applied(to source: [UInt8]) -> [UInt8] {
        let sorted = edits.sorted {
            // An insertion comes before a replacement at the same place, the longer one of two replacements first.
            if $0.range.lowerBound != $1.range.lowerBound { return $0.range.lowerBound < $1.range.lowerBound }
            if $0.range.isEmpty != $1.range.isEmpty { return $0.range.isEmpty }
            if $0.range.count != $1.range.count { return $0.range.count > $1.range.count }
            return $0.order < $1.order
        }
        var output: [UInt8] = []
        output.reserveCapacity(source.count + edits.reduce(0) { $0 + $1.text.count })
        var position = 0
        for edit in sorted where edit.range.lowerBound >= position && edit.range.upperBound <= source.count {
            output += source[position..<edit.range.lowerBound]
            output += edit.text
            position = edit.range.upperBound
        }
        output += source[position...]
        return output
    }
}
