extension Comparison {
    /// The minimum number of words of a block that is recognized after it was both moved and edited.
    private static let leastWords = 5

    /// The minimum share of words that such a block has in common with its old text.
    private static let leastLikeness = 0.6

    /// Matches blocks of text that were moved and edited: by words that no other unmatched block has, if most of their
    /// words are equal.
    ///
    /// Complexity: O(n log n) in the words of the unmatched blocks.
    mutating func movedAndChanged(_ aligner: inout Aligner, _ old: [Unit], _ new: [Unit]) -> [(Int, Int)] {
        func left(_ units: [Unit], _ matches: [Int]) -> [Int] {
            units.indices.filter { index in
                matches[index] < 0 && units[index].category == .text
                    && units[index].words.count >= Self.leastWords
            }
        }
        func hashes(_ side: Side, _ unit: Unit) -> [UInt64] { side.words[unit.words].map(\.hash) }
        var matching = ItemMatching(left(old, aligner.newOf), left(new, aligner.oldOf))
        guard !matching.isOneSided, !isLate else { return [] }
        matching.pair(byPrints: { hashes(a, old[$0]) }, { hashes(b, new[$0]) })
        var pairs: [(Int, Int)] = []
        for case (let one?, let other?) in matching.pairs {
            let (words, newWords) = (hashes(a, old[one]).sorted(), hashes(b, new[other]).sorted())
            guard Self.dice(words, newWords) >= Self.leastLikeness else { continue }
            aligner.match(one, other)
            pairs.append((one, other))
        }
        return pairs
    }
}
