import ArgumentParser
import WebLoader

/// The flags of `webinspect SOURCE` alone.
struct InspectArguments: FlagGroup {
    static let flags: [CommandFlag] = inspecting + CommandFlag.pictures
    private static let inspecting: [CommandFlag] = [
        .value(
            "--format",
            help: """
                What to write: \(PageFormat.allCases.map(\.rawValue).joined(separator: ", ")); html, pretty and xml are the \
                tree, as browsers write it, for people and as XML; sarif and junit are the findings.
                """,
            choices: { PageFormat.allCases.map(\.rawValue) }
        ) { (line, name) throws(Failure) in
            // Whether --json contradicts it is known: the flags of every command are applied before.
            line.inspect.format = try line.loading.format(name, text: .text, json: .json)
        },
        .flag("--parse-errors", help: "List the parse errors of the markup.") {
            $0.inspect.listsParseErrors = true
        },
        .flag("--findings", help: "List problems of the page and possible improvements.") {
            $0.inspect.looksForFindings = true
        },
        .flag("--content", help: "Say what the content is: an article, a discussion, a list and so on.") {
            $0.inspect.findsContent = true
        },
        .value(
            "--fail-on",
            value: "severity",
            help: "Exit with 1 if there is a finding of at least this severity: note, warning or error.",
            choices: { Finding.Severity.allCases.map(\.rawValue) },
            read: InspectOptions.severity
        ) { $0.inspect.failure = $1 },
        .flag(
            "--with-resources",
            help: "Load and store its images and style sheets too, so that the page is complete offline."
        ) { $0.inspect.loadsResources = true },
    ]
    var given = GivenFlags(flags)
}
