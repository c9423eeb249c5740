import WebLoader

/// Parses fields of a recipe from `-e`: `NAME=SELECTOR`, `NAME[]=SELECTOR` for all matches, and after the
/// selector optionally `@ATTRIBUTE`, or `@` and another value of a recipe's `take`.
enum FieldAssignment {
    /// The text of a recipe of these fields.
    static func recipe(_ assignments: [String]) throws(Failure) -> [UInt8] {
        var fields: [JSONValue.Member] = []
        for assignment in assignments {
            let field = try self.field(assignment)
            guard !fields.contains(where: { $0.name == field.name }) else {
                throw Failure(usage: "-e \(assignment)", "\"\(field.name)\" is given twice")
            }
            fields.append(field)
        }
        let recipe = JSONValue.object([.init("version", 1), .init("fields", .object(fields))])
        return recipe.serialized(sortingNames: false)
    }

    private static func field(_ assignment: String) throws(Failure) -> JSONValue.Member {
        guard let equals = assignment.firstIndex(of: "="), equals > assignment.startIndex else {
            throw Failure(usage: "-e \(assignment)", "not a name and a selector, as in \"title=h1\"")
        }
        var name = String(assignment[..<equals])
        var selector = String(assignment[assignment.index(after: equals)...])
        var members: [JSONValue.Member] = []
        if name.hasSuffix("[]") {
            name.removeLast(2)
            members.append(.init("all", true))
        }
        if let (before, take) = split(selector) {
            selector = before
            members.append(.init("take", .string(take)))
        }
        // Without a selector, as in "@href", the value is that of the current element.
        if !selector.isEmpty || members.isEmpty { members.append(.init("select", .string(selector))) }
        return .init(name, .object(members))
    }

    private static let takes = ["text", "raw", "html", "outer", "count", "exists", "line"]

    /// The selector, and the `take` for its matches; nil without an "@" suffix.
    ///
    /// In XPath, "@" is part of the expression; in CSS it may occur in strings and in brackets.
    private static func split(_ text: String) -> (selector: String, take: String)? {
        guard !text.hasPrefix("/"), !text.hasPrefix("./"), !text.hasPrefix("("),
            let at = text.lastIndex(of: "@"),
            !text[at...].contains(where: { "]\"')".contains($0) })
        else { return nil }
        let word = String(text[text.index(after: at)...])
        guard !word.isEmpty else { return nil }
        let take = takes.contains(word) || word.contains(":") ? word : "attr:\(word)"
        return (String(text[..<at]), take)
    }
}
