import CHTMLTables
import CLibXML2

/// Creates nodes and inserts them at their places.
extension HTMLTreeBuilder {
    /// A place in the tree: the end of a parent's children, or before one of them.
    struct Place {
        var parent: TreeNode
        var before: TreeNode?
    }

    // MARK: - Places

    /// [Appropriate place for inserting a node](https://html.spec.whatwg.org/multipage/parsing.html#appropriate-place-for-inserting-a-node).
    @inline(__always)
    func appropriatePlace() -> Place {
        if stack.count == 0 { return Place(parent: documentNode) }
        return appropriatePlace(for: stack.top)
    }

    /// The appropriate place for inserting a node, with an override target.
    @inline(__always)
    func appropriatePlace(for target: HTMLOpenElement) -> Place {
        if fosterParenting {
            switch target.name {
            case .table, .tbody, .tfoot, .thead, .tr: return fosterParent()
            default: break
            }
        }
        if target.isHTML(.template), let contents = target.node.fragment { return Place(parent: contents) }
        return Place(parent: target.node)
    }

    /// The steps of foster parenting.
    private func fosterParent() -> Place {
        let lastTemplate = stack.last(.template)
        let lastTable = stack.last(.table)
        if lastTemplate >= 0, lastTemplate > lastTable, let contents = stack[lastTemplate].node.fragment {
            return Place(parent: contents)
        }
        // Fragment case
        guard lastTable > 0 else { return Place(parent: stack[0].node) }
        let table = stack[lastTable].node
        if let parent = table.parent { return Place(parent: parent, before: table) }
        return Place(parent: stack[stack.index(below: lastTable)].node)
    }

    /// The place for an element or a comment: the given one or, if the stack is too deep, one beside the
    /// parent, as in Blink.
    @inline(__always)
    mutating func flattened(_ place: Place) -> Place {
        guard stack.depth > options.maximumDepth else { return place }
        return flattenedDeep(place)
    }

    @inline(never)
    private mutating func flattenedDeep(_ place: Place) -> Place {
        guard place.before == nil, let grandparent = place.parent.parent, !grandparent.isDocument else {
            return place
        }
        limits.flattenedElements += 1
        return Place(parent: grandparent)
    }

    @inline(__always)
    func insert(_ node: TreeNode, at place: Place) {
        if let before = place.before {
            place.parent.insert(node, before: before)
        } else {
            place.parent.append(node)
        }
    }

    // MARK: - Elements

    /// The categories of an HTML element with that name.
    @inline(__always)
    func htmlKind(_ atom: UInt32) -> HTMLElementKind {
        guard atom < UInt32(truncatingIfNeeded: HTMLAtom.knownCount) else { return .html }
        let traits = webl_traits(atom)
        // special and scope are adjacent bits in both option sets.
        return HTMLElementKind(
            rawValue: 1 | (traits & 3) << 1 | (traits & HTMLElementTraits.formatting.rawValue) << 1
        )
    }

    func svgKind(_ atom: UInt32) -> HTMLElementKind {
        switch HTMLElementName(atom: atom) {
        case .foreignobject, .desc, .title: [.svg, .special, .scope, .htmlIntegrationPoint]
        default: .svg
        }
    }

    func mathMLKind(_ atom: UInt32) -> HTMLElementKind {
        switch HTMLElementName(atom: atom) {
        case .mi, .mo, .mn, .ms, .mtext: [.special, .scope, .mathMLTextIntegrationPoint]
        case .annotationXml: [.special, .scope, .annotationXML]
        default: []
        }
    }

    /// Counts a node and its text, and stops the parse if there are too many nodes or bytes.
    @inline(__always)
    mutating func countNode(_ text: Int = 0) {
        nodeCount &+= 1
        if nodeCount >= options.maximumNodes { stop(.nodeLimit) }
        countMemory(unsafe MemoryLayout<xmlNode>.size &+ text)
    }

    @inline(__always)
    mutating func countMemory(_ bytes: Int) {
        memory &+= bytes
        if memory > maximumMemory { stop(.memoryLimit(maximumMemory)) }
    }

    /// The value, truncated to the maximum length of a text.
    @inline(__always)
    mutating func limited(_ value: HTMLBytes) -> HTMLBytes {
        if value.count <= options.maximumTextLength { return value }
        return truncated(value)
    }

    @inline(never)
    private mutating func truncated(_ value: HTMLBytes) -> HTMLBytes {
        var length = options.maximumTextLength
        // Not in the middle of a character
        while length > 0, value[length] & 0xC0 == 0x80 { length -= 1 }
        limits.truncatedTextBytes += value.count - length
        return value.slice(0, length)
    }

    /// [Create an element for a token](https://html.spec.whatwg.org/multipage/parsing.html#create-an-element-for-the-token).
    @inline(__always)
    mutating func createElement(_ tag: HTMLTag) throws(HTMLParserError) -> TreeNode {
        let element = try createElement(named: tag.atom)
        if tag.attributeCount > 0 {
            try setAttributes(of: tag, on: element)
            if options.notesElements { notedElements.append(element) }
        }
        return element
    }

    @inline(__always)
    mutating func createElement(named atom: UInt32) throws(HTMLParserError) -> TreeNode {
        let text = try unsafe names.text(atom)
        let line = UInt16(truncatingIfNeeded: min(position >> 28, 0xFFFF))
        guard let node = unsafe webl_make_node(XML_ELEMENT_NODE, text, document, position, line) else {
            throw HTMLParserError(code: .outOfMemory)
        }
        countNode()
        return unsafe TreeNode(node)
    }

    private mutating func setAttributes(of tag: HTMLTag, on element: TreeNode) throws(HTMLParserError) {
        var last: UnsafeMutablePointer<xmlAttr>?
        var length = 0
        for index in 0..<tag.attributeCount {
            let attribute = tag.attribute(index)
            let name = try unsafe names.text(attribute.atom)
            let value = limited(attribute.value)
            guard
                let made = unsafe webl_append_attribute(
                    element.pointer,
                    last,
                    name,
                    nil,
                    value.base,
                    value.count
                )
            else {
                throw HTMLParserError(code: .outOfMemory)
            }
            unsafe last = made
            length &+= value.count
        }
        countMemory(tag.attributeCount &* Self.attributeSize &+ length)
    }

    /// The memory of an attribute without its value, in bytes.
    static let attributeSize = unsafe MemoryLayout<xmlAttr>.size + MemoryLayout<xmlNode>.size

    /// [Insert an HTML element](https://html.spec.whatwg.org/multipage/parsing.html#insert-an-html-element).
    @inline(__always)
    @discardableResult
    mutating func insertHTMLElement(_ tag: HTMLTag) throws(HTMLParserError) -> TreeNode {
        let element = try createElement(tag)
        insert(element, at: flattened(appropriatePlace()))
        if form != nil { noteFormOwner(of: element, tag) }
        push(element, tag: tag)
        return element
    }

    /// Inserts an HTML element without leaving it on the stack.
    mutating func insertVoidElement(_ tag: HTMLTag) throws(HTMLParserError) {
        let element = try createElement(tag)
        insert(element, at: flattened(appropriatePlace()))
        if form != nil { noteFormOwner(of: element, tag) }
        acknowledgedSelfClosing = true
    }

    /// Records the form owner of a control if the tree does not show it: the form element pointer's form is
    /// not open any more.
    ///
    /// Steps 10 and 11 of [creating an element for a
    /// token](https://html.spec.whatwg.org/multipage/parsing.html#create-an-element-for-the-token).
    @inline(never)
    private mutating func noteFormOwner(of element: TreeNode, _ tag: HTMLTag) {
        switch tag.name {
        case .button, .input, .select, .textarea: break
        default: return
        }
        guard let form, stack.last(.template) < 0 else { return }
        let index = stack.last(.form)
        if index >= 0, stack[index].node == form { return }
        sideTables.formOwners.append((element, form))
    }

    @inline(__always)
    mutating func push(_ element: TreeNode, tag: HTMLTag) {
        let kind = htmlKind(tag.atom)
        if kind.contains(.formatting) { element.isOpen = true }
        stack.push(element, atom: tag.atom, kind: kind)
    }

    // MARK: - Other nodes

    mutating func createComment(_ data: HTMLBytes) throws(HTMLParserError) -> TreeNode {
        let comment = try unsafe createNode(XML_COMMENT_NODE, named: webl_comment_name(), content: data)
        unsafe comment.pointer.pointee._private = UnsafeMutableRawPointer(
            bitPattern: UInt(truncatingIfNeeded: position)
        )
        return comment
    }

    mutating func createProcessingInstruction(
        target: HTMLBytes,
        data: HTMLBytes
    ) throws(HTMLParserError) -> TreeNode {
        guard let name = unsafe webl_take_copy(document, target.base, target.count) else {
            throw HTMLParserError(code: .outOfMemory)
        }
        return try unsafe createNode(XML_PI_NODE, named: name, content: data)
    }

    private mutating func createNode(
        _ type: xmlElementType,
        named name: UnsafePointer<UInt8>?,
        content: HTMLBytes
    ) throws(HTMLParserError) -> TreeNode {
        let content = limited(content)
        guard let node = unsafe webl_make_node(type, name, document, 0, 0),
            let copy = unsafe webl_take_copy(document, content.base, content.count)
        else { throw HTMLParserError(code: .outOfMemory) }
        unsafe node.pointee.content = copy
        countNode(content.count)
        return unsafe TreeNode(node)
    }

    /// Creates a fragment of the document, for a template's contents or a shadow root.
    mutating func createFragment() throws(HTMLParserError) -> TreeNode {
        guard let node = unsafe webl_make_node(XML_DOCUMENT_FRAG_NODE, nil, document, 0, 0) else {
            throw HTMLParserError(code: .outOfMemory)
        }
        countNode()
        return unsafe TreeNode(node)
    }

    // MARK: - Text

    /// [Insert a character](https://html.spec.whatwg.org/multipage/parsing.html#insert-a-character).
    @inline(__always)
    mutating func insertCharacters(_ text: HTMLBytes) throws(HTMLParserError) {
        try insertText(text, at: appropriatePlace())
    }

    mutating func insertText(_ text: HTMLBytes, at place: Place) throws(HTMLParserError) {
        let sibling: TreeNode?
        if let before = place.before {
            sibling = before.previous
        } else {
            sibling = place.parent.lastChild
        }
        if let sibling, sibling.isText {
            let appended = try texts.append(text, to: sibling, limit: options.maximumTextLength)
            limits.truncatedTextBytes += text.count - appended
            countMemory(appended)
            return
        }
        // A document has no text children.
        guard !place.parent.isDocument else { return }
        let text = limited(text)
        guard let node = unsafe webl_make_text(text.base, text.count, document) else {
            throw HTMLParserError(code: .outOfMemory)
        }
        countNode(text.count)
        let made = unsafe TreeNode(node)
        texts.begin(made, count: text.count)
        insert(made, at: place)
    }

    mutating func insertReplacementCharacter() throws(HTMLParserError) {
        try "\u{FFFD}".withHTMLBytes { (bytes) throws(HTMLParserError) in
            try insertCharacters(bytes)
        }
    }

    // MARK: - Removing elements from the stack

    /// Removes the current node from the stack of open elements.
    @inline(__always)
    mutating func popElement() throws(HTMLParserError) {
        let element = stack.pop()
        if element.kind.contains(.formatting) {
            element.node.isOpen = false
        } else if selectedContents.isUsed, element.isHTML(.option) {
            try optionWasPopped(element.node)
        }
    }

    /// Pops elements until `count` are left.
    @inline(__always)
    mutating func popElements(downTo count: Int) throws(HTMLParserError) {
        while stack.count > count { try popElement() }
    }

    /// Pops elements until an HTML element of that name has been popped, if one is on the stack.
    @inline(__always)
    mutating func popUntil(_ name: HTMLElementName) throws(HTMLParserError) {
        let index = stack.last(name)
        if index >= 0 { try popElements(downTo: index) }
    }

    /// [Generate implied end tags](https://html.spec.whatwg.org/multipage/parsing.html#generate-implied-end-tags).
    @inline(__always)
    mutating func generateImpliedEndTags(except name: HTMLElementName = .other) throws(HTMLParserError) {
        while stack.count > 0 {
            let element = stack.top
            guard element.atom < HTMLAtom.ruledCount, element.kind.contains(.html),
                webl_traits(element.atom) & HTMLElementTraits.implied.rawValue != 0,
                element.atom != UInt32(name.rawValue)
            else { return }
            try popElement()
        }
    }

    /// [Generate all implied end tags thoroughly](https://html.spec.whatwg.org/multipage/parsing.html#generate-all-implied-end-tags-thoroughly).
    mutating func generateAllImpliedEndTagsThoroughly() throws(HTMLParserError) {
        while stack.count > 0 {
            let element = stack.top
            guard element.atom < HTMLAtom.ruledCount, element.kind.contains(.html),
                webl_traits(element.atom) & HTMLElementTraits.thorough.rawValue != 0
            else { return }
            try popElement()
        }
    }
}
