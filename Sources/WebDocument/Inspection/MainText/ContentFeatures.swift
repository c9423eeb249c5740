/// The features of each block of a page, as numbers for ``ContentModel``.
///
/// None of them depends on a language.
struct ContentFeatures {
    let page: ContentBlocks
    private let signs: PageSigns
    let shape: PageShape
    /// Whether each block is in the content found by scores.
    private let isScored: [Bool]
    private let firstScored: Int
    private let lastScored: Int
    private let top: Int
    /// For each element, the nearest one around it that is around the one with the best score, too.
    private var common: [Int32]
    /// The same for the block that is most likely the title; empty where none is.
    private var commonToTitle: [Int32] = []
    private let title: Int?
    /// The group of each block: those of the same path.
    private(set) var groupOfBlock: [Int32] = []
    /// The totals of the blocks of each group.
    private(set) var groups: [ContentBlocks.Totals] = []
    /// For each block, the number of its text, and how many blocks have each text.
    private var texts: [Int32] = []
    private var copies: [Int32] = []
    /// Characters and characters of prose before each block, and before the end.
    private var charsBefore: [Int] = [0]
    private var proseBefore: [Int] = [0]
    /// For each block, the last heading before it.
    private var headings: [Int32] = []

    /// - Parameters:
    ///   - page: The page's blocks.
    ///   - signs: The signs of the page's kind.
    ///   - found: The content found by scores.
    /// - Complexity: O(n) in the number of entries.
    init(_ page: ContentBlocks, _ signs: PageSigns, found: ContentFinder.Result) {
        self.page = page
        self.signs = signs
        shape = PageShape(page, signs)
        let entries = page.tree.entries
        let isScoredEntry = found.kept(entries)
        isScored = page.blocks.map { block in block.entries.contains { isScoredEntry[$0] } }
        firstScored = isScored.firstIndex(of: true) ?? 0
        lastScored = isScored.lastIndex(of: true) ?? max(0, page.blocks.count - 1)
        top = found.top
        common = Self.common(entries, with: top)
        var best: (place: Int, likeness: Float)?
        for (place, block) in page.blocks.enumerated() where block.titleLikeness >= 0.5 {
            let bonus: Float =
                switch entries[block.element].element {
                case .h1: 0.3
                case .h2: 0.15
                case .h3, .h4, .h5, .h6: 0.05
                default: 0
                }
            if block.titleLikeness + bonus > best?.likeness ?? 0.6 {
                best = (place, block.titleLikeness + bonus)
            }
        }
        title = best?.place
        if let title { commonToTitle = Self.common(entries, with: page.blocks[title].element) }
        var heading: Int32 = -1
        var paths = ContentIndex()
        var hashes = ContentIndex()
        for (place, block) in page.blocks.enumerated() {
            let group = paths.number(of: page.places[block.element].path)
            if group == groups.count { groups.append(ContentBlocks.Totals()) }
            groups[group].add(ContentBlocks.Totals(chars: block.chars, linked: block.linked, blocks: 1))
            groupOfBlock.append(Int32(truncatingIfNeeded: group))
            let text = hashes.number(of: block.hash)
            if text == copies.count { copies.append(0) }
            copies[text] &+= 1
            texts.append(Int32(truncatingIfNeeded: text))
            charsBefore.append(charsBefore[place] + block.chars)
            proseBefore.append(proseBefore[place] + (block.isProse ? block.chars : 0))
            headings.append(heading)
            if entries[block.element].traits.contains(.heading) {
                heading = Int32(truncatingIfNeeded: place)
            }
        }
    }

    private static func common(_ entries: [ContentTree.Entry], with element: Int) -> [Int32] {
        var common = [Int32](repeating: 0, count: entries.count)
        var isAround = [Bool](repeating: false, count: entries.count)
        var around = element
        while around > 0 {
            isAround[around] = true
            around = Int(entries[around].parent)
        }
        for index in entries.indices.dropFirst() {
            common[index] =
                isAround[index] ? Int32(truncatingIfNeeded: index) : common[Int(entries[index].parent)]
        }
        return common
    }

    // MARK: - Rows

    /// Adds the features of a block, in the order of ``names``.
    func describe(_ place: Int, into row: inout ContentRows) {
        let block = page.blocks[place]
        describeText(place, block, &row)
        describeElement(block, &row)
        describePlace(place, block, &row)
        describeSurroundings(block, &row)
        describeScores(place, block, &row)
        describeTitle(place, block, &row)
        describeNeighbours(place, block, &row)
        signs.describe(into: &row)
        shape.describe(place, block, into: &row)
    }

    private func describeText(_ place: Int, _ block: ContentBlocks.Block, _ row: inout ContentRows) {
        row.add(block.chars)
        row.add(block.words)
        row.add(block.chars, of: block.words)
        row.add(block.linkDensity)
        row.add(block.bold, of: block.chars)
        row.add(block.italic, of: block.chars)
        row.add(block.digits, of: block.chars)
        row.add(block.capitals, of: block.letters)
        row.add(block.letters, of: block.chars)
        row.add(block.commas)
        row.add(block.stops)
        row.add(block.endsSentence)
        row.add(block.endsWithColon)
        row.add(block.beginsWithLink)
        row.add(copies[Int(texts[place])])
    }

    private func describeElement(_ block: ContentBlocks.Block, _ row: inout ContentRows) {
        let element = page.tree.entries[block.element].element
        let place = page.places[block.element]
        row.add(element == .p)
        row.add(
            element.traits.contains(.heading)
                ? Int(element.rawValue) - Int(ContentElement.h1.rawValue) + 1 : 0
        )
        row.add(element == .li || element == .dd || element == .dt)
        row.add(element == .td || element == .th)
        row.add(element == .div)
        row.add(bits: place.around, count: ContentBlocks.Place.kinds.count)
        row.add(place.lists)
        row.add(place.depth)
        row.add(place.twins)
        row.add(place.twins > 0 ? place.depth &- place.twinDepth : -1)
        row.add(place.twin)
        row.add(place.isArticleBody)
        row.add(bits: place.near.rawValue, count: ContentHints.count)
        row.add(bits: place.any.rawValue, count: ContentHints.count)
    }

    private func describePlace(_ place: Int, _ block: ContentBlocks.Block, _ row: inout ContentRows) {
        let whole = page.totals[0]
        row.add(place)
        row.add(place, of: page.blocks.count)
        row.add(charsBefore[place], of: whole.chars)
        row.add(proseBefore[place], of: whole.prose)
        row.add(whole.prose - proseBefore[place])
        row.add(proseBefore[place])
        row.add(whole.chars)
        row.add(page.blocks.count)
        row.add(whole.prose)
        row.add(whole.linked, of: whole.chars)
        row.add(whole.paragraphs, of: whole.chars)
        let group = groups[Int(groupOfBlock[place])]
        row.add(group.chars, of: whole.chars)
        row.add(group.blocks)
        row.add(group.chars, of: group.blocks)
        row.add(group.linked, of: group.chars)
    }

    private func describeSurroundings(_ block: ContentBlocks.Block, _ row: inout ContentRows) {
        let whole = page.totals[0]
        var index = block.element
        for level in 1...6 {
            index = Int(page.tree.entries[index].parent)
            if level == 5 { continue }
            let around = page.totals[index]
            row.add(around.chars)
            row.add(around.linked, of: around.chars)
            row.add(around.prose, of: around.chars)
            row.add(around.prose, of: whole.prose)
            row.add(around.chars, of: around.blocks)
            if level <= 2 { row.add(around.images) }
        }
    }

    private func describeScores(_ place: Int, _ block: ContentBlocks.Block, _ row: inout ContentRows) {
        let whole = page.totals[0]
        let shared = Int(common[block.element])
        row.add(isScored[place])
        row.add(shared == top)
        row.add(page.places[block.element].depth &- page.places[shared].depth)
        row.add(page.places[top].depth &- page.places[shared].depth)
        row.add(place - firstScored)
        row.add(place - lastScored)
        row.add(page.totals[shared].prose, of: whole.prose)
        row.add(page.totals[top].prose, of: whole.prose)
    }

    private func describeTitle(_ place: Int, _ block: ContentBlocks.Block, _ row: inout ContentRows) {
        row.add(block.titleLikeness)
        if let title {
            let shared = Int(commonToTitle[block.element])
            row.add(place - title)
            row.add(page.places[block.element].depth &- page.places[shared].depth)
            row.add(page.places[page.blocks[title].element].depth &- page.places[shared].depth)
        } else {
            row.add(-999)
            row.add(-1)
            row.add(-1)
        }
        row.add(headings[place] < 0 ? 999 : place - Int(headings[place]))
        row.add(block.isDescription)
    }

    private func describeNeighbours(_ place: Int, _ block: ContentBlocks.Block, _ row: inout ContentRows) {
        let entries = page.tree.entries
        for distance in -3...3 where distance != 0 {
            guard page.blocks.indices.contains(place + distance) else {
                for _ in 0..<6 { row.add(-1) }
                continue
            }
            let other = page.blocks[place + distance]
            row.add(other.chars)
            row.add(other.linkDensity)
            row.add(entries[other.element].element == .p)
            row.add(entries[other.element].traits.contains(.heading))
            row.add(isScored[place + distance])
            let isSibling = entries[other.element].parent == entries[block.element].parent
            row.add(
                isSibling ? 2 : page.places[other.element].path == page.places[block.element].path ? 1 : 0
            )
        }
        for radius in [5, 12] {
            row.add(proseBefore[place] - proseBefore[max(0, place - radius)])
            row.add(proseBefore[min(page.blocks.count, place + radius + 1)] - proseBefore[place + 1])
        }
    }

    /// The names of the features, for those who train the model.
    static let names: [String] = {
        var names = [
            "chars", "words", "wordLength", "linkDensity", "bold", "italic", "digits", "capitals", "letters",
            "commas", "stops", "endsSentence", "endsWithColon", "beginsWithLink", "copies", "isParagraph",
            "level", "isItem", "isCell", "isDivision",
        ]
        names += ContentBlocks.Place.kinds.map { "in-\($0)" }
        names += ["lists", "depth", "twins", "twinLevel", "twin", "articleBody"]
        for scope in ["near", "any"] { names += (0..<ContentHints.count).map { "\(scope)-\($0)" } }
        names += [
            "index", "place", "charPlace", "prosePlace", "proseLeft", "proseBefore", "pageChars",
            "pageBlocks",
            "pageProse", "pageLinks", "pageParagraphs", "groupShare", "groupCount", "groupMean", "groupLinks",
        ]
        for level in [1, 2, 3, 4, 6] {
            names += ["chars", "links", "prose", "proseShare", "mean"].map { "up\(level)-\($0)" }
            if level <= 2 { names.append("up\(level)-images") }
        }
        names += [
            "isScored", "inTop", "toCommon", "topToCommon", "fromFirst", "fromLast", "commonProse",
            "topProse",
            "title", "fromTitle", "upToTitle", "titleUp", "fromHeading", "isDescription",
        ]
        for distance in [-3, -2, -1, 1, 2, 3] {
            names += ["chars", "links", "p", "heading", "scored", "kin"].map { "next\(distance)-\($0)" }
        }
        for radius in [5, 12] { names += ["before\(radius)", "after\(radius)"] }
        return names + PageSigns.names + PageShape.names
    }()
}

extension ContentFinder.Result {
    /// Whether each entry is in the result.
    func kept(_ entries: [ContentTree.Entry]) -> [Bool] {
        var kept = [Bool](repeating: false, count: entries.count)
        for root in roots {
            for index in root..<Int(entries[root].end) {
                kept[index] = !removed[index] && (index == root || kept[Int(entries[index].parent)])
            }
        }
        return kept
    }
}
