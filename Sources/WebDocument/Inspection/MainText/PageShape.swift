/// How much of a page is in which of its parts, and of which kinds its blocks are.
struct PageShape {
    /// Characters of all blocks, each of one at least.
    private var chars = 0
    /// Those in the main element, on the page without other parts, in posts, and of each of ``kinds``.
    private var mainChars = 0
    private(set) var pageChars = 0
    private var postChars = 0
    private var kindChars = [Int](repeating: 0, count: Self.kinds.count)
    private var priceChars = 0
    private var headings = 0
    private var prices = 0
    private var articles = 0
    private let places: [MainRegion.Place]
    private let isInPost: [Bool]
    /// The place that the main content is in, as far as the page says.
    private let best: MainRegion.Place
    /// Characters in the best place before each block, and before the end.
    private var before: [Int] = [0]

    private static let kinds: [[ContentElement]] = [
        [.pre], [.li], [.td, .th], [.dt, .dd], [.h1, .h2, .h3, .h4, .h5, .h6],
    ]

    /// Counts a page.
    ///
    /// - Complexity: O(n) in the number of entries.
    init(_ page: ContentBlocks, _ signs: PageSigns) {
        places = page.blocks.map { signs.region.place(of: $0.element) }
        isInPost = page.blocks.map { signs.isInPost[$0.entries.lowerBound] }
        best = places.contains(.main) ? .main : .page
        for entry in page.tree.entries where entry.element == .article { articles += 1 }
        for (place, block) in page.blocks.enumerated() {
            let length = max(1, block.chars)
            chars += length
            if places[place] == .main { mainChars += length }
            if places[place] != .other { pageChars += length }
            if isInPost[place] { postChars += length }
            if block.hasPrice {
                priceChars += length
                prices += 1
            }
            let element = page.tree.entries[block.element].element
            if element.traits.contains(.heading) { headings += 1 }
            for (kind, elements) in Self.kinds.enumerated() where elements.contains(element) {
                kindChars[kind] += length
            }
            before.append(before[place] + (places[place] == best ? length : 0))
        }
    }

    /// Adds the numbers of a block, in the order of ``names``.
    func describe(_ place: Int, _ block: ContentBlocks.Block, into row: inout ContentRows) {
        row.add(mainChars, of: chars)
        row.add(pageChars, of: chars)
        row.add(postChars, of: chars)
        for kind in kindChars { row.add(kind, of: chars) }
        row.add(headings)
        row.add(prices)
        row.add(priceChars, of: chars)
        row.add(articles)
        row.add(places[place].rawValue)
        row.add(places[place] == best)
        row.add(isInPost[place])
        row.add(block.hasPrice)
        row.add(before[place], of: before[before.count - 1])
        row.add(before[before.count - 1] - before[place + 1], of: before[before.count - 1])
    }

    /// The names of what ``describe(_:_:into:)`` adds.
    static let names = [
        "mainShare", "pageShare", "postShare", "codeShare", "itemShare", "cellShare", "definitionShare",
        "headingShare",
        "headings", "prices", "priceShare", "articles", "mainPlace", "inBest", "inPost", "hasPrice",
        "beforeInBest",
        "afterInBest",
    ]
}
