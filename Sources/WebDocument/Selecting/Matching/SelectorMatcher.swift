import CLibXML2

/// Matches a selector against the elements of one document.
///
/// Names have been looked up in the document's dictionary, where equal ones have the same address. While
/// elements are compared, no references are counted and nothing is allocated, except for ``NodeMemo``.
///
/// Every loop counts its steps. When they are used up, all results are false, and ``isExhausted`` is true.
@safe struct SelectorMatcher: ~Copyable {
    /// A condition on one element, bound to the document.
    @safe struct Test {
        let simple: SelectorProgram.Simple
        /// The dictionary's entry for the name as written, and for the name in lower case; nil if there is
        /// none.
        let name: UnsafePointer<UInt8>?
        let lowered: UnsafePointer<UInt8>?
        /// The name as it is written, whether or not the dictionary has it.
        let spelling: UnsafePointer<UInt8>
        /// The text that values are compared with, and its length.
        let text: UnsafePointer<UInt8>
        let count: Int
        /// The name of the namespace that an attribute has to be in.
        let space: UnsafePointer<UInt8>
        /// Whether values are compared without case on HTML elements.
        let ignoresCaseInHTML: Bool
    }

    /// How many siblings or ancestors are examined before the memo is used.
    static let stride = 16

    let document: Document
    let program: SelectorProgram
    let isHTML: Bool
    let isQuirks: Bool
    let isInterned: Bool
    /// The element for `:scope`; nil for the root.
    let scope: TreeNode?

    let tests: UnsafeMutableBufferPointer<Test>
    let compounds: UnsafeMutableBufferPointer<SelectorProgram.Compound>
    let complexes: UnsafeMutableBufferPointer<SelectorProgram.Complex>
    let lists: UnsafeMutableBufferPointer<SelectorProgram.List>
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    /// The dictionary's entries for the most common names.
    let classKey: UnsafePointer<UInt8>?
    let idKey: UnsafePointer<UInt8>?

    var memo = NodeMemo()
    /// The names of namespaces that have been seen, each once.
    var namespaces: [UnsafePointer<UInt8>] = unsafe []
    var steps: Int
    /// An attribute value that had to be assembled, freed when the next one is.
    private var assembled: UnsafeMutablePointer<UInt8>?
    /// Steps spent on looking for descendants without a table.
    var descendantSteps = 0
    /// The element whose language was looked up last, its parent, and the language of both.
    var lastLanguage: (node: UInt, parent: UInt, value: UnsafePointer<UInt8>)
    /// The language of elements for which none is given; determined on first use.
    var pageLanguage: UnsafeMutableBufferPointer<UInt8>
    /// The checked button of each group of radio buttons; determined on first use.
    var checkedRadioTable: CheckedRadios?
    /// The target element of the document's fragment; determined on first use.
    var target: TreeNode??

    /// The maximum number of steps; they take about two seconds.
    static let maximumSteps = 400_000_000

    init(_ selector: Selector, _ document: Document, scope: TreeNode?, steps: Int = maximumSteps) {
        self.document = document
        program = selector.program
        isHTML = document.kind == .html
        isQuirks = document.compatibilityMode == .quirks
        isInterned = document.hasInternedNames
        self.scope = scope
        self.steps = steps
        unsafe assembled = nil
        unsafe lastLanguage = (0, 0, Self.emptyText)
        unsafe pageLanguage = .init(start: nil, count: 0)
        unsafe compounds = Self.copy(program.compounds)
        unsafe complexes = Self.copy(program.complexes)
        unsafe lists = Self.copy(program.lists)
        let binding = SelectorBinding(program, document)
        unsafe bytes = binding.bytes
        unsafe tests = binding.tests
        unsafe classKey = binding.classKey
        unsafe idKey = binding.idKey
    }

    deinit {
        unsafe compounds.deallocate()
        unsafe complexes.deinitialize().deallocate()
        unsafe lists.deallocate()
        unsafe tests.deallocate()
        unsafe bytes.deallocate()
        unsafe pageLanguage.deallocate()
        if let assembled = unsafe assembled { unsafe webl_xmlFree(assembled) }
    }

    private static func copy<T>(_ values: [T]) -> UnsafeMutableBufferPointer<T> {
        let copy = UnsafeMutableBufferPointer<T>.allocate(capacity: values.count)
        _ = unsafe copy.initialize(from: values)
        return unsafe copy
    }

    /// Whether all steps have been used up, so that no result is valid.
    var isExhausted: Bool { steps < 0 }

    // MARK: - Lists and complex selectors

    /// Whether an element matches a selector of the list.
    @inline(__always)
    mutating func matches(_ element: TreeNode) -> Bool {
        matchesAny(element, program.root)
    }

    mutating func matchesAny(_ element: TreeNode, list: Int32) -> Bool {
        unsafe matchesAny(element, lists[Int(list)])
    }

    mutating func matchesAny(_ element: TreeNode, _ list: SelectorProgram.List) -> Bool {
        var index = Int(list.first)
        let end = index + Int(list.count)
        while index < end {
            if matches(element, complex: index) { return true }
            index += 1
        }
        return false
    }

    /// Whether an element matches one of the program's complex selectors.
    @inline(__always)
    mutating func matches(_ element: TreeNode, complex index: Int) -> Bool {
        let first = unsafe complexes[index].first
        let last = unsafe first &+ complexes[index].count &- 1
        return match(element, last, first) == .matched
    }

    /// The result of matching a part of a complex selector, and what a failure implies for other elements.
    enum Outcome {
        case matched
        /// Another element might match.
        case failed
        /// No sibling of this element would match.
        case failedForSiblings
        /// No sibling and no ancestor would match: the root has been reached.
        case failedForAll
    }

    /// Matches the compounds from `first` to `last`, the last one with the element itself.
    private mutating func match(_ element: TreeNode, _ last: Int32, _ first: Int32) -> Outcome {
        guard matches(element, compound: last) else { return .failed }
        guard last > first else { return .matched }
        switch unsafe compounds[Int(last)].combinator {
        case .none: return .matched
        case .child:
            guard let parent = element.parentElement else { return .failedForAll }
            let outcome = match(parent, last &- 1, first)
            // Siblings have the same parent.
            return outcome == .failed ? .failedForSiblings : outcome
        case .nextSibling:
            guard let sibling = element.previousElement else { return .failedForSiblings }
            return match(sibling, last &- 1, first)
        case .descendant: return matchAncestors(of: element, last &- 1, first)
        case .subsequentSibling: return matchSiblings(before: element, last &- 1, first)
        }
    }

    private mutating func matchAncestors(of element: TreeNode, _ last: Int32, _ first: Int32) -> Outcome {
        var ancestor = element.parentElement
        var distance = 0
        while let current = ancestor {
            if distance >= Self.stride, let known = memo.value(current.address, tag: last) {
                keep(known, from: element, upTo: distance, last) { $0.parentElement }
                return known == 1 ? .matched : .failedForAll
            }
            let outcome = match(current, last, first)
            if outcome == .matched || outcome == .failedForAll {
                keep(outcome == .matched ? 1 : 0, from: element, upTo: distance, last) { $0.parentElement }
                return outcome
            }
            ancestor = current.parentElement
            distance += 1
        }
        keep(0, from: element, upTo: distance, last) { $0.parentElement }
        return .failedForAll
    }

    private mutating func matchSiblings(before element: TreeNode, _ last: Int32, _ first: Int32) -> Outcome {
        var sibling = element.previousElement
        var distance = 0
        while let current = sibling {
            if distance >= Self.stride, let known = memo.value(current.address, tag: last) {
                keep(known, from: element, upTo: distance, last) { $0.previousElement }
                return known == 1 ? .matched : .failedForSiblings
            }
            let outcome = match(current, last, first)
            if outcome != .failed {
                keep(outcome == .matched ? 1 : 0, from: element, upTo: distance, last) { $0.previousElement }
                return outcome
            }
            sibling = current.previousElement
            distance += 1
        }
        keep(0, from: element, upTo: distance, last) { $0.previousElement }
        return .failedForSiblings
    }

    /// Stores a result for every ``stride``-th element of a long path, so that searches from other elements
    /// end there.
    private mutating func keep(
        _ value: Int32,
        from element: TreeNode,
        upTo distance: Int,
        _ tag: Int32,
        _ step: (TreeNode) -> TreeNode?
    ) {
        guard distance > Self.stride, !isExhausted else { return }
        var current = step(element)
        for index in 0..<distance {
            guard let node = current else { return }
            if index > 0, index % Self.stride == 0 { memo.set(node.address, tag: tag, to: value) }
            current = step(node)
        }
    }

    // MARK: - Compounds

    /// Whether an element meets all conditions of a compound.
    @inline(__always)
    mutating func matches(_ element: TreeNode, compound index: Int32) -> Bool {
        steps &-= 1
        guard steps >= 0 else { return false }
        let compound = unsafe compounds[Int(index)]
        var test = Int(compound.first)
        let end = test + Int(compound.count)
        guard let tests = unsafe tests.baseAddress else { return true }
        while test < end {
            if unsafe !matches(element, tests + test, test) { return false }
            test += 1
        }
        return true
    }

    @inline(__always)
    private mutating func matches(_ element: TreeNode, _ test: UnsafePointer<Test>, _ index: Int) -> Bool {
        switch unsafe test.pointee.simple.operation {
        case .type: unsafe hasName(element, test)
        case .className: unsafe hasClass(element, test)
        case .id: unsafe hasID(element, test)
        case .attribute, .equals, .includes, .dashMatch, .prefix, .suffix, .substring:
            unsafe hasAttribute(element, test)
        default: unsafe matchesOther(element, test, index)
        }
    }

    private mutating func matchesOther(_ element: TreeNode, _ test: UnsafePointer<Test>, _ index: Int) -> Bool
    {
        switch unsafe test.pointee.simple.operation {
        case .never, .type, .className, .id, .attribute, .equals, .includes, .dashMatch, .prefix, .suffix,
            .substring:
            false
        case .namespace: unsafe isInNamespace(element, test.pointee.text)
        case .noNamespace: !element.isHTMLElement && element.isInNoNamespace
        case .pseudoClass: unsafe matches(element, test.pointee.simple.pseudoClass)
        case .matchesAny: unsafe matchesAny(element, list: test.pointee.simple.list)
        case .matchesNone: unsafe !matchesAny(element, list: test.pointee.simple.list)
        case .has: unsafe hasRelated(element, list: test.pointee.simple.list)
        case .language: unsafe isInLanguage(element, test)
        case .direction: unsafe hasDirection(element, test)
        case .nthChild, .nthLastChild, .nthOfType, .nthLastOfType:
            unsafe isNth(element, test.pointee.simple, Int32(truncatingIfNeeded: index))
        case .contains: unsafe containsText(element, test)
        case .regularExpression: unsafe matchesExpression(element, test)
        }
    }

    /// The complex selectors of a list, each an index.
    func range(list: Int32) -> Range<Int> {
        let list = unsafe lists[Int(list)]
        return Int(list.first)..<Int(list.first &+ list.count)
    }

    /// The combinator before a complex selector in the argument of `:has()`, and the index of its only
    /// compound.
    func relation(_ complex: Int) -> (SelectorProgram.Combinator, compound: Int32) {
        unsafe (complexes[complex].relation, complexes[complex].first)
    }

    // MARK: - Values

    /// The value of an attribute, as bytes that end with NUL; valid until the next call.
    @inline(__always)
    mutating func value(_ attribute: UnsafeMutablePointer<xmlAttr>) -> UnsafePointer<UInt8> {
        guard let first = unsafe attribute.pointee.children else { return unsafe Self.emptyText }
        if unsafe first.pointee.next == nil, unsafe first.pointee.type == XML_TEXT_NODE,
            let content = unsafe first.pointee.content
        {
            return unsafe UnsafePointer(content)
        }
        return unsafe assemble(attribute)
    }

    /// The value of an attribute with entities that the XML parser left.
    private mutating func assemble(_ attribute: UnsafeMutablePointer<xmlAttr>) -> UnsafePointer<UInt8> {
        if let assembled = unsafe assembled { unsafe webl_xmlFree(assembled) }
        unsafe assembled = xmlNodeListGetString(attribute.pointee.doc, attribute.pointee.children, 1)
        guard let assembled = unsafe assembled else { return unsafe Self.emptyText }
        charge(unsafe TreeNode.length(assembled))
        return unsafe UnsafePointer(assembled)
    }

    /// Whether a value is freed when the next one is assembled.
    func isAssembled(_ value: UnsafePointer<UInt8>) -> Bool {
        unsafe assembled.map { unsafe UnsafePointer($0) == value } ?? false
    }

    static var emptyText: UnsafePointer<UInt8> {
        let empty: StaticString = ""
        return unsafe empty.utf8Start
    }

    /// Counts the steps for work on a number of bytes.
    @inline(__always)
    mutating func charge(_ bytes: Int) {
        steps &-= bytes >> 5
    }
}
