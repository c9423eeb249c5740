/// Chooses the blocks of a page that are its main content.
///
/// The result of ``ContentFinder`` is one feature of each block; ``ContentClassifier`` decides, except on pages where
/// nothing looks like content to it.
struct ContentChoice {
    /// The minimum likelihood of the best blocks.
    private static let minimum: Float = 0.25

    /// The number of characters below which a page is too short to distinguish its parts.
    private static let littlePage = 250

    let tree: ContentTree
    private let found: ContentFinder.Result
    let signs: PageSigns
    let page: ContentBlocks
    /// Whether each block is.
    private(set) var isChosen: [Bool] = []
    /// Why it is, or is not.
    private(set) var reasons: [TextDecision.Reason] = []
    /// How likely each block is content; empty on pages that are too short to tell.
    private(set) var likelihoods: [Float] = []
    /// The kind of the page; `nil` if it has no block.
    private(set) var kind: ContentKind?

    /// Divides a page, given what it says that it is and what was found by scores.
    init(_ tree: ContentTree, _ facts: ArticleFacts, _ signs: PageSigns, found: ContentFinder.Result) {
        self.tree = tree
        self.signs = signs
        self.found = found
        page = ContentBlocks(tree, facts)
    }

    private var classifier: ContentClassifier { ContentClassifier(page, signs, found: found) }

    /// Returns the kind of the page without choosing its blocks; `nil` if it has no block.
    ///
    /// - Complexity: O(n) in the number of entries.
    func kindAlone() -> ContentKind? { classifier.kind() }

    /// The main content.
    ///
    /// - Complexity: O(n) in the number of entries.
    mutating func result() -> ContentFinder.Result {
        let judgement = classifier.judge()
        kind = judgement.kind
        guard page.totals[0].chars >= Self.littlePage, Self.best(judgement.likelihoods) >= Self.minimum else {
            let isKept = found.kept(tree.entries)
            isChosen = page.blocks.map { block in block.entries.contains { isKept[$0] } }
            reasons = page.blocks.map { _ in .scores }
            return found
        }
        likelihoods = judgement.likelihoods
        let bar = bar()
        isChosen = likelihoods.map { $0 > bar }
        reasons = isChosen.map { $0 ? .likely : .unlikely }
        dropLabels()
        chooseTables()
        takeBetween()
        takeLists()
        takeIntroductions()
        dropBoxes()
        takeHeadings()
        var result = ContentFinder.Result(roots: [0], removed: removed())
        result.captions = captions(result.removed)
        result.byline = found.byline
        result.bylineEntries = found.bylineEntries
        result.top = top()
        return result
    }

    /// The likelihood above which blocks are chosen.
    ///
    /// It is that with which the highest F1 of their words can be expected: one half on a page whose parts are certain,
    /// and less where much of it is in doubt.
    private func bar() -> Float {
        var all: Float = 0
        for (place, block) in page.blocks.enumerated() {
            all += likelihoods[place] * Float(max(1, block.words))
        }
        var right: Float = 0
        var taken: Float = 0
        var bar: Float = 0
        for place in likelihoods.indices.sorted(by: { likelihoods[$0] > likelihoods[$1] }) {
            let words = Float(max(1, page.blocks[place].words))
            right += likelihoods[place] * words
            taken += words
            bar = max(bar, right / (taken + all))
        }
        return bar
    }

    /// The mean of the three highest.
    private static func best(_ likelihoods: [Float]) -> Float {
        var best: (Float, Float, Float) = (0, 0, 0)
        for value in likelihoods {
            if value > best.0 {
                best = (value, best.0, best.1)
            } else if value > best.1 {
                best = (best.0, value, best.1)
            } else if value > best.2 {
                best.2 = value
            }
        }
        let count = min(3, likelihoods.count)
        return (best.0 + best.1 + best.2) / Float(max(1, count))
    }

    /// Takes a block or drops it for a reason, where this changes something.
    mutating func choose(_ place: Int, _ isTaken: Bool, _ reason: TextDecision.Reason) {
        guard isChosen[place] != isTaken else { return }
        isChosen[place] = isTaken
        reasons[place] = reason
    }

    /// Drops what only labels the content, captions of figures, and the line with the author, which is said apart.
    private mutating func dropLabels() {
        for (place, block) in page.blocks.enumerated() where isChosen[place] {
            let isByline = found.bylineEntries?.contains(block.entries.lowerBound) ?? false
            let isLabel =
                block.chars < 24
                && ContentLabels.isLabel(tree, block.entries.lowerBound..<block.entries.upperBound + 1)
            let isCaption = page.places[block.element].isIn(.figcaption)
            if isByline || isLabel || isCaption {
                choose(place, false, isByline ? .byline : isLabel ? .label : .caption)
            }
        }
    }

    /// Takes each outermost table of data whole or not at all, as most of its text is.
    private mutating func chooseTables() {
        var place = 0
        while place < page.blocks.count {
            guard let table = outermostTable(around: page.blocks[place].element) else {
                place += 1
                continue
            }
            let end = Int(tree.entries[table].end)
            let first = place
            var chosen = 0
            var chars = 0
            repeat {
                chars += page.blocks[place].chars
                if isChosen[place] { chosen += page.blocks[place].chars }
                place += 1
            } while place < page.blocks.count && page.blocks[place].entries.lowerBound < end
            guard isData(table) else { continue }
            for inner in first..<place { choose(inner, chosen *| 2 > chars, .table) }
        }
    }

    /// The outermost table around an element, or itself.
    private func outermostTable(around element: Int) -> Int? {
        guard page.places[element].isIn(.table) else { return nil }
        var index = element
        var table: Int?
        while index > 0 {
            if tree.entries[index].element == .table { table = index }
            index = Int(tree.entries[index].parent)
        }
        return table
    }

    /// Whether a table has heading cells or a caption, itself or in a table inside it.
    private func isData(_ table: Int) -> Bool {
        (table..<Int(tree.entries[table].end)).contains { inner in
            tree.entries[inner].element == .th || tree.entries[inner].element == .caption
        }
    }

    /// Whether each entry is not part of the content.
    private func removed() -> [Bool] {
        var isKept = [Bool](repeating: false, count: tree.entries.count)
        var next = 0
        for index in tree.entries.indices {
            while next < page.blocks.count, page.blocks[next].entries.upperBound < index { next += 1 }
            let entry = tree.entries[index]
            let isInside = next < page.blocks.count && page.blocks[next].entries.contains(index)
            if entry.element == .text {
                isKept[index] = isInside && isChosen[next]
            } else if Int(entry.end) == index + 1 {
                // Images and the like go with the text beside them.
                let isBeside =
                    next < page.blocks.count && isChosen[next] || next > 0 && !isInside && isChosen[next - 1]
                isKept[index] = isBeside && !isForeign(index)
            }
        }
        for index in tree.entries.indices.dropFirst().reversed() where isKept[index] {
            isKept[Int(tree.entries[index].parent)] = true
        }
        return isKept.map { !$0 }
    }

    /// The captions that are left out of figures that are not.
    private func captions(_ removed: [Bool]) -> [Int] {
        tree.entries.indices.filter { index in
            guard tree.entries[index].element == .figcaption, removed[index] else { return false }
            var around = Int(tree.entries[index].parent)
            while around > 0, removed[around] { around = Int(tree.entries[around].parent) }
            return page.places[around].isIn(.figure)
        }
    }

    /// Whether an element without text is no content: a control, or a frame that was not taken for a video.
    private func isForeign(_ index: Int) -> Bool {
        let entry = tree.entries[index]
        if entry.traits.contains(.foreign) { return true }
        switch entry.element {
        case .iframe, .embed, .object: return found.removed[index]
        default: return false
        }
    }

    /// The innermost element with nine tenths of the chosen text.
    private func top() -> Int {
        var chars = [Int](repeating: 0, count: tree.entries.count)
        for (place, block) in page.blocks.enumerated() where isChosen[place] {
            chars[block.element] += block.chars
        }
        for index in tree.entries.indices.dropFirst().reversed() {
            chars[Int(tree.entries[index].parent)] += chars[index]
        }
        // The last in document order of those around each other is the innermost.
        return chars.lastIndex { $0 *| 10 >= chars[0] *| 9 } ?? 0
    }
}
