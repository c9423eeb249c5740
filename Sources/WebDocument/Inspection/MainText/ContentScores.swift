/// The scores of one attempt.
struct ContentScores {
    var values: [Double]
    var isScored: [Bool]
    /// The entries that have a score, in the order in which they got it.
    var scored: [Int] = []
    /// How many paragraphs each division has that are not marked up as such.
    var runCounts: [Int32]

    init(count: Int) {
        values = [Double](repeating: 0, count: count)
        isScored = [Bool](repeating: false, count: count)
        runCounts = [Int32](repeating: 0, count: count)
    }

    mutating func begin(_ index: Int, at score: Double) {
        isScored[index] = true
        values[index] = score
        scored.append(index)
    }
}

extension ContentSearch {
    /// The element with the best score, or one around it that holds several good ones; 0 for the whole page.
    mutating func chooseTop() -> Int {
        for index in scores.scored { scores.values[index] *= 1 - sums[index].linkDensity }
        // The best five, the best one first.
        var best: [Int] = []
        for index in scores.scored {
            let place = best.firstIndex { scores.values[index] > scores.values[$0] } ?? best.count
            if place < 5 { best.insert(index, at: place) }
            if best.count > 5 { best.removeLast() }
        }
        guard var top = best.first, top != 0 else { return 0 }
        top = commonAncestor(of: best) ?? top
        top = bestAncestor(from: top)
        while top != 0, case let parent = parent(top), parent != 0, hasOneChild(parent) { top = parent }
        return top
    }

    private func parent(_ index: Int) -> Int { Int(tree.entries[index].parent) }

    /// The nearest element around the best that is also around three of the other good ones; nil if there is none.
    private func commonAncestor(of best: [Int]) -> Int? {
        let top = best[0]
        let others = best.dropFirst().filter { scores.values[$0] >= 0.75 * scores.values[top] }
        guard others.count >= 3 else { return nil }
        var index = parent(top)
        while index != 0 {
            let around = index..<Int(tree.entries[index].end)
            if others.count(where: { around.contains($0) && $0 != index }) >= 3 { return index }
            index = parent(index)
        }
        return nil
    }

    /// Goes up to the first element with a better score than the one below, unless a score is below a third
    /// of the start's.
    private func bestAncestor(from start: Int) -> Int {
        var top = start
        if !scores.isScored[top] { return top }
        var last = scores.values[top]
        let threshold = last / 3
        var index = parent(top)
        while index != 0 {
            if scores.isScored[index] {
                let score = scores.values[index]
                if score < threshold { break }
                if score > last {
                    top = index
                    break
                }
                last = score
            }
            index = parent(index)
        }
        return top
    }

    private func hasOneChild(_ index: Int) -> Bool {
        var count = 0
        var child = index + 1
        while child < tree.entries[index].end {
            if !removed[child], tree.entries[child].element != .text { count += 1 }
            if count > 1 { return false }
            child = Int(tree.entries[child].end)
        }
        return count == 1
    }

    /// The chosen element and those of its siblings that belong to it, in document order.
    func join(siblingsOf top: Int) -> [Int] {
        guard top != 0 else { return [0] }
        let threshold = max(10, scores.values[top] * 0.2)
        let parent = parent(top)
        let className = tree.entries[top].node.attribute("class") ?? ""
        var roots: [Int] = []
        var child = parent + 1
        while child < tree.entries[parent].end {
            if !removed[child], child == top || belongs(child, to: top, threshold, className) {
                roots.append(child)
            }
            child = Int(tree.entries[child].end)
        }
        return roots
    }

    private func belongs(_ index: Int, to top: Int, _ threshold: Double, _ className: String) -> Bool {
        let entry = tree.entries[index]
        guard entry.element != .text else { return false }
        if scores.isScored[index] {
            let hasSameClass = !className.isEmpty && entry.node.attribute("class") == className
            let bonus = hasSameClass ? scores.values[top] * 0.2 : 0
            if scores.values[index] + bonus >= threshold { return true }
        }
        guard entry.element == .p || isParagraph[index] else { return false }
        let inside = sums[index]
        if inside.length > 80 { return inside.linkDensity < 0.25 }
        return inside.length > 0 && inside.linked == 0 && endsSentence(index)
    }

    /// Whether there is a full stop at the end of a word.
    private func endsSentence(_ index: Int) -> Bool {
        var bytes: [UInt8] = []
        for inner in index..<Int(tree.entries[index].end) { tree.entries[inner].node.appendText(to: &bytes) }
        for place in bytes.indices where bytes[place] == UInt8(ascii: ".") {
            if place + 1 == bytes.count || bytes[place + 1].isASCIIWhitespace { return true }
        }
        return false
    }
}
