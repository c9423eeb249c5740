/// One attempt of a ``ContentFinder``.
struct ContentSearch {
    let tree: ContentTree
    let facts: ArticleFacts
    let rules: ContentFinder.Rules

    /// Whether each entry was removed, with everything inside it.
    var removed: [Bool]
    var sums: [ContentSums] = []
    /// Whether a division is just a paragraph, or contains just one.
    var isParagraph: [Bool]
    var scores: ContentScores
    var byline: String?
    var bylineEntries: Range<Int>?
    /// For each visited entry, itself or the nearest one around it that is not a division around a single
    /// paragraph.
    private var scoringAncestors: [Int32]

    init(_ tree: ContentTree, _ facts: ArticleFacts, _ rules: ContentFinder.Rules) {
        self.tree = tree
        self.facts = facts
        self.rules = rules
        removed = [Bool](repeating: false, count: tree.entries.count)
        isParagraph = removed
        scores = ContentScores(count: tree.entries.count)
        scoringAncestors = [Int32](repeating: 0, count: tree.entries.count)
    }

    mutating func run() -> ContentFinder.Result {
        prune()
        measure()
        scoreParagraphs()
        let top = chooseTop()
        let roots = join(siblingsOf: top)
        sums = []
        let length = clean(roots, top)
        return ContentFinder.Result(
            roots: roots,
            removed: removed,
            length: length,
            byline: byline,
            bylineEntries: bylineEntries,
            top: top
        )
    }

    /// The weight of an entry's class and ID; 0 if the rules ignore these.
    func weight(_ index: Int) -> Int {
        rules.weighsNames ? Int(tree.entries[index].weight) : 0
    }

    // MARK: - Pruning

    /// Removes unlikely content by class, ID or role, the byline, and a heading that repeats the title.
    private mutating func prune() {
        var index = 0
        var seeksTitle = true
        // The end of the tables and code, in which classes and IDs do not count.
        var protectedEnd = 0
        while index < tree.entries.count {
            let entry = tree.entries[index]
            if entry.element == .table || entry.element == .code {
                protectedEnd = max(protectedEnd, Int(entry.end))
            }
            var isRemoved = false
            if index > 0, entry.element != .text {
                isRemoved = isUnlikely(entry, isProtected: index < protectedEnd)
                if !isRemoved, facts.byline == nil, byline == nil { isRemoved = isByline(index) }
                if !isRemoved, seeksTitle, entry.element == .h1 || entry.element == .h2,
                    facts.titleIsRepeated(in: text(index))
                {
                    seeksTitle = false
                    isRemoved = true
                }
            }
            if isRemoved { removed[index] = true }
            index = isRemoved ? Int(entry.end) : index + 1
        }
    }

    private func isUnlikely(_ entry: ContentTree.Entry, isProtected: Bool) -> Bool {
        guard rules.removesUnlikely else { return false }
        if entry.marks.contains(.unlikelyRole) { return true }
        return entry.words.contains(.unlikely) && !entry.words.contains(.possible) && !isProtected
            && entry.element != .body && entry.element != .a
    }

    private mutating func isByline(_ index: Int) -> Bool {
        let entry = tree.entries[index]
        guard entry.marks.contains(.author) || entry.words.contains(.byline) else { return false }
        let text = text(index).collapsingASCIIWhitespace
        guard !text.isEmpty, text.unicodeScalars.count < 100 else { return false }
        byline = text
        bylineEntries = index..<Int(entry.end)
        return true
    }

    /// The visible text of an entry, as far as about 1,000 bytes.
    private func text(_ index: Int) -> String {
        var bytes: [UInt8] = []
        for inner in index..<Int(tree.entries[index].end) where bytes.count < 1000 {
            tree.entries[inner].node.appendText(to: &bytes)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    // MARK: - Measuring

    /// Counts the contents of each entry.
    mutating func measure() {
        var sums = [ContentSums](repeating: ContentSums(), count: tree.entries.count)
        for index in stride(from: tree.entries.count - 1, to: 0, by: -1) where !removed[index] {
            sums[Int(tree.entries[index].parent)].add(sums[index].counting(tree.entries[index]))
        }
        self.sums = sums
    }

    // MARK: - Paragraphs

    /// Adds the scores of all paragraphs to the elements around them.
    private mutating func scoreParagraphs() {
        var index = 0
        while index < tree.entries.count {
            let entry = tree.entries[index]
            if removed[index] {
                index = Int(entry.end)
                continue
            }
            scoringAncestors[index] = Int32(truncatingIfNeeded: index)
            let traits = entry.traits
            if entry.element != .text, !traits.contains(.inline) {
                let runs = runs(index)
                if entry.element == .div || entry.element == .p && runs.areBroken {
                    scoreDivision(index, runs)
                } else {
                    if traits.contains(.holdsText) {
                        addParagraphScore(
                            length: sums[index].length,
                            commas: sums[index].commas,
                            from: Int(entry.parent)
                        )
                    }
                    for run in runs.behindBreaks {
                        addParagraphScore(length: run.length, commas: run.commas, from: index)
                    }
                }
            }
            index += 1
        }
    }

    private mutating func scoreDivision(_ index: Int, _ runs: ContentRuns) {
        let entry = tree.entries[index]
        let parent = Int(entry.parent)
        let inside = sums[index]
        let isOneRun = runs.runs.count == 1 && !runs.hasBlocks
        let isOneParagraph = runs.runs.isEmpty && runs.onlyParagraph != nil
        if isOneRun || isOneParagraph, inside.linkDensity < 0.25, index > 0 {
            isParagraph[index] = true
            if entry.element == .div { scoringAncestors[index] = scoringAncestors[parent] }
            if isOneRun {
                scores.runCounts[index] = 1
                addParagraphScore(length: inside.length, commas: inside.commas, from: parent)
            }
        } else if runs.runs.isEmpty, !inside.breaksDivision, index > 0 {
            isParagraph[index] = true
            if entry.element == .div { scoringAncestors[index] = scoringAncestors[parent] }
            scores.runCounts[index] = 1
            addParagraphScore(length: inside.length, commas: inside.commas, from: parent)
        } else {
            for run in runs.runs { addParagraphScore(length: run.length, commas: run.commas, from: index) }
            scores.runCounts[index] = Int32(clamping: runs.runs.count)
        }
    }

    /// Adds the score of a paragraph to five elements around it, less to farther ones.
    private mutating func addParagraphScore(length: Int, commas: Int, from start: Int) {
        guard length >= 25 else { return }
        let score = Double(2 + commas + min(length / 100, 3))
        var index = start
        for level in 0..<5 {
            index = Int(scoringAncestors[index])
            if !scores.isScored[index] {
                scores.begin(index, at: Double(tree.entries[index].element.baseScore + weight(index)))
            }
            scores.values[index] += score / Double(level == 0 ? 1 : level == 1 ? 2 : level * 3)
            if index == 0 { return }
            index = Int(tree.entries[index].parent)
        }
    }
}

extension ContentElement {
    /// The score that an element begins with.
    fileprivate var baseScore: Int {
        switch self {
        case .div: 5
        case .pre, .td, .blockquote: 3
        case .address, .ol, .ul, .dl, .dd, .dt, .li, .form: -3
        case .h1, .h2, .h3, .h4, .h5, .h6, .th: -5
        default: 0
        }
    }
}
