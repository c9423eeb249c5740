/// Weighs each block of a page: first by the features of the block and its surroundings, and then again with the
/// results for the blocks around it.
struct ContentClassifier {
    private let page: ContentBlocks
    private let signs: PageSigns
    private let features: ContentFeatures

    init(_ page: ContentBlocks, _ signs: PageSigns, found: ContentFinder.Result) {
        self.page = page
        self.signs = signs
        features = ContentFeatures(page, signs, found: found)
    }

    /// The features of each block, for those who train the model.
    func rows() -> [[Float]] {
        var rows = ContentRows()
        return page.blocks.indices.map { place in
            rows.removeAll()
            rows.begin(0)
            features.describe(place, into: &rows)
            return rows.last
        }
    }

    /// The model's judgement of a page.
    struct Judgement {
        /// How likely each block belongs to the main content, from 0 to 1.
        var likelihoods: [Float]
        /// The kind of the page; `nil` if it has no block.
        var kind: ContentKind?
    }

    /// Weighs the page.
    ///
    /// - Complexity: O(n) in the number of entries.
    func judge() -> Judgement {
        var likelihoods = [Float](repeating: 0, count: page.blocks.count)
        var kinds = KindClassifier()
        describe(Array(page.blocks.indices)) { batch, rows in
            kinds.add(rows, lengths(batch))
            Self.weigh(batch, rows, with: .first, &likelihoods)
        }
        let surroundings = Surroundings(self, likelihoods)
        describe(page.blocks.indices.filter { likelihoods[$0] >= Self.hopeless }) { batch, rows in
            let width = rows.width
            for (lane, place) in batch.enumerated() {
                rows.begin(lane, at: width)
                surroundings.describe(place, into: &rows)
            }
            Self.weigh(batch, rows, with: .second, &likelihoods)
        }
        return Judgement(likelihoods: likelihoods, kind: kind(kinds))
    }

    /// Returns the kind of the page without weighing its blocks; `nil` if it has no block.
    ///
    /// - Complexity: O(n) in the number of entries.
    func kind() -> ContentKind? {
        var kinds = KindClassifier()
        describe(Array(page.blocks.indices)) { batch, rows in kinds.add(rows, lengths(batch)) }
        return kind(kinds)
    }

    private func kind(_ kinds: KindClassifier) -> ContentKind? {
        kinds.kind(signs.controls, length: features.shape.pageChars)
    }

    private func lengths(_ batch: ArraySlice<Int>) -> ContentRows.Column {
        var lengths = ContentRows.Column()
        for (lane, place) in batch.enumerated() { lengths[lane] = Float(max(1, page.blocks[place].chars)) }
        return lengths
    }

    /// Hands over the features of some blocks, several at a time.
    private func describe(_ places: [Int], _ body: (ArraySlice<Int>, inout ContentRows) -> Void) {
        var rows = ContentRows()
        for start in stride(from: 0, to: places.count, by: ContentRows.count) {
            let batch = places[start..<min(start + ContentRows.count, places.count)]
            rows.removeAll()
            for (lane, place) in batch.enumerated() {
                rows.begin(lane)
                features.describe(place, into: &rows)
            }
            body(batch, &rows)
        }
    }

    private static func weigh(
        _ batch: ArraySlice<Int>,
        _ rows: ContentRows,
        with model: ContentModel,
        _ likelihoods: inout [Float]
    ) {
        let found = model.likelihoods(rows)
        for (lane, place) in batch.enumerated() { likelihoods[place] = found[lane] }
    }

    /// The likelihood in the first weighing below which a block is not weighed again: of 60,000 such blocks, none
    /// turned out to be content.
    private static let hopeless: Float = 0.02

    /// The likelihoods of the blocks around a block, weighted by their lengths.
    private struct Surroundings {
        private struct Sum {
            var weighed: Float = 0
            var chars: Float = 0

            func mean(without other: Sum) -> Float {
                chars > other.chars ? (weighed - other.weighed) / max(1, chars - other.chars) : -1
            }
        }

        private let likelihoods: [Float]
        /// Sums over all blocks before each, and before the end.
        private var before: [Sum] = [Sum()]
        private let highest: Float
        /// The sums of the elements at each of three levels around blocks, and those of the groups.
        private var scopes: [Sum]
        /// For each block, the places in ``scopes`` of the three elements around it and of its group.
        private var places: [SIMD4<Int32>] = []

        init(_ classifier: ContentClassifier, _ likelihoods: [Float]) {
            self.likelihoods = likelihoods
            highest = likelihoods.max() ?? 0
            let page = classifier.page
            var sum = Sum()
            let count = page.tree.entries.count
            scopes = [Sum](repeating: Sum(), count: 3 * count + classifier.features.groups.count)
            before.reserveCapacity(page.blocks.count + 1)
            places.reserveCapacity(page.blocks.count)
            for (place, block) in page.blocks.enumerated() {
                let chars = Float(max(1, block.chars))
                let weighed = likelihoods[place] * chars
                sum.weighed += weighed
                sum.chars += chars
                before.append(sum)
                let parent = Int(page.tree.entries[block.element].parent)
                let next = Int(page.tree.entries[parent].parent)
                let last = Int(page.tree.entries[next].parent)
                let group = Int(classifier.features.groupOfBlock[place])
                let around = [parent, count + next, 2 * count + last, 3 * count + group]
                places.append(SIMD4(truncatingIfNeeded: SIMD4<Int>(around)))
                for index in around {
                    scopes[index].weighed += weighed
                    scopes[index].chars += chars
                }
            }
        }

        /// Adds the likelihoods around a block to its features.
        func describe(_ place: Int, into row: inout ContentRows) {
            let count = likelihoods.count
            row.add(likelihoods[place])
            for distance in -3...3 where distance != 0 {
                let other = place + distance
                row.add(likelihoods.indices.contains(other) ? likelihoods[other] : -1)
            }
            for radius in [5, 15] {
                let start = max(0, place - radius)
                let end = min(count, place + radius + 1)
                row.add(mean(start, end))
                row.add(mean(start, place))
                row.add(mean(place + 1, end))
            }
            let total = before[count].weighed
            let reached = before[place + 1].weighed
            row.add(total == 0 ? 0 : reached / total)
            row.add(total)
            row.add(highest)
            row.add(reached)
            let own = Sum(
                weighed: reached - before[place].weighed,
                chars: before[place + 1].chars - before[place].chars
            )
            for scope in 0..<4 {
                let around = scopes[Int(places[place][scope])]
                row.add(around.mean(without: own))
                row.add(around.weighed / max(1, total))
            }
        }

        private func mean(_ start: Int, _ end: Int) -> Float {
            (before[end].weighed - before[start].weighed) / max(1, before[end].chars - before[start].chars)
        }
    }
}
