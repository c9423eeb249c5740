/// Gathers scripts, style sheets, frames and comments along a walk.
struct ResourceCollector {
    package private(set) var scripts: [PageScript] = []
    package private(set) var stylesheets: [PageStylesheet] = []
    package private(set) var frames: [PageFrame] = []
    package private(set) var comments: [PageComment] = []

    private let resolver: BoundedResolver
    private let budget: InspectionBudget
    private var templates = 0

    /// The units that a resource takes besides its texts, including the report.
    private static let size = 896

    package init(_ resolver: BoundedResolver, _ budget: InspectionBudget) {
        self.budget = budget
        self.resolver = resolver
    }

    /// Processes the next step of a walk over a document.
    @inline(__always)
    mutating func take(_ step: ContentsWalk.Step) {
        switch step {
        case .enter(let node):
            if node.isElement {
                enter(node)
            } else if node.isComment {
                addComment(node)
            }
        case .leave: break
        case .enterContents(of: let host): if host.isTemplate { templates += 1 }
        case .leaveContents(of: let host): if host.isTemplate { templates -= 1 }
        }
    }

    private mutating func enter(_ node: TreeNode) {
        guard let name = unsafe node.nameBytes else { return }
        switch unsafe name[0] {
        case UInt8(ascii: "s"):
            if node.hasName("script") {
                addScript(node)
            } else if node.hasName("style"), isStyled(node) {
                guard budget.spend(size: Self.size, text: node.attributesLength) else { return }
                stylesheets.append(style(node, "style", reference: nil, rel: []))
            }
        case UInt8(ascii: "l") where node.hasName("link"):
            if node.isHTMLElement { addLink(node) }
        case UInt8(ascii: "i") where node.hasName("iframe"), UInt8(ascii: "f") where node.hasName("frame"):
            if node.isHTMLElement { addFrame(node) }
        default: break
        }
    }

    private mutating func addComment(_ node: TreeNode) {
        let comment = PageComment(text: node.commentText, position: node.sourcePosition)
        guard budget.spend(size: 256, text: comment.text.utf8.count) else { return }
        comments.append(comment)
    }

    private func isStyled(_ node: TreeNode) -> Bool {
        node.isHTMLElement || node.isInNamespace("http://www.w3.org/2000/svg")
    }

    // MARK: - Scripts

    private mutating func addScript(_ node: TreeNode) {
        guard isStyled(node), budget.spend(size: Self.size, text: node.attributesLength) else { return }
        let type = node.attribute("type")
        let kind = Self.kind(type, language: node.attribute("language"))
        let reference = node.isHTMLElement ? node.attribute("src") : node.attribute("href")
        scripts.append(
            PageScript(
                kind: kind,
                type: type,
                reference: reference,
                url: resolver.resolve(nonEmpty: reference),
                inlineSize: reference == nil ? node.childTextLength : nil,
                isAsync: node.hasAttribute("async"),
                isDeferred: node.hasAttribute("defer") || kind == .module && !node.hasAttribute("async"),
                isNoModule: node.hasAttribute("nomodule"),
                integrity: node.attribute("integrity"),
                crossOrigin: CrossOrigin(node.attribute("crossorigin")),
                nonce: node.attribute("nonce"),
                referrerPolicy: node.attribute("referrerpolicy"),
                isInert: templates > 0,
                position: node.sourcePosition
            )
        )
    }

    /// Steps 8 to 13 of [preparing the script
    /// element](https://html.spec.whatwg.org/multipage/scripting.html#prepare-the-script-element).
    private static func kind(_ type: String?, language: String?) -> PageScript.Kind {
        let name: String
        if let type {
            name = type.isEmpty ? "text/javascript" : type.collapsingASCIIWhitespace
        } else if let language, !language.isEmpty {
            name = "text/\(language)"
        } else {
            return .classic
        }
        if name.isEqualIgnoringASCIICase(to: "text/javascript") { return .classic }
        if name.isEqualIgnoringASCIICase(to: "module") { return .module }
        if name.isEqualIgnoringASCIICase(to: "importmap") { return .importMap }
        if name.isEqualIgnoringASCIICase(to: "speculationrules") { return .speculationRules }
        // A media type of JavaScript has no parameters: with parameters it is data.
        guard let mediaType = MediaType(name), mediaType.isJavaScript,
            !name.utf8.contains(UInt8(ascii: ";"))
        else { return .data }
        return .classic
    }

    // MARK: - Style sheets

    private mutating func addLink(_ node: TreeNode) {
        guard let reference = node.attribute("href"), let rel = node.attribute("rel") else { return }
        let words = rel.utf8.split(whereSeparator: \.isASCIIWhitespace).map { String(asciiLowercasing: $0) }
        guard words.contains("stylesheet"), budget.spend(size: Self.size, text: node.attributesLength) else {
            return
        }
        stylesheets.append(style(node, "link", reference: reference, rel: words))
    }

    private mutating func style(
        _ node: TreeNode,
        _ element: String,
        reference: String?,
        rel: [String]
    ) -> PageStylesheet {
        PageStylesheet(
            element: element,
            reference: reference,
            url: resolver.resolve(nonEmpty: reference),
            inlineSize: reference == nil ? node.childTextLength : nil,
            media: node.attribute("media"),
            type: node.attribute("type"),
            title: node.attribute("title"),
            isAlternate: rel.contains("alternate"),
            isDisabled: reference != nil && node.hasAttribute("disabled"),
            integrity: node.attribute("integrity"),
            crossOrigin: CrossOrigin(node.attribute("crossorigin")),
            nonce: node.attribute("nonce"),
            isInert: templates > 0,
            position: node.sourcePosition
        )
    }

    // MARK: - Frames

    private mutating func addFrame(_ node: TreeNode) {
        guard budget.spend(size: Self.size, text: 2 * node.attributesLength) else { return }
        let reference = node.attribute("src")
        let sandbox = node.attribute("sandbox").map { value in
            value.utf8.split(whereSeparator: \.isASCIIWhitespace).map { String(asciiLowercasing: $0) }
        }
        frames.append(
            PageFrame(
                element: node.name,
                reference: reference,
                url: resolver.resolve(nonEmpty: reference),
                sourceDocumentSize: node.attribute("srcdoc")?.utf8.count,
                sandbox: sandbox,
                allow: node.attribute("allow"),
                loading: node.attribute("loading")?.isEqualIgnoringASCIICase(to: "lazy") ?? false
                    ? .lazy : .eager,
                title: node.attribute("title"),
                name: node.attribute("name"),
                referrerPolicy: node.attribute("referrerpolicy"),
                isInert: templates > 0,
                position: node.sourcePosition
            )
        )
    }
}
