import CLibXML2

/// Which nodes the slots of a page's shadow roots show.
///
/// A host shows its shadow root in place of its children. Of these, the first `slot` in the shadow root with a name
/// shows the ones that ask for it, and any other slot what is in itself.
///
/// [Finding slots](https://dom.spec.whatwg.org/#finding-slots-and-slotables), [the flat
/// tree](https://drafts.csswg.org/css-shadow-1/#flattening)
final class SlotAssignments {
    /// The nodes that each slot with assigned nodes shows, by the slot's address.
    private var assigned: [UInt: [TreeNode]] = [:]

    /// The slot of each node that is shown in one, and the node after it there, by its address.
    private var places: [UInt: (slot: TreeNode, next: TreeNode?)] = [:]

    /// The host of each shadow root, by its address.
    private var hosts: [UInt: TreeNode] = [:]

    /// Complexity: O(n) in the number of nodes inside the shadow roots and of children of their hosts.
    init(_ roots: [HTMLShadowRoot]) {
        for root in roots {
            hosts[root.contents.address] = root.host
            assign(root)
        }
    }

    private func assign(_ root: HTMLShadowRoot) {
        var slots: [String: TreeNode] = [:]
        var walk = TreeWalk(inside: root.contents)
        while let element = walk.nextElement() {
            guard element.hasName("slot"), element.isHTMLElement else { continue }
            let name = element.attribute("name") ?? ""
            if slots[name] == nil { slots[name] = element }
        }
        var child = root.host.firstChild
        while let node = child {
            child = node.next
            guard node.isElement || node.isText, let slot = slots[node.attribute("slot") ?? ""] else {
                continue
            }
            if let last = assigned[slot.address]?.last { places[last.address] = (slot, node) }
            assigned[slot.address, default: []].append(node)
            places[node.address] = (slot, nil)
        }
    }

    fileprivate func firstChild(of node: TreeNode) -> TreeNode? {
        if let contents = node.contents, !node.isTemplate { return contents.firstChild }
        return assigned[node.address]?.first ?? node.firstChild
    }

    fileprivate func next(after node: TreeNode) -> TreeNode? {
        if let place = places[node.address] { return place.next }
        return node.next
    }

    fileprivate func shown(_ node: TreeNode) -> TreeNode { hosts[node.address] ?? node }

    fileprivate func parent(of node: TreeNode) -> TreeNode? {
        if let place = places[node.address] { return place.slot }
        guard let parent = node.parent else { return nil }
        return shown(parent)
    }
}

extension TreeNode {
    /// The nodes that the slots of the page show; `nil` for a page without shadow roots.
    @inline(__always)
    var slotAssignments: SlotAssignments? {
        guard let document = unsafe pointer.pointee.doc,
            unsafe document.pointee.type == XML_HTML_DOCUMENT_NODE,
            let assignments = unsafe document.pointee.psvi
        else { return nil }
        return unsafe Unmanaged<SlotAssignments>.fromOpaque(assignments).takeUnretainedValue()
    }

    /// The first of the nodes that a browser shows inside this one.
    @inline(__always)
    func firstShownChild(_ slots: SlotAssignments?) -> TreeNode? {
        guard let slots else { return firstChild }
        return slots.firstChild(of: self)
    }

    /// The next of the nodes that a browser shows inside the same one.
    @inline(__always)
    func nextShown(_ slots: SlotAssignments?) -> TreeNode? {
        guard let slots else { return next }
        return slots.next(after: self)
    }

    /// The node that a browser shows this one in.
    @inline(__always)
    func shownParent(_ slots: SlotAssignments?) -> TreeNode? {
        guard let slots else { return parent }
        return slots.parent(of: self)
    }

    /// The node that a browser shows in place of this one: the host of a shadow root, of any other node itself.
    func shown(_ slots: SlotAssignments?) -> TreeNode { slots?.shown(self) ?? self }
}
