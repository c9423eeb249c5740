import WebLoader

/// The effect of each rule of a recipe on a page.
struct ExplanationReport {
    let rules: [RuleTrace.Entry]

    /// A list of objects, one a rule.
    var json: JSONValue {
        .array(
            rules.map { rule in
                .object([
                    .init("rule", .string(rule.rule)), .init("line", JSONValue(rule.line)),
                    .init("evaluations", JSONValue(rule.evaluations)), .init("nodes", JSONValue(rule.nodes)),
                    .init("taken", rule.taken),
                    .init(
                        "transforms",
                        .array(
                            rule.steps.map { step in
                                .object([
                                    .init("transform", .string(step.transform)), .init("value", step.value),
                                ])
                            }
                        )
                    ),
                    .init("time_ms", .number(JSONValue.milliseconds(rule.time))),
                    .init("memory_bytes", JSONValue(rule.memory)),
                ])
            }
        )
    }

    /// A line a rule, and below it one a transform.
    var text: String {
        var text = ""
        for rule in rules {
            guard rule.evaluations > 0 else {
                text += "\(visible(rule.rule)): not evaluated\n"
                continue
            }
            text += "\(visible(rule.rule)): "
            if rule.evaluations > 1 { text += "\(rule.evaluations) times, " }
            if let nodes = rule.nodes { text += "\(nodes) \(nodes == 1 ? "node" : "nodes"), " }
            text += "\(JSONValue.milliseconds(rule.time)) ms, \(TerminalText.bytes(max(0, rule.memory)))\n"
            text += "    \(sample(rule.taken))\n"
            for step in rule.steps { text += "    \(step.transform): \(sample(step.value))\n" }
        }
        return text
    }

    private func visible(_ text: String) -> String { TerminalText.visible(text) }

    /// A value as JSON, cut where a line of a terminal would be full.
    private func sample(_ value: JSONValue) -> String {
        let text = visible(String(decoding: value.serialized(sortingNames: false), as: UTF8.self))
        return text.count <= 100 ? text : "\(text.prefix(99))…"
    }
}
