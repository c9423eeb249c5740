extension RecipeReader {
    /// Reads the kind of value to take: "text", "attr:href" and so on.
    static func take(_ node: RecipeNode) throws(RuleError) -> RecipeTake {
        let text = try string(node, "what to take")
        guard let take = RecipeTake(text) else { throw error("one of \(RecipeTake.words)", node) }
        return take
    }

    func assertions(_ entries: RecipeEntries) throws(RuleError) -> RecipeAssertions {
        var assertions = RecipeAssertions()
        if let node = entries["required"] { assertions.isRequired = try Self.bool(node) }
        if let node = entries["min"] { assertions.minimum = try Self.number(node) }
        if let node = entries["max"] { assertions.maximum = try Self.number(node) }
        if let node = entries["matches"] {
            assertions.pattern = try Self.string(node, "a regular expression")
        }
        return assertions
    }

    /// The transforms of a field; a single one need not be in a list.
    func transforms(_ node: RecipeNode?) throws(RuleError) -> [RecipeTransform] {
        guard let node else { return [] }
        guard case .list(let items) = node.content else { return [try transform(node)] }
        var transforms: [RecipeTransform] = []
        for item in items { transforms.append(try transform(item)) }
        return transforms
    }

    private static let words = "trim, collapse, lower, upper, number, date, url, unique, sort, json"
    private static let mappings =
        "number, date, json, match, match_all, replace, split, join, slice, map, template, default, repeat"

    private func transform(_ node: RecipeNode) throws(RuleError) -> RecipeTransform {
        switch node.content {
        case .scalar(.string(let name)):
            guard let transform = Self.plainTransform(name) else {
                throw Self.error("one of \(Self.words), or a mapping with one of \(Self.mappings)", node)
            }
            return transform
        case .mapping(let entries):
            guard entries.count == 1, let entry = entries.first else {
                throw Self.error("a mapping with one transform", node)
            }
            return try transform(entry)
        case .scalar, .list: throw Self.error("a transform: a word, or a mapping", node)
        }
    }

    private static func plainTransform(_ name: String) -> RecipeTransform? {
        switch name {
        case "trim": .trim
        case "collapse": .collapse
        case "lower": .lower
        case "upper": .upper
        case "number": .number(NumberFormat())
        case "date": .date(nil)
        case "url": .url
        case "unique": .unique
        case "sort": .sort
        case "json": .json(.root)
        default: nil
        }
    }

    private func transform(_ entry: RecipeNode.Entry) throws(RuleError) -> RecipeTransform {
        let node = entry.value
        switch entry.key {
        case "number": return .number(try Self.numberFormat(node))
        case "date":
            let keys = try Self.mapping(node, ["order"], "\"date\"")
            return .date(try keys["order"].map { (node) throws(RuleError) in try Self.order(node) })
        case "json": return .json(try Self.path(node))
        case "match": return .match(try Self.string(node, "a regular expression"))
        case "match_all": return .matchAll(try Self.string(node, "a regular expression"))
        case "replace":
            guard case .list(let pair) = node.content, pair.count == 2 else {
                throw Self.error("a list of a regular expression and what to put in its place", node)
            }
            return .replace(
                try Self.string(pair[0], "a regular expression"),
                with: try Self.string(pair[1], "a string")
            )
        case "split": return .split(try Self.string(node, "a separator"))
        case "join": return .join(try Self.string(node, "a separator"))
        case "slice":
            guard case .list(let pair) = node.content, 1...2 ~= pair.count else {
                throw Self.error("a list of one or two whole numbers", node)
            }
            return .slice(try Self.integer(pair[0]), pair.count > 1 ? try Self.optionalInteger(pair[1]) : nil)
        case "map":
            guard case .mapping(let entries) = node.content else { throw Self.error("a mapping", node) }
            return .map(entries.map { JSONValue.Member($0.key, $0.value.json) })
        case "template":
            return .template(try substituted(try Self.string(node, "a template"), node, keeping: "value"))
        case "default": return .fallback(try constant(node))
        case "repeat":
            let count = try Self.integer(node)
            guard count >= 0 else { throw Self.error("a whole number of 0 or more", node) }
            return .repetition(count)
        default:
            throw RuleError(
                .invalid,
                "expected one of \(Self.mappings), found \"\(entry.key)\"",
                at: entry.place
            )
        }
    }

    private static func optionalInteger(_ node: RecipeNode) throws(RuleError) -> Int? {
        if case .scalar(.null) = node.content { return nil }
        return try integer(node)
    }

    private static func order(_ node: RecipeNode) throws(RuleError) -> DateReader.Order {
        let text = try string(node, "an order")
        guard let order = DateReader.Order(rawValue: text) else { throw error("dmy, mdy or ymd", node) }
        return order
    }

    private static func numberFormat(_ node: RecipeNode) throws(RuleError) -> NumberFormat {
        let keys = try mapping(node, ["decimal", "group"], "\"number\"")
        var format = NumberFormat()
        if let node = keys["decimal"] { format.decimal = try character(node) }
        if let node = keys["group"] { format.group = try character(node) }
        return format
    }

    private static func character(_ node: RecipeNode) throws(RuleError) -> Unicode.Scalar {
        let scalars = Array(try string(node, "a character").unicodeScalars)
        guard scalars.count == 1 else { throw error("a single character", node) }
        return scalars[0]
    }

    private static func path(_ node: RecipeNode) throws(RuleError) -> JSONPath {
        let text = try string(node, "a JSON path, as in \"$.a.b\"")
        do throws(JSONPath.Failure) {
            return try JSONPath(text)
        } catch {
            throw RuleError(
                .invalid,
                "JSON path: character \(error.offset + 1): \(error.message)",
                at: node.place
            )
        }
    }
}

extension RecipeTake {
    /// The permitted values, for error messages.
    static let words = "text, raw, html, outer, attr:NAME, url:NAME, count, exists, line"

    /// Reads the kind of value to take; nil if the text is not a permitted value.
    init?(_ text: String) {
        switch text {
        case "text": self = .text
        case "raw": self = .raw
        case "html": self = .innerHTML
        case "outer": self = .outerHTML
        case "count": self = .count
        case "exists": self = .exists
        case "line": self = .line
        default:
            guard let colon = text.firstIndex(of: ":") else { return nil }
            let name = String(text[text.index(after: colon)...])
            guard !name.isEmpty else { return nil }
            switch text[..<colon] {
            case "attr": self = .attribute(name)
            case "url": self = .url(name)
            default: return nil
            }
        }
    }

    /// Whether it gives a text.
    var isText: Bool {
        switch self {
        case .text, .raw, .innerHTML, .outerHTML, .attribute, .url: true
        case .count, .exists, .line: false
        }
    }
}
