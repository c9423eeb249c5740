extension MarkdownWriter {
    /// The absolute URL of a reference; nil for an invalid one, and for `javascript:` and `data:` URLs.
    ///
    /// It is without a user name and password, which a relative one has of the page's URL.
    func url(_ reference: String?) -> String? {
        guard let reference, !reference.isEmpty, let url = try? resolver.resolve(reference),
            url.scheme != "javascript", url.scheme != "data"
        else { return nil }
        return url.withoutCredentials.href
    }

    /// The URL of an image; nil where there is none.
    ///
    /// Pages that load images late have another image in `src`, or none.
    func imageURL(_ node: TreeNode) -> String? {
        let source = node.attribute("src")
        let shown = source.flatMap { url($0) }
        if let shown, let source, !Self.isPlaceholder(source) { return shown }
        for name in ["data-src", "data-original", "data-lazy-src"] as [StaticString] {
            if let late = url(node.attribute(name)) { return late }
        }
        for name in ["srcset", "data-srcset", "data-lazy-srcset"] as [StaticString] {
            if let late = firstCandidate(node.attribute(name)) { return late }
        }
        // Without an image of its own, that of the first source of a picture.
        if let shown { return shown }
        guard let parent = node.parentElement, parent.hasName("picture"), let first = parent.firstElement,
            first.hasName("source")
        else { return nil }
        return firstCandidate(first.attribute("srcset")) ?? firstCandidate(first.attribute("data-srcset"))
    }

    private func firstCandidate(_ set: String?) -> String? {
        set.flatMap { url(ImageCandidate.parse($0).first?.reference) }
    }

    /// Whether an address names an image that stands there until the real one is loaded.
    private static func isPlaceholder(_ source: String) -> Bool {
        let path = source.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
        let name = path.suffix(64).split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last
        guard let name, !name.isEmpty else { return true }
        let word = String(decoding: name.map(\.asciiLowercased), as: UTF8.self)
        return placeholders.contains { word.contains($0) }
    }

    private static let placeholders = [
        "placeholder", "spacer", "blank.", "transparent", "loading", "lazy", "pixel.", "1x1", "empty.",
    ]

    /// The title that an element has as an attribute, in one line.
    func title(_ node: TreeNode) -> String { node.attribute("title")?.collapsingASCIIWhitespace ?? "" }

    /// The text inside an entry, without escapes; formulas and readings are as in plain text.
    func text(_ index: Int, keepsBreaks: Bool = false) -> [UInt8] {
        var text: [UInt8] = []
        var readings: [(end: Int, start: Int)] = []
        let end = Int(tree.entries[index].end)
        var inner = index
        while true {
            while let last = readings.last, last.end <= inner {
                readings.removeLast()
                // One without any text has no parentheses.
                if text.count > last.start { text.append(UInt8(ascii: ")")) } else { text.removeLast() }
            }
            guard inner < end else { return text }
            let entry = tree.entries[inner]
            if inner > index, removed[inner] || tree.isAnnotation(inner) {
                inner = Int(entry.end)
            } else if let formula = tree.tex(inner) {
                text += formula
                inner = Int(entry.end)
            } else {
                if entry.element == .br { text.append(keepsBreaks ? 0x0A : 0x20) }
                if entry.isBareReading {
                    text.append(UInt8(ascii: "("))
                    readings.append((Int(entry.end), text.count))
                }
                entry.node.appendText(to: &text)
                inner += 1
            }
        }
    }
}

extension TreeNode {
    /// Whether an image has no more than a dot to show.
    var isTrackingImage: Bool {
        let isDot = { (size: String?) in size == "0" || size == "1" || size == "1px" }
        return isDot(attribute("width")) && isDot(attribute("height"))
    }
}
