extension MicroformatReader {
    /// The value of a property's element.
    ///
    /// <https://microformats.org/wiki/microformats2-parsing#parsing_a_property>
    mutating func value(of element: TreeNode, _ form: MicroformatClasses.Form) -> MicroformatItem.Value? {
        switch form {
        case .text:
            let words =
                valueClass(element, isDate: false) ?? attributeText(element, form) ?? text(of: element)
            return .text(words.trimmingASCIIWhitespace)
        case .url: return url(of: element)
        case .date:
            let date = valueClass(element, isDate: true) ?? attributeText(element, form) ?? text(of: element)
            return .text(date.trimmingASCIIWhitespace)
        case .tag:
            let path = element.attribute("href").map { $0.utf8.prefix { $0 != UInt8(ascii: "?") } }
            let part = path?.split(separator: UInt8(ascii: "/")).last
            guard let part else { return .text(text(of: element).trimmingASCIIWhitespace) }
            return .text(String(decoding: PercentDecoding.decode(Array(part).span), as: UTF8.self))
        case .markup:
            guard budget.spend(InspectionBudget.visit *| budget.nodes(inside: element)) else { return nil }
            let markup = element.markup(.html, in: document, isInner: true)
            guard budget.spend(4 * markup.count) else { return nil }
            let text = text(of: element).trimmingASCIIWhitespace
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

    // MARK: - URLs

    /// `u-`: the URL of an element.
    private mutating func url(of element: TreeNode) -> MicroformatItem.Value? {
        if let reference = Self.reference(element) {
            let alternative = element.hasName("img") ? element.attribute("alt") : nil
            guard budget.spend(size: 64, text: reference.utf8.count + (resolver.base?.href.utf8.count ?? 0))
            else {
                return nil
            }
            // An invalid URL stays as it is written.
            return .url((try? resolver.resolve(reference))?.href ?? reference, alternative: alternative)
        }
        if let words = valueClass(element, isDate: false) {
            return resolved(words)
        }
        let title = element.hasName("abbr") ? element.attribute("title") : nil
        let value = element.hasName("data") || element.hasName("input") ? element.attribute("value") : nil
        return resolved(title ?? value ?? text(of: element))
    }

    private mutating func resolved(_ reference: String) -> MicroformatItem.Value? {
        let reference = reference.trimmingASCIIWhitespace
        guard budget.spend(size: 64, text: reference.utf8.count + (resolver.base?.href.utf8.count ?? 0))
        else {
            return nil
        }
        return .url((try? resolver.resolve(reference))?.href ?? reference, alternative: nil)
    }

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

    /// The text inside an element, without scripts and styles, with images replaced by their `alt` or `src`.
    mutating func text(of element: TreeNode) -> String {
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
                } else if node.hasName("img") {
                    let words = node.attribute("alt") ?? node.attribute("src")
                    if let words { text += " \(words) ".utf8 }
                }
            }
            guard budget.spend(InspectionBudget.visit + text.count - before) else { break }
            next = isSkipped ? node.after(in: element) : node.firstChild ?? node.after(in: element)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// The joined values of the elements of class `value` inside an element; nil where there are none.
    ///
    /// <https://microformats.org/wiki/value-class-pattern>
    private mutating func valueClass(_ element: TreeNode, isDate: Bool) -> String? {
        var parts: [String] = []
        var next = element.firstElement
        while let inner = next {
            guard budget.spend(InspectionBudget.visit) else { break }
            let words = inner.attribute("class")?.asciiWords ?? []
            if words.contains("value-title") {
                parts.append(inner.attribute("title") ?? "")
            } else if words.contains("value") {
                parts.append(
                    attributeText(inner, isDate ? .date : .text) ?? text(of: inner).trimmingASCIIWhitespace
                )
            } else {
                next = inner.elementAfter(in: element)
                continue
            }
            next = inner.elementAfterAll(in: element)
        }
        guard !parts.isEmpty else { return nil }
        return parts.joined(separator: isDate ? " " : "")
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
