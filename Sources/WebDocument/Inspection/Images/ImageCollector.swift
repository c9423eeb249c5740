/// Gathers the images of a page, in document order.
struct ImageCollector {
    package private(set) var images: [PageImage] = []
    private let resolver: BoundedResolver
    private let budget: InspectionBudget
    private var templates = 0

    /// The `picture` that was found last, and what its `source` elements offer.
    private var picture: TreeNode?
    private var pictureSources: [PageImage.Source] = []

    /// How many more sources may be repeated, for a `picture` of many sources with many images.
    private var repetitions = 100_000

    /// The units that an image takes besides its texts, including the report.
    private static let imageSize = 1024

    /// The units that one of its candidate files takes besides its texts, including the report.
    private static let candidateSize = 512

    package init(_ resolver: BoundedResolver, _ budget: InspectionBudget) {
        self.resolver = resolver
        self.budget = budget
    }

    /// Processes the next step of a walk over a document.
    @inline(__always)
    mutating func take(_ step: ContentsWalk.Step) {
        switch step {
        case .enter(let node): enter(node)
        case .leave: break
        case .enterContents(of: let host): if host.isTemplate { templates += 1 }
        case .leaveContents(of: let host): if host.isTemplate { templates -= 1 }
        }
    }

    @inline(__always)
    private mutating func enter(_ node: TreeNode) {
        guard node.isElement, let name = unsafe node.nameBytes,
            unsafe name[0] == UInt8(ascii: "i") || name[0] == UInt8(ascii: "s")
        else { return }
        collectImage(node)
    }

    private mutating func collectImage(_ node: TreeNode) {
        if node.hasName("img") {
            if node.isHTMLElement { add(node, element: "img", reference: node.attribute("src")) }
        } else if node.hasName("source") {
            if node.isHTMLElement { addSource(node) }
        } else if node.hasName("input") {
            guard node.isHTMLElement, let type = node.attribute("type"),
                type.isEqualIgnoringASCIICase(to: "image")
            else { return }
            add(node, element: "input", reference: node.attribute("src"))
        } else if node.hasName("image"), node.isInNamespace("http://www.w3.org/2000/svg") {
            add(node, element: "image", reference: node.attribute("href") ?? node.linkReference)
        }
    }

    /// Keeps the candidates of a `source` of a `picture` for the image behind it.
    private mutating func addSource(_ node: TreeNode) {
        guard let parent = node.parent, parent.hasName("picture"), let set = node.attribute("srcset") else {
            return
        }
        if picture != parent {
            picture = parent
            pictureSources = []
        }
        guard budget.spend(size: Self.candidateSize, text: node.attributesLength) else { return }
        pictureSources.append(source(node, "source", set))
    }

    private func source(_ node: TreeNode, _ element: String, _ set: String) -> PageImage.Source {
        let candidates: [PageImage.Candidate] = ImageCandidate.parse(set).compactMap { candidate in
            guard budget.spend(size: Self.candidateSize, text: candidate.reference.utf8.count) else {
                return nil
            }
            return PageImage.Candidate(
                reference: candidate.reference,
                url: resolver.resolve(candidate.reference),
                descriptor: candidate.descriptor
            )
        }
        return PageImage.Source(
            element: element,
            candidates: candidates,
            sizes: node.attribute("sizes"),
            media: node.attribute("media"),
            type: node.attribute("type")
        )
    }

    private mutating func add(_ node: TreeNode, element: String, reference: String?) {
        guard budget.spend(size: Self.imageSize, text: node.attributesLength) else { return }
        var sources: [PageImage.Source] = []
        if element == "img" {
            if let picture, picture == node.parent, repetitions >= pictureSources.count {
                // They are written again with each image.
                if budget.spendOptional(size: pictureSources.reduce(0) { $0 + $1.size }) {
                    sources = pictureSources
                }
                repetitions -= pictureSources.count
            }
            if let set = node.attribute("srcset") { sources.append(source(node, "img", set)) }
        }
        let loading = node.attribute("loading")
        images.append(
            PageImage(
                element: element,
                reference: reference,
                url: resolver.resolve(nonEmpty: reference),
                sources: sources,
                alternativeText: node.attribute("alt"),
                declaredWidth: node.pixels("width"),
                declaredHeight: node.pixels("height"),
                loading: loading?.isEqualIgnoringASCIICase(to: "lazy") ?? false ? .lazy : .eager,
                decoding: decoding(node.attribute("decoding")),
                fetchPriority: priority(node.attribute("fetchpriority")),
                crossOrigin: CrossOrigin(node.attribute("crossorigin")),
                isInert: templates > 0,
                position: node.sourcePosition
            )
        )
    }

    private func decoding(_ value: String?) -> PageImage.Decoding {
        guard let value else { return .auto }
        if value.isEqualIgnoringASCIICase(to: "async") { return .asynchronous }
        return value.isEqualIgnoringASCIICase(to: "sync") ? .synchronous : .auto
    }

    private func priority(_ value: String?) -> String? {
        guard let value else { return nil }
        if value.isEqualIgnoringASCIICase(to: "high") { return "high" }
        return value.isEqualIgnoringASCIICase(to: "low") ? "low" : nil
    }
}

extension PageImage.Source {
    /// The units that writing it takes.
    fileprivate var size: Int {
        candidates.reduce(512) { sum, candidate in
            sum + 256 + InspectionBudget.textFactor *| (candidate.url?.href.utf8.count ?? 0)
        }
    }
}

extension TreeNode {
    /// The value of `xlink:href`; nil without one.
    fileprivate var linkReference: String? {
        var next = firstAttribute
        while let attribute = next {
            if attribute.hasName("href"), attribute.isInNamespace("http://www.w3.org/1999/xlink") {
                return attribute.value
            }
            next = attribute.next
        }
        return nil
    }

    /// The whole pixels that a `width` or `height` states; nil for a percentage, and where there is no
    /// number.
    ///
    /// [Rules for parsing non-negative
    /// integers](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#rules-for-parsing-non-negative-integers)
    func pixels(_ name: StaticString) -> Int? {
        guard let value = attribute(name) else { return nil }
        var scanner = FieldScanner(value)
        scanner.skip(while: \.isASCIIWhitespace)
        if scanner.current == UInt8(ascii: "+") { scanner.advance() }
        let digits = scanner.collect(while: \.isASCIIDigit)
        scanner.skip { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        guard !digits.isEmpty, scanner.current != UInt8(ascii: "%") else { return nil }
        // A number that is too large is no size.
        return Int(inBounds: scanner.text(digits))
    }
}
