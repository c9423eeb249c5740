/// The entries of a mapping whose keys are known.
struct RecipeEntries {
    private let entries: [RecipeNode.Entry]
    private let place: RecipePlace

    /// Checks that the node is a mapping and that all its keys are known.
    init(_ node: RecipeNode, _ known: [String], _ what: String) throws(RuleError) {
        guard case .mapping(let entries) = node.content else {
            throw RecipeReader.error("a mapping for \(what)", node)
        }
        for entry in entries where !known.contains(entry.key) {
            throw RuleError(
                .invalid,
                "expected a key of \(what) (\(known.joined(separator: ", "))), found \"\(entry.key)\"",
                at: entry.place
            )
        }
        self.entries = entries
        place = node.place
    }

    subscript(key: String) -> RecipeNode? {
        entries.first { $0.key == key }?.value
    }

    /// The value of a key, or another node if the key is missing.
    func value(of key: String, or other: RecipeNode) -> RecipeNode { self[key] ?? other }

    /// The place of a key; that of the mapping if the key is missing.
    func place(of key: String) -> RecipePlace {
        entries.first { $0.key == key }?.place ?? place
    }
}

extension RecipeReader {
    static func mapping(
        _ node: RecipeNode,
        _ known: [String],
        _ what: String
    ) throws(RuleError) -> RecipeEntries {
        try RecipeEntries(node, known, what)
    }

    static func error(_ expected: String, _ found: RecipeNode) -> RuleError {
        RuleError(.invalid, "expected \(expected), found \(found.description)", at: found.place)
    }

    static func list(_ words: [String]) -> String {
        words.map { "\"\($0)\"" }.joined(separator: ", ")
    }

    static func string(_ node: RecipeNode, _ what: String) throws(RuleError) -> String {
        guard case .scalar(.string(let text)) = node.content else { throw error(what, node) }
        return text
    }

    static func bool(_ node: RecipeNode) throws(RuleError) -> Bool {
        guard case .scalar(.bool(let value)) = node.content else { throw error("true or false", node) }
        return value
    }

    static func number(_ node: RecipeNode) throws(RuleError) -> Double {
        guard case .scalar(let value) = node.content, let number = value.double else {
            throw error("a number", node)
        }
        return number
    }

    static func integer(_ node: RecipeNode) throws(RuleError) -> Int {
        guard case .scalar(.integer(let value)) = node.content else { throw error("a whole number", node) }
        return Int(bounded: value)
    }

    /// A whole number of 1 or more.
    static func count(_ node: RecipeNode) throws(RuleError) -> Int {
        guard let number = try? integer(node), number >= 1 else {
            throw error("a whole number above 0", node)
        }
        return number
    }

    // MARK: - Constants

    /// Any value, with names replaced in its strings.
    func constant(_ node: RecipeNode) throws(RuleError) -> JSONValue {
        switch node.content {
        case .scalar(.string(let text)): return .string(try substituted(text, node))
        case .scalar(let value): return value
        case .list(let items):
            var values: [JSONValue] = []
            for item in items { values.append(try constant(item)) }
            return .array(values)
        case .mapping(let entries):
            var members: [JSONValue.Member] = []
            for entry in entries { members.append(JSONValue.Member(entry.key, try constant(entry.value))) }
            return .object(members)
        }
    }

    /// A text in which each `${name}` is replaced by the value of that name in `let`; "$$" before a brace
    /// stands for "$".
    func substituted(
        _ text: String,
        _ node: RecipeNode,
        keeping kept: String? = nil
    ) throws(RuleError) -> String {
        guard text.utf8.contains(UInt8(ascii: "$")) else { return text }
        var output = ""
        var rest = text[...]
        while let dollar = rest.firstIndex(of: "$") {
            output += rest[..<dollar]
            rest = rest[dollar...]
            if rest.hasPrefix("$${") {
                output += kept == nil ? "${" : "$${"
                rest = rest.dropFirst(3)
                continue
            }
            guard rest.hasPrefix("${"), let end = rest.firstIndex(of: "}") else {
                output += "$"
                rest = rest.dropFirst()
                continue
            }
            let name = String(rest[rest.index(dollar, offsetBy: 2)..<end])
            if name == kept {
                output += "${\(name)}"
            } else if let value = constants[name] {
                output += value
            } else {
                throw RuleError(
                    .invalid,
                    "expected a name that \"let\" has, found \"${\(name)}\"",
                    at: node.place
                )
            }
            rest = rest[rest.index(after: end)...]
        }
        return output + rest
    }

    /// Whether a name may be used in `${…}`.
    static func isConstantName(_ name: String) -> Bool {
        !name.isEmpty && name != "value"
            && name.utf8.allSatisfy { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "_") }
    }
}
