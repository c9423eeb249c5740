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

    /// The URL of an image, which pages with lazy loading do not give in `src`; nil where there is none.
    func imageURL(_ node: TreeNode) -> String? {
        url(node.attribute("src")) ?? url(node.attribute("data-src")) ?? url(node.attribute("data-original"))
            ?? (node.attribute("srcset") ?? node.attribute("data-srcset"))
            .flatMap { url(ImageCandidate.parse($0).first?.reference) }
    }

    /// The text inside an entry, without escapes.
    func text(_ index: Int, keepsBreaks: Bool = false) -> [UInt8] {
        var text: [UInt8] = []
        var inner = index
        while inner < tree.entries[index].end {
            let entry = tree.entries[inner]
            if removed[inner], inner > index {
                inner = Int(entry.end)
                continue
            }
            if entry.element == .br { text.append(keepsBreaks ? 0x0A : 0x20) }
            entry.node.appendText(to: &text)
            inner += 1
        }
        return text
    }

    /// The language of a block of code, which its class names, or that of the `code` in it or the element around it.
    func language(_ index: Int) -> String {
        let node = tree.entries[index].node
        let first = node.firstElement.flatMap { $0.hasName("code") ? $0 : nil }
        for candidate in [node, first, node.parentElement] {
            guard let classes = candidate?.attribute("class") else { continue }
            for name in classes.utf8.split(whereSeparator: \.isASCIIWhitespace) {
                let name = String(decoding: Array(name), as: UTF8.self)
                for prefix in ["language-", "lang-", "highlight-source-", "brush:"]
                where name.hasPrefix(prefix) {
                    let language = name.dropFirst(prefix.count)
                    let isPlain = language.utf8.allSatisfy { byte in
                        byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                            || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ".")
                            || byte == UInt8(ascii: "_")
                    }
                    if isPlain, !language.isEmpty { return String(language) }
                }
            }
        }
        return ""
    }
}
