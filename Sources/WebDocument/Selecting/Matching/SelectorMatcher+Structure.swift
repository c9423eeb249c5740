import CLibXML2

/// The structural pseudo-classes, and `:has()`.
extension SelectorMatcher {
    // MARK: - An+B

    /// Tags of the memo; they are negative, since the indexes of compounds are used as tags, too.
    private enum Tag {
        /// The number of an element among its counted siblings; one tag for each test and direction.
        static func number(_ test: Int32) -> Int32 { -16 &- test &* 4 }
        /// Whether all siblings of a parent have been numbered.
        static func isNumbered(_ test: Int32) -> Int32 { -17 &- test &* 4 }
        /// Whether an element has a descendant that matches a compound.
        static func inside(_ compound: Int32) -> Int32 { -18 &- compound &* 4 }
        /// Whether an element has a later sibling that matches a compound.
        static func after(_ compound: Int32) -> Int32 { -19 &- compound &* 4 }
    }

    /// Which siblings are counted.
    enum Counted {
        case all
        /// Those with the element's name.
        case type
        /// Those that match the list.
        case list(Int32)
    }

    mutating func isNth(_ element: TreeNode, _ simple: SelectorProgram.Simple, _ test: Int32) -> Bool {
        let counted: Counted
        switch simple.operation {
        case .nthOfType, .nthLastOfType: counted = .type
        default: counted = simple.list >= 0 ? .list(simple.list) : .all
        }
        if case .list(let list) = counted, !matchesAny(element, list: list) { return false }
        let isFromEnd = simple.operation == .nthLastChild || simple.operation == .nthLastOfType
        let number = number(of: element, counted, isFromEnd: isFromEnd, test)
        let difference = Int(number) - Int(simple.offset)
        guard simple.step != 0 else { return difference == 0 }
        return difference % Int(simple.step) == 0 && difference / Int(simple.step) >= 0
    }

    /// The element's number among the siblings that are counted, from 1.
    ///
    /// An element at most ``stride`` siblings from the end that is counted from is numbered by walking there;
    /// for others all siblings are numbered at once, so that every element of a long list has the same cost.
    mutating func number(of element: TreeNode, _ counted: Counted, isFromEnd: Bool, _ test: Int32) -> Int32 {
        if let parent = element.parent, memo.value(parent.address, tag: Tag.isNumbered(test)) != nil,
            let known = memo.value(element.address, tag: Tag.number(test))
        {
            return known
        }
        var number: Int32 = 1
        var sibling = isFromEnd ? element.nextElement : element.previousElement
        var distance = 0
        while let current = sibling {
            steps &-= 1
            if distance == Self.stride {
                return numberedAmongAll(element, counted, isFromEnd: isFromEnd, test) ?? number
            }
            if counts(current, counted, with: element) { number &+= 1 }
            sibling = isFromEnd ? current.nextElement : current.previousElement
            distance += 1
        }
        return number
    }

    private mutating func counts(_ sibling: TreeNode, _ counted: Counted, with element: TreeNode) -> Bool {
        switch counted {
        case .all: true
        case .type: hasSameType(sibling, element)
        case .list(let list): matchesAny(sibling, list: list)
        }
    }

    /// Whether both have the same name in the same namespace.
    private func hasSameType(_ one: TreeNode, _ other: TreeNode) -> Bool {
        guard let name = unsafe one.pointer.pointee.name, let otherName = unsafe other.pointer.pointee.name,
            unsafe name == otherName || !isInterned && ASCIIText.equal(name, otherName)
        else { return false }
        let space = unsafe one.pointer.pointee.ns?.pointee.href
        let otherSpace = unsafe other.pointer.pointee.ns?.pointee.href
        if unsafe space == otherSpace { return true }
        guard let space = unsafe space, let otherSpace = unsafe otherSpace else { return false }
        return unsafe ASCIIText.equal(space, otherSpace)
    }

    private mutating func numberedAmongAll(
        _ element: TreeNode,
        _ counted: Counted,
        isFromEnd: Bool,
        _ test: Int32
    ) -> Int32? {
        let tag = Tag.number(test)
        guard let parent = element.parent else { return nil }
        if memo.value(parent.address, tag: Tag.isNumbered(test)) == nil {
            var counters = NodeMemo()
            var number: Int32 = 0
            var child = isFromEnd ? parent.lastElement : parent.firstElement
            while let current = child {
                steps &-= 1
                guard !isExhausted else { return nil }
                switch counted {
                case .all:
                    number &+= 1
                    memo.set(current.address, tag: tag, to: number)
                case .list(let list):
                    if matchesAny(current, list: list) {
                        number &+= 1
                        memo.set(current.address, tag: tag, to: number)
                    }
                case .type:
                    let name = unsafe UInt(bitPattern: current.pointer.pointee.name)
                    let space = namespaceKey(current)
                    let known =
                        isInterned
                        ? counters.value(name, space, tag: 0) ?? 0 : previousOfType(current, isFromEnd, tag)
                    counters.set(name, space, tag: 0, to: known &+ 1)
                    memo.set(current.address, tag: tag, to: known &+ 1)
                }
                child = isFromEnd ? current.previousElement : current.nextElement
            }
            memo.set(parent.address, tag: Tag.isNumbered(test), to: 1)
        }
        return memo.value(element.address, tag: tag)
    }

    /// The number of the previous sibling of the same type, for documents whose names are not interned.
    private mutating func previousOfType(_ element: TreeNode, _ isFromEnd: Bool, _ tag: Int32) -> Int32 {
        var sibling = isFromEnd ? element.nextElement : element.previousElement
        while let current = sibling {
            steps &-= 1
            if hasSameType(current, element) { return memo.value(current.address, tag: tag) ?? 0 }
            sibling = isFromEnd ? current.nextElement : current.previousElement
        }
        return 0
    }

    /// A key for the element's namespace: the address of the first equal name that was seen.
    private mutating func namespaceKey(_ element: TreeNode) -> UInt {
        guard let name = unsafe element.pointer.pointee.ns?.pointee.href else { return 0 }
        for index in unsafe namespaces.indices {
            let known = unsafe namespaces[index]
            steps &-= 1
            if unsafe known == name || ASCIIText.equal(known, name) { return UInt(bitPattern: known) }
        }
        unsafe namespaces.append(name)
        return UInt(bitPattern: name)
    }

    mutating func isFirst(_ element: TreeNode, ofType isOfType: Bool, isFromEnd: Bool) -> Bool {
        guard isOfType else {
            return (isFromEnd ? element.nextElement : element.previousElement) == nil
        }
        // Test numbers beyond those of the program.
        let test = unsafe Int32(truncatingIfNeeded: tests.count) &+ (isFromEnd ? 1 : 0)
        return number(of: element, .type, isFromEnd: isFromEnd, test) == 1
    }

    /// Whether an element has neither elements nor text in it.
    mutating func isEmpty(_ element: TreeNode) -> Bool {
        var child = element.firstChild
        while let current = child {
            steps &-= 1
            switch unsafe current.pointer.pointee.type {
            case XML_COMMENT_NODE, XML_PI_NODE: break
            case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
                if let text = unsafe current.pointer.pointee.content, unsafe text[0] != 0 { return false }
            default: return false
            }
            child = current.next
        }
        return true
    }

    // MARK: - :has()

    /// Whether there is an element with the relation to this one that a relative selector of the list
    /// requires.
    mutating func hasRelated(_ element: TreeNode, list: Int32) -> Bool {
        for complex in range(list: list) {
            let (combinator, compound) = relation(complex)
            let isFound: Bool
            switch combinator {
            case .none, .descendant: isFound = hasDescendant(element, compound)
            case .child: isFound = hasChild(element, compound)
            case .nextSibling:
                if let sibling = element.nextElement {
                    isFound = matches(sibling, compound: compound)
                } else {
                    isFound = false
                }
            case .subsequentSibling: isFound = hasLaterSibling(element, compound)
            }
            if isFound { return true }
        }
        return false
    }

    private mutating func hasChild(_ element: TreeNode, _ compound: Int32) -> Bool {
        var child = element.firstElement
        while let current = child {
            if matches(current, compound: compound) { return true }
            child = current.nextElement
        }
        return false
    }

    private mutating func hasLaterSibling(_ element: TreeNode, _ compound: Int32) -> Bool {
        if let parent = element.parent, memo.value(parent.address, 1, tag: Tag.after(compound)) != nil {
            return memo.value(element.address, tag: Tag.after(compound)) == 1
        }
        var sibling = element.nextElement
        var distance = 0
        while let current = sibling {
            if distance == Self.stride { return isBeforeMatch(element, compound) }
            if matches(current, compound: compound) { return true }
            sibling = current.nextElement
            distance += 1
        }
        return false
    }

    /// Finds, once for all children of a parent, which of them come before one that matches.
    private mutating func isBeforeMatch(_ element: TreeNode, _ compound: Int32) -> Bool {
        let tag = Tag.after(compound)
        guard let parent = element.parent else { return false }
        if memo.value(parent.address, 1, tag: tag) == nil {
            var child = parent.lastElement
            while let current = child, !matches(current, compound: compound) {
                child = current.previousElement
            }
            child = child?.previousElement
            while let current = child {
                steps &-= 1
                guard !isExhausted else { return false }
                memo.set(current.address, tag: tag, to: 1)
                child = current.previousElement
            }
            memo.set(parent.address, 1, tag: tag, to: 1)
        }
        return memo.value(element.address, tag: tag) == 1
    }

    /// How many steps are spent on searching descendants element by element before one table is made for all.
    private static let descendantPatience = 20_000

    private mutating func hasDescendant(_ element: TreeNode, _ compound: Int32) -> Bool {
        let tag = Tag.inside(compound)
        if descendantSteps > Self.descendantPatience { return isAroundMatch(element, compound, tag) }
        var current = element.firstElement
        while let descendant = current {
            descendantSteps += 1
            if matches(descendant, compound: compound) { return true }
            if descendantSteps > Self.descendantPatience { return isAroundMatch(element, compound, tag) }
            current = descendant.elementAfter(in: element)
        }
        return false
    }

    /// Finds, once for the whole tree that the element is in, which elements have one inside that matches.
    private mutating func isAroundMatch(_ element: TreeNode, _ compound: Int32, _ tag: Int32) -> Bool {
        var top = element
        while let parent = top.parent { top = parent }
        if memo.value(top.address, 1, tag: tag) == nil {
            var current = top.firstElement
            while let descendant = current {
                guard !isExhausted else { return false }
                if matches(descendant, compound: compound) {
                    var ancestor = descendant.parent
                    while let around = ancestor, memo.value(around.address, tag: tag) == nil {
                        memo.set(around.address, tag: tag, to: 1)
                        ancestor = around.parent
                    }
                }
                current = descendant.elementAfter(in: top)
            }
            memo.set(top.address, 1, tag: tag, to: 1)
        }
        return memo.value(element.address, tag: tag) == 1
    }
}
