/// A box that a text sets apart: a note, a tip, a warning.
enum Admonition {
    /// The classes that identify a box by themselves.
    private static let kinds: Set<String> = [
        "note", "tip", "hint", "warning", "caution", "important", "danger", "attention", "seealso",
    ]

    /// The classes that identify a box only together with one of ``names``.
    private static let others: Set<String> = [
        "info", "error", "success", "example", "question", "abstract", "todo", "bug",
    ]

    private static let names: Set<String> = ["admonition", "admonitionblock", "callout", "alert"]

    /// The kind of the box that an element is, as its class has it; nil for anything else.
    static func kind(_ entry: ContentTree.Entry) -> String? {
        switch entry.element {
        case .div, .aside, .section, .details: break
        default: return nil
        }
        guard let name = entry.node.attribute("class") else { return nil }
        let classes = name.utf8.split(whereSeparator: \.isASCIIWhitespace).map {
            String(asciiLowercasing: $0)
        }
        if let kind = classes.first(where: kinds.contains) { return kind }
        let words = classes.flatMap { $0.split { !$0.isLetter }.map(String.init) }
        guard words.contains(where: names.contains) else { return nil }
        return words.first { kinds.contains($0) || others.contains($0) } ?? "note"
    }

    /// Whether the class of an element in a box says that it is the title.
    static func isTitle(_ entry: ContentTree.Entry) -> Bool {
        switch entry.element {
        case .p, .div, .td: break
        default: return false
        }
        guard let name = entry.node.attribute("class") else { return false }
        return name.utf8.split { !$0.isASCIIAlpha }.contains { $0.elementsEqual("title".utf8) }
    }
}
