/// The elements that match a selector, found one at a time on request, in document order.
///
///     var cursor = document.elements(matching: selector)
///     while let element = try cursor.next() { … }
///
/// Nothing is copied, and the document is kept alive as long as the cursor.
public struct ElementCursor: ~Copyable {
    private var matcher: SelectorMatcher
    private let root: TreeNode
    private var current: TreeNode?

    init(_ selector: Selector, inside root: TreeNode, of document: Document, scope: TreeNode?, steps: Int) {
        matcher = SelectorMatcher(selector, document, scope: scope, steps: steps)
        self.root = root
        current = root.firstElement
    }

    /// The next element that matches, nil after the last one.
    ///
    /// `:eq()` is ignored here: it needs all elements (``Node/querySelectorAll(_:)-(Selector)``).
    ///
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public mutating func next() throws(SelectorError) -> Node? {
        try nextElement().map { Node($0, in: matcher.document) }
    }

    mutating func nextElement() throws(SelectorError) -> TreeNode? {
        while let element = current {
            current = element.elementAfter(in: root)
            if matcher.matches(element) {
                guard !matcher.isExhausted else { break }
                return element
            }
        }
        if matcher.isExhausted { throw Self.exhausted }
        return nil
    }

    /// The next element that matches one of the selector's complex selectors, by its index in the program.
    mutating func nextElement(complex: Int) throws(SelectorError) -> TreeNode? {
        while let element = current {
            current = element.elementAfter(in: root)
            if matcher.matches(element, complex: complex), !matcher.isExhausted { return element }
            if matcher.isExhausted { break }
        }
        if matcher.isExhausted { throw Self.exhausted }
        return nil
    }

    /// Goes back to the start.
    mutating func rewind() { current = root.firstElement }

    /// Whether an element matches one of the selector's complex selectors, by its index in the program.
    mutating func matches(_ element: TreeNode, complex: Int) throws(SelectorError) -> Bool {
        let isMatch = matcher.matches(element, complex: complex)
        if matcher.isExhausted { throw Self.exhausted }
        return isMatch
    }

    static var exhausted: SelectorError {
        SelectorError(.limit, "matching takes more than \(SelectorMatcher.maximumSteps) steps")
    }
}
