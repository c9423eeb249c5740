extension ContentSearch {
    /// The elements around an entry that protect it from removal.
    private struct Protection: OptionSet {
        let rawValue: UInt8
        /// In a table of data, or the table itself.
        static let data = Self(rawValue: 1)
        static let code = Self(rawValue: 2)
        static let figure = Self(rawValue: 4)
    }

    /// Removes what is not text to read inside the chosen elements; returns how many characters are left.
    mutating func clean(_ roots: [Int], _ top: Int) -> Int {
        var length = 0
        for root in roots {
            let end = Int(tree.entries[root].end)
            let protections = protections(root..<end)
            var sums = [ContentSums](repeating: ContentSums(), count: end - root)
            for index in stride(from: end - 1, through: root, by: -1) where !removed[index] {
                let entry = tree.entries[index]
                let isRoot = index == root
                var inside = sums[index - root]
                inside.paragraphs += Int(scores.runCounts[index])
                if entry.element != .text, index > 0 {
                    let isProtected = isRoot && index == top
                    if !isProtected, shouldRemove(index, inside, protections[index - root], isRoot: isRoot) {
                        removed[index] = true
                        if entry.element == .input, !isRoot { sums[Int(entry.parent) - root].inputs += 1 }
                        continue
                    }
                }
                var counted = inside.counting(entry)
                counted.isKept = counted.isKept || isVideo(entry) || protections[index - root].contains(.data)
                if isRoot {
                    length += counted.length
                } else {
                    sums[Int(entry.parent) - root].add(counted)
                }
            }
        }
        return length
    }

    /// Whether an element is removed.
    private func shouldRemove(
        _ index: Int,
        _ inside: ContentSums,
        _ protection: Protection,
        isRoot: Bool
    ) -> Bool {
        let entry = tree.entries[index]
        let traits = entry.traits
        if traits.contains(.foreign), !isRoot { return true }
        switch entry.element {
        case .iframe, .embed, .object: return !isVideo(entry)
        case .h1, .h2: if weight(index) < 0 { return true }
        default: break
        }
        if !isRoot, entry.words.contains(.sharing), inside.length < 500 { return true }
        guard rules.cleans else { return false }
        if inside.length < 24, inside.length > 0, Int(entry.end) - index <= 16,
            entry.element == .div || entry.element == .p,
            ContentLabels.isLabel(tree, index..<Int(entry.end))
        {
            return true
        }
        let isDivision = isRoot && !Self.isKeptAsRoot(entry.element)
        guard traits.contains(.suspect) || isDivision, !isParagraph[index] else { return false }
        if !protection.isDisjoint(with: [.data, .code]) || inside.isKept { return false }
        return looksLikeClutter(index, inside, isInFigure: protection.contains(.figure))
    }

    private static func isKeptAsRoot(_ element: ContentElement) -> Bool {
        switch element {
        case .div, .article, .section, .p, .ol, .ul: true
        default: false
        }
    }

    /// Whether the contents of an element do not look like text to read.
    private func looksLikeClutter(_ index: Int, _ inside: ContentSums, isInFigure: Bool) -> Bool {
        let entry = tree.entries[index]
        let weight = weight(index)
        if weight < 0 { return true }
        guard inside.commas < 10 else { return false }
        let isForm = entry.element == .form || entry.element == .fieldset
        let isList =
            entry.traits.contains(.list)
            || inside.length > 0 && inside.listed &* 10 > inside.length * 9
        let density = inside.linkDensity
        var isClutter = false
        if !isInFigure, inside.images > 1, inside.paragraphs * 2 < inside.images { isClutter = true }
        if !isList, inside.items - 100 > inside.paragraphs { isClutter = true }
        if isForm, inside.inputs > inside.paragraphs / 3 { isClutter = true }
        if isForm, inside.embeds > 1 || inside.embeds == 1 && inside.length < 75 { isClutter = true }
        if !isList, !isInFigure, inside.headingDensity < 0.9, inside.length < 25,
            inside.images == 0 || inside.images > 2, density > 0
        {
            isClutter = true
        }
        if !isList, weight < 25, density > 0.2 { isClutter = true }
        if weight >= 25, density > 0.5 { isClutter = true }
        if inside.length == 0, inside.images == 0 { isClutter = true }
        guard isClutter, isList else { return isClutter }
        return !isGallery(index, inside)
    }

    /// Whether a list has an image and nothing else in each of its items.
    private func isGallery(_ index: Int, _ inside: ContentSums) -> Bool {
        var child = index + 1
        while child < tree.entries[index].end {
            var count = 0
            var inner = child + 1
            while inner < tree.entries[child].end, count < 2 {
                if tree.entries[inner].element != .text { count += 1 }
                inner = Int(tree.entries[inner].end)
            }
            if count > 1 { return false }
            child = Int(tree.entries[child].end)
        }
        return inside.images == inside.items && inside.images > 0
    }

    /// Whether an element shows a video: a `video`, or a frame that may fill the screen or has the address of
    /// a player.
    private func isVideo(_ entry: ContentTree.Entry) -> Bool {
        switch entry.element {
        case .video: return true
        case .iframe, .embed, .object: break
        default: return false
        }
        if entry.node.hasAttribute("allowfullscreen") { return true }
        guard let address = entry.node.attribute("src") ?? entry.node.attribute("data") else { return false }
        return address.contains("embed") || address.contains("player") || address.contains("video")
    }

    // MARK: - Protection

    /// For each entry of a range, the elements around it that protect it.
    private func protections(_ range: Range<Int>) -> [Protection] {
        var protections = [Protection](repeating: [], count: range.count)
        for table in dataTables(range) { protections[table - range.lowerBound] = .data }
        for index in range {
            let entry = tree.entries[index]
            let place = index - range.lowerBound
            if index > range.lowerBound {
                protections[place].formUnion(protections[Int(entry.parent) - range.lowerBound])
            }
            if entry.element == .code { protections[place].insert(.code) }
            if entry.element == .figure { protections[place].insert(.figure) }
        }
        return protections
    }

    /// A table while its contents are read.
    private struct OpenTable {
        let index: Int
        var rows = 0
        var columns = 0
        var cells = 0
        var hasDataMarkup = false
        var hasTable = false
    }

    /// The tables that hold data, rather than lay out a page.
    private func dataTables(_ range: Range<Int>) -> [Int] {
        var found: [Int] = []
        var open: [OpenTable] = []
        func closeTables(before index: Int) {
            while let table = open.last, Int(tree.entries[table.index].end) <= index {
                open.removeLast()
                if isData(table) { found.append(table.index) }
                if let outer = open.indices.last {
                    open[outer].hasTable = true
                    open[outer].hasDataMarkup = open[outer].hasDataMarkup || table.hasDataMarkup
                }
            }
        }
        for index in range {
            let entry = tree.entries[index]
            closeTables(before: index)
            if entry.element == .table {
                open.append(OpenTable(index: index, hasDataMarkup: entry.node.hasAttribute("summary")))
            }
            guard let last = open.indices.last else { continue }
            switch entry.element {
            case .caption, .col, .colgroup, .tfoot, .thead, .th: open[last].hasDataMarkup = true
            case .tr:
                open[last].rows += 1
                open[last].cells = 0
            default: break
            }
            if entry.element == .td || entry.element == .th {
                open[last].cells += 1
                open[last].columns = max(open[last].columns, open[last].cells)
            }
        }
        closeTables(before: range.upperBound)
        return found
    }

    private func isData(_ table: OpenTable) -> Bool {
        if let role = tree.entries[table.index].node.attribute("role"),
            role == "presentation" || role == "none"
        {
            return false
        }
        if table.hasDataMarkup { return true }
        if table.hasTable || table.rows == 1 || table.columns == 1 { return false }
        return table.rows >= 10 || table.columns > 4 || table.rows *| table.columns > 10
    }
}
