import ArgumentParser

/// The flags of `select` alone.
struct SelectArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .values("-e", value: "name=selector", help: "A selector and a name for its matches; may be repeated.")
        { $0.select.assignments.append($1) },
        .flag("--css", help: "Selectors are CSS, as those that do not begin like XPath: /, ./ or (.") {
            $0.select.isCSS = true
        },
        .flag("--xpath", help: "Selectors are XPath 1.0 expressions.") { $0.select.isXPath = true },
        .flag("--text", or: "-t", help: "Write the text, white space collapsed (the default).") {
            $0.select.forms.append(.text)
        },
        .value("--attribute", or: "-a", value: "name", help: "Write the value of an attribute.") {
            $0.select.forms.append(.attribute($1))
        },
        .flag("--html", help: "Write the HTML.") { $0.select.forms.append(.html) },
        .flag("--path", help: "Write a selector, or with --xpath an expression, that matches only this node.")
        { $0.select.forms.append(.path) },
        .flag("-1", or: "--first", help: "Only the first match.") { $0.select.takesFirst = true },
        .flag("--count", help: "Write the number of matches.") { $0.select.counts = true },
        .flag("--jsonl", help: "Write one JSON document per line for each match.") {
            $0.select.writesLines = true
        },
        .flag("--strict", help: "Allow only what browsers support.") { $0.select.isStrict = true },
        .values("--namespace", value: "prefix=name", help: "A prefix and its namespace; may be repeated.") {
            $0.select.namespaces.append($1)
        },
        .value(
            "--budget-time",
            value: "s",
            help: "Maximum seconds for selecting (5).",
            read: LoadingOptions.seconds
        ) { $0.select.budgetTime = $1 },
    ]
    var given = GivenFlags(flags)
}
