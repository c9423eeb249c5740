package import WebStandards

extension PageDifference {
    /// Compares two JSON documents, such as the results of recipes, value by value.
    ///
    /// Each change has the kind ``Kind/structuredData`` and is named by its path, as in "offers[3].price"; an array
    /// whose items are in another order is moved.
    ///
    /// Complexity: O(n log n) in their values.
    package init(data old: JSONValue, _ new: JSONValue, options: Options = Options()) {
        let found = DataDifference.changes(old, new)
        var rules = IgnoreRules(options)
        var (left, hidden): ([FoundChange], [(rule: String, change: FoundChange)]) = ([], [])
        for change in found {
            if !rules.isEmpty,
                let name = rules.name(hiding: change.old.text, change.new.text, change.operation)
            {
                hidden.append((name, change))
            } else {
                left.append(change)
            }
        }
        var ignored: [String: Int] = [:]
        for (rule, _) in hidden { ignored[rule.hasPrefix("pattern") ? "pattern" : "number", default: 0] += 1 }
        let writer = ChangeWriter(options)
        self.init(
            changes: writer.changes(left),
            ignored: ignored,
            hidden: options.keepsHidden
                ? zip(hidden, writer.changes(hidden.map(\.change), isSorted: false))
                    .map { HiddenChange(rule: $0.rule, change: $1) } : [],
            isCoarse: rules.isExhausted
        )
    }
}
