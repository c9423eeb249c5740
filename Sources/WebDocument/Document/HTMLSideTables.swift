import CLibXML2

/// Nodes that belong to a tree but are kept outside it, so that XPath, selectors and links skip them.
///
/// The element's `psvi` holds the fragment, a node of type `XML_DOCUMENT_FRAG_NODE`, for look-ups.
struct HTMLSideTables {
    /// Every template element and its contents, in the order of their start tags.
    var templates: [(element: TreeNode, contents: TreeNode)] = []

    /// Every declarative shadow root.
    var shadowRoots: [HTMLShadowRoot] = []

    /// The controls that the parser associated with a form that does not contain them, in the order of their
    /// tags.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#create-an-element-for-the-token>
    var formOwners: [(control: TreeNode, form: TreeNode)] = []
}

/// A shadow root that markup declared.
struct HTMLShadowRoot {
    enum Mode: Sendable {
        case open
        case closed
    }

    var host: TreeNode
    var contents: TreeNode
    var mode: Mode
    var isClonable: Bool
    var isSerializable: Bool
    var delegatesFocus: Bool
}

extension TreeNode {
    /// A template's contents or a host's shadow root.
    @inline(__always)
    var fragment: TreeNode? {
        get {
            guard let fragment = unsafe pointer.pointee.psvi else { return nil }
            return unsafe TreeNode(fragment.assumingMemoryBound(to: xmlNode.self))
        }
        nonmutating set { unsafe pointer.pointee.psvi = UnsafeMutableRawPointer(newValue?.pointer) }
    }
}
