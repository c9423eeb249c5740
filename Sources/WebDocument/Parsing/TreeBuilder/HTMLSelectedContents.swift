import CLibXML2

/// Which selects have a selectedcontent element, and in which of these an option has been selected.
///
/// It stays empty, and has no cost, on a page without a selectedcontent element: it even avoids the runtime
/// lookup of types that a dictionary needs, since that is inside a class (docs/decisions/0001-start-up.md).
struct HTMLSelectedContents {
    private final class Tables {
        /// For the address of a select: its first selectedcontent element.
        var targets: [UInt: TreeNode] = [:]
        var selects: Set<UInt> = []
    }

    private var tables: Tables?

    var isUsed: Bool { tables != nil }

    mutating func add(_ target: TreeNode, to select: TreeNode) {
        let tables = tables ?? Tables()
        self.tables = tables
        let key = Self.key(select)
        if tables.targets[key] == nil { tables.targets[key] = target }
    }

    func target(of select: TreeNode) -> TreeNode? {
        tables?.targets[Self.key(select)]
    }

    /// Whether an option of the select has been selected.
    func hasSelection(_ select: TreeNode) -> Bool {
        tables?.selects.contains(Self.key(select)) ?? false
    }

    mutating func setSelection(_ select: TreeNode) {
        tables?.selects.insert(Self.key(select))
    }

    private static func key(_ select: TreeNode) -> UInt {
        unsafe UInt(bitPattern: select.pointer)
    }
}

/// The steps of the parser for selectedcontent elements.
extension HTMLTreeBuilder {
    /// Records a selectedcontent element that was inserted and pushed.
    mutating func selectedContentWasInserted(_ element: TreeNode) {
        let select = stack.last(.select)
        // One inside an option, or inside another one, is disabled.
        guard select >= 0, stack.last(.option) < select else { return }
        selectedContents.add(element, to: stack[select].node)
    }

    /// [Maybe clone an option into selectedcontent](https://html.spec.whatwg.org/multipage/form-elements.html#maybe-clone-an-option-into-selectedcontent).
    ///
    /// The option is selected if it has the attribute, or if it is the first that could be.
    mutating func optionWasPopped(_ option: TreeNode) throws(HTMLParserError) {
        guard let select = nearestSelect(of: option), let target = selectedContents.target(of: select) else {
            return
        }
        guard !has(HTMLAtom.multiple, select), !isAncestor(target, of: option) else { return }
        if !has(HTMLAtom.selected, option) {
            guard !selectedContents.hasSelection(select), !has(HTMLAtom.disabled, option) else { return }
            if let group = option.parent, isName(.optgroup, group), has(HTMLAtom.disabled, group) { return }
            guard !has(HTMLAtom.size, select) else { return }
        }
        selectedContents.setSelection(select)
        // Clone an option into a selectedcontent: replace all.
        while let child = target.firstChild { child.remove() }
        try cloneChildren(of: option, to: target)
    }

    /// [Option element nearest ancestor select](https://html.spec.whatwg.org/multipage/form-elements.html#option-element-nearest-ancestor-select).
    private func nearestSelect(of option: TreeNode) -> TreeNode? {
        var groups = 0
        var ancestor = option.parent
        while let node = ancestor, node.isElement {
            if isName(.select, node) { return node }
            if isName(.datalist, node) || isName(.hr, node) || isName(.option, node) { return nil }
            if isName(.optgroup, node) {
                groups += 1
                if groups > 1 { return nil }
            }
            ancestor = node.parent
        }
        return nil
    }

    private func isAncestor(_ ancestor: TreeNode, of node: TreeNode) -> Bool {
        var next: TreeNode? = node
        while let current = next {
            if current == ancestor { return true }
            next = current.parent
        }
        return false
    }

    /// Copies the descendants of a node, without recursion.
    private mutating func cloneChildren(of source: TreeNode, to target: TreeNode) throws(HTMLParserError) {
        var from = source
        var to = target
        while true {
            if let child = from.firstChild {
                from = child
            } else {
                while from != source, from.next == nil, let parent = from.parent {
                    from = parent
                    if from != source, let parent = to.parent { to = parent }
                }
                guard from != source, let next = from.next else { return }
                from = next
            }
            let copy = try clone(from)
            to.append(copy)
            if from.firstChild != nil { to = copy }
        }
    }

    private mutating func clone(_ node: TreeNode) throws(HTMLParserError) -> TreeNode {
        let original = unsafe node.pointer
        let content = unsafe original.pointee.content
        let count = unsafe Int(xmlStrlen(content))
        countNode(count)
        if node.isText {
            guard let text = unsafe webl_make_text(content, count, document) else {
                throw HTMLParserError(code: .outOfMemory)
            }
            return unsafe TreeNode(text)
        }
        guard
            let made = unsafe webl_make_node(
                original.pointee.type,
                original.pointee.name,
                document,
                UInt64(UInt(bitPattern: original.pointee._private)),
                original.pointee.line
            )
        else { throw HTMLParserError(code: .outOfMemory) }
        let copy = unsafe TreeNode(made)
        if let content = unsafe content {
            guard let bytes = unsafe webl_take_copy(document, content, count) else {
                throw HTMLParserError(code: .outOfMemory)
            }
            unsafe made.pointee.content = bytes
        }
        guard node.isElement else { return copy }
        unsafe made.pointee.ns = original.pointee.ns
        unsafe made.pointee.nsDef = original.pointee.nsDef
        try copyAttributes(of: node, to: copy)
        return copy
    }
}
