extension SourceTags {
    // MARK: - References

    /// The name that the tag of an `xml-stylesheet` instruction has here.
    private static let stylesheet = "?xml-stylesheet"

    /// The links with their places.
    ///
    /// Complexity: O(n) in the number of links and of attributes.
    mutating func place(_ links: [Link], _ places: [LinkPlace]) -> [PlacedReference] {
        var places = places[...]
        var instructions = stylesheetInstructions()[...]
        var finder = AttributeFinder(self)
        var references: [PlacedReference] = []
        references.reserveCapacity(links.count)
        for (index, link) in links.enumerated() {
            var place: PlacedReference.Place?
            if places.first?.link == index, let noted = places.popFirst() {
                place = self.place(of: noted, &finder)
            }
            if isXML, link.element == "xml-stylesheet", let instruction = instructions.popFirst() {
                place = self.place(of: instruction)
            }
            // Its tag is unknown: the parser corrected the markup, or an entity stands for it.
            if isXML, place == nil { isTruncated = true }
            references.append(PlacedReference(link: link, place: place))
        }
        return references
    }

    // MARK: - Instructions

    /// The `xml-stylesheet` instructions that refer to something, as ``LinkCollector`` reads them.
    private func stylesheetInstructions() -> [(tag: Int, reference: String)] {
        tags.indices.compactMap { index in
            let tag = tags[index]
            guard tag.isInstruction, tag.name == Self.stylesheet else { return nil }
            let start = tag.range.lowerBound + 1 + tag.name.utf8.count
            let data = bytes[start..<max(start, tag.range.upperBound - 1)]
            let reference = PseudoAttributes.value(of: "href", in: String(decoding: data, as: UTF8.self))
            guard let reference, !reference.isEmpty else { return nil }
            return (index, reference)
        }
    }

    private mutating func place(of instruction: (tag: Int, reference: String)) -> PlacedReference.Place? {
        let tag = instruction.tag
        let found = tags[tag].attributes.first {
            attributes[$0].name == "href" && !attributes[$0].isDuplicate
        }
        guard let found, value(of: attributes[found]).elementsEqual(instruction.reference.utf8) else {
            // It is malformed in a way that others read otherwise.
            tags[tag].isMisread = true
            isTruncated = true
            return nil
        }
        let range = 0..<instruction.reference.utf8.count
        return .init(tag: tag, attribute: found, range: range, value: range, syntax: .url)
    }

    private func value(of attribute: SourceAttribute) -> ArraySlice<UInt8> {
        attribute.decoded?.bytes[...] ?? bytes[attribute.value]
    }

    // MARK: - Elements

    private mutating func place(
        of noted: LinkPlace,
        _ finder: inout AttributeFinder
    ) -> PlacedReference.Place? {
        guard let name = noted.attribute else {
            guard let tag = tagOf[noted.node.address], !tags[tag].isMisread else { return nil }
            let range = noted.range ?? 0..<0
            return PlacedReference.Place(
                tag: tag,
                attribute: nil,
                range: range,
                value: noted.value ?? range,
                syntax: noted.syntax,
                type: noted.type,
                isUncertain: noted.isUncertain
            )
        }
        guard let (tag, attribute, isNew) = finder.find(name, of: noted.node, self) else { return nil }
        if isXML, isNew, noted.range != nil, let text = noted.node.attribute(name),
            !value(of: attributes[attribute]).elementsEqual(text.utf8)
        {
            // An entity stands for a part of it.
            attributes[attribute].isMisread = true
            isTruncated = true
        }
        let whole = 0..<value(of: attributes[attribute]).count
        let range = noted.range ?? whole
        guard !attributes[attribute].isMisread, range.upperBound <= whole.upperBound else { return nil }
        return PlacedReference.Place(
            tag: tag,
            attribute: attribute,
            range: range,
            value: noted.value ?? range,
            syntax: noted.syntax,
            type: noted.type,
            isUncertain: noted.isUncertain
        )
    }
}

/// Finds the attributes of elements in tags.
private struct AttributeFinder {
    /// Where an attribute of `html` or `body` stands first: further tags of theirs give their attributes to the first.
    private var roots: [String: (tag: Int, attribute: Int)] = [:]
    /// The last result: several references of an attribute follow each other.
    private var last: (node: TreeNode, name: String, found: (tag: Int, attribute: Int)?)?

    init(_ source: SourceTags) {
        guard !source.isXML else { return }
        for tag in source.roots {
            for attribute in source.tags[tag].attributes where !source.attributes[attribute].isDuplicate {
                let key = "\(source.tags[tag].name) \(source.attributes[attribute].name)"
                if roots[key] == nil { roots[key] = (tag, attribute) }
            }
        }
    }

    /// The attribute of an element: in its own tag, or of a further tag of `html` or `body`; and whether it is another
    /// than the one before.
    mutating func find(
        _ name: StaticString,
        of node: TreeNode,
        _ source: SourceTags
    ) -> (tag: Int, attribute: Int, isNew: Bool)? {
        let name = "\(name)"
        if let last, last.node == node, last.name == name {
            return last.found.map { ($0.tag, $0.attribute, false) }
        }
        var found: (tag: Int, attribute: Int)?
        if let own = source.tagOf[node.address], let attribute = Self.attribute(name, of: own, source) {
            found = (own, attribute)
        } else if node.hasName("html") || node.hasName("body") {
            found = roots["\(node.name) \(name)"]
        }
        last = (node, name, found)
        return found.map { ($0.tag, $0.attribute, true) }
    }

    /// An attribute of this local name: one without a prefix, or else one with that of XLink.
    private static func attribute(_ name: String, of tag: Int, _ source: SourceTags) -> Int? {
        var other: Int?
        for index in source.tags[tag].attributes where !source.attributes[index].isDuplicate {
            let own = source.attributes[index].name
            if own == name { return index }
            if name == "href", own.hasSuffix(":href") { other = other ?? index }
        }
        return other
    }
}
