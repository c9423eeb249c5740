/// A page as a sequence of blocks, each a run of text on lines of its own, and what is around them.
///
/// Everything is counted in a few passes over the table, linear in the page.
struct ContentBlocks {
    /// A run of text without a block, or a doubled line break, in it.
    struct Block {
        /// The entries of its texts, first and last included; elements inside a line may be between them.
        var entries: ClosedRange<Int>
        /// The nearest element around it that is a block.
        let element: Int
        var chars = 0
        var words = 0
        /// Characters in links, in bold and in italics.
        var linked = 0
        var bold = 0
        var italic = 0
        var digits = 0
        /// Capital letters of ASCII.
        var capitals = 0
        var letters = 0
        var commas = 0
        /// Sentences that end.
        var stops = 0
        var endsSentence = false
        var endsWithColon = false
        var beginsWithLink = false
        var isDescription = false
        /// Whether it is short, and has a sign of a currency beside a digit.
        var hasPrice = false
        /// How far its words are those of the title, from 0 to 1.
        var titleLikeness: Float = 0
        var hash: UInt64 = 0

        var linkDensity: Float { chars == 0 ? 0 : min(1, Float(linked) / Float(chars)) }

        /// Whether it is a paragraph by its length, rather than a label.
        var isProse: Bool { chars >= 80 && linked *| 10 < chars *| 3 }
    }

    /// The properties that an element gets from the elements around it, itself included.
    struct Place {
        /// The hints of the element, of it and the one around it, and of all around it.
        var own: ContentHints = []
        var near: ContentHints = []
        var any: ContentHints = []
        /// The kinds of ``Place/kinds`` around it, a bit each.
        var around: UInt32 = 0
        /// A hash of the elements around it and their classes.
        var path: UInt64 = 0
        var depth: Int32 = 0
        /// How many elements of the same kind and class stand beside the one around it that has most of them.
        var twins: Int32 = 0
        /// Which of them it is, and how deep these are.
        var twin: Int32 = 0
        var twinDepth: Int32 = 0
        var lists: Int32 = 0
        var isBold = false
        var isItalic = false
        var isLink = false
        var isArticleBody = false

        static let kinds: [ContentElement] = [
            .figure, .figcaption, .table, .blockquote, .aside, .footer, .header, .nav, .form, .article, .main,
            .pre,
        ]

        /// Whether it is in an element of one of ``Place/kinds``, or is one.
        func isIn(_ kind: ContentElement) -> Bool { around & Self.bits[Int(kind.rawValue)] != 0 }

        /// The bit of an element; 0 for other kinds.
        static let bits: [UInt32] = {
            var bits = [UInt32](repeating: 0, count: Int(ContentElement.hidden.rawValue) + 1)
            for (index, kind) in kinds.enumerated() {
                bits[Int(kind.rawValue)] = 1 << UInt32(truncatingIfNeeded: index)
            }
            return bits
        }()
    }

    /// Counts over everything inside an element.
    struct Totals {
        var chars = 0
        var linked = 0
        var blocks = 0
        /// Characters in blocks that are prose.
        var prose = 0
        var paragraphs = 0
        var images = 0

        mutating func add(_ other: Totals) {
            chars += other.chars
            linked += other.linked
            blocks += other.blocks
            prose += other.prose
            paragraphs += other.paragraphs
            images += other.images
        }
    }

    let tree: ContentTree
    private(set) var blocks: [Block] = []
    private(set) var places: [Place]
    private(set) var totals: [Totals]
    /// The kind of each element and the first of its classes.
    private var signatures: [UInt64]

    /// Counts a page.
    ///
    /// - Complexity: O(n) in the number of entries.
    init(_ tree: ContentTree, _ facts: ArticleFacts) {
        self.tree = tree
        places = [Place](repeating: Place(), count: tree.entries.count)
        totals = [Totals](repeating: Totals(), count: tree.entries.count)
        signatures = [UInt64](repeating: 0, count: tree.entries.count)
        place()
        findTwins()
        var reader = ContentBlockReader(tree, places, facts)
        blocks = reader.read()
        sum()
    }

    // MARK: - Places

    private mutating func place() {
        for index in tree.entries.indices {
            let entry = tree.entries[index]
            guard entry.element != .text else { continue }
            let outer = index == 0 ? Place() : places[Int(entry.parent)]
            let own = entry.hints
            let name = tree.className(of: entry)
            var place = outer
            place.own = own
            place.near = own.union(outer.own)
            if entry.element != .body { place.any.formUnion(own) }
            place.around |= Place.bits[Int(entry.element.rawValue)]
            signatures[index] = name.firstHash &* 31 &+ UInt64(entry.element.rawValue)
            place.path =
                outer.path &* 0x9E37_79B9_7F4A_7C15 ^ (name.hash &* 31 &+ UInt64(entry.element.rawValue))
            place.depth &+= 1
            if entry.traits.contains(.list) { place.lists &+= 1 }
            switch entry.element {
            case .b, .strong: place.isBold = true
            case .i, .em: place.isItalic = true
            case .a: place.isLink = true
            default: break
            }
            if entry.marks.contains(.articleBody) { place.isArticleBody = true }
            places[index] = place
        }
    }

    /// Finds elements that stand beside others of the same kind and class, as those of a list of articles do.
    private mutating func findTwins() {
        var kinds = ContentIndex()
        var counts: [(count: Int32, seen: Int32)] = []
        for index in tree.entries.indices where tree.entries[index].element != .text {
            let end = Int(tree.entries[index].end)
            let hasTwins = hasThreeElements(index)
            if hasTwins {
                kinds.removeAll()
                counts.removeAll(keepingCapacity: true)
                var child = index + 1
                while child < end {
                    if tree.entries[child].canBeTwin {
                        let kind = kinds.number(of: signatures[child])
                        if kind == counts.count { counts.append((0, 0)) }
                        counts[kind].count &+= 1
                    }
                    child = Int(tree.entries[child].end)
                }
            }
            let outer = places[index]
            var child = index + 1
            while child < end {
                let entry = tree.entries[child]
                defer { child = Int(entry.end) }
                if entry.element == .text { continue }
                if hasTwins, entry.canBeTwin, let kind = kinds.find(signatures[child]),
                    counts[kind].count > 2,
                    counts[kind].count >= outer.twins
                {
                    places[child].twins = counts[kind].count
                    places[child].twin = counts[kind].seen
                    places[child].twinDepth = places[child].depth
                    counts[kind].seen &+= 1
                } else {
                    places[child].twins = outer.twins
                    places[child].twin = outer.twin
                    places[child].twinDepth = outer.twinDepth
                }
            }
        }
    }

    /// Whether an element has three or more directly in it.
    private func hasThreeElements(_ index: Int) -> Bool {
        var child = index + 1
        var children = 0
        while child < tree.entries[index].end, children < 3 {
            if tree.entries[child].element != .text { children += 1 }
            child = Int(tree.entries[child].end)
        }
        return children > 2
    }

    private mutating func sum() {
        for block in blocks {
            let element = tree.entries[block.element].element
            totals[block.element].add(
                Totals(
                    chars: block.chars,
                    linked: block.linked,
                    blocks: 1,
                    prose: block.isProse ? block.chars : 0,
                    paragraphs: element == .p ? block.chars : 0
                )
            )
        }
        for index in tree.entries.indices.dropFirst().reversed() {
            if tree.entries[index].element == .img { totals[index].images += 1 }
            totals[Int(tree.entries[index].parent)].add(totals[index])
        }
    }
}

extension ContentTree.Entry {
    /// Whether it can be one of several parts of the same kind; paragraphs and what is in lines cannot.
    fileprivate var canBeTwin: Bool {
        element != .text && element != .p && element != .a && !traits.contains(.inline)
            && !traits.contains(.heading)
    }
}
