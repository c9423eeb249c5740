extension MicroformatReader {
    /// The value of a property's element.
    ///
    /// - Parameters:
    ///   - element: The element.
    ///   - form: How to read it.
    ///   - scope: The types of the item around its contents, if that one's root class name is a classic one; else nil.
    /// - Returns: The value; nil where the budget does not suffice.
    ///
    /// <https://microformats.org/wiki/microformats2-parsing#parsing_a_property>
    mutating func value(
        of element: TreeNode,
        _ form: MicroformatClasses.Form,
        in scope: [String]?
    ) -> MicroformatItem.Value? {
        switch form {
        case .text:
            if let words = valueClass(element, in: scope) ?? attributeText(element, form) {
                return .text(words)
            }
            return .text(text(of: element, .alternativesOrSources).trimmingASCIIWhitespace)
        case .url: return url(of: element, in: scope)
        case .date: return .text(date(of: element, in: scope))
        case .tag:
            let path = element.attribute("href").map { $0.utf8.prefix { $0 != UInt8(ascii: "?") } }
            let part = path?.split(separator: UInt8(ascii: "/")).last
            guard let part else { return .text(text(of: element).trimmingASCIIWhitespace) }
            return .text(String(decoding: PercentDecoding.decode(Array(part).span), as: UTF8.self))
        case .markup:
            guard budget.spend(InspectionBudget.visit *| budget.nodes(inside: element)) else { return nil }
            let markup = element.innerMarkup(in: document) { [self] in absoluteReference($0) }
            guard budget.spend(4 * markup.count) else { return nil }
            let text = text(of: element, .alternativesOrSources).trimmingASCIIWhitespace
            return .markup(String(decoding: markup, as: UTF8.self).trimmingASCIIWhitespace, text: text)
        }
    }

    /// `p-` and `dt-`: the text or the date that an element has in an attribute.
    private func attributeText(_ element: TreeNode, _ form: MicroformatClasses.Form) -> String? {
        if form == .date, element.hasName("time") || element.hasName("ins") || element.hasName("del") {
            return element.attribute("datetime")
        }
        if element.hasName("abbr") || (form == .text && element.hasName("link")) {
            return element.attribute("title")
        }
        if element.hasName("data") || element.hasName("input") { return element.attribute("value") }
        if form == .text, element.hasName("img") || element.hasName("area") {
            return element.attribute("alt")
        }
        return nil
    }

    // MARK: - Dates

    /// `dt-`: the date of an element.
    private mutating func date(of element: TreeNode, in scope: [String]?) -> String {
        var values = MicroformatDateTime()
        forEachValue(in: element, scope) { reader, inner, title in
            let written = title ?? reader.attributeText(inner, .date) ?? reader.attributeText(inner, .text)
            values.add(written ?? reader.text(of: inner))
        }
        if let text = values.text(impliedDate) {
            impliedDate = values.date ?? impliedDate
            return text
        }
        let written = attributeText(element, .date) ?? text(of: element).trimmingASCIIWhitespace
        var whole = MicroformatDateTime()
        whole.add(written)
        // Only a time lacks something; anything else is as it is written.
        guard whole.date == nil, let impliedDate else {
            impliedDate = whole.date ?? impliedDate
            return written
        }
        return whole.text(impliedDate) ?? written
    }

    // MARK: - URLs

    /// `u-`: the URL of an element.
    mutating func url(of element: TreeNode, in scope: [String]?) -> MicroformatItem.Value? {
        if let reference = Self.reference(element) {
            let alternative = element.hasName("img") ? element.attribute("alt") : nil
            return absolute(reference).map { .url($0, alternative: alternative) }
        }
        let title = element.hasName("abbr") ? element.attribute("title") : nil
        let value = element.hasName("data") || element.hasName("input") ? element.attribute("value") : nil
        let reference = valueClass(element, in: scope) ?? title ?? value ?? text(of: element)
        return absolute(reference.trimmingASCIIWhitespace).map { .url($0, alternative: nil) }
    }

    /// The absolute URL, or the reference itself where that is not valid; nil where the budget does not suffice.
    private func absolute(_ reference: String) -> String? {
        guard budget.spend(size: 64, text: reference.utf8.count + (resolver.base?.href.utf8.count ?? 0))
        else {
            return nil
        }
        return (try? resolver.resolve(reference))?.href ?? reference
    }

    /// The absolute URL of an attribute inside a property; nil for one that is to stay as it is.
    private func absoluteReference(_ attribute: TreeAttribute) -> String? {
        guard attribute.isPlain, Self.references.contains(where: { attribute.hasName($0) }) else {
            return nil
        }
        let reference = attribute.value
        // A reference to the property's own contents stays valid where these are shown elsewhere.
        return reference.utf8.first == UInt8(ascii: "#") ? nil : absolute(reference)
    }

    /// The attributes that hold a URL.
    private static let references: [StaticString] = [
        "href", "src", "cite", "data", "poster", "action", "formaction", "longdesc",
    ]

    /// The URL in an attribute of an element; nil where it has none.
    private static func reference(_ element: TreeNode) -> String? {
        if element.hasName("a") || element.hasName("area") || element.hasName("link") {
            return element.attribute("href")
        }
        for name: StaticString in ["img", "audio", "video", "source", "iframe"] where element.hasName(name) {
            return element.attribute("src") ?? (element.hasName("video") ? element.attribute("poster") : nil)
        }
        return element.hasName("object") ? element.attribute("data") : nil
    }

    // MARK: - Words

    /// The replacement for the images in a text.
    enum Images {
        case nothing
        case alternatives
        case alternativesOrSources
    }

    /// The text inside an element, without scripts and styles.
    mutating func text(of element: TreeNode, _ images: Images = .nothing) -> String {
        var text: [UInt8] = []
        var next: TreeNode? = element.firstChild
        while !budget.isExhausted, let node = next {
            let before = text.count
            var isSkipped = !node.isElement
            if node.isText {
                node.appendText(to: &text)
            } else if node.isElement {
                if node.hasName("script") || node.hasName("style") || node.hasName("template") {
                    isSkipped = true
                } else if images != .nothing, node.hasName("img"), let words = words(for: node, images) {
                    text += words.utf8
                }
            }
            guard budget.spend(InspectionBudget.visit + text.count - before) else { break }
            next = isSkipped ? node.after(in: element) : node.firstChild ?? node.after(in: element)
        }
        return String(decoding: text, as: UTF8.self)
    }

    private func words(for image: TreeNode, _ images: Images) -> String? {
        if let alternative = image.attribute("alt") { return alternative }
        guard images == .alternativesOrSources, let source = image.attribute("src") else { return nil }
        return absolute(source).map { " \($0) " }
    }

    /// The joined values of the elements of class `value` inside an element; nil where there are none.
    private mutating func valueClass(_ element: TreeNode, in scope: [String]?) -> String? {
        var values: [String] = []
        forEachValue(in: element, scope) { reader, inner, title in
            let written = title ?? reader.attributeText(inner, .text)
            values.append(written ?? reader.text(of: inner, .alternativesOrSources).trimmingASCIIWhitespace)
        }
        return values.isEmpty ? nil : values.joined()
    }

    /// Calls `body` for each element of class `value` inside an element, and for each of class `value-title` with that
    /// title, except those inside another property or item.
    ///
    /// <https://microformats.org/wiki/value-class-pattern>
    private mutating func forEachValue(
        in element: TreeNode,
        _ scope: [String]?,
        _ body: (inout MicroformatReader, TreeNode, _ title: String?) -> Void
    ) {
        var next = element.firstElement
        while let inner = next, budget.spend(InspectionBudget.visit) {
            guard inner.hasAttribute("class"), !inner.isTemplate else {
                next = inner.elementAfter(in: element)
                continue
            }
            let classes = MicroformatClasses(inner)
            let hasTitle = classes.contains("value-title")
            let isValue = hasTitle || classes.contains("value")
            if isValue { body(&self, inner, hasTitle ? inner.attribute("title") ?? "" : nil) }
            let isClosed =
                isValue || !classes.types.isEmpty
                || !classes.properties(ofClassic: scope, relations: []).isEmpty
            next = isClosed ? inner.elementAfterAll(in: element) : inner.elementAfter(in: element)
        }
    }
}

extension TreeNode {
    /// The first node after this one and everything inside it, but not after `root`.
    fileprivate func after(in root: TreeNode) -> TreeNode? {
        var node = self
        while node != root {
            if let next = node.next { return next }
            guard let parent = node.parent else { return nil }
            node = parent
        }
        return nil
    }
}
