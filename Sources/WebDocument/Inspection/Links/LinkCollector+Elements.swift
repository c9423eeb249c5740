extension LinkCollector {
    // MARK: - HTML

    /// Gathers the references in the attributes of an element of HTML.
    mutating func collectHTML(_ element: TreeNode) {
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            guard attribute.isPlain, let source = LinkSource.find(element, attribute),
                isMet(source.condition, by: element)
            else { continue }
            collect(attribute.value, source, element)
        }
    }

    private mutating func collect(_ value: String, _ source: LinkSource, _ element: TreeNode) {
        let kind = kind(source, element)
        switch source.form {
        case .url, .nonEmptyURL:
            if source.form == .nonEmptyURL, value.utf8.allSatisfy(\.isASCIIWhitespace) { return }
            add(value, kind, attribute: source.attribute, text: text(of: element, kind))
        case .urls:
            for word in value.utf8.split(whereSeparator: \.isASCIIWhitespace) {
                add(
                    String(Substring(word)),
                    kind,
                    attribute: source.attribute,
                    part: LinkPart(syntax: .urls)
                )
            }
        case .imageCandidates:
            for candidate in ImageCandidate.parse(value) {
                add(
                    candidate.reference,
                    kind,
                    attribute: source.attribute,
                    descriptor: candidate.descriptor,
                    part: LinkPart(range: candidate.range, syntax: .imageCandidate)
                )
            }
        case .style: collectStyle(value, .declarations, attribute: source.attribute)
        case .refresh:
            if let reference = DeclarativeRefresh.reference(in: value) {
                add(reference, kind, attribute: source.attribute, part: LinkPart(syntax: .refresh))
            }
        case .markup: collectFrame(value)
        }
    }

    /// The kind of a reference, where it depends on more than its attribute.
    private mutating func kind(_ source: LinkSource, _ element: TreeNode) -> Link.Kind {
        if source.kind == .navigation, element.hasAttribute("download") { return .download }
        if source.kind == .other, element.hasName("link") {
            return Link.Kind(rel: facts()?.rel ?? [])
        }
        return source.kind
    }

    private func isMet(_ condition: LinkSource.Condition, by element: TreeNode) -> Bool {
        switch condition {
        case .none: return true
        case .imageButton: return element.attribute("type")?.isEqualIgnoringASCIICase(to: "image") ?? false
        case .submitButton:
            guard let type = element.attribute("type") else { return element.hasName("button") }
            if element.hasName("input") {
                return type.isEqualIgnoringASCIICase(to: "submit")
                    || type.isEqualIgnoringASCIICase(to: "image")
            }
            return !type.isEqualIgnoringASCIICase(to: "button") && !type.isEqualIgnoringASCIICase(to: "reset")
        case .notInPicture:
            guard let parent = element.parent else { return true }
            return !(parent.isHTMLElement && parent.hasName("picture"))
        case .refreshPragma:
            return element.attribute("http-equiv")?.isEqualIgnoringASCIICase(to: "refresh") ?? false
        }
    }

    /// The alternative text of an image or an area.
    private func text(of element: TreeNode, _ kind: Link.Kind) -> String? {
        let isImage = kind == .image && (element.hasName("img") || element.hasName("input"))
        let isArea = (kind == .navigation || kind == .download) && element.hasName("area")
        return isImage || isArea ? element.attribute("alt")?.collapsingASCIIWhitespace : nil
    }

    // MARK: - SVG, MathML and other XML

    /// Gathers the references in the attributes of an element of SVG.
    ///
    /// Where it has `href`, its `xlink:href` is ignored.
    ///
    /// [SVG 2: linking](https://www.w3.org/TR/SVG2/linking.html#linkRefAttrs)
    mutating func collectSVG(_ element: TreeNode) {
        let hasPlain = element.hasAttribute("href")
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            if attribute.hasName("href"), attribute.isPlain || (!hasPlain && attribute.isXLink) {
                var kind = LinkSource.svgKinds.first { element.hasName($0.element) }?.kind ?? .other
                if kind == .navigation, element.hasAttribute("download") { kind = .download }
                add(attribute.value, kind, attribute: "href")
            } else if attribute.isPlain,
                let name = LinkSource.svgStyles.first(where: { attribute.hasName($0) })
            {
                collectStyle(attribute.value, .declarations, attribute: name)
            }
        }
    }

    /// Gathers the references of an element of neither HTML nor SVG: `xlink:href`, and MathML's `href`.
    mutating func collectOther(_ element: TreeNode) {
        let isMathML = element.isInNamespace("http://www.w3.org/1998/Math/MathML")
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            guard attribute.hasName("href"), attribute.isXLink || (isMathML && attribute.isPlain) else {
                continue
            }
            add(attribute.value, .navigation, attribute: "href")
        }
    }

    /// Gathers the reference of an `xml-stylesheet` processing instruction.
    ///
    /// [Associating Style Sheets with XML documents](https://www.w3.org/TR/xml-stylesheet/)
    mutating func collectStylesheetInstruction(_ data: String) {
        if let reference = PseudoAttributes.value(of: "href", in: data), !reference.isEmpty {
            addStylesheetInstruction(reference)
        }
    }
}

extension TreeAttribute {
    fileprivate var isXLink: Bool { isInNamespace("http://www.w3.org/1999/xlink") }
}
