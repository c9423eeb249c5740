/// Gathers an outline in one walk, however its elements are nested.
struct OutlineCollector {
    /// An element that is a landmark if it has the name that it needs.
    private struct Candidate {
        let node: TreeNode
        let role: Landmark.Role
        let needsLabel: Bool
        let parent: Int?
    }

    /// An open element that is part of the outline.
    private struct Open {
        let node: TreeNode
        var candidate: Int?
        var section: Int?
        var isScope = false
        /// The heading, and where its text begins.
        var heading: (index: Int, start: RenderedText.Start)?
    }

    private var headings: [(node: TreeNode, level: Int, section: Int?, text: String)] = []
    private var candidates: [Candidate] = []
    private var sections: [OutlineSection] = []

    /// The sections' nodes, and the landmarks that they may be: an element that is both is named once.
    private var sectionNodes: [(node: TreeNode, candidate: Int?)] = []

    /// The open elements, the innermost last, and the open ones of each kind.
    private var open: [Open] = []
    private var openCandidates: [Int] = []
    private var openSections: [Int] = []
    private var scopes = 0
    private var openHeadings = 0
    private var text = RenderedText()

    /// The outermost open element that is hidden.
    private var hidden: TreeNode?

    private let budget: InspectionBudget

    init(_ budget: InspectionBudget) {
        self.budget = budget
    }

    /// Processes the start of a node that is rendered, before its contents.
    @inline(__always)
    mutating func enter(_ node: TreeNode) {
        guard hidden == nil else { return }
        if openHeadings > 0 { text.enter(inHeading: node) }
        guard node.isHTMLElement else { return }
        enterElement(node)
    }

    /// Processes the end of an element that is rendered.
    @inline(__always)
    mutating func leave(_ node: TreeNode) {
        if hidden == node { hidden = nil }
        if open.last?.node == node { close() }
        if openHeadings > 0, hidden == nil { text.leave(node) }
    }

    private mutating func enterElement(_ node: TreeNode) {
        let element = OutlineElement(node)
        if element.isHidden {
            hidden = node
            return
        }
        if openHeadings > 0, node.hasName("img"), let alternative = node.attribute("alt") {
            text.append(alternative: alternative)
        }
        guard element.native != nil || element.role != nil else { return }
        enter(node, element)
    }

    private mutating func enter(_ node: TreeNode, _ element: OutlineElement) {
        guard budget.spend(size: 768) else { return }
        var opened = Open(node: node)
        var counts = false
        if let (role, needsLabel) = element.landmark(
            isInScope: scopes > 0,
            isInSection: !openSections.isEmpty
        ) {
            opened.candidate = candidates.count
            candidates.append(
                Candidate(node: node, role: role, needsLabel: needsLabel, parent: openCandidates.last)
            )
            openCandidates.append(candidates.count - 1)
            counts = true
        }
        if let level = element.headingLevel {
            opened.heading = (headings.count, text.begin())
            if let section = openSections.last, sections[section].heading == nil {
                sections[section].heading = headings.count
            }
            headings.append((node, level, openSections.last, ""))
            openHeadings += 1
            counts = true
        }
        if element.isSection {
            opened.section = sections.count
            sections.append(
                OutlineSection(
                    element: node.name,
                    parent: openSections.last,
                    depth: openSections.count,
                    position: node.sourcePosition
                )
            )
            sectionNodes.append((node, opened.candidate))
            openSections.append(sections.count - 1)
            counts = true
        }
        if element.isScope {
            opened.isScope = true
            scopes += 1
            counts = true
        }
        if counts { open.append(opened) }
    }

    private mutating func close() {
        let closed = open.removeLast()
        if closed.candidate != nil { openCandidates.removeLast() }
        if closed.section != nil { openSections.removeLast() }
        if closed.isScope { scopes -= 1 }
        guard let (index, start) = closed.heading else { return }
        openHeadings -= 1
        let own = text.end(start)
        if budget.spend(size: 0, text: own.utf8.count) { headings[index].text = own }
    }

    // MARK: - The result

    /// Makes the outline, after the walk.
    mutating func outline(of document: Document) -> Outline {
        let nodes = candidates.map(\.node)
        var labels = AccessibleLabels(document, of: nodes + sectionNodes.map(\.node))
        func label(of node: TreeNode) -> String? {
            guard let label = labels.label(of: node), budget.spend(size: 0, text: label.utf8.count) else {
                return nil
            }
            return label
        }
        let names = nodes.map { label(of: $0) }
        for (index, section) in sectionNodes.enumerated() {
            sections[index].label =
                section.candidate.map { names[$0] } ?? label(of: section.node)
        }
        return Outline(headings: outlineHeadings, landmarks: landmarks(names), sections: sections)
    }

    private var outlineHeadings: [OutlineHeading] {
        var previous = 0
        return headings.map { heading in
            let skipped = max(0, heading.level - previous - 1)
            previous = heading.level
            return OutlineHeading(
                level: heading.level,
                skippedLevels: skipped,
                text: heading.text,
                element: heading.node.name,
                section: heading.section,
                position: heading.node.sourcePosition
            )
        }
    }

    /// The candidates that have the name they need, each with the nearest landmark around it.
    private func landmarks(_ names: [String?]) -> [Landmark] {
        var landmarks: [Landmark] = []
        var places: [Int?] = []
        places.reserveCapacity(candidates.count)
        for (candidate, label) in zip(candidates, names) {
            let parent = candidate.parent.flatMap { places[$0] }
            guard label != nil || !candidate.needsLabel else {
                places.append(parent)
                continue
            }
            places.append(landmarks.count)
            landmarks.append(
                Landmark(
                    role: candidate.role,
                    element: candidate.node.name,
                    label: label,
                    parent: parent,
                    position: candidate.node.sourcePosition
                )
            )
        }
        return landmarks
    }
}
