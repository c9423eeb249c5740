/// The rules that the likelihood of each block alone does not cover: headings go with the text below them, boxes with
/// their form.
extension ContentChoice {
    /// Characters that may stand beside a heading, as a link to edit its section.
    private static let besideHeading = 60

    /// Characters of the largest box that is left out for its form.
    private static let largestBox = 400

    /// Parts that are not of the article, as those with links to others, to share it and to subscribe.
    static let foreign: ContentHints = [.related, .share, .subscribe]

    /// Chooses the headings of sections: between prose that is chosen, whatever stands in a row with them, but for
    /// links to other pages.
    mutating func takeHeadings() {
        var above: [Int?] = []
        var last: Int?
        for place in page.blocks.indices {
            above.append(last)
            if isChosen[place], page.blocks[place].isProse { last = place }
        }
        var below: Int?
        for place in page.blocks.indices.reversed() {
            if isChosen[place] {
                below = place
            } else if let above = above[place], let below, isHeading(place, above, below) {
                choose(place, true, .heading)
            }
        }
    }

    /// Whether a block is the heading of a section.
    ///
    /// - Parameters:
    ///   - place: The block.
    ///   - above: The last block of prose before it that is chosen.
    ///   - below: The next block that is chosen.
    /// - Returns: Whether it is.
    private func isHeading(_ place: Int, _ above: Int, _ below: Int) -> Bool {
        let heading = page.blocks[place].element
        guard page.blocks[below].isProse, tree.entries[heading].traits.contains(.heading),
            tree.entries[heading].element != .h1, page.places[heading].near.isDisjoint(with: Self.foreign),
            page.blocks[place].linkDensity <= 0.5 || leadsWithinPage(heading)
        else { return false }
        let (last, next) = (page.blocks[above].entries, page.blocks[below].entries.lowerBound)
        // The row that it stands in.
        var row = heading
        var around = Int(tree.entries[row].parent)
        while around > last.upperBound, tree.entries[around].end <= next,
            page.totals[around].blocks <= 2, page.places[around].own.isDisjoint(with: Self.foreign),
            page.totals[around].chars - page.totals[heading].chars <= Self.besideHeading
        {
            row = around
            around = Int(tree.entries[row].parent)
        }
        guard around < last.lowerBound, next < tree.entries[around].end else { return false }
        return page.blocks[below - 1].entries.lowerBound < tree.entries[row].end
    }

    /// Whether a heading is a link to a place on the page, as to itself.
    private func leadsWithinPage(_ heading: Int) -> Bool {
        var index = heading
        while index < tree.entries[heading].end, tree.entries[index].element != .a { index += 1 }
        return index < tree.entries[heading].end && tree.entries[index].marks.contains(.fragmentLink)
    }

    /// Drops boxes in which an address is asked for, as those of newsletters: small parts with a field for one, or with
    /// a class or an ID that says so.
    mutating func dropBoxes() {
        let length = page.blocks.indices.reduce(0) { isChosen[$1] ? $0 + page.blocks[$1].chars : $0 }
        let maximum = min(Self.largestBox, length / 4)
        var place = 0
        var end = 0
        for index in tree.entries.indices where index >= end {
            guard let box = box(index, maximum) else { continue }
            end = max(index + 1, Int(tree.entries[box].end))
            while place < page.blocks.count, page.blocks[place].entries.lowerBound < end {
                if page.blocks[place].entries.lowerBound >= box { choose(place, false, .box) }
                place += 1
            }
        }
    }

    /// The box that an element says there is, by what it is or by its name; nil for most.
    private func box(_ index: Int, _ maximum: Int) -> Int? {
        let entry = tree.entries[index]
        if entry.isBox { return page.totals[index].chars <= maximum ? index : nil }
        guard entry.element == .input,
            entry.node.attribute("type")?.isEqualIgnoringASCIICase(to: "email") == true
        else { return nil }
        var box = index
        while box > 0, case let around = Int(tree.entries[box].parent), page.totals[around].chars <= maximum {
            box = around
        }
        return box
    }
}

extension ContentTree.Entry {
    /// Whether its class or its ID says that it is there to subscribe.
    fileprivate var isBox: Bool {
        guard hints.contains(.subscribe), traits.contains(.block), element != .p, !traits.contains(.heading)
        else {
            return false
        }
        return [node.attribute("class"), node.attribute("id")].contains { name in
            guard let name else { return false }
            return String(asciiLowercasing: name.utf8).split { !$0.isLetter }
                .contains { Self.boxes.contains(String($0)) }
        }
    }

    private static let boxes: Set<String> = ["newsletter", "newsletters", "signup", "subscribe"]
}
