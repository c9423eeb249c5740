extension Document {
    /// The document as a node: the parent of the outermost element.
    public var documentNode: Node { Node(node, in: self) }

    /// The first element that matches a selector, in document order; nil if none does.
    ///
    /// - Parameter selector: The selector; `:scope` in it is the outermost element.
    /// - Returns: That element, or nil.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func querySelector(_ selector: Selector) throws(SelectorError) -> Node? {
        try documentNode.querySelector(selector)
    }

    /// The first element that matches a selector of standard CSS, in document order; nil if none does.
    ///
    /// - Parameter selector: The selector; `:scope` in it is the outermost element.
    /// - Returns: That element, or nil.
    /// - Throws: ``SelectorError`` if the selector is invalid or takes too many steps.
    public func querySelector(_ selector: String) throws(SelectorError) -> Node? {
        try documentNode.querySelector(selector)
    }

    /// All elements that match a selector, in document order.
    ///
    /// - Parameter selector: The selector; `:scope` in it is the outermost element.
    /// - Returns: The elements.
    /// - Throws: ``SelectorError`` with ``SelectorError/Code/limit`` if it takes too many steps.
    public func querySelectorAll(_ selector: Selector) throws(SelectorError) -> [Node] {
        try documentNode.querySelectorAll(selector)
    }

    /// All elements that match a selector of standard CSS, in document order.
    ///
    /// - Parameter selector: The selector; `:scope` in it is the outermost element.
    /// - Returns: The elements.
    /// - Throws: ``SelectorError`` if the selector is invalid or takes too many steps.
    public func querySelectorAll(_ selector: String) throws(SelectorError) -> [Node] {
        try documentNode.querySelectorAll(selector)
    }

    /// The elements that match a selector, one by one.
    ///
    /// - Parameter selector: The selector; `:scope` in it is the outermost element.
    /// - Returns: A cursor before the first of them.
    public func elements(matching selector: Selector) -> ElementCursor {
        documentNode.elements(matching: selector)
    }
}
