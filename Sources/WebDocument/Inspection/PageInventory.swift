/// The headings, images, forms and other parts of a page, all found in one walk.
public struct PageInventory: Hashable, Sendable, Codable {
    /// As ``ParsedPage/counts``.
    public internal(set) var counts = PageCounts()

    /// As ``ParsedPage/headings``.
    public internal(set) var headings: [Heading] = []

    /// As ``ParsedPage/outline``.
    public internal(set) var outline = Outline(headings: [], landmarks: [], sections: [])

    /// As ``ParsedPage/images``.
    public internal(set) var images: [PageImage] = []

    /// As ``ParsedPage/forms``.
    public internal(set) var forms: [Form] = []

    /// As ``ParsedPage/scripts``.
    public internal(set) var scripts: [PageScript] = []

    /// As ``ParsedPage/stylesheets``.
    public internal(set) var stylesheets: [PageStylesheet] = []

    /// As ``ParsedPage/frames``.
    public internal(set) var frames: [PageFrame] = []

    /// As ``ParsedPage/comments``.
    public internal(set) var comments: [PageComment] = []
}

/// Gathers an inventory in one walk, since walking a tree that is not in the processor's caches takes longer
/// than inspecting its nodes.
struct InventoryCollector {
    private var counts = PageCounts()
    private var headings: HeadingCollector
    private var outline: OutlineCollector
    private var images: ImageCollector
    private var forms: FormCollector
    private var resources: ResourceCollector
    private let document: Document
    private let budget: InspectionBudget

    /// - Parameters:
    ///   - document: The document.
    ///   - resolver: Resolves the document's references.
    ///   - budget: The budget of the whole inspection.
    package init(_ document: Document, _ resolver: BoundedResolver, _ budget: InspectionBudget) {
        self.document = document
        self.budget = budget
        headings = HeadingCollector(budget)
        outline = OutlineCollector(budget)
        images = ImageCollector(resolver, budget)
        forms = FormCollector(document, budget)
        resources = ResourceCollector(resolver, budget)
    }

    /// - Parameter assembler: Makes forms from the collected controls.
    /// - Returns: The inventory.
    package mutating func collect(_ assembler: FormAssembler) -> PageInventory {
        walk()
        var inventory = PageInventory()
        inventory.counts = counts
        inventory.headings = headings.headings
        inventory.outline = outline.outline(of: document)
        inventory.images = images.images
        if forms.hasForms {
            var assembler = assembler
            inventory.forms = assembler.forms(of: forms)
        }
        inventory.scripts = resources.scripts
        inventory.stylesheets = resources.stylesheets
        inventory.frames = resources.frames
        inventory.comments = resources.comments
        return inventory
    }

    private mutating func walk() {
        var walk = ContentsWalk(inside: document.node)
        var contents = 0
        let hasShadowRoots = document.slotAssignments != nil
        while budget.spend(1), let step = walk.next() {
            switch step {
            case .enter(let node):
                guard contents == 0 else { break }
                if node.isElement { counts.take(node) }
                if !hasShadowRoots { enterRendered(node) }
            case .leave(let node): if contents == 0, !hasShadowRoots { leaveRendered(node) }
            case .enterContents: contents += 1
            case .leaveContents: contents -= 1
            }
            images.take(step)
            forms.take(step)
            resources.take(step)
        }
        if hasShadowRoots { walkRendered() }
    }

    /// Walks the page once more, in the order in which it shows, which is another one where it has shadow roots.
    private mutating func walkRendered() {
        var walk = RenderedWalk(inside: document.node)
        while budget.spend(1), let step = walk.next() {
            switch step {
            case .enter(let node): enterRendered(node)
            case .leave(let node): leaveRendered(node)
            }
        }
    }

    @inline(__always)
    private mutating func enterRendered(_ node: TreeNode) {
        headings.enter(node)
        outline.enter(node)
    }

    @inline(__always)
    private mutating func leaveRendered(_ node: TreeNode) {
        headings.leave(node)
        outline.leave(node)
    }
}
