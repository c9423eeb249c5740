internal import WebStandards

/// The comparison of tables: first of columns, then of rows by their cells in the paired columns, then of cells.
extension Comparison {
    mutating func compareTables(_ left: Unit, _ right: Unit) {
        let (old, new) = (a.grids[Int(left.grid)], b.grids[Int(right.grid)])
        let columns = alignColumns(old, new)
        var rows = alignRows(old, new, columns)
        reportMoved(&rows, old, new)
        for (one, other) in rows.newOf.enumerated() where other >= 0 {
            for (column, match) in columns.newOf.enumerated() where match >= 0 {
                compare(old.rows[one][column], new.rows[other][match])
            }
            climb(old.rowElements[one], new.rowElements[other])
        }
        pair(left.element, right.element)
        func none(_ order: Int32) -> FoundChange.Place {
            FoundChange.Place(element: -1, text: nil, order: order)
        }
        for (column, match) in columns.newOf.enumerated() where match < 0 {
            add(.table, .removed, place(a, old.rows.map { $0[column] }), none(right.element), name: "column")
        }
        for (column, match) in columns.oldOf.enumerated() where match < 0 {
            add(.table, .added, none(left.element), place(b, new.rows.map { $0[column] }), name: "column")
        }
        for (row, match) in rows.newOf.enumerated() where match < 0 {
            add(
                .table,
                .removed,
                place(a, old.rows[row], old.rowElements[row]),
                none(right.element),
                name: "row"
            )
        }
        for (row, match) in rows.oldOf.enumerated() where match < 0 {
            add(
                .table,
                .added,
                none(left.element),
                place(b, new.rows[row], new.rowElements[row]),
                name: "row"
            )
        }
    }

    private func place(_ side: Side, _ cells: [Grid.Cell], _ element: Int32? = nil) -> FoundChange.Place {
        var joined = ""
        for cell in cells {
            if !joined.isEmpty { joined += " " }
            joined += text(side, cell.words)
        }
        let element = element ?? cells.first?.element ?? -1
        return FoundChange.Place(element: element, text: joined, order: element)
    }

    private mutating func compare(_ left: Grid.Cell, _ right: Grid.Cell) {
        if !isSameText(left.words, right.words) {
            add(
                .table,
                .changed,
                FoundChange.Place(element: left.element, text: text(a, left.words), order: left.element),
                FoundChange.Place(element: right.element, text: text(b, right.words), order: right.element),
                name: "cell"
            )
        }
        if left.hash == right.hash {
            for (one, other) in formattingChanges(left.words, right.words) {
                add(
                    .table,
                    .changed,
                    FoundChange.Place(element: left.element, text: one, order: left.element),
                    FoundChange.Place(element: right.element, text: other, order: right.element),
                    name: "formatting"
                )
            }
        }
        pairInlines(left.inlines, right.inlines, isSameText: left.hash == right.hash)
        pair(left.element, right.element)
    }

    /// Pairs equal rows at different positions; consecutive rows are reported as one move.
    private mutating func reportMoved(_ rows: inout Aligner, _ old: Grid, _ new: Grid) {
        func hash(_ row: [Grid.Cell]) -> UInt64 {
            var mixer = Mixer()
            for cell in row { mixer.add(cell.hash) }
            return mixer.value
        }
        var places: [UInt64: [Int]] = [:]
        for (index, match) in rows.oldOf.enumerated().reversed() where match < 0 {
            places[hash(new.rows[index]), default: []].append(index)
        }
        guard !places.isEmpty else { return }
        var runs: [[(old: Int, new: Int)]] = []
        for (index, match) in rows.newOf.enumerated() where match < 0 {
            guard let other = places[hash(old.rows[index])]?.popLast() else { continue }
            rows.match(index, other)
            if let last = runs.last?.last, last.old + 1 == index, last.new + 1 == other {
                runs[runs.count - 1].append((index, other))
            } else {
                runs.append([(index, other)])
            }
        }
        for run in runs {
            guard let first = run.first else { continue }
            add(
                .table,
                .moved,
                place(a, Array(run.map { old.rows[$0.old] }.joined()), old.rowElements[first.old]),
                place(b, Array(run.map { new.rows[$0.new] }.joined()), new.rowElements[first.new]),
                name: run.count == 1 ? "row" : "rows"
            )
        }
    }

    private mutating func alignColumns(_ old: Grid, _ new: Grid) -> Aligner {
        func hashes(_ grid: Grid) -> [UInt64] {
            (grid.rows.first ?? []).indices.map { column in
                var mixer = Mixer()
                for row in grid.rows { mixer.add(row[column].hash) }
                return mixer.value
            }
        }
        let (one, other) = (hashes(old), hashes(new))
        var aligner = Aligner(old: one, new: other, weights: Array(repeating: 1, count: one.count))
        aligner.run()
        for gap in aligner.gaps() where !gap.old.isEmpty && !gap.new.isEmpty {
            if gap.old.count == gap.new.count {
                for (left, right) in zip(gap.old, gap.new) { aligner.match(left, right) }
                continue
            }
            let cost = (gap.old.count *| gap.new.count) *| max(old.rows.count, new.rows.count)
            guard cost < 2_000_000 else { continue }
            func bag(_ grid: Grid, _ column: Int) -> [UInt64] { grid.rows.map { $0[column].hash }.sorted() }
            let (bags, others) = (gap.old.map { bag(old, $0) }, gap.new.map { bag(new, $0) })
            let heads = (old.rows.first ?? [], new.rows.first ?? [])
            let pairs = best(gap.old.count, gap.new.count) { left, right in
                let isSameHead =
                    heads.0[gap.old.lowerBound + left].hash == heads.1[gap.new.lowerBound + right].hash
                return Self.dice(bags[left], others[right]) + (isSameHead ? 0.5 : 0)
            }
            if pairs == nil { isCoarse = true }
            for (left, right) in pairs ?? [] {
                aligner.match(gap.old.lowerBound + left, gap.new.lowerBound + right)
            }
        }
        return aligner
    }

    private mutating func alignRows(_ old: Grid, _ new: Grid, _ columns: Aligner) -> Aligner {
        let pairs = columns.newOf.enumerated().filter { $0.element >= 0 }
        func hash(_ row: [Grid.Cell], _ columns: some Sequence<Int>) -> UInt64 {
            var mixer = Mixer()
            for column in columns { mixer.add(row[column].hash) }
            return mixer.value
        }
        let one = old.rows.map { hash($0, pairs.map { $0.offset }) }
        let other = new.rows.map { hash($0, pairs.map { $0.element }) }
        var aligner = Aligner(old: one, new: other, weights: Array(repeating: 1, count: one.count))
        aligner.run()
        for gap in aligner.gaps() where !gap.old.isEmpty && !gap.new.isEmpty {
            let cost = (gap.old.count *| gap.new.count) *| max(1, pairs.count)
            guard cost < 2_000_000 else {
                if gap.old.count == gap.new.count {
                    for (left, right) in zip(gap.old, gap.new) { aligner.match(left, right) }
                }
                continue
            }
            let found = best(gap.old.count, gap.new.count) { left, right in
                let (row, match) = (old.rows[gap.old.lowerBound + left], new.rows[gap.new.lowerBound + right])
                var common = 0.0
                for (number, (column, place)) in pairs.enumerated()
                where row[column].hash == match[place].hash && !row[column].words.isEmpty {
                    // The first column is the key of most tables.
                    common += number == 0 ? 2 : 1
                }
                return common / Double(pairs.count + 1)
            }
            if found == nil { isCoarse = true }
            for (left, right) in found ?? [] {
                aligner.match(gap.old.lowerBound + left, gap.new.lowerBound + right)
            }
        }
        return aligner
    }
}
