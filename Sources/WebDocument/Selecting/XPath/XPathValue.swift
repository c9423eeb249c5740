/// The value of an XPath expression: one of the four types.
///
/// <https://www.w3.org/TR/1999/REC-xpath-19991116/>
public enum XPathValue: Equatable, Sendable {
    /// Nodes, in document order.
    case nodes([XPathNode])
    /// A text.
    case string(String)
    /// A number, which may be NaN or infinite.
    case number(Double)
    /// A truth value.
    case boolean(Bool)
}

/// A node that XPath selects: a node of the tree, an attribute or a namespace.
public enum XPathNode: Hashable, Sendable {
    /// An element, a text, a comment, a processing instruction or the document.
    case node(Node)
    /// An attribute, and the element that has it.
    indirect case attribute(Node.Attribute, of: Node)
    /// A namespace that is in scope: its prefix, empty for the default one, and its name.
    indirect case namespace(prefix: String, name: String)

    /// The node's string-value: the text inside, or the attribute's value.
    public var stringValue: String {
        switch self {
        case .node(let node): node.textContent
        case .attribute(let attribute, of: _): attribute.value
        case .namespace(prefix: _, let name): name
        }
    }
}
