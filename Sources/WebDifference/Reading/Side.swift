internal import WebDocument
internal import WebStandards

/// One of the two pages, split into the parts that are compared.
struct Side {
    let document: Document?
    var tree = FlatTree()
    /// The text as it is shown: words with a space between, block after block.
    var text: [UInt8] = []
    var words: [Word] = []
    var inlines: [Inline] = []
    var grids: [Grid] = []
    /// The roles, by the number of a name.
    var roles: [Role] = []
    var formats: [Formatting] = []
    let known: KnownNames

    /// The units that the page shows, in order.
    var flow: [Unit] = []
    var scripts: [Unit] = []
    var styles: [Unit] = []
    /// Scripts of JSON-LD.
    var data: [Int32] = []
    var metadata: [Int32] = []
    var comments: [UInt64: Int] = [:]
    /// The elements that selectors exclude, each with the index of the selector.
    var leftOut: [(rule: Int, element: Int32)] = []

    /// An element that is open at an item.
    struct Open {
        let element: Int32
        let end: Int32
        let isBlock: Bool
        /// The index among the inline elements; -1 for a block.
        let inline: Int
        /// The nearest block: the element itself, or one around it.
        let block: Int32
        /// The kind of a change of text in it.
        let kind: PageDifference.Kind
        /// The number of the nearest heading's name, plus 1; 0 outside of headings.
        let level: Int32
        let isPreformatted: Bool
        let formatting: Formatting
    }

    /// The block of text that is being read.
    struct Block {
        var firstWord = 0
        var firstInline = 0
        var firstItem: Int32 = -1
        var lastItem: Int32 = -1
        var raw = Mixer()
        /// The beginning of the word that is being read; `nil` between words.
        var word: Int?
        var hash = Mixer()
        var formatting: Formatting = []
    }

    var block = Block()
    var open: [Open] = []

    init(
        _ page: ParsedPage,
        _ options: PageDifference.Options,
        _ names: inout FlatTree.Names
    ) throws(SelectorError) {
        document = page.document
        known = KnownNames(&names)
        guard let document else {
            readLines(page.text ?? "")
            return
        }
        if let selection = options.selection {
            tree = FlatTree(try document.querySelectorAll(selection), &names)
        } else {
            tree = FlatTree(document, &names)
        }
        roles = names.all.map { Role($0) }
        formats = names.all.map { Formatting($0) }
        var left: [UInt: Int] = [:]
        for (rule, selector) in options.ignoredSelectors.enumerated() {
            for node in try document.querySelectorAll(selector) where left[node.address] == nil {
                left[node.address] = rule
            }
        }
        read(without: left, visibleOnly: options.isVisibleOnly)
    }

    // MARK: - Asking

    func role(_ item: Int32) -> Role {
        guard item >= 0 else { return [] }
        let name = Int(tree.items[Int(item)].name)
        return name >= 0 && name < roles.count ? roles[name] : []
    }

    /// The value of an element's attribute; `nil` if it is missing.
    func attribute(_ element: Int32, _ name: Int32) -> ArraySlice<UInt8>? {
        guard element >= 0 else { return nil }
        for attribute in tree.attributes[tree.items[Int(element)].attributes] where attribute.name == name {
            return tree.bytes[attribute.value]
        }
        return nil
    }

    func string(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }

    /// The text that an element begins with; empty if it does not begin with text.
    func ownText(_ element: Int32) -> ArraySlice<UInt8> {
        let item = tree.items[Int(element)]
        guard element &+ 1 < item.end else { return [] }
        let first = tree.items[Int(element) + 1]
        return first.kind == .text ? tree.bytes[first.text] : []
    }

    /// Whether the first of two pages is compared as the old one, regardless of the order in which they were passed.
    static func isOrdered(_ first: Side, _ second: Side, _ names: [String]) -> Bool {
        if first.tree.bytes.count != second.tree.bytes.count {
            return first.tree.bytes.count < second.tree.bytes.count
        }
        if first.tree.items.count != second.tree.items.count {
            return first.tree.items.count < second.tree.items.count
        }
        if first.text.count != second.text.count { return first.text.count < second.text.count }
        if first.tree.bytes != second.tree.bytes {
            return first.tree.bytes.lexicographicallyPrecedes(second.tree.bytes)
        }
        if first.text != second.text { return first.text.lexicographicallyPrecedes(second.text) }
        // The same texts and values in other elements.
        for (one, other) in zip(first.tree.items, second.tree.items) where one.name != other.name {
            guard one.name >= 0, other.name >= 0 else { return one.name < other.name }
            return names[Int(one.name)] < names[Int(other.name)]
        }
        for (one, other) in zip(first.tree.items, second.tree.items) where one.end != other.end {
            return one.end < other.end
        }
        for (one, other) in zip(first.tree.attributes, second.tree.attributes) where one.name != other.name {
            return names[Int(one.name)] < names[Int(other.name)]
        }
        return false
    }

    // MARK: - Reading

    mutating func read(without left: [UInt: Int], visibleOnly: Bool) {
        var index: Int32 = 0
        let count = Int32(clamping: tree.items.count)
        while index < count {
            close(before: index)
            let item = tree.items[Int(index)]
            switch item.kind {
            case .text:
                add(item.text, of: index, open.last?.formatting ?? [])
                index &+= 1
            case .comment:
                var mixer = Mixer()
                mixer.add(tree.bytes[item.text])
                comments[mixer.value, default: 0] += 1
                index &+= 1
            case .element:
                if !left.isEmpty, let rule = left[item.address] {
                    leftOut.append((rule, index))
                    index = item.end
                } else if visibleOnly, isHidden(index) {
                    index = item.end
                } else {
                    index = enter(index, item)
                }
            }
        }
        close(before: count)
        flush(-1)
        // Texts were added where they ended.
        flow.sort { $0.items.lowerBound < $1.items.lowerBound }
    }

    /// Closes the elements that end before an item.
    mutating func close(before index: Int32) {
        while let last = open.last, last.end <= index {
            if last.isBlock {
                flush(last.element)
            } else if inlines[last.inline].end < 0 {
                inlines[last.inline].end = words.count + (block.word == nil ? 0 : 1)
            }
            open.removeLast()
        }
    }

    /// Reads the start of an element; returns the item to continue with.
    mutating func enter(_ index: Int32, _ item: FlatTree.Item) -> Int32 {
        let role = role(index)
        if role.contains(.metadata) {
            addHead(index)
            return item.end
        }
        if role.contains(.script) {
            addScript(index)
            return item.end
        }
        if role.contains(.style) {
            styles.append(resource(index, .style))
            return item.end
        }
        if role.contains(.gap) {
            endWord()
            return item.end
        }
        if role.contains(.drawing) {
            addDrawing(index, item)
            return item.end
        }
        if role.contains(.table), item.name == known.table, let grid = simpleGrid(index, item) {
            flush(parentBlock)
            addTable(index, item, grid)
            return item.end
        }
        // Selected elements do not share a line.
        let isBlock = role.contains(.block) || item.parent < 0
        if isBlock { flush(parentBlock) }
        if isEmpty(index, item) {
            addEmpty(index, role)
            return item.end
        }
        let parent = open.last
        open.append(
            Open(
                element: index,
                end: item.end,
                isBlock: isBlock,
                inline: isBlock ? -1 : inlines.count,
                block: isBlock ? index : parent?.block ?? -1,
                kind: role.textKind ?? parent?.kind ?? .text,
                level: role.contains(.heading) ? item.name &+ 1 : parent?.level ?? 0,
                isPreformatted: role.contains(.preformatted) || parent?.isPreformatted ?? false,
                formatting: (parent?.formatting ?? []).union(formats[Int(item.name)])
            )
        )
        if !isBlock { inlines.append(Inline(element: index, first: words.count)) }
        return index &+ 1
    }

    /// Whether there is nothing in an element but white space and comments.
    private func isEmpty(_ index: Int32, _ item: FlatTree.Item) -> Bool {
        for inner in tree.items[Int(index) + 1..<Int(item.end)] {
            switch inner.kind {
            case .element: return false
            case .text: if !tree.bytes[inner.text].allSatisfy(\.isASCIIWhitespace) { return false }
            case .comment: break
            }
        }
        return true
    }

    /// Whether the markup itself hides an element.
    private func isHidden(_ element: Int32) -> Bool {
        let name = tree.items[Int(element)].name
        if attribute(element, known.hidden) != nil || name == known.template { return true }
        if name == known.input, let type = attribute(element, known.type),
            string(type).lowercased() == "hidden"
        {
            return true
        }
        guard let style = attribute(element, known.style) else { return false }
        let text = string(style).lowercased().filter { !$0.isWhitespace }
        return text.contains("display:none") || text.contains("visibility:hidden")
    }

    var parentBlock: Int32 { open.last?.block ?? -1 }
}
