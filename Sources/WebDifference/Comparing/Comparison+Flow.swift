internal import WebDocument

/// The comparison of the units that the pages show, in order.
extension Comparison {
    mutating func compareFlow() {
        let (old, new) = (a.flow, b.flow)
        let (strong, strongNew) = (strongHashes(a), strongHashes(b))
        var aligner = Aligner(old: strong, new: strongNew, weights: old.map(\.weight))
        aligner.run()
        aligner.continue(old: old.map(\.hash), new: new.map(\.hash))
        let gaps = aligner.gaps()
        for (left, right) in aligner.newOf.enumerated() where right >= 0 {
            if old[left].category == .empty, strong[left] != strongNew[right],
                !agree(old[left].element, new[right].element)
            {
                // Only their names are equal: not enough to pair them.
                ignore("structure", 2)
            } else {
                same(old[left], new[right])
            }
        }
        let moved = moves(&aligner, old, new)
        for gap in gaps {
            for (left, right) in similar(gap, &aligner, old, new) { changed(old[left], new[right]) }
        }
        let edited = movedAndChanged(&aligner, old, new)
        for (left, right) in edited { changed(old[left], new[right]) }
        report(moved, old, new)
        reportLeftOver(aligner)
        unitMatches = UnitMatches(
            newOf: aligner.newOf,
            oldOf: aligner.oldOf,
            moved: Set((moved.joined() + edited).map(\.0))
        )
    }

    /// Hashes that distinguish units with the same text: by link targets, and by the attributes of empty elements.
    private func strongHashes(_ side: Side) -> [UInt64] {
        side.flow.map { unit in
            guard !unit.inlines.isEmpty || unit.category == .empty else { return unit.hash }
            var mixer = Mixer()
            mixer.add(unit.hash)
            if unit.category == .empty {
                mixer.add(attributesHash(side, unit.element))
            }
            for inline in side.inlines[unit.inlines] {
                if let target = side.attribute(inline.element, side.known.href) { mixer.add(target) }
            }
            return mixer.value
        }
    }

    /// A hash that is equal for the same attributes in any order, without the parts that may be random.
    private func attributesHash(_ side: Side, _ element: Int32) -> UInt64 {
        var sum: UInt64 = 0
        for attribute in side.tree.attributes[side.tree.items[Int(element)].attributes] {
            for word in side.tree.bytes[attribute.value].split(whereSeparator: \.isASCIIWhitespace) {
                var mixer = Mixer()
                mixer.add(UInt64(clamping: attribute.name))
                for byte in Volatility.stableKey(word) { mixer.add(byte) }
                sum &+= mixer.value
            }
        }
        return sum
    }

    /// Whether at least half of the attributes of two elements are equal.
    private func agree(_ x: Int32, _ y: Int32) -> Bool {
        let (left, right) = (a.tree.items[Int(x)].attributes, b.tree.items[Int(y)].attributes)
        var values: [Int32: ArraySlice<UInt8>] = [:]
        for attribute in a.tree.attributes[left] { values[attribute.name] = a.tree.bytes[attribute.value] }
        let equal = b.tree.attributes[right].count { attribute in
            values[attribute.name]?.elementsEqual(b.tree.bytes[attribute.value]) ?? false
        }
        return 2 * equal >= max(left.count, right.count)
    }

    // MARK: - Pairs

    /// Pairs two units with equal hashes, and compares what the hashes do not cover.
    private mutating func same(_ left: Unit, _ right: Unit) {
        if left.category == .text, !isSameText(left.words, right.words) {
            changedText(left, right)
        } else if left.category == .text {
            if left.rawHash != right.rawHash {
                if options.keepsHidden {
                    hide("whitespace", wordsChange(left, right, text(a, left.words), text(b, right.words)))
                } else {
                    ignore("whitespace")
                }
            }
            compareFormatting(left, left.words, right, right.words)
        }
        pairInside(left, right)
        climb(left.element, right.element)
    }

    private mutating func changed(_ left: Unit, _ right: Unit) {
        switch left.category {
        case .text where left.hash != right.hash: changedText(left, right)
        case .table: break
        case .drawing:
            add(.image, .changed, place(a, left, "svg"), place(b, right, "svg"), name: "svg")
        default: break
        }
        pairInside(left, right)
        climb(left.element, right.element)
    }

    private mutating func changedText(_ left: Unit, _ right: Unit) {
        let (gone, come) = difference(left.words, right.words)
        var kind = left.kind == right.kind ? left.kind : PageDifference.Kind.text
        var (shown, shownNew) = (left.words, right.words)
        if kind == .text || kind == .list,
            let one = link(a, left, around: gone), let other = link(b, right, around: come)
        {
            kind = .link
            (shown, shownNew) = (one, other)
        }
        add(
            kind,
            .changed,
            place(a, left, text(a, shown)),
            place(b, right, text(b, shownNew)),
            changed: (cutText(a, gone), cutText(b, come))
        )
        compareFormatting(
            left,
            left.words.lowerBound..<gone.lowerBound,
            right,
            right.words.lowerBound..<come.lowerBound
        )
        compareFormatting(
            left,
            gone.upperBound..<left.words.upperBound,
            right,
            come.upperBound..<right.words.upperBound
        )
    }

    private func wordsChange(
        _ left: Unit,
        _ right: Unit,
        _ old: String,
        _ new: String,
        name: String = ""
    ) -> FoundChange {
        FoundChange(
            kind: left.kind == right.kind ? left.kind : .text,
            operation: .changed,
            old: place(a, left, old),
            new: place(b, right, new),
            name: name
        )
    }

    /// Returns the runs of equal words whose formatting differs.
    func formattingChanges(
        _ old: Range<Int>,
        _ new: Range<Int>
    ) -> [(old: String, new: String)] {
        guard old.count == new.count else { return [] }
        var changes: [(old: String, new: String)] = []
        var start = 0
        while start < old.count {
            let (one, other) = (
                a.words[old.lowerBound + start].formatting, b.words[new.lowerBound + start].formatting
            )
            var end = start + 1
            guard one != other else {
                start = end
                continue
            }
            while end < old.count, a.words[old.lowerBound + end].formatting == one,
                b.words[new.lowerBound + end].formatting == other
            {
                end += 1
            }
            changes.append(
                (
                    one.subtracting(other)
                        .around(text(a, old.lowerBound + start..<old.lowerBound + end)),
                    other.subtracting(one)
                        .around(text(b, new.lowerBound + start..<new.lowerBound + end))
                )
            )
            start = end
        }
        return changes
    }

    private mutating func compareFormatting(
        _ left: Unit,
        _ old: Range<Int>,
        _ right: Unit,
        _ new: Range<Int>
    ) {
        for (one, other) in formattingChanges(old, new) {
            found.append(wordsChange(left, right, one, other, name: "formatting"))
        }
    }

    /// Returns the words of both sides from the first to the last difference.
    func difference(_ left: Range<Int>, _ right: Range<Int>) -> (Range<Int>, Range<Int>) {
        var (left, right) = (left, right)
        func isSame(_ one: Int, _ other: Int) -> Bool {
            a.words[one].hash == b.words[other].hash && isSameText(one..<one + 1, other..<other + 1)
        }
        while let one = left.first, let other = right.first, isSame(one, other) {
            left.removeFirst()
            right.removeFirst()
        }
        while let one = left.last, let other = right.last, isSame(one, other) {
            left.removeLast()
            right.removeLast()
        }
        return (left, right)
    }

    /// Whether the texts of two runs of words are equal, regardless of their hashes.
    func isSameText(_ old: Range<Int>, _ new: Range<Int>) -> Bool {
        func bytes(_ side: Side, _ words: Range<Int>) -> Bytes {
            guard let first = words.first, let last = words.last else { return [] }
            return side.text[side.words[first].text.lowerBound..<side.words[last].text.upperBound]
        }
        return bytes(a, old).elementsEqual(bytes(b, new))
    }

    func cutText(_ side: Side, _ words: Range<Int>) -> String { text(side, words.prefix(100)) }

    /// The words of the link that contains all of `words`; `nil` if no link does.
    private func link(_ side: Side, _ unit: Unit, around words: Range<Int>) -> Range<Int>? {
        guard !words.isEmpty else { return nil }
        for inline in side.inlines[unit.inlines] where side.role(inline.element).contains(.link) {
            if inline.first <= words.lowerBound, words.upperBound <= inline.end {
                return inline.words
            }
        }
        // A block inside a link.
        var element = unit.element
        while element >= 0 {
            if side.role(element).contains(.link) { return unit.words }
            element = side.tree.items[Int(element)].parent
        }
        return nil
    }

    func place(_ side: Side, _ unit: Unit, _ text: String?) -> FoundChange.Place {
        FoundChange.Place(element: unit.element, text: text, order: unit.items.lowerBound)
    }
}
