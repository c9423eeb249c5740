internal import WebDocument

/// The comparison of the contents of blocks.
extension Comparison {
    /// Pairs the contents of two units.
    mutating func pairInside(_ left: Unit, _ right: Unit) {
        if left.category == .table, right.category == .table {
            compareTables(left, right)
        } else {
            pairInlines(left.inlines, right.inlines, isSameText: left.hash == right.hash)
        }
    }

    /// Pairs the inline elements of two blocks: all in order if they have the same names, otherwise those with the same
    /// words first.
    mutating func pairInlines(_ left: Range<Int>, _ right: Range<Int>, isSameText: Bool) {
        guard !left.isEmpty || !right.isEmpty else { return }
        func name(_ side: Side, _ index: Int) -> Int32 {
            side.tree.items[Int(side.inlines[index].element)].name
        }
        if left.count == right.count, zip(left, right).allSatisfy({ name(a, $0) == name(b, $1) }) {
            for (one, other) in zip(left, right) { pairInline(one, other) }
            return
        }
        func hashes(_ side: Side, _ range: Range<Int>) -> [UInt64] {
            range.map { index in
                var mixer = Mixer()
                mixer.add(UInt64(clamping: name(side, index)))
                // Only the first words are hashed: inline elements may be nested.
                let inline = side.inlines[index]
                for word in side.words[inline.words].prefix(16) {
                    mixer.add(word.hash)
                }
                return mixer.value
            }
        }
        var aligner = Aligner(
            old: hashes(a, left),
            new: hashes(b, right),
            weights: Array(repeating: 1, count: left.count)
        )
        aligner.run()
        aligner.continue(
            old: left.map { UInt64(clamping: name(a, $0)) },
            new: right.map { UInt64(clamping: name(b, $0)) }
        )
        for (one, other) in aligner.newOf.enumerated() where other >= 0 {
            pairInline(left.lowerBound + one, right.lowerBound + other)
        }
        // Links are reported below, formatting where the words are compared.
        func isTold(_ side: Side, _ index: Int) -> Bool {
            let element = side.inlines[index].element
            return side.role(element).contains(.link)
                || !side.formats[Int(side.tree.items[Int(element)].name)].isEmpty
        }
        ignore(
            "structure",
            aligner.newOf.indices.count { aligner.newOf[$0] < 0 && !isTold(a, left.lowerBound + $0) }
                + aligner.oldOf.indices.count { aligner.oldOf[$0] < 0 && !isTold(b, right.lowerBound + $0) }
        )
        guard isSameText else { return }
        for (one, other) in aligner.newOf.enumerated() where other < 0 {
            guard let place = linkPlace(a, left.lowerBound + one) else { continue }
            add(.link, .removed, place, .none(before: b.inlines[right].first?.element))
        }
        for (other, one) in aligner.oldOf.enumerated() where one < 0 {
            guard let place = linkPlace(b, right.lowerBound + other) else { continue }
            add(.link, .added, .none(before: a.inlines[left].first?.element), place)
        }
    }

    /// The place of an inline element that is a link; `nil` for any other element.
    private func linkPlace(_ side: Side, _ index: Int) -> FoundChange.Place? {
        let inline = side.inlines[index]
        guard side.role(inline.element).contains(.link) else { return nil }
        return FoundChange.Place(
            element: inline.element,
            text: text(side, inline.words),
            order: inline.element
        )
    }

    private mutating func pairInline(_ left: Int, _ right: Int) {
        pair(a.inlines[left].element, b.inlines[right].element)
    }
}

extension FoundChange.Place {
    /// The place at which a missing element would stand: at `element`, or at the beginning if that is `nil`.
    fileprivate static func none(before element: Int32?) -> Self {
        FoundChange.Place(element: -1, text: nil, order: element ?? 0)
    }
}
