/// The categories of an element that rules ask for.
struct HTMLElementKind: OptionSet {
    let rawValue: UInt8

    /// In the HTML namespace.
    static let html = Self(rawValue: 1)
    /// In the special category.
    static let special = Self(rawValue: 2)
    /// Ends the search of "has an element in scope".
    static let scope = Self(rawValue: 4)
    static let mathMLTextIntegrationPoint = Self(rawValue: 8)
    static let htmlIntegrationPoint = Self(rawValue: 16)
    /// In the formatting category.
    static let formatting = Self(rawValue: 32)
    /// In the SVG namespace; the MathML namespace if neither this nor `html`.
    static let svg = Self(rawValue: 64)
    /// MathML's annotation-xml.
    static let annotationXML = Self(rawValue: 128)
}

/// An element on the stack of open elements, with links that make every test of scope one comparison.
struct HTMLOpenElement {
    var node: TreeNode
    /// The number of the tag's name, in lowercase (a foreign element's own name may be adjusted).
    var atom: UInt32
    var kind: HTMLElementKind
    /// The next element below with the same name, among HTML elements or among foreign ones; -1 if there is none.
    var previousSame: Int32
    /// The next element above with the same name.
    ///
    /// It is not valid in the topmost one of that name.
    var nextSame: Int32
    /// The topmost elements up to and including this one: one that ends a scope, a special one, and an HTML
    /// element.
    var nearestScope: Int32
    var nearestSpecial: Int32
    var nearestHTML: Int32
    /// The topmost special element up to and including this one other than address, div and p, for the rules
    /// of list items.
    var nearestItemBoundary: Int32

    @inline(__always)
    init(node: TreeNode, atom: UInt32, kind: HTMLElementKind) {
        self.node = node
        self.atom = atom
        self.kind = kind
        previousSame = -1
        nextSame = -1
        nearestScope = 0
        nearestSpecial = 0
        nearestHTML = 0
        nearestItemBoundary = 0
    }

    /// Whether this is a hole, from which an element was removed.
    var isHole: Bool {
        atom == 0
    }

    @inline(__always)
    var name: HTMLElementName {
        kind.contains(.html) ? HTMLElementName(atom: atom) : .other
    }

    @inline(__always)
    func isHTML(_ name: HTMLElementName) -> Bool {
        atom == UInt32(name.rawValue) && kind.contains(.html)
    }
}

/// The stack of open elements, bottom first: element 0 is `html`.
///
/// The cost of testing whether an element is in scope does not depend on the depth of the stack: for each
/// name the topmost open element is known, and each element knows the topmost boundary below it. Removing an
/// element from the middle leaves a hole, so that this has constant cost, too; the topmost entry is never a
/// hole.
///
/// [The stack of open elements](https://html.spec.whatwg.org/multipage/parsing.html#the-stack-of-open-elements)
@safe struct HTMLOpenElements: ~Copyable {
    private var entries: UnsafeMutablePointer<HTMLOpenElement>
    private var capacity = 128
    private(set) var count = 0
    private var holes = 0

    /// For every name: the index of the topmost open HTML element, and of the topmost open foreign element.
    private var lastHTML: UnsafeMutablePointer<Int32>
    private var lastForeign: UnsafeMutablePointer<Int32>
    private var nameCapacity = HTMLAtom.knownCount + 64

    init() {
        unsafe entries = UnsafeMutablePointer.allocate(capacity: 128)
        unsafe lastHTML = UnsafeMutablePointer.allocate(capacity: HTMLAtom.knownCount + 64)
        unsafe lastForeign = UnsafeMutablePointer.allocate(capacity: HTMLAtom.knownCount + 64)
        unsafe lastHTML.initialize(repeating: -1, count: nameCapacity)
        unsafe lastForeign.initialize(repeating: -1, count: nameCapacity)
    }

    deinit {
        unsafe entries.deallocate()
        unsafe lastHTML.deallocate()
        unsafe lastForeign.deallocate()
    }

    @inline(__always)
    subscript(index: Int) -> HTMLOpenElement {
        unsafe entries[index]
    }

    /// The current node; the stack must not be empty.
    @inline(__always)
    var top: HTMLOpenElement {
        unsafe entries[count &- 1]
    }

    @inline(__always)
    mutating func push(_ node: TreeNode, atom: UInt32, kind: HTMLElementKind) {
        if count == capacity { grow() }
        if Int(atom) >= nameCapacity { growNames(for: Int(atom)) }
        link(HTMLOpenElement(node: node, atom: atom, kind: kind), at: count)
        count &+= 1
    }

    /// Puts an element at an index; all elements below must be in place.
    @inline(__always)
    private mutating func link(_ element: HTMLOpenElement, at index: Int) {
        var element = element
        let own = Int32(truncatingIfNeeded: index)
        let previous = lastSame(element)
        element.previousSame = previous
        if previous >= 0 { unsafe entries[Int(previous)].nextSame = own }
        setLastSame(element, own)
        setNearest(&element, at: index)
        unsafe entries[index] = element
    }

    @inline(__always)
    private func setNearest(_ element: inout HTMLOpenElement, at index: Int) {
        guard index > 0 else { return }
        let own = Int32(truncatingIfNeeded: index)
        let below = unsafe entries[index &- 1]
        element.nearestScope = element.kind.contains(.scope) ? own : below.nearestScope
        element.nearestSpecial = element.kind.contains(.special) ? own : below.nearestSpecial
        element.nearestHTML = element.kind.contains(.html) ? own : below.nearestHTML
        element.nearestItemBoundary = below.nearestItemBoundary
        if element.kind.contains(.special), !element.isHTML(.div), !element.isHTML(.p),
            !element.isHTML(.address)
        {
            element.nearestItemBoundary = own
        }
    }

    @inline(__always)
    private func lastSame(_ element: HTMLOpenElement) -> Int32 {
        element.kind.contains(.html)
            ? unsafe lastHTML[Int(element.atom)] : unsafe lastForeign[Int(element.atom)]
    }

    @inline(__always)
    private func setLastSame(_ element: HTMLOpenElement, _ index: Int32) {
        if element.kind.contains(.html) {
            unsafe lastHTML[Int(element.atom)] = index
        } else {
            unsafe lastForeign[Int(element.atom)] = index
        }
    }

    /// Removes the current node; the stack must not be empty.
    @inline(__always)
    mutating func pop() -> HTMLOpenElement {
        count &-= 1
        let element = unsafe entries[count]
        setLastSame(element, element.previousSame)
        if holes > 0 { trim() }
        return element
    }

    @inline(never)
    private mutating func trim() {
        while count > 0, unsafe entries[count - 1].isHole {
            count -= 1
            holes -= 1
        }
    }

    // MARK: - Changes in the middle

    /// Replaces the node at an index by another one of the same name.
    mutating func setNode(_ node: TreeNode, at index: Int) {
        unsafe entries[index].node = node
    }

    /// Removes an element from the middle.
    mutating func remove(at index: Int) {
        let element = self[index]
        unlink(element, at: index)
        var hole = element
        hole.atom = 0
        hole.kind = .html
        setNearest(&hole, at: index)
        unsafe entries[index] = hole
        holes += 1
        if element.kind.contains(.special), index > 0 {
            let own = Int32(truncatingIfNeeded: index)
            let below = unsafe entries[index - 1]
            moveBoundary(
                above: index,
                from: own,
                special: below.nearestSpecial,
                item: below.nearestItemBoundary
            )
        }
        trim()
    }

    /// Removes the formatting element at `index` and inserts another one, of the same name, right above a
    /// block.
    ///
    /// The entries between them are elements in the list of active formatting elements, at most three, or
    /// holes.
    mutating func moveFormattingElement(at index: Int, above block: Int, as node: TreeNode) {
        let element = self[index]
        // Its neighbours in the linked list of its name, at the new index
        var below = element.previousSame
        var above = lastSame(element) == Int32(truncatingIfNeeded: index) ? -1 : element.nextSame
        unlink(element, at: index)
        while above >= 0, Int(above) <= block {
            below = above
            above = lastSame(element) == above ? -1 : self[Int(above)].nextSame
        }
        unsafe entries[index].atom = 0
        // All entries above the next hole move down by one.
        var hole = block - 1
        while hole > index, !self[hole].isHole { hole -= 1 }
        for position in hole..<block {
            let moved = self[position + 1]
            relink(moved, from: position + 1, to: position)
            if below == Int32(truncatingIfNeeded: position + 1) { below &-= 1 }
            unsafe entries[position] = moved
        }
        var new = HTMLOpenElement(node: node, atom: element.atom, kind: element.kind)
        new.previousSame = below
        new.nextSame = above
        unsafe entries[block] = new
        let own = Int32(truncatingIfNeeded: block)
        if below >= 0 { unsafe entries[Int(below)].nextSame = own }
        if above >= 0 { unsafe entries[Int(above)].previousSame = own } else { setLastSame(new, own) }
        for position in index...block {
            var entry = self[position]
            entry.kind = entry.isHole ? .html : entry.kind
            setNearest(&entry, at: position)
            unsafe entries[position] = entry
        }
        let moved = unsafe entries[block]
        moveBoundary(above: block, from: own, special: moved.nearestSpecial, item: moved.nearestItemBoundary)
    }

    /// Removes an element from the linked list of its name.
    private func unlink(_ element: HTMLOpenElement, at index: Int) {
        if lastSame(element) == Int32(truncatingIfNeeded: index) {
            setLastSame(element, element.previousSame)
            return
        }
        unsafe entries[Int(element.nextSame)].previousSame = element.previousSame
        if element.previousSame >= 0 { unsafe entries[Int(element.previousSame)].nextSame = element.nextSame }
    }

    /// Updates the neighbours in the linked list of its name when an element moves.
    private func relink(_ element: HTMLOpenElement, from old: Int, to new: Int) {
        guard !element.isHole else { return }
        let own = Int32(truncatingIfNeeded: new)
        if lastSame(element) == Int32(truncatingIfNeeded: old) {
            setLastSame(element, own)
        } else {
            unsafe entries[Int(element.nextSame)].previousSame = own
        }
        if element.previousSame >= 0 { unsafe entries[Int(element.previousSame)].nextSame = own }
    }

    /// Updates the elements above `index` that refer to a boundary at `old`.
    private func moveBoundary(above index: Int, from old: Int32, special: Int32, item: Int32) {
        var position = index + 1
        while position < count {
            let entry = self[position]
            guard entry.nearestSpecial == old || entry.nearestItemBoundary == old else { return }
            if entry.nearestSpecial == old { unsafe entries[position].nearestSpecial = special }
            if entry.nearestItemBoundary == old { unsafe entries[position].nearestItemBoundary = item }
            position += 1
        }
    }

    /// The index of the next element below.
    func index(below index: Int) -> Int {
        var index = index - 1
        while index > 0, self[index].isHole { index -= 1 }
        return index
    }

    /// How many elements are open.
    @inline(__always)
    var depth: Int {
        count &- holes
    }

    // MARK: - Queries

    /// The index of the topmost open HTML element of that name, or -1.
    @inline(__always)
    func last(_ name: HTMLElementName) -> Int {
        unsafe Int(lastHTML[Int(name.rawValue)])
    }

    /// The index of the topmost open HTML element whose name has that number, or -1.
    @inline(__always)
    func last(atom: UInt32) -> Int {
        Int(atom) < nameCapacity ? unsafe Int(lastHTML[Int(atom)]) : -1
    }

    /// The index of the topmost open foreign element whose tag name has that number, or -1.
    func lastForeign(atom: UInt32) -> Int {
        Int(atom) < nameCapacity ? unsafe Int(lastForeign[Int(atom)]) : -1
    }

    /// [Has an element in scope](https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-scope).
    @inline(__always)
    func hasInScope(_ name: HTMLElementName) -> Bool {
        let index = last(name)
        return index >= 0 && index >= Int(top.nearestScope)
    }

    /// [Has an element in button scope](https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-button-scope).
    @inline(__always)
    func hasInButtonScope(_ name: HTMLElementName) -> Bool {
        let index = last(name)
        return index >= 0 && index >= Int(top.nearestScope) && index >= last(.button)
    }

    /// [Has an element in list item
    /// scope](https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-list-item-scope).
    func hasInListItemScope(_ name: HTMLElementName) -> Bool {
        let index = last(name)
        return index >= 0 && index >= Int(top.nearestScope) && index >= last(.ol) && index >= last(.ul)
    }

    /// [Has an element in table scope](https://html.spec.whatwg.org/multipage/parsing.html#has-an-element-in-table-scope).
    func hasInTableScope(_ name: HTMLElementName) -> Bool {
        let index = last(name)
        return index >= 0 && index >= last(.table) && index >= last(.template)
    }

    /// Whether a heading is in scope.
    func hasHeadingInScope() -> Bool {
        hasInScope(.h1) || hasInScope(.h2) || hasInScope(.h3) || hasInScope(.h4) || hasInScope(.h5)
            || hasInScope(.h6)
    }

    /// The index of an open HTML element with that name, or nil.
    func index(of node: TreeNode, named name: HTMLElementName) -> Int? {
        index(of: node, atom: UInt32(name.rawValue))
    }

    func index(of node: TreeNode, atom: UInt32) -> Int? {
        var index = last(atom: atom)
        while index >= 0 {
            if self[index].node == node { return index }
            index = Int(self[index].previousSame)
        }
        return nil
    }

    @inline(never)
    private mutating func grow() {
        let new = UnsafeMutablePointer<HTMLOpenElement>.allocate(capacity: capacity * 2)
        unsafe new.initialize(from: entries, count: count)
        unsafe entries.deallocate()
        unsafe entries = new
        capacity *= 2
    }

    @inline(never)
    private mutating func growNames(for atom: Int) {
        let new = max(nameCapacity * 2, atom + 1)
        unsafe lastHTML = Self.grown(lastHTML, from: nameCapacity, to: new)
        unsafe lastForeign = Self.grown(lastForeign, from: nameCapacity, to: new)
        nameCapacity = new
    }

    private static func grown(
        _ old: UnsafeMutablePointer<Int32>,
        from oldCount: Int,
        to newCount: Int
    ) -> UnsafeMutablePointer<Int32> {
        let new = UnsafeMutablePointer<Int32>.allocate(capacity: newCount)
        unsafe new.initialize(from: old, count: oldCount)
        unsafe (new + oldCount).initialize(repeating: -1, count: newCount - oldCount)
        unsafe old.deallocate()
        return unsafe new
    }
}
