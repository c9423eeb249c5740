internal import WebDocument

/// The units that were moved, and those that only one of the pages has.
extension Comparison {
    /// Matches equal units that are out of order; each run of them is one move.
    mutating func moves(_ aligner: inout Aligner, _ old: [Unit], _ new: [Unit]) -> [[(Int, Int)]] {
        var places: [UInt64: (old: Int, new: Int, oldCount: Int, newCount: Int)] = [:]
        for (index, unit) in old.enumerated() where aligner.newOf[index] < 0 && unit.weight >= 10 {
            places[unit.hash, default: (0, 0, 0, 0)].old = index
            places[unit.hash, default: (0, 0, 0, 0)].oldCount += 1
        }
        guard !places.isEmpty else { return [] }
        for (index, unit) in new.enumerated() where aligner.oldOf[index] < 0 && places[unit.hash] != nil {
            places[unit.hash, default: (0, 0, 0, 0)].new = index
            places[unit.hash, default: (0, 0, 0, 0)].newCount += 1
        }
        var moved: [(Int, Int)] = []
        func take(_ left: Int, _ right: Int) -> Bool {
            guard left >= 0, right >= 0, left < old.count, right < new.count, aligner.newOf[left] < 0,
                aligner.oldOf[right] < 0, old[left].hash == new[right].hash
            else { return false }
            aligner.match(left, right)
            moved.append((left, right))
            return true
        }
        for index in old.indices where aligner.newOf[index] < 0 {
            guard let place = places[old[index].hash], place.oldCount == 1, place.newCount == 1,
                place.old == index,
                take(index, place.new)
            else { continue }
            var step = 1
            while take(index - step, place.new - step) { step += 1 }
            step = 1
            while take(index + step, place.new + step) { step += 1 }
        }
        moved.sort { $0.0 < $1.0 }
        var runs: [[(Int, Int)]] = []
        for pair in moved {
            if let last = runs.last?.last, pair.0 == last.0 + 1, pair.1 == last.1 + 1 {
                runs[runs.count - 1].append(pair)
            } else {
                runs.append([pair])
            }
        }
        return runs
    }

    mutating func report(_ moved: [[(Int, Int)]], _ old: [Unit], _ new: [Unit]) {
        for run in moved {
            let (left, right) = (run.map { old[$0.0] }, run.map { new[$0.1] })
            guard let first = left.first, let other = right.first else { continue }
            let shown = left.filter { $0.category != .empty }
            if let kind = shown.first?.kind {
                add(
                    shown.allSatisfy { $0.kind == kind } ? kind : .text,
                    .moved,
                    place(a, first, joined(a, left)),
                    place(b, other, joined(b, right))
                )
            }
            for (one, other) in zip(left, right) {
                switch one.category {
                case .table: compareTables(one, other)
                default: pairInlines(one.inlines, other.inlines, isSameText: true)
                }
                climb(one.element, other.element)
            }
        }
    }

    /// The joined texts of units; without any text, the sources of images and the names of controls.
    func joined(_ side: Side, _ units: [Unit]) -> String {
        // Sources and names only if there is no text.
        let hasText = units.contains { $0.category == .text || $0.category == .table }
        var text = ""
        for unit in units where !hasText || unit.category == .text || unit.category == .table {
            let own = shown(side, unit)
            guard !own.isEmpty else { continue }
            if !text.isEmpty { text += " " }
            text += own
        }
        return text
    }

    func shown(_ side: Side, _ unit: Unit) -> String {
        switch unit.category {
        case .text, .table: return self.text(side, unit.words)
        case .drawing: return "svg"
        case .empty: return ""
        case .element:
            let known = side.known
            if side.role(unit.element).contains(.control) {
                let values = [known.name, known.type, known.value].compactMap {
                    side.attribute(unit.element, $0)
                }
                let name = names[Int(side.tree.items[Int(unit.element)].name)]
                return ([name] + values.map(side.string)).joined(separator: " ")
            }
            let value =
                side.attribute(unit.element, known.src) ?? side.attribute(unit.element, known.srcset)
                ?? side.attribute(unit.element, known.href) ?? []
            return side.string(value)
        }
    }

    // MARK: - Added and removed

    mutating func reportLeftOver(_ aligner: Aligner) {
        let (old, new) = (a.flow, b.flow)
        // Where the units of one page would stand in the other.
        let others = orders(aligner.newOf, new)
        for (range, element) in whole(a, old, aligner.newOf, newElement) {
            report(.removed, a, Array(old[range]), element, others[range.lowerBound])
        }
        let places = orders(aligner.oldOf, old)
        for (range, element) in whole(b, new, aligner.oldOf, oldElement) {
            report(.added, b, Array(new[range]), element, places[range.lowerBound])
        }
    }

    private func orders(_ matches: [Int], _ others: [Unit]) -> [Int32] {
        var last: Int32 = -1
        return matches.map { match in
            if match >= 0 { last = others[match].items.lowerBound }
            return last
        }
    }

    private mutating func report(
        _ operation: PageDifference.Operation,
        _ side: Side,
        _ units: [Unit],
        _ element: Int32,
        _ order: Int32
    ) {
        let shown = units.filter { $0.category != .empty }
        guard let first = shown.first else {
            ignore("structure", units.count)
            return
        }
        var kind = shown.allSatisfy { $0.kind == first.kind } ? first.kind : .text
        if element >= 0 {
            let role = side.role(element)
            if role.contains(.table) {
                kind = .table
            } else if !role.isDisjoint(with: [.item, .list]) {
                kind = .list
            } else if role.contains(.form) {
                kind = .form
            } else if role.contains(.link), kind == .text {
                kind = .link
            }
        }
        var text = joined(side, units)
        if element >= 0, side.role(element).contains(.form),
            let name = side.attribute(element, side.known.name),
            first.category == .text
        {
            text = side.string(name) + " " + text
        }
        let place = FoundChange.Place(
            element: element >= 0 ? element : first.element,
            text: text,
            order: first.items.lowerBound
        )
        let none = FoundChange.Place(element: -1, text: nil, order: order)
        add(kind, operation, operation == .added ? none : place, operation == .added ? place : none)
    }

    /// Returns the unmatched units of a page, grouped by the outermost element without matched units, and that element;
    /// -1 for a text that is in no such element.
    private func whole(
        _ side: Side,
        _ units: [Unit],
        _ matches: [Int],
        _ paired: [Int32]
    ) -> [(Range<Int>, Int32)] {
        // The number of units in each element, and of unmatched ones among them.
        var counts = Array(repeating: (all: Int32(0), left: Int32(0)), count: side.tree.items.count)
        for (index, unit) in units.enumerated() where unit.category != .empty && unit.element >= 0 {
            counts[Int(unit.element)].all &+= 1
            if matches[index] < 0 { counts[Int(unit.element)].left &+= 1 }
        }
        for item in stride(from: counts.count - 1, to: 0, by: -1) {
            let parent = Int(side.tree.items[item].parent)
            guard parent >= 0 else { continue }
            counts[parent].all &+= counts[item].all
            counts[parent].left &+= counts[item].left
        }
        func isLeft(_ element: Int32) -> Bool {
            guard element >= 0, paired[Int(element)] < 0 else { return false }
            let count = counts[Int(element)]
            return count.all > 0 && count.all == count.left && !side.role(element).contains(.frame)
        }
        var result: [(Range<Int>, Int32)] = []
        var index = 0
        while index < units.count {
            guard matches[index] < 0 else {
                index += 1
                continue
            }
            var top = units[index].element
            guard isLeft(top) else {
                result.append((index..<index + 1, units[index].category == .text ? -1 : top))
                index += 1
                continue
            }
            while true {
                let parent = side.tree.items[Int(top)].parent
                guard isLeft(parent) else { break }
                top = parent
            }
            var end = index + 1
            let limit = side.tree.items[Int(top)].end
            while end < units.count, matches[end] < 0, units[end].items.lowerBound < limit { end += 1 }
            result.append((index..<end, top))
            index = end
        }
        return result
    }
}
