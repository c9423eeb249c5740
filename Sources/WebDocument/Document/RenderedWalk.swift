/// Walks the nodes inside a node or a document as a browser shows them: shadow roots in place of their hosts' children,
/// and these where a `slot` shows them; without the contents of templates.
///
/// O(1) a step, without recursion.
struct RenderedWalk {
    /// A step of the walk.
    enum Step {
        /// The start of a node, before its contents.
        case enter(TreeNode)
        /// The end of an element.
        case leave(TreeNode)
    }

    private let root: TreeNode
    private let slots: SlotAssignments?
    private var following: Step?

    /// The nodes inside `root`, without itself.
    init(inside root: TreeNode) {
        slots = root.slotAssignments
        self.root = root.shown(slots)
        following = root.firstShownChild(slots).map { .enter($0) }
    }

    /// The next step, nil at the end.
    mutating func next() -> Step? {
        guard let step = following else { return nil }
        switch step {
        case .enter(let node):
            if node.isElement {
                following = node.firstShownChild(slots).map { .enter($0) } ?? .leave(node)
            } else {
                following = after(node)
            }
        case .leave(let node): following = after(node)
        }
        return step
    }

    /// The step after a node and everything inside it.
    private func after(_ node: TreeNode) -> Step? {
        if let next = node.nextShown(slots) { return .enter(next) }
        guard let parent = node.shownParent(slots), parent != root else { return nil }
        return .leave(parent)
    }
}
