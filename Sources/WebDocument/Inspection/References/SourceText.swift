/// A text that is not what is written in the source, with where its parts are written.
package struct SourceText: Sendable {
    /// The text.
    package private(set) var bytes: [UInt8] = []

    /// Where runs of bytes that are as they are written begin, in the text and in the source; after each run there is
    /// something else, or the end.
    private var runs: [(text: Int, source: Int)] = []

    /// Where the next byte is in the source.
    private var end = 0

    package init(at start: Int) { end = start }

    /// Adds bytes that are as they are written.
    mutating func append(_ written: ArraySlice<UInt8>) {
        guard !written.isEmpty else { return }
        note(written.startIndex)
        bytes += written
        end = written.endIndex
    }

    /// Adds what stands for a piece of the source.
    mutating func append(_ replacement: some Sequence<UInt8>, for range: Range<Int>) {
        note(range.lowerBound)
        bytes += replacement
        end = range.upperBound
        runs.append((bytes.count, end))
    }

    private mutating func note(_ source: Int) {
        if runs.isEmpty || source != end { runs.append((bytes.count, source)) }
    }

    /// Where a byte of the text is in the source: where what stands for it begins.
    ///
    /// Complexity: O(log n).
    package func source(of index: Int) -> Int {
        if index >= bytes.count { return end }
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].text <= index { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return end }
        let run = runs[low - 1]
        // Inside of what stands for a reference: where the reference begins.
        let next = low < runs.count ? runs[low].source : end
        return min(run.source + (index - run.text), next)
    }

    /// Where a part of the text is in the source.
    package func source(of range: Range<Int>) -> Range<Int> {
        let start = source(of: range.lowerBound)
        return start..<max(start, source(of: range.upperBound))
    }
}
