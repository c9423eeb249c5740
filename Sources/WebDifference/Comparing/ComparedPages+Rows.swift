internal import WebDocument

/// The blocks of both pages side by side.
extension ComparedPages {
    /// Returns the rows in the order of the new page; a removed block stands behind the block that it followed.
    static func rows(_ old: Side, _ new: Side, _ matches: UnitMatches) -> [PageDifference.Row] {
        var rows: [PageDifference.Row] = []
        var next = 0
        func add(_ left: Int?, _ right: Int?, _ operation: PageDifference.Operation?) {
            guard let unit = right.map({ new.flow[$0] }) ?? left.map({ old.flow[$0] }),
                unit.category != .empty
            else { return }
            rows.append(
                PageDifference.Row(
                    kind: unit.kind,
                    operation: operation,
                    old: left.map { old.shownText(old.flow[$0]) },
                    new: right.map { new.shownText(new.flow[$0]) },
                    oldLine: left.flatMap { old.line(old.flow[$0]) },
                    newLine: right.flatMap { new.line(new.flow[$0]) }
                )
            )
        }
        func addRemoved(before end: Int) {
            while next < end {
                if matches.newOf[next] < 0 { add(next, nil, .removed) }
                next += 1
            }
        }
        for (right, left) in matches.oldOf.enumerated() {
            if left < 0 {
                add(nil, right, .added)
            } else if matches.moved.contains(left) {
                add(left, right, .moved)
            } else {
                addRemoved(before: left)
                add(left, right, nil)
            }
        }
        addRemoved(before: old.flow.count)
        return rows
    }
}

extension Side {
    fileprivate func line(_ unit: Unit) -> Int? {
        guard unit.element >= 0 else { return nil }
        let line = Int(tree.items[Int(unit.element)].line)
        return line > 0 ? line : nil
    }

    /// A block as text: a table as lines, an element without text in brackets.
    fileprivate func shownText(_ unit: Unit) -> String {
        switch unit.category {
        case .text: return words(unit.words)
        case .table:
            return grids[Int(unit.grid)].rows.map { row in
                row.map { words($0.words) }.joined(separator: " | ")
            }
            .joined(separator: "\n")
        case .drawing: return "[drawing]"
        case .empty: return ""
        case .element:
            let attributes = [known.alt, known.name, known.type, known.value, known.src, known.href]
            let values = attributes.compactMap { attribute(unit.element, $0) }.filter { !$0.isEmpty }
            let texts = values.map { string($0.prefix(1000)) }
            let name = role(unit.element).contains(.image) ? "image" : "element"
            return
                "[\(([role(unit.element).contains(.control) ? "field" : name] + texts).joined(separator: " "))]"
        }
    }

    private func words(_ range: Range<Int>) -> String {
        guard let first = range.first, let last = range.last else { return "" }
        return string(text[words[first].text.lowerBound..<words[last].text.upperBound])
    }
}
