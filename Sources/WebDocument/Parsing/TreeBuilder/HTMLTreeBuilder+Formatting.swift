import CLibXML2
import CHTMLTables
import Glibc

/// The active formatting elements and the adoption agency.
extension HTMLTreeBuilder {
    /// [Push onto the list of active formatting elements](https://html.spec.whatwg.org/multipage/parsing.html#push-onto-the-list-of-active-formatting-elements).
    mutating func pushFormatting(_ element: TreeNode, tag: HTMLTag) {
        let entry = HTMLFormattingElements.Entry(
            node: element,
            atom: tag.atom,
            signature: Self.signature(of: tag)
        )
        formatting.push(entry, areEqual: Self.haveEqualAttributes)
    }

    /// A hash of a tag's name and attributes, independent of their order.
    private static func signature(of tag: HTMLTag) -> UInt64 {
        var sum = UInt64(tag.atom)
        for index in 0..<tag.attributeCount {
            let attribute = tag.attribute(index)
            let value = attribute.value
            var word: UInt64 = UInt64(truncatingIfNeeded: value.count)
            // Both ends of a value distinguish most values; equality is checked properly afterwards.
            for position in 0..<min(8, value.count) {
                word = (word &* 31) ^ UInt64(value[position])
                word = (word &* 31) ^ UInt64(value[value.count - 1 - position])
            }
            let product = (word ^ UInt64(attribute.atom) << 32).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            sum = sum &+ (product.high ^ product.low)
        }
        return sum
    }

    /// Whether two elements have the same attributes. (More than 64 have to be in the same order.)
    private static func haveEqualAttributes(_ left: TreeNode, _ right: TreeNode) -> Bool {
        var first = unsafe left.pointer.pointee.properties
        var second = unsafe right.pointer.pointee.properties
        var count = 0
        while let one = unsafe first, let other = unsafe second, unsafe areEqual(one, other) {
            unsafe first = one.pointee.next
            unsafe second = other.pointee.next
            count += 1
        }
        if unsafe first == nil, unsafe second == nil { return true }
        guard attributeCount(left) == attributeCount(right), attributeCount(left) <= 64 else { return false }
        unsafe first = left.pointer.pointee.properties
        while let one = unsafe first {
            var candidate = unsafe right.pointer.pointee.properties
            while let other = unsafe candidate, unsafe !areEqual(one, other) {
                unsafe candidate = other.pointee.next
            }
            if unsafe candidate == nil { return false }
            unsafe first = one.pointee.next
        }
        return true
    }

    private static func attributeCount(_ node: TreeNode) -> Int {
        var count = 0
        var next = unsafe node.pointer.pointee.properties
        while let attribute = unsafe next {
            count += 1
            unsafe next = attribute.pointee.next
        }
        return count
    }

    private static func areEqual(
        _ left: UnsafeMutablePointer<xmlAttr>,
        _ right: UnsafeMutablePointer<xmlAttr>
    ) -> Bool {
        guard
            unsafe left.pointee.name == right.pointee.name
                || xmlStrEqual(left.pointee.name, right.pointee.name) == 1
        else { return false }
        return unsafe xmlStrEqual(
            left.pointee.children?.pointee.content,
            right.pointee.children?.pointee.content
        ) == 1
    }

    /// [Reconstruct the active formatting elements](https://html.spec.whatwg.org/multipage/parsing.html#reconstruct-the-active-formatting-elements).
    @inline(__always)
    mutating func reconstructFormatting() throws(HTMLParserError) {
        guard let last = formatting.entries.last, !last.isMarker, !last.node.isOpen else { return }
        try reopenFormatting()
    }

    @inline(never)
    private mutating func reopenFormatting() throws(HTMLParserError) {
        // Rewind
        var index = formatting.entries.count - 1
        while index > 0, !formatting.entries[index - 1].isMarker, !formatting.entries[index - 1].node.isOpen {
            index -= 1
        }
        // Advance, create
        while index < formatting.entries.count {
            let entry = formatting.entries[index]
            let element = try cloneElement(entry.node, atom: entry.atom)
            insert(element, at: flattened(appropriatePlace()))
            element.isOpen = true
            stack.push(element, atom: entry.atom, kind: htmlKind(entry.atom))
            formatting.entries[index].node = element
            index += 1
        }
    }

    /// Creates an element for the token for which another one was created.
    ///
    /// No script runs here, so the attributes of a formatting element are those of its token.
    private mutating func cloneElement(_ original: TreeNode, atom: UInt32) throws(HTMLParserError) -> TreeNode
    {
        let current = position
        position = UInt64(UInt(bitPattern: unsafe original.pointer.pointee._private))
        let element = try createElement(named: atom)
        position = current
        try copyAttributes(of: original, to: element)
        return element
    }

    /// Gives an element that has no attributes copies of another's.
    mutating func copyAttributes(of original: TreeNode, to element: TreeNode) throws(HTMLParserError) {
        var last: UnsafeMutablePointer<xmlAttr>?
        var next = unsafe original.pointer.pointee.properties
        while let attribute = unsafe next {
            let content = unsafe attribute.pointee.children?.pointee.content
            let length = unsafe Int(xmlStrlen(content))
            guard let name = unsafe attribute.pointee.name else { break }
            guard
                let made = unsafe webl_append_attribute(
                    element.pointer,
                    last,
                    name,
                    attribute.pointee.ns,
                    content ?? UnsafeMutablePointer(mutating: webl_text_name()),
                    length
                )
            else { throw HTMLParserError(code: .outOfMemory) }
            countMemory(Self.attributeSize &+ length)
            unsafe last = made
            unsafe next = attribute.pointee.next
        }
    }

    /// [Adoption agency algorithm](https://html.spec.whatwg.org/multipage/parsing.html#adoption-agency-algorithm).
    mutating func adoptionAgency(for tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        let subject = tag.atom
        // Step 3: the current node is the subject and not in the list.
        let current = stack.top
        if current.atom == subject, current.kind.contains(.html), formatting.index(of: current.node) == nil {
            try popElement()
            return .done
        }
        for _ in 0..<8 {
            // Steps 4.3 to 4.6: the formatting element
            guard let listIndex = formatting.last(atom: subject) else { return try anyOtherEndTag(tag) }
            let element = formatting.entries[listIndex].node
            guard element.isOpen, let stackIndex = stack.index(of: element, atom: subject) else {
                formatting.remove(at: listIndex)
                return .done
            }
            guard stackIndex >= Int(stack.top.nearestScope) else { return .done }
            // Steps 4.7 and 4.8: the furthest block
            guard Int(stack.top.nearestSpecial) > stackIndex else {
                try popElements(downTo: stackIndex)
                formatting.remove(at: listIndex)
                return .done
            }
            var blockIndex = stackIndex + 1
            while !stack[blockIndex].kind.contains(.special) { blockIndex += 1 }
            try adopt(formattingAt: stackIndex, inList: listIndex, blockAt: blockIndex)
        }
        return .done
    }

    /// Steps 4.9 to 4.19.
    private mutating func adopt(
        formattingAt stackIndex: Int,
        inList listIndex: Int,
        blockAt blockIndex: Int
    ) throws(HTMLParserError) {
        let formattingElement = formatting.entries[listIndex]
        let block = stack[blockIndex]
        let commonAncestor = stack[stack.index(below: stackIndex)]
        var bookmark = listIndex
        var lastNode = block.node
        var counter = 0
        var index = blockIndex - 1
        // Step 4.13: the inner loop
        while index > stackIndex {
            let current = index
            let entry = stack[current]
            index -= 1
            guard !entry.isHole else { continue }
            counter += 1
            var position = entry.kind.contains(.formatting) ? formatting.index(of: entry.node) : nil
            if counter > 3, let found = position {
                formatting.remove(at: found)
                if found < bookmark { bookmark -= 1 }
                position = nil
            }
            guard let position else {
                if entry.kind.contains(.formatting) { entry.node.isOpen = false }
                stack.remove(at: current)
                continue
            }
            let element = try cloneElement(entry.node, atom: entry.atom)
            entry.node.isOpen = false
            element.isOpen = true
            formatting.entries[position].node = element
            stack.setNode(element, at: current)
            if lastNode == block.node { bookmark = position + 1 }
            lastNode.remove()
            element.append(lastNode)
            lastNode = element
        }
        // Step 4.14
        lastNode.remove()
        insert(lastNode, at: appropriatePlace(for: commonAncestor))
        // Steps 4.15 to 4.17
        let element = try cloneElement(formattingElement.node, atom: formattingElement.atom)
        block.node.moveChildren(to: element)
        block.node.append(element)
        // Step 4.18
        if let position = formatting.index(of: formattingElement.node) {
            formatting.remove(at: position)
            if position < bookmark { bookmark -= 1 }
        }
        var entry = formattingElement
        entry.node = element
        formatting.insert(entry, at: min(bookmark, formatting.entries.count))
        // Step 4.19
        formattingElement.node.isOpen = false
        element.isOpen = true
        stack.moveFormattingElement(at: stackIndex, above: blockIndex, as: element)
    }

    /// Whether an HTML element has that name.
    ///
    /// Unlike the stack's queries this one reads the tree.
    func isName(_ name: HTMLElementName, _ node: TreeNode) -> Bool {
        let atom = UInt32(name.rawValue)
        guard unsafe node.pointer.pointee.ns == nil, let text = unsafe node.pointer.pointee.name else {
            return false
        }
        return unsafe strcmp(
            UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self),
            UnsafeRawPointer(webl_name_bytes(atom)).assumingMemoryBound(to: CChar.self)
        ) == 0
    }

    /// Whether an element has the attribute with that number.
    func has(_ atom: UInt32, _ node: TreeNode) -> Bool {
        unsafe xmlHasProp(node.pointer, webl_name_bytes(atom)) != nil
    }
}
