/// The rules that keep parts together: the model gives the likelihood of each block alone, and would leave holes.
extension ContentChoice {
    /// The likelihood below which a block is surely not content, though content is on both sides of it.
    ///
    /// On pages of sites that the model had not seen, filling the holes lowers no F1 by more than 0.001, and raises
    /// that of manuals by 0.004.
    private static let leastBetween: Float = 0.1

    /// The same for a part of an element most of which is content.
    private static let leastInside: Float = 0.03

    /// The kinds of pages on which everything in a container is likely of it, however deep.
    private static let deepKinds: [ContentKind.Name] = [.documentation, .contents, .listing]

    /// Chooses the blocks between two chosen blocks of a container, unless they are surely not content.
    ///
    /// A container is the element that both blocks stand in, or the next one around it. On a manual's page and a list,
    /// the blocks between them may be deeper in it; on other pages, deeper blocks are more often a box of something
    /// else.
    mutating func takeBetween() {
        let isDeep = kind.map { Self.deepKinds.contains($0.name) } ?? false
        var last: Int?
        for place in page.blocks.indices where isChosen[place] {
            if let last, place - last > 1 {
                for level in 1...2 where container(last, level) == container(place, level) {
                    for inner in last + 1..<place where canReturn(inner, Self.leastBetween) {
                        let isBeside = container(inner, level) == container(place, level)
                        guard isDeep || isBeside && page.blocks[inner].linkDensity <= 0.5 else { continue }
                        choose(inner, true, .between)
                    }
                }
            }
            last = place
        }
    }

    /// Takes the rest of each list most of whose text is chosen.
    mutating func takeLists() {
        var chars: [Int: (all: Int, chosen: Int)] = [:]
        for (place, block) in page.blocks.enumerated() where isItem(place) {
            chars[container(place, 1), default: (0, 0)].all += block.chars
            if isChosen[place] { chars[container(place, 1)]?.chosen += block.chars }
        }
        for place in page.blocks.indices where isItem(place) && canReturn(place, Self.leastInside) {
            guard let list = chars[container(place, 1)], list.chosen *| 2 > list.all else { continue }
            choose(place, true, .list)
        }
    }

    /// Takes the sentence that leads to a list or to code, and the term whose definition is chosen.
    mutating func takeIntroductions() {
        for place in page.blocks.indices.dropLast()
        where isChosen[place + 1] && canReturn(place, Self.leastInside) {
            let isLeading =
                page.blocks[place].endsWithColon && (isItem(place + 1) || element(place + 1) == .pre)
            let isTerm = element(place) == .dt && element(place + 1) == .dd
            if isLeading || isTerm { choose(place, true, .introduction) }
        }
    }

    /// Whether a block was left out by its likelihood alone, is likely enough to be taken, and is not in another part
    /// of the page.
    private func canReturn(_ place: Int, _ least: Float) -> Bool {
        guard !isChosen[place], reasons[place] == .unlikely, likelihoods[place] > least else { return false }
        let element = page.blocks[place].element
        return signs.region.place(of: element) != .other
            && page.places[element].near.isDisjoint(with: Self.foreign)
    }

    private func element(_ place: Int) -> ContentElement { tree.entries[page.blocks[place].element].element }

    private func isItem(_ place: Int) -> Bool { [.li, .dt, .dd].contains(element(place)) }

    /// The entry at one of the levels around a block's element.
    private func container(_ place: Int, _ level: Int) -> Int {
        (0..<level).reduce(page.blocks[place].element) { index, _ in Int(tree.entries[index].parent) }
    }
}
