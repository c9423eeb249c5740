internal import WebDocument
internal import WebStandards

/// The comparison of scripts and styles, external and inline.
extension Comparison {
    mutating func compareResources(_ old: [Unit], _ new: [Unit]) {
        var aligner = Aligner(old: old.map(\.hash), new: new.map(\.hash), weights: old.map(\.weight))
        aligner.run()
        let gaps = aligner.gaps()
        // A script's position does not change what is shown; most scripts are asynchronous.
        var places: [UInt64: [Int]] = [:]
        for (index, unit) in new.enumerated().reversed() where aligner.oldOf[index] < 0 {
            places[unit.hash, default: []].append(index)
        }
        for (index, unit) in old.enumerated() where aligner.newOf[index] < 0 {
            guard let place = places[unit.hash]?.popLast() else { continue }
            aligner.match(index, place)
            hide(
                "order",
                FoundChange(
                    kind: unit.kind,
                    operation: .moved,
                    old: resource(a, unit.element),
                    new: resource(b, new[place].element)
                )
            )
        }
        for gap in gaps {
            let left = gap.old.filter { aligner.newOf[$0] < 0 }
            let right = gap.new.filter { aligner.oldOf[$0] < 0 }
            guard !left.isEmpty, !right.isEmpty, left.count *| right.count <= 100_000 else { continue }
            let pairs = best(left.count, right.count) { resourceScore(old[left[$0]], new[right[$1]]) }
            if pairs == nil { isCoarse = true }
            for (one, other) in pairs ?? [] { aligner.match(left[one], right[other]) }
        }
        for (one, other) in aligner.newOf.enumerated() where other >= 0 {
            compareResource(old[one].element, new[other].element, old[one].kind)
        }
        for (index, unit) in old.enumerated() where aligner.newOf[index] < 0 {
            let none = FoundChange.Place(element: -1, text: nil, order: unit.element)
            add(unit.kind, .removed, resource(a, unit.element), none)
        }
        for (index, unit) in new.enumerated() where aligner.oldOf[index] < 0 {
            let none = FoundChange.Place(element: -1, text: nil, order: unit.element)
            add(unit.kind, .added, none, resource(b, unit.element))
        }
    }

    private func source(_ side: Side, _ element: Int32) -> Bytes? {
        side.attribute(element, side.known.src) ?? side.attribute(element, side.known.href)
    }

    private func resource(_ side: Side, _ element: Int32) -> FoundChange.Place {
        let text = source(side, element) ?? side.ownText(element)
        let name = names[Int(side.tree.items[Int(element)].name)]
        return FoundChange.Place(
            element: element,
            text: text.isEmpty ? name : side.string(text),
            order: element
        )
    }

    private func resourceScore(_ left: Unit, _ right: Unit) -> Double {
        let (x, y) = (left.element, right.element)
        guard a.tree.items[Int(x)].name == b.tree.items[Int(y)].name else { return 0 }
        switch (source(a, x), source(b, y)) {
        case (let one?, let other?):
            let likeness = Self.likeness(one, other)
            return likeness >= 0.3 ? likeness : 0
        case (nil, nil):
            let likeness = Self.likeness(a.ownText(x).prefix(20_000), b.ownText(y).prefix(20_000))
            return likeness >= 0.2 ? likeness : 0
        default: return 0
        }
    }

    private mutating func compareResource(_ x: Int32, _ y: Int32, _ kind: PageDifference.Kind) {
        let count = found.count
        pair(x, y)
        // Every difference of the element counts as one of the script or style.
        for index in count..<max(count, found.count) where found[index].kind != .style {
            found[index].kind = kind
        }
        let (old, new) = (a.ownText(x), b.ownText(y))
        guard !old.elementsEqual(new) else { return }
        let common = zip(old, new).prefix { $0 == $1 }.count
        let start = max(0, common - 20)
        let change = FoundChange(
            kind: kind,
            operation: .changed,
            old: FoundChange.Place(element: x, text: a.string(old), order: x),
            new: FoundChange.Place(element: y, text: b.string(new), order: y),
            changed: (
                a.string(old.dropFirst(start).prefix(100)), b.string(new.dropFirst(start).prefix(100))
            )
        )
        if !options.includesVolatile,
            Volatility.isRandom(old, new, Volatility.Demands(mixed: 8, digits: 9, letters: 20))
        {
            hide("volatile", change)
        } else if old.split(whereSeparator: \.isASCIIWhitespace)
            == new.split(whereSeparator: \.isASCIIWhitespace)
        {
            hide("whitespace", change)
        } else {
            found.append(change)
        }
    }
}
