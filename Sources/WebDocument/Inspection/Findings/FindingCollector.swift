/// Gathers the findings of a page's markup in one walk, and the targets that fragments can lead to.
///
/// Time and memory are linear in the page.
struct FindingCollector {
    private(set) var findings = Findings()

    /// The IDs of the page, and the names of its anchors: what a fragment can lead to.
    private(set) var targets: Set<String> = []

    private var identifiers: Set<String> = []
    private var references: [Reference] = []
    private var fields: [Field] = []
    private var labelled: Set<String> = []

    /// The open elements that need a name, innermost last; the number of open labels; the outermost hidden element.
    private var named: [NamedElement] = []
    private var labels = 0
    private var hiding: TreeNode?

    private var lastHeading = 0
    private var hasTopHeading = false
    private var hasViewport = false

    /// A reference to an element by its ID.
    private struct Reference {
        let identifier: String
        let attribute: String
        let element: TreeNode
    }

    /// A form field that neither its attributes nor a label around it name.
    private struct Field {
        let identifier: String?
        let element: TreeNode
    }

    /// A link, a button or a heading, whose text is its name.
    private struct NamedElement {
        let node: TreeNode
        let code: Finding.Code
        var isNamed: Bool
    }

    // MARK: - The document

    /// Gathers the findings of a document of HTML.
    mutating func collect(_ document: Document) {
        if document.compatibilityMode == .quirks {
            findings.add(.doctypeQuirks, "the page is laid out in quirks mode")
        }
        if document.title?.isEmpty ?? true {
            findings.add(.titleMissing, document.title == nil ? "there is no title" : "the title is empty")
        }
        let root = document.root?.treeNode
        if (root?.attribute("lang") ?? "").collapsingASCIIWhitespace.isEmpty {
            findings.add(
                .languageMissing,
                "the html element has no lang",
                element: "html",
                at: root?.sourcePosition
            )
        }
        walk(document)
        if !hasViewport { findings.add(.viewportMissing, "there is no viewport meta element") }
        if !hasTopHeading { findings.add(.headingMissing, "there is no h1") }
        for field in fields where !(field.identifier.map(labelled.contains) ?? false) {
            add(.fieldLabel, "the \(field.element.name) has no label", field.element)
        }
        for reference in references where !identifiers.contains(reference.identifier) {
            add(
                .identifierReference,
                "\(reference.attribute) refers to \"\(Self.shortened(reference.identifier))\", but no element has this ID",
                reference.element
            )
        }
        findings.sort()
    }

    private mutating func walk(_ document: Document) {
        var walk = ContentsWalk(inside: document.node)
        var templates = 0
        while let step = walk.next() {
            switch step {
            case .enterContents: templates += 1
            case .leaveContents: templates -= 1
            case .enter(let node):
                guard templates == 0 else { continue }
                if node.isText {
                    if !named.isEmpty, node.hasVisibleText { nameOpenElements() }
                } else if node.isElement {
                    enter(node)
                }
            case .leave(let node):
                guard templates == 0 else { continue }
                leave(node)
            }
        }
    }

    private mutating func enter(_ node: TreeNode) {
        if let identifier = node.attribute("id"), !identifier.isEmpty { addIdentifier(identifier, node) }
        guard node.isHTMLElement else {
            if node.hasName("title") { nameOpenElements() }
            return
        }
        if hiding == nil, node.hasAttribute("hidden") || node.attribute("aria-hidden") == "true" {
            hiding = node
        }
        addReferences(node)
        let isHidden = hiding != nil
        switch node.name {
        case "a":
            if let name = node.attribute("name") { targets.insert(name) }
            if node.hasAttribute("href"), !isHidden { open(node, .linkName) }
        case "button":
            if !isHidden { open(node, .buttonName) }
        case "h1", "h2", "h3", "h4", "h5", "h6": enterHeading(node, isHidden)
        case "img": enterImage(node, isHidden)
        case "input": enterInput(node, isHidden)
        case "select", "textarea":
            if !isHidden { addField(node) }
        case "label":
            labels += 1
            if let identifier = node.attribute("for") {
                labelled.insert(identifier)
                references.append(Reference(identifier: identifier, attribute: "for", element: node))
            }
        case "iframe":
            if !isHidden, node.isNameless {
                add(.frameTitle, "the frame has no title", node)
            }
        case "meta": enterMeta(node)
        case "acronym", "applet", "basefont", "big", "blink", "center", "dir", "font", "frame", "frameset",
            "marquee",
            "noframes", "strike", "tt", "xmp", "plaintext", "nobr", "listing", "bgsound", "isindex", "spacer":
            add(.elementObsolete, "\(node.name) is obsolete", node)
        default: break
        }
    }

    private mutating func leave(_ node: TreeNode) {
        if hiding == node { hiding = nil }
        if named.last?.node == node {
            let element = named.removeLast()
            if element.isNamed {
                // The name of an element also names the one around it.
                nameOpenElements()
            } else {
                add(element.code, "the \(node.name) has no text and no other accessible name", node)
            }
        }
        if node.hasName("label"), node.isHTMLElement { labels -= 1 }
    }

    // MARK: - IDs

    private mutating func addIdentifier(_ identifier: String, _ node: TreeNode) {
        targets.insert(identifier)
        if !identifiers.insert(identifier).inserted {
            add(.identifierDuplicate, "the ID \"\(Self.shortened(identifier))\" is already in use", node)
        }
    }

    private mutating func addReferences(_ node: TreeNode) {
        for name in ["aria-labelledby", "aria-describedby", "aria-controls", "list", "headers"] {
            guard let value = node.attribute(named: name) else { continue }
            for word in value.utf8.split(whereSeparator: \.isASCIIWhitespace) {
                references.append(
                    Reference(
                        identifier: String(decoding: word, as: UTF8.self),
                        attribute: name,
                        element: node
                    )
                )
            }
        }
        guard let order = node.attribute("tabindex"),
            let number = Int(bounded: order.collapsingASCIIWhitespace),
            number > 0
        else { return }
        add(.tabOrder, "tabindex is \(number)", node)
    }

    // MARK: - Names

    private mutating func open(_ node: TreeNode, _ code: Finding.Code) {
        named.append(NamedElement(node: node, code: code, isNamed: !node.isNameless))
    }

    private mutating func nameOpenElements() {
        guard !named.isEmpty else { return }
        named[named.count - 1].isNamed = true
    }

    private mutating func enterHeading(_ node: TreeNode, _ isHidden: Bool) {
        guard let digit = node.name.utf8.last else { return }
        let level = Int(digit) - 0x30
        if level == 1 { hasTopHeading = true }
        if level > lastHeading + 1, lastHeading > 0 {
            add(.headingGap, "h\(level) follows h\(lastHeading)", node)
        }
        lastHeading = level
        if !isHidden { open(node, .headingEmpty) }
    }

    private mutating func enterImage(_ node: TreeNode, _ isHidden: Bool) {
        let alternative = node.attribute("alt")
        if let alternative, !alternative.utf8.allSatisfy(\.isASCIIWhitespace) { nameOpenElements() }
        if !node.isNameless { nameOpenElements() }
        let role = node.attribute("role")
        if alternative == nil, node.isNameless, !isHidden, role != "presentation", role != "none" {
            add(.imageAlternative, "the image \(Self.source(node)) has no alt", node)
        }
        if !(node.hasAttribute("width") && node.hasAttribute("height")), node.attribute("style") == nil,
            !isHidden
        {
            add(.imageSize, "the image \(Self.source(node)) has no width and height", node)
        }
    }

    private mutating func enterInput(_ node: TreeNode, _ isHidden: Bool) {
        guard !isHidden else { return }
        switch String(asciiLowercasing: (node.attribute("type") ?? "").utf8) {
        case "hidden", "submit", "reset": break
        case "button":
            if node.isNameless, (node.attribute("value") ?? "").isEmpty {
                add(.buttonName, "the input has no value that names it", node)
            }
        case "image":
            if node.attribute("alt") == nil, node.isNameless {
                add(.imageAlternative, "the button has no alt", node)
            }
        default: addField(node)
        }
    }

    private mutating func addField(_ node: TreeNode) {
        guard labels == 0, node.isNameless else { return }
        fields.append(Field(identifier: node.attribute("id"), element: node))
    }

    // MARK: - Metadata

    private mutating func enterMeta(_ node: TreeNode) {
        let content = node.attribute("content") ?? ""
        if let pragma = node.attribute("http-equiv"), pragma.isEqualIgnoringASCIICase(to: "refresh") {
            add(.refreshDeclared, "the page is refreshed: \(Self.shortened(content))", node)
        }
        guard let name = node.attribute("name") else { return }
        switch String(asciiLowercasing: name.utf8) {
        case "viewport":
            hasViewport = true
            if Viewport.blocksZoom(content) {
                add(.viewportZoom, "the viewport is \(Self.shortened(content))", node)
            }
        case "robots", "googlebot", "bingbot":
            if Self.forbidsIndexing(content) {
                add(.robotsBlocked, "\(name) is \(Self.shortened(content))", node)
            }
        default: break
        }
    }

    /// Whether robots are asked not to list the page.
    static func forbidsIndexing(_ content: String) -> Bool {
        content.utf8.split(whereSeparator: { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") || $0 == 0x3A })
            .contains { word in
                let word = String(asciiLowercasing: word)
                return word == "noindex" || word == "none"
            }
    }

    // MARK: - Adding

    private mutating func add(_ code: Finding.Code, _ message: String, _ node: TreeNode) {
        findings.add(code, message, element: node.name, at: node.sourcePosition)
    }

    private static func source(_ image: TreeNode) -> String {
        guard let source = image.attribute("src") else { return "without src" }
        return "\"\(shortened(source))\""
    }

    /// A value of the page for a message, cut after 80 characters.
    package static func shortened(_ text: String) -> String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: 80, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }
}

extension Findings {
    /// Sorts by position, the findings about the page as a whole first; those at one position stay in the
    /// order found.
    mutating func sort() {
        let order = findings.indices.sorted { first, second in
            let left = findings[first].position
            let right = findings[second].position
            let places = (
                (left?.line ?? 0, left?.column ?? 0, first), (right?.line ?? 0, right?.column ?? 0, second)
            )
            return places.0 < places.1
        }
        findings = order.map { findings[$0] }
    }
}

extension TreeNode {
    /// Whether no attribute gives the element a name for assistive technology.
    fileprivate var isNameless: Bool {
        !hasAttribute("aria-labelledby")
            && (attribute("aria-label") ?? "").utf8.allSatisfy(\.isASCIIWhitespace)
            && (attribute("title") ?? "").utf8.allSatisfy(\.isASCIIWhitespace)
    }

    /// Whether a text node has anything but white space.
    fileprivate var hasVisibleText: Bool {
        guard let bytes = unsafe textBytes else { return false }
        var index = 0
        while unsafe bytes[index] != 0 {
            if unsafe !bytes[index].isASCIIWhitespace { return true }
            index += 1
        }
        return false
    }
}
