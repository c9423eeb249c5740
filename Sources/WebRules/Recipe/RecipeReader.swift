/// Builds a recipe from the values of its text, and reports errors in it.
struct RecipeReader {
    /// The limits of a recipe's rules.
    enum Limit {
        /// How deeply fields may be nested.
        static let depth = 64
        /// The maximum number of fields; those that anchors repeat are counted each time.
        static let fields = 10_000
    }

    private(set) var rules: [RecipeRule] = []
    private(set) var constants: [String: String] = [:]
    private var depth = 0

    /// The keys of a recipe.
    private static let keys = ["version", "let", "fields"]

    /// The fields of a recipe.
    mutating func recipe(_ node: RecipeNode) throws(RuleError) -> [RecipeField] {
        let entries = try Self.mapping(node, Self.keys, "a recipe")
        guard let version = entries["version"] else {
            throw RuleError(.invalid, "expected \"version: 1\" in the recipe, found none", at: node.place)
        }
        guard case .scalar(.integer(1)) = version.content else {
            throw Self.error("version 1", version)
        }
        if let constants = entries["let"] { try readConstants(constants) }
        guard let fields = entries["fields"] else {
            throw RuleError(.invalid, "expected \"fields\" in the recipe, found none", at: node.place)
        }
        return try self.fields(fields, prefix: "")
    }

    private mutating func readConstants(_ node: RecipeNode) throws(RuleError) {
        guard case .mapping(let entries) = node.content else {
            throw Self.error("a mapping of names to values", node)
        }
        for entry in entries {
            guard Self.isConstantName(entry.key) else {
                throw RuleError(
                    .invalid,
                    "expected a name of letters, digits and \"_\" other than \"value\", found \"\(entry.key)\"",
                    at: entry.place
                )
            }
            guard case .scalar(let value) = entry.value.content, let text = value.plainText else {
                throw Self.error("a string, a number, true or false", entry.value)
            }
            constants[entry.key] = text
        }
    }

    // MARK: - Fields

    mutating func fields(_ node: RecipeNode, prefix: String) throws(RuleError) -> [RecipeField] {
        guard case .mapping(let entries) = node.content else {
            throw Self.error("a mapping of names to fields", node)
        }
        guard !entries.isEmpty else { throw Self.error("at least one field", node) }
        var fields: [RecipeField] = []
        fields.reserveCapacity(entries.count)
        for entry in entries {
            fields.append(
                try field(entry.value, name: entry.key, rule: prefix + entry.key, at: entry.place)
            )
        }
        return fields
    }

    private mutating func field(
        _ node: RecipeNode,
        name: String,
        rule: String,
        at place: RecipePlace
    ) throws(RuleError) -> RecipeField {
        guard rules.count < Limit.fields else {
            throw RuleError(.invalid, "more than \(Limit.fields) fields", at: place)
        }
        guard depth < Limit.depth else {
            throw RuleError(.invalid, "fields nested more than \(Limit.depth) deep", at: place)
        }
        depth += 1
        defer { depth -= 1 }
        let index = rules.count
        rules.append(RecipeRule(name: rule, place: place))
        do throws(RuleError) {
            if case .scalar(.string) = node.content {
                let selection = RecipeSelection(query: try query(node), take: .text, isList: false)
                return RecipeField(name: name, rule: index, value: .selection(selection))
            }
            guard case .mapping = node.content else { throw Self.error("a selector or a mapping", node) }
            let entries = try Self.mapping(node, Self.fieldKeys, "a field")
            return RecipeField(
                name: name,
                rule: index,
                value: try value(entries, node, rule),
                transforms: try transforms(entries["transform"]),
                assertions: try assertions(entries),
                fallback: try entries["default"].map { (node) throws(RuleError) in try constant(node) }
                    ?? .null
            )
        } catch {
            var error = error
            if error.rule == nil { error.rule = rule }
            throw error
        }
    }

    private static let fieldKeys = [
        "select", "css", "xpath", "take", "all", "each", "first_of", "const", "script", "follow", "transform",
        "required", "min", "max", "matches", "default",
    ]

    private mutating func value(
        _ entries: RecipeEntries,
        _ node: RecipeNode,
        _ rule: String
    ) throws(RuleError) -> RecipeValue {
        let sources = ["const", "first_of", "script", "each", "follow"].filter { entries[$0] != nil }
        let queries = ["select", "css", "xpath"].filter { entries[$0] != nil }
        guard sources.count <= 1 else {
            throw RuleError(
                .invalid,
                "expected one of \(Self.list(sources)), found \(sources.count) of them",
                at: entries.place(of: sources[1])
            )
        }
        guard queries.count <= 1 else {
            throw RuleError(
                .invalid,
                "expected one selector, found \(Self.list(queries))",
                at: entries.place(of: queries[1])
            )
        }
        let source = sources.first
        if let source {
            if entries["take"] != nil, source != "follow" { throw Self.misplaced("take", source, entries) }
            if entries["all"] != nil, source != "follow", source != "script" {
                throw Self.misplaced("all", source, entries)
            }
            if let query = queries.first, source == "const" || source == "first_of" {
                throw Self.misplaced(query, source, entries)
            }
        }
        let query = try query(entries)
        let isList = try entries["all"].map { (node) throws(RuleError) in try Self.bool(node) } ?? false
        switch source {
        case "const"?: return .constant(try constant(entries.value(of: "const", or: node)))
        case "first_of"?:
            return .alternatives(try alternatives(entries.value(of: "first_of", or: node), rule))
        case "script"?:
            let script = try Self.string(entries.value(of: "script", or: node), "a script")
            return .script(script, query ?? .current, isList: isList)
        case "each"?:
            guard let query else {
                throw RuleError(.invalid, "expected \"select\" beside \"each\", found none", at: node.place)
            }
            return .each(query, try fields(entries.value(of: "each", or: node), prefix: rule + "[]."))
        case "follow"?: return try follow(entries, node, query, isList: isList, rule)
        default:
            guard query != nil || entries["take"] != nil else {
                throw RuleError(
                    .invalid,
                    "expected \"select\", \"const\", \"script\" or \"first_of\", found none",
                    at: node.place
                )
            }
            let take = try entries["take"].map { (node) throws(RuleError) in try Self.take(node) } ?? .text
            return .selection(RecipeSelection(query: query ?? .current, take: take, isList: isList))
        }
    }

    private static func misplaced(_ key: String, _ source: String, _ entries: RecipeEntries) -> RuleError {
        RuleError(.invalid, "expected no \"\(key)\" beside \"\(source)\"", at: entries.place(of: key))
    }

    private mutating func alternatives(_ node: RecipeNode, _ rule: String) throws(RuleError) -> [RecipeField]
    {
        guard case .list(let items) = node.content, !items.isEmpty else {
            throw Self.error("a list of fields", node)
        }
        var fields: [RecipeField] = []
        for item in items { fields.append(try field(item, name: "", rule: rule, at: item.place)) }
        return fields
    }

    private mutating func follow(
        _ entries: RecipeEntries,
        _ node: RecipeNode,
        _ query: RecipeQuery?,
        isList: Bool,
        _ rule: String
    ) throws(RuleError) -> RecipeValue {
        guard let query else {
            throw RuleError(.invalid, "expected \"select\" beside \"follow\", found none", at: node.place)
        }
        let follow = entries.value(of: "follow", or: node)
        let keys = try Self.mapping(follow, ["depth", "pages", "fields"], "\"follow\"")
        let depth = try keys["depth"].map { (node) throws(RuleError) in try Self.count(node) } ?? 1
        let pages = try keys["pages"].map { (node) throws(RuleError) in try Self.count(node) } ?? 10
        guard let fields = keys["fields"] else {
            throw RuleError(.invalid, "expected \"fields\" in \"follow\", found none", at: follow.place)
        }
        let take = try entries["take"].map { (node) throws(RuleError) in try Self.take(node) } ?? .url("href")
        guard take.isText else {
            throw RuleError(
                .invalid,
                "expected a \"take\" that gives a URL",
                at: entries.place(of: "take")
            )
        }
        return .follow(
            RecipeSelection(query: query, take: take, isList: isList),
            RecipeFollow(
                depth: depth,
                pages: pages,
                fields: try self.fields(fields, prefix: rule + (isList || depth > 1 ? "[]." : "."))
            )
        )
    }

    // MARK: - Selectors

    private func query(_ entries: RecipeEntries) throws(RuleError) -> RecipeQuery? {
        if let node = entries["select"] { return try query(node) }
        if let node = entries["css"] { return try css(Self.string(node, "a selector"), node) }
        if let node = entries["xpath"] { return try xpath(Self.string(node, "an XPath expression"), node) }
        return nil
    }

    /// Reads a CSS selector, or an XPath expression if the text begins like one.
    private func query(_ node: RecipeNode) throws(RuleError) -> RecipeQuery {
        let text = try Self.string(node, "a selector")
        if XPathExpression.isMeant(by: text) { return try xpath(text, node) }
        return try css(text, node)
    }

    private func css(_ text: String, _ node: RecipeNode) throws(RuleError) -> RecipeQuery {
        let text = try substituted(text, node)
        var options = Selector.Options()
        options.dialect = .extended
        do throws(SelectorError) {
            let selector = try Selector(text, options: options)
            if selector.extractions.allSatisfy({ $0 == .element }) { return .css(selector) }
        } catch {
            throw RuleError(.invalid, "selector: \(error.message)", at: node.place)
        }
        throw RuleError(.invalid, "expected \"take\" in place of ::text and ::attr()", at: node.place)
    }

    private func xpath(_ text: String, _ node: RecipeNode) throws(RuleError) -> RecipeQuery {
        let text = try substituted(text, node)
        do throws(SelectorError) {
            return .xpath(try XPathExpression(text))
        } catch {
            throw RuleError(.invalid, "XPath: \(error.message)", at: node.place)
        }
    }
}
