import CLibXML2

/// Walks the nodes inside a node or a document in document order, including the contents of templates and
/// shadow roots, and reports where elements end.
///
/// O(1) a step, without recursion; the memory grows with the nesting depth of templates and shadow roots.
struct ContentsWalk {
    /// A step of the walk.
    enum Step {
        /// The start of a node, before its contents.
        case enter(TreeNode)
        /// The end of an element.
        case leave(TreeNode)
        /// The start of a template's contents or of a host's shadow root, before the element's children.
        case enterContents(of: TreeNode)
        /// The end of a template's contents or of a host's shadow root.
        case leaveContents(of: TreeNode)
    }

    private let root: TreeNode
    private let entersShadowRoots: Bool
    private var following: Step?
    private var hosts: [TreeNode] = []

    /// The nodes inside `root`, without itself.
    init(inside root: TreeNode, entersShadowRoots: Bool = true) {
        self.root = root
        self.entersShadowRoots = entersShadowRoots
        following = root.firstChild.map { .enter($0) }
    }

    /// The next step, nil at the end.
    mutating func next() -> Step? {
        guard let step = following else { return nil }
        switch step {
        case .enter(let node):
            if !node.isElement {
                following = after(node)
            } else if node.contents != nil, entersShadowRoots || node.isTemplate {
                following = .enterContents(of: node)
            } else {
                following = node.firstChild.map { .enter($0) } ?? .leave(node)
            }
        case .enterContents(of: let host):
            hosts.append(host)
            following = host.contents?.firstChild.map { .enter($0) } ?? .leaveContents(of: host)
        case .leaveContents(of: let host):
            hosts.removeLast()
            following = host.firstChild.map { .enter($0) } ?? .leave(host)
        case .leave(let node):
            following = after(node)
        }
        return step
    }

    /// The step after a node and everything inside it.
    private func after(_ node: TreeNode) -> Step? {
        if let next = node.next { return .enter(next) }
        guard let parent = node.parent, parent != root else { return nil }
        if let host = hosts.last, host.contents == parent { return .leaveContents(of: host) }
        return .leave(parent)
    }
}

extension TreeNode {
    /// A template's contents, or a host's shadow root; nil for other nodes (``HTMLSideTables``).
    @inline(__always)
    var contents: TreeNode? {
        guard isElement, unsafe pointer.pointee.doc?.pointee.type == XML_HTML_DOCUMENT_NODE
        else { return nil }
        return fragment
    }

    /// Whether the element is in the namespace of this name.
    func isInNamespace(_ name: StaticString) -> Bool {
        guard isElement, let own = unsafe pointer.pointee.ns?.pointee.href else { return false }
        return unsafe Self.equal(own, name)
    }

    /// Whether the element is in no namespace.
    var isInNoNamespace: Bool { unsafe isElement && pointer.pointee.ns == nil }

    /// The content of a processing instruction with this target; nil for any other node.
    func processingInstruction(_ target: StaticString) -> String? {
        guard unsafe pointer.pointee.type == XML_PI_NODE, hasName(target) else { return nil }
        return unsafe pointer.pointee.content.map { unsafe String(cString: $0) } ?? ""
    }
}
