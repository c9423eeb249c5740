/// The language of a block of code, as pages name it for what colours code.
enum CodeLanguage {
    /// The language that a `pre` states, by itself, by the `code` in it or by what is right around it; empty where none
    /// does.
    static func name(_ block: TreeNode) -> String {
        let code = block.firstElement.flatMap { $0.hasName("code") ? $0 : nil }
        let around = block.parentElement
        for node in [code, block, around, around?.parentElement] {
            guard let node else { continue }
            for attribute in ["data-lang", "data-language", "data-enlighter-language"] as [StaticString] {
                if let name = plain(start(of: attribute, node)) { return name }
            }
            // An element around it may colour something else than code.
            let isAround = node != block && node != code
            if let name = name(classes: words(start(of: "class", node)), isAround: isAround) { return name }
        }
        return plain(start(of: "lang", block)).flatMap { isCode($0) ? $0 : nil } ?? ""
    }

    /// The first bytes of an attribute: every block in an element looks at that one's, which may be long.
    private static func start(of name: StaticString, _ node: TreeNode) -> String {
        var attribute = node.firstAttribute
        while let current = attribute, !(current.isPlain && current.hasName(name)) {
            attribute = current.next
        }
        guard let bytes = unsafe attribute?.valueBytes else { return "" }
        var text: [UInt8] = []
        while text.count < 256, case let byte = unsafe bytes[text.count], byte != 0 { text.append(byte) }
        return String(decoding: text, as: UTF8.self)
    }

    private static func words(_ text: String) -> [String] {
        text.utf8.split(whereSeparator: \.isASCIIWhitespace).map {
            String(decoding: Array($0), as: UTF8.self)
        }
    }

    private static let prefixes = ["language-", "lang-", "lang:", "highlight-source-", "brush:"]
    /// Words whose next, or the one before, is the language.
    private static let markers = ["hljs", "sourceCode", "brush:"]

    private static func name(classes: [String], isAround: Bool) -> String? {
        for word in classes {
            for prefix in prefixes where word.hasPrefix(prefix) {
                if let name = plain(String(word.dropFirst(prefix.count))) { return name }
            }
            if word.hasPrefix("highlight-text-") {
                return word.dropFirst(15).split(separator: "-").first.flatMap { plain(String($0)) }
            }
        }
        if let marker = classes.firstIndex(where: markers.contains), classes.count > marker + 1 {
            return plain(classes[marker + 1])
        }
        // Sphinx and others: `highlight-python` around it.
        guard isAround else { return nil }
        for word in classes where word.hasPrefix("highlight-") {
            if let name = plain(String(word.dropFirst(10))) { return name }
        }
        return nil
    }

    /// The name, if it is that of a language: letters, digits and few signs.
    private static func plain(_ name: String) -> String? {
        let name = name.utf8.last == UInt8(ascii: ";") ? String(name.dropLast()) : name
        let isPlain =
            name.utf8.count <= 32
            && name.utf8.allSatisfy { byte in
                byte.isASCIIAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
                    || byte == UInt8(ascii: "#") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            }
        return isPlain && !name.isEmpty && !noLanguages.contains(name.lowercased()) ? name : nil
    }

    private static let noLanguages: Set<String> = [
        "default", "none", "auto", "undefined", "null", "wrapper", "container", "copy", "block", "numbers",
    ]

    /// Whether the `lang` of a block is a language of code, which GitHub reads there, and none that people speak: those
    /// have codes of two letters, or of three and more.
    private static func isCode(_ name: String) -> Bool {
        guard !name.utf8.contains(UInt8(ascii: "-")) else { return false }
        return name.utf8.count != 2 && name.utf8.count != 3 || shortNames.contains(name.lowercased())
    }

    private static let shortNames: Set<String> = [
        "js", "ts", "py", "rb", "go", "rs", "c#", "f#", "md", "css", "sql", "xml", "php", "yml", "c++", "cpp",
        "lua", "jsx", "tsx",
        "ini", "bat", "vim", "awk", "sed", "zsh", "asm", "tex", "ps1",
    ]
}
