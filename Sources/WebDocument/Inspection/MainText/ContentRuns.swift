/// The texts directly in an element that have no paragraph of their own: runs of inline content, between
/// blocks and doubled line breaks.
struct ContentRuns {
    struct Run {
        var length = 0
        var commas = 0
        var hasText = false
        var isBehindBreaks = false
    }

    var runs: [Run] = []
    /// Whether the element has a child that is a block.
    var hasBlocks = false
    /// Whether it contains doubled line breaks.
    var areBroken = false
    /// The paragraph that is all that the element contains; nil if it contains anything else.
    var onlyParagraph: Int?

    /// Runs that come after a doubled line break.
    var behindBreaks: [Run] { areBroken ? runs.filter(\.isBehindBreaks) : [] }
}

extension ContentSearch {
    /// The runs of an element.
    ///
    /// Complexity: O(n) in the number of children.
    func runs(_ index: Int) -> ContentRuns {
        var found = ContentRuns()
        var run = ContentRuns.Run()
        var breaks = 0
        var isBehindBreaks = false
        var children = 0
        func end() {
            if run.hasText { found.runs.append(run) }
            run = ContentRuns.Run(isBehindBreaks: isBehindBreaks)
        }
        var child = index + 1
        while child < tree.entries[index].end {
            let entry = tree.entries[child]
            defer { child = Int(entry.end) }
            if removed[child] { continue }
            let counted = sums[child].counting(entry)
            if entry.element == .br {
                breaks += 1
                if breaks == 2 {
                    found.areBroken = true
                    isBehindBreaks = true
                    end()
                }
                continue
            }
            let isBlank = entry.element == .text && entry.length <= 1 && entry.isBlank
            if isBlank { continue }
            breaks = 0
            if counted.isInline {
                run.hasText = true
                run.length += counted.length
                run.commas += counted.commas
                children += 2
            } else {
                isBehindBreaks = false
                end()
                found.hasBlocks = true
                found.onlyParagraph = children == 0 && entry.element == .p ? child : nil
                children += 1
            }
        }
        end()
        if children != 1 { found.onlyParagraph = nil }
        return found
    }
}

extension ContentTree.Entry {
    /// Whether a text is nothing but white space, no-break spaces included.
    var isBlank: Bool {
        guard var cursor = unsafe node.textBytes else { return false }
        while case let byte = unsafe cursor[0], byte != 0 {
            if unsafe byte == 0xC2 && cursor[1] == 0xA0 {
                unsafe cursor += 2
            } else if byte.isASCIIWhitespace {
                unsafe cursor += 1
            } else {
                return false
            }
        }
        return true
    }
}
