import ArgumentParser

/// The options of `batch` alone.
struct BatchOptions: Equatable {
    var output: String?
    var state: String?
    var asksRobots = false
    var retriesFailed = false
    /// Whether only to say how far it is.
    var isStatus = false
    var isJSON = false
    /// Whether only to keep what can be read of a damaged state.
    var salvages = false
}

/// The flags of `batch` alone.
struct BatchArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .value("--output", or: "-o", value: "file", help: "The file of JSON lines that is appended to.") {
            $0.batch.output = $1
        },
        .value(
            "--state",
            value: "file",
            help: "Where what is done and what is left is kept (OUT.state)."
        ) { $0.batch.state = $1 },
        .flag("--robots", help: "Ask hosts for robots.txt, and leave out what it does not allow.") {
            $0.batch.asksRobots = true
        },
        .flag("--retry-failed", help: "Take the lines of what failed out of OUT, and ask for it again.") {
            $0.batch.retriesFailed = true
        },
        .flag("--status", help: "Say how far it is, and load nothing.") { $0.batch.isStatus = true },
        .flag("--json", help: "With --status, write JSON.") { $0.batch.isJSON = true },
        .flag("--salvage", help: "Of a damaged state, keep what can be read, and load nothing.") {
            $0.batch.salvages = true
        },
    ]
    var given = GivenFlags(flags)
}
