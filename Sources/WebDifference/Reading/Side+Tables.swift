internal import WebDocument

/// Tables whose cells are plain text.
extension Side {
    typealias Rows = [(element: Int32, cells: [Int32])]

    /// The rows of a table whose cells are plain text and whose rows are equally long; `nil` for other tables.
    func simpleGrid(_ table: Int32, _ item: FlatTree.Item) -> Rows? {
        var rows: Rows = []
        for index in table &+ 1..<item.end where tree.items[Int(index)].kind == .element {
            let name = tree.items[Int(index)].name
            let role = role(index)
            if name == known.tr {
                rows.append((index, []))
            } else if name == known.td || name == known.th {
                guard !rows.isEmpty, attribute(index, known.rowspan) == nil,
                    attribute(index, known.colspan) == nil
                else { return nil }
                rows[rows.count - 1].cells.append(index)
            } else if role.contains(.table) {
                if name == known.table || name == known.caption { return nil }
            } else if role.contains(.block) || role.contains(.leaf) || role.contains(.script)
                || role.contains(.style)
                || role.contains(.drawing) || role.contains(.metadata)
            {
                return nil
            }
        }
        guard rows.count >= 2, let count = rows.first?.cells.count, count >= 2,
            rows.allSatisfy({ $0.cells.count == count })
        else { return nil }
        return rows
    }

    mutating func addTable(_ index: Int32, _ item: FlatTree.Item, _ rows: Rows) {
        var grid = Grid()
        var unit = Unit(category: .table, kind: .table, element: index, items: index..<item.end)
        var hash = Mixer()
        let firstWord = words.count
        for row in rows {
            var cells: [Grid.Cell] = []
            for cell in row.cells {
                let (start, inline) = (words.count, inlines.count)
                readCell(cell)
                var own = Mixer()
                for word in words[start..<words.count] { own.add(word.hash) }
                hash.add(own.value)
                cells.append(
                    Grid.Cell(
                        element: cell,
                        words: start..<words.count,
                        inlines: inline..<inlines.count,
                        hash: own.value
                    )
                )
            }
            grid.rows.append(cells)
            grid.rowElements.append(row.element)
            hash.add(UInt64(7))
        }
        unit.words = firstWord..<words.count
        unit.grid = Int32(clamping: grids.count)
        unit.hash = hash.value
        unit.weight = 10 + words.count - firstWord
        grids.append(grid)
        flow.append(unit)
        block = Block()
        block.firstWord = words.count
        block.firstInline = inlines.count
    }

    /// Reads the words and inline elements of a cell.
    private mutating func readCell(_ cell: Int32) {
        var inside: [(end: Int32, inline: Int, formatting: Formatting)] = []
        func close(before index: Int32, _ side: inout Side) {
            while let last = inside.last, last.end <= index {
                side.inlines[last.inline].end = side.words.count + (side.block.word == nil ? 0 : 1)
                inside.removeLast()
            }
        }
        let end = tree.items[Int(cell)].end
        for index in cell &+ 1..<end {
            close(before: index, &self)
            let item = tree.items[Int(index)]
            if item.kind == .text {
                add(item.text, of: index, inside.last?.formatting ?? [])
            } else if item.kind == .element {
                if role(index).contains(.gap) { endWord() }
                let formatting = (inside.last?.formatting ?? []).union(formats[Int(item.name)])
                inside.append((item.end, inlines.count, formatting))
                inlines.append(Inline(element: index, first: words.count))
            }
        }
        close(before: end, &self)
        endWord()
    }
}
