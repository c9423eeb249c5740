import WebLoader
import WebRules

extension WatchListReader {
    /// Returns the conditions of an entry.
    func conditions(
        _ node: RecipeNode?,
        of entry: WatchEntry
    ) throws(RuleError) -> [WatchCondition] {
        guard let node else { return [] }
        var items = [node]
        if case .list(let list) = node.content { items = list }
        var conditions: [WatchCondition] = []
        for item in items { conditions += try self.conditions(item, entry) }
        return conditions
    }

    private func conditions(_ node: RecipeNode, _ entry: WatchEntry) throws(RuleError) -> [WatchCondition] {
        if case .mapping = node.content {
            let keys = try mapping(node, ["text", "no_text"], "a condition")
            var conditions: [WatchCondition] = []
            for (key, isPresent) in [("text", true), ("no_text", false)] {
                guard let texts = try keys[key]?.texts("a text") else { continue }
                for (text, place) in texts {
                    guard !text.allSatisfy(\.isWhitespace) else { throw place.fault("a text") }
                    conditions.append(WatchCondition(text: text, isPresent: isPresent))
                }
            }
            return conditions
        }
        let text = try node.text("a condition, as in \"price < 20\" or {text: in stock}")
        let condition: WatchCondition
        do throws(WatchCondition.Invalid) {
            condition = try WatchCondition(text)
        } catch {
            throw node.fault(error.message)
        }
        guard case .recipe(let recipe) = entry.subject, let field = condition.field else {
            throw RuleError(
                .invalid,
                "expected \"fields\" or a \"recipe\" for the condition \"\(text.prefix(60))\"",
                at: node.place
            )
        }
        let fields = recipe.ruleNames.map { $0.prefix { $0 != "." && $0 != "[" } }
        guard fields.contains(where: { $0 == field }) else {
            throw RuleError(
                .invalid,
                "expected a field of the recipe, found \"\(field.prefix(40))\"",
                at: node.place
            )
        }
        return [condition]
    }
}

extension RecipeNode {
    /// Returns the error for a node that should have been something else.
    func fault(_ expected: String) -> RuleError {
        RuleError(.invalid, "expected \(expected), found \(description)", at: place)
    }

    /// Returns the text of a node.
    func text(_ what: String) throws(RuleError) -> String {
        guard case .scalar(.string(let text)) = content, !text.isEmpty else { throw fault(what) }
        return text
    }

    func bool() throws(RuleError) -> Bool {
        guard case .scalar(.bool(let value)) = content else { throw fault("true or false") }
        return value
    }

    /// Returns a text, or the texts of a list, each with its place.
    func texts(_ what: String) throws(RuleError) -> [(text: String, node: RecipeNode)] {
        guard case .list(let items) = content else { return [(try text(what), self)] }
        guard !items.isEmpty else { throw fault(what) }
        var texts: [(text: String, node: RecipeNode)] = []
        for item in items { texts.append((try item.text(what), item)) }
        return texts
    }
}
