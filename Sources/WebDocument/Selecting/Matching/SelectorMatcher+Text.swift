/// The pseudo-classes `:contains()` and `:matches()` of the extended dialect.
extension SelectorMatcher {
    /// Whether a text occurs in the element's text content.
    mutating func containsText(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        let text = textContent(of: element) + [0]
        guard !isExhausted else { return false }
        return unsafe text.withUnsafeBufferPointer { bytes in
            guard let start = bytes.baseAddress else { return false }
            return unsafe ASCIIText.contains(start, test.pointee.text)
        }
    }

    mutating func matchesExpression(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        let text = textContent(of: element)
        guard !isExhausted else { return false }
        let expression = unsafe program.expressions[Int(test.pointee.simple.value)]
        return expression.matches(text, steps: &steps)
    }

    private mutating func textContent(of element: TreeNode) -> [UInt8] {
        var text: [UInt8] = []
        var walk = TreeWalk(inside: element)
        while let node = walk.next() {
            steps &-= 1
            guard !isExhausted else { return [] }
            node.appendText(to: &text)
        }
        charge(text.count)
        return text
    }
}
