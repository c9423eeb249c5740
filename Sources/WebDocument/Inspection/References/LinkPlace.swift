/// Where a link is in the tree, as ``LinkCollector`` notes it when places are wanted.
struct LinkPlace {
    /// The link's number.
    let link: Int
    let node: TreeNode
    /// The attribute's local name; nil for the element's text.
    let attribute: StaticString?
    /// The part of the value; nil for all of it.
    let range: Range<Int>?
    let value: Range<Int>?
    let syntax: PlacedReference.Syntax
    var type: String?
    var isUncertain = false
}

/// The part of a value that makes up a reference.
struct LinkPart {
    var range: Range<Int>?
    var value: Range<Int>?
    var syntax = PlacedReference.Syntax.url
    var type: String?
    var isUncertain = false
}
