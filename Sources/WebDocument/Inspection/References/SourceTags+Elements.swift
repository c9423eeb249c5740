extension SourceTags {
    // MARK: - Elements

    /// Finds the tags of the elements of a tree of HTML.
    mutating func join(_ document: Document) {
        var walk = ContentsWalk(inside: document.node)
        var templates = 0
        var shadows = 0
        while let step = walk.next() {
            switch step {
            case .enter(let node):
                guard node.isElement, let tag = tag(at: node) else { continue }
                join(node, tag, isInert: templates > 0, isInShadowRoot: shadows > 0)
            case .enterContents(of: let host):
                if host.hasName("template") { templates += 1 } else { shadows += 1 }
            case .leaveContents(of: let host):
                if host.hasName("template") { templates -= 1 } else { shadows -= 1 }
            case .leave: continue
            }
        }
        pairEnds()
    }

    /// Finds the end tags of elements in which there is text that is not shown.
    private mutating func pairEnds() {
        var open: [String: [Int]] = [:]
        for index in tags.indices where tags[index].localName == "style" || tags[index].localName == "script"
        {
            let name = tags[index].name
            if tags[index].isEnd {
                if let start = open[name]?.popLast() { tags[start].endTag = index }
            } else if !tags[index].isEmptyElement {
                open[name, default: []].append(index)
            }
        }
    }

    /// Notes which element a tag has made.
    mutating func join(_ node: TreeNode, _ tag: Int, isInert: Bool, isInShadowRoot: Bool) {
        tagOf[node.address] = tag
        guard !tags[tag].hasElement else { return }
        tags[tag].hasElement = true
        tags[tag].isInert = isInert
        tags[tag].isInShadowRoot = isInShadowRoot
        if node.isHTMLElement {
            tags[tag].vocabulary = .html
        } else if node.isInNamespace("http://www.w3.org/2000/svg") {
            tags[tag].vocabulary = .svg
        } else if node.isInNamespace("http://www.w3.org/1998/Math/MathML") {
            tags[tag].vocabulary = .mathML
        } else {
            tags[tag].vocabulary = .other
        }
        let vocabulary = tags[tag].vocabulary
        if !isXML { tags[tag].isEmptyElement = tags[tag].isSelfClosing && vocabulary != .html }
        if node.hasName("style"), vocabulary == .html || vocabulary == .svg { styles.append((tag, node)) }
        guard let parent = node.parent, parent.isHTMLElement else { return }
        if parent.hasName("picture") {
            tags[tag].parent = .picture
        } else if parent.hasName("audio") || parent.hasName("video") {
            tags[tag].parent = .media
        } else if parent.hasName("head") {
            tags[tag].parent = .head
        }
    }

    /// The start tag of an element of HTML; nil for one that has none.
    private mutating func tag(at node: TreeNode) -> Int? {
        let position = node.packedPosition
        guard position != 0 else { return nil }
        let next = lastPosition + 1
        var low = next < positions.count && positions[next].position == position ? next : 0
        var high = low > 0 ? low : positions.count
        while low < high {
            let middle = (low + high) / 2
            if positions[middle].position < position { low = middle + 1 } else { high = middle }
        }
        guard low < positions.count, positions[low].position == position else { return nil }
        lastPosition = low
        let tag = positions[low].tag
        // An element that the standard makes beside that of the tag has the tag's place.
        guard node.hasName(lowercased: tags[tag].name) || tags[tag].name == "image" && node.hasName("img")
        else { return nil }
        return tag
    }
}
