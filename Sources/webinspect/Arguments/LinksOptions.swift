import ArgumentParser
import WebLoader

/// The options of `links`, besides those of every command that parses a page.
struct LinksOptions: Equatable {
    var kinds: [String] = []
    var isInternal = false
    var isExternal = false
    var isUnique = false
    var format: String?
    /// Whether no value of CSV is to be a formula to a spreadsheet.
    var isSafe = false

    /// Which links they choose.
    func selection() throws(Failure) -> LinkSelection {
        if isInternal, isExternal { throw Failure(usage: "--internal", "not together with --external") }
        for kind in kinds where !Link.Kind.known.contains(Link.Kind(rawValue: kind)) {
            throw Failure(
                usage: "--kind \(kind)",
                "not one of \(Link.Kind.known.map(\.rawValue).joined(separator: ", "))"
            )
        }
        return LinkSelection(
            kinds: Set(kinds.map(Link.Kind.init(rawValue:))),
            host: isInternal ? .own : isExternal ? .others : .any,
            isUnique: isUnique
        )
    }
}

/// The flags of `links` alone.
struct LinksArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .values(
            "--kind",
            value: "kind",
            help: "Only links of this kind; may be repeated.",
            choices: { Link.Kind.known.map(\.rawValue) }
        ) { $0.links.kinds.append($1) },
        .flag("--internal", help: "Only links to the page's own host.") { $0.links.isInternal = true },
        .flag("--external", help: "Only links to other hosts.") { $0.links.isExternal = true },
        .flag("--unique", help: "List each URL once, where it comes first.") { $0.links.isUnique = true },
        .value(
            "--format",
            help: "The output format: \(LinkList.Format.allCases.map(\.rawValue).joined(separator: ", ")).",
            choices: { LinkList.Format.allCases.map(\.rawValue) }
        ) { $0.links.format = $1 },
        .flag(
            "--csv-safe",
            help: "In CSV, put an apostrophe before what a spreadsheet would evaluate as a formula."
        ) { $0.links.isSafe = true },
    ]
    var given = GivenFlags(flags)
}
