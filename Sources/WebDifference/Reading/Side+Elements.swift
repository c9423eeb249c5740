internal import WebDocument

/// Elements that are units by themselves.
extension Side {
    mutating func addEmpty(_ index: Int32, _ role: Role) {
        let isLeaf = role.contains(.leaf)
        let kind: PageDifference.Kind =
            role.contains(.image)
            ? .image : role.contains(.control) ? .form : role.contains(.embedded) ? .link : .text
        var unit = Unit(
            category: isLeaf ? .element : .empty,
            kind: kind,
            element: index,
            items: index..<index &+ 1
        )
        var hash = Mixer()
        hash.add(UInt64(clamping: tree.items[Int(index)].name) &+ 1)
        if isLeaf {
            if role.contains(.control) {
                for name in [known.name, known.type] { hash.add(attribute(index, name) ?? []) }
                unit.weight = 12
            } else if let source = attribute(index, known.src) ?? attribute(index, known.srcset) {
                for byte in Volatility.stableKey(source) { hash.add(byte) }
                hash.add(attribute(index, known.alt) ?? [])
                unit.weight = 12
            }
        }
        unit.hash = hash.value
        flow.append(unit)
    }

    mutating func addDrawing(_ index: Int32, _ item: FlatTree.Item) {
        var unit = Unit(category: .drawing, kind: .image, element: index, items: index..<item.end)
        var hash = Mixer()
        for inner in Int(index)..<Int(item.end) {
            let item = tree.items[inner]
            hash.add(UInt64(clamping: item.name &+ 1))
            if item.kind == .text { for byte in tree.bytes[item.text] where byte > 0x20 { hash.add(byte) } }
            for attribute in tree.attributes[item.attributes] where attribute.name == known.d {
                hash.add(tree.bytes[attribute.value])
            }
        }
        unit.hash = hash.value
        flow.append(unit)
    }

    mutating func addScript(_ index: Int32) {
        if let type = attribute(index, known.type), string(type).lowercased().contains("ld+json") {
            data.append(index)
        } else {
            scripts.append(resource(index, .script))
        }
    }

    mutating func addHead(_ index: Int32) {
        let item = tree.items[Int(index)]
        if item.name == known.link, let rel = attribute(index, known.rel) {
            let words = string(rel).lowercased().split(separator: " ")
            if words.contains("stylesheet") {
                styles.append(resource(index, .style))
                return
            }
            if words.contains(where: { $0.hasPrefix("pre") || $0 == "modulepreload" || $0 == "dns-prefetch" })
            {
                scripts.append(resource(index, .script))
                return
            }
        }
        metadata.append(index)
    }

    /// A script, a style, or a reference to one.
    func resource(_ index: Int32, _ kind: PageDifference.Kind) -> Unit {
        let item = tree.items[Int(index)]
        var unit = Unit(category: .element, kind: kind, element: index, items: index..<item.end)
        var hash = Mixer()
        hash.add(UInt64(clamping: item.name &+ 1))
        if let source = attribute(index, known.src) ?? attribute(index, known.href) {
            for byte in Volatility.stableKey(source) { hash.add(byte) }
        } else {
            hash.add(ownText(index))
        }
        unit.hash = hash.value
        unit.weight = 20
        return unit
    }

}
