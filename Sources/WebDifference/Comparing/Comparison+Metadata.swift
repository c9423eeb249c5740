internal import WebDocument
internal import WebStandards

/// The comparison of the title, `meta` and `link` elements, and JSON-LD, regardless of their positions.
extension Comparison {
    mutating func compareMetadata() {
        let (old, new) = (byKey(a, a.metadata), byKey(b, b.metadata))
        let keys = old.order + new.order.filter { old.elements[$0] == nil }
        for key in keys { compare(key, old.elements[key] ?? [], new.elements[key] ?? []) }
    }

    private func byKey(_ side: Side, _ elements: [Int32]) -> (order: [String], elements: [String: [Int32]]) {
        var order: [String] = []
        var found: [String: [Int32]] = [:]
        for element in elements {
            let key = key(side, element)
            if found[key] == nil { order.append(key) }
            found[key, default: []].append(element)
        }
        return (order, found)
    }

    private func key(_ side: Side, _ element: Int32) -> String {
        let known = side.known
        let name = side.tree.items[Int(element)].name
        func value(_ number: Int32) -> String? {
            side.attribute(element, number).map { side.string($0).lowercased() }
        }
        if name == known.meta {
            for number in [known.name, known.property, known.httpEquiv, known.itemprop] {
                if let value = value(number) { return value }
            }
            return "charset"
        }
        if name == known.link {
            return ["link", value(known.rel), value(known.type), value(known.hreflang), value(known.media)]
                .compactMap { $0 }.joined(separator: " ")
        }
        return names[Int(name)]
    }

    private func value(_ side: Side, _ element: Int32) -> Bytes {
        let known = side.known
        let name = side.tree.items[Int(element)].name
        if name == known.title {
            return Array(
                side.ownText(element).split(whereSeparator: \.isASCIIWhitespace).joined(separator: [0x20])
            )[...]
        }
        return side.attribute(element, known.content) ?? side.attribute(element, known.href)
            ?? side.attribute(element, known.charset) ?? []
    }

    private mutating func compare(_ key: String, _ old: [Int32], _ new: [Int32]) {
        var places: [[UInt8]: [Int32]] = [:]
        for element in new.reversed() { places[Array(value(b, element)), default: []].append(element) }
        var left: [Int32] = []
        for element in old {
            if let match = places[Array(value(a, element))]?.popLast() {
                newElement[Int(element)] = match
                oldElement[Int(match)] = element
                compareOthers(element, match, key)
            } else {
                left.append(element)
            }
        }
        let right = new.filter { oldElement[Int($0)] < 0 }
        for (x, y) in zip(left, right) {
            newElement[Int(x)] = y
            oldElement[Int(y)] = x
            let (one, other) = (value(a, x), value(b, y))
            let count = found.count
            compare(
                x,
                y,
                a.tree.items[Int(x)].name == a.known.link ? a.known.href : a.known.content,
                one,
                other
            )
            for index in count..<max(count, found.count) {
                found[index].kind = .metadata
                found[index].name = key
            }
            compareOthers(x, y, key)
        }
        for x in left.dropFirst(right.count) {
            let place = FoundChange.Place(element: x, text: a.string(value(a, x)), order: x)
            add(.metadata, .removed, place, FoundChange.Place(element: -1, text: nil, order: x), name: key)
        }
        for y in right.dropFirst(left.count) {
            let place = FoundChange.Place(element: y, text: b.string(value(b, y)), order: y)
            add(.metadata, .added, FoundChange.Place(element: -1, text: nil, order: y), place, name: key)
        }
    }

    /// Compares the attributes of two paired elements that are neither their key nor their value.
    private mutating func compareOthers(_ x: Int32, _ y: Int32, _ key: String) {
        let known = a.known
        let count = found.count
        compareAttributes(
            x,
            y,
            but: [
                known.name, known.property, known.httpEquiv, known.itemprop, known.rel, known.type,
                known.hreflang, known.media, known.content, known.href, known.charset,
            ]
        )
        for index in count..<max(count, found.count) { found[index].kind = .metadata }
    }

    // MARK: - JSON-LD

    mutating func compareData() {
        var places: [[UInt8]: [Int32]] = [:]
        for element in b.data.reversed() { places[Array(b.ownText(element)), default: []].append(element) }
        var left: [Int32] = []
        for element in a.data {
            if let match = places[Array(a.ownText(element))]?.popLast() {
                climb(element, match)
            } else {
                left.append(element)
            }
        }
        let right = b.data.filter { oldElement[Int($0)] < 0 }
        let pairs = alike(left, right)
        for (x, y) in pairs {
            pair(left[x], right[y])
            compareJSON(left[x], right[y])
        }
        let (gone, come) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
        func none(_ order: Int32) -> FoundChange.Place {
            FoundChange.Place(element: -1, text: nil, order: order)
        }
        for (index, x) in left.enumerated() where !gone.contains(index) {
            add(.structuredData, .removed, whole(a, x), none(x))
        }
        for (index, y) in right.enumerated() where !come.contains(index) {
            add(.structuredData, .added, none(y), whole(b, y))
        }
    }

    private func whole(_ side: Side, _ element: Int32) -> FoundChange.Place {
        FoundChange.Place(element: element, text: side.string(side.ownText(element)), order: element)
    }

    private func json(_ side: Side, _ element: Int32) -> JSONValue? {
        try? JSONValue(parsing: side.ownText(element))
    }

    /// Pairs as many JSON-LD blocks as possible, those that have the most in common.
    private mutating func alike(_ left: [Int32], _ right: [Int32]) -> [(Int, Int)] {
        let inOrder = Array(zip(left.indices, right.indices))
        guard left.count *| right.count > 1, left.count *| right.count <= 400 else { return inOrder }
        let (old, new) = (left.map { json(a, $0) }, right.map { json(b, $0) })
        let pairs = best(left.count, right.count) { row, column in
            guard let one = old[row], let other = new[column] else { return 0.01 }
            return 0.01 + DataDifference.likeness(one, other)
        }
        if pairs == nil { isCoarse = true }
        return pairs ?? inOrder
    }

    private mutating func compareJSON(_ x: Int32, _ y: Int32) {
        guard let one = json(a, x), let other = json(b, y) else {
            return add(.structuredData, .changed, whole(a, x), whole(b, y))
        }
        for item in DataDifference(one, other, numbersItems: false).items {
            // Structured data consists of sets: the order does not count.
            guard item.operation != .moved else {
                ignore("order", 1)
                continue
            }
            let change = FoundChange(
                kind: .structuredData,
                operation: item.operation,
                old: FoundChange.Place(element: item.old == nil ? -1 : x, text: item.old, order: x),
                new: FoundChange.Place(element: item.new == nil ? -1 : y, text: item.new, order: y),
                name: item.path
            )
            if let old = item.old, let new = item.new, !options.includesVolatile,
                Volatility.isVolatileURL(
                    Array(old.utf8)[...],
                    Array(new.utf8)[...],
                    isResource: old.hasPrefix("/") || old.hasPrefix("http")
                )
            {
                hide("volatile", change)
            } else {
                found.append(change)
            }
        }
    }
}
