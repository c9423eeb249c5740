import ArgumentParser
import WebLoader

/// The flags of `extract` alone.
struct ExtractArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .value("-r", or: "--recipe", value: "file", help: "The recipe's file.") { $0.extract.recipe = $1 },
        .values(
            "-e",
            value: "name=selector",
            help: "A field, without a recipe: all matches with NAME[], an attribute with SELECTOR@NAME."
        ) { $0.extract.assignments.append($1) },
        .value(
            "--budget-time",
            value: "time",
            help: "Time for the recipe (5s; as in 500ms).",
            read: ExtractOptions.time
        ) { $0.extract.budgetTime = $1 },
        .value(
            "--budget-memory",
            value: "bytes",
            help: "Memory for the recipe (10MB).",
            read: LoadingOptions.size
        ) { $0.extract.budgetMemory = .bytes($1) },
        .flag("--provenance", help: "Report where each value comes from.") {
            $0.extract.notesProvenance = true
        },
        .flag(
            "--jsonl",
            help: "Write one JSON document per line for each source, without what differs between runs."
        ) { $0.extract.writesLines = true },
        .flag("--stdin-jsonl", help: "Read lines of JSON from standard input and answer each with one line.")
        { $0.extract.readsLines = true },
        .number(
            "--worker-reuse",
            value: "n",
            help: "Pages for each worker process, each with a fresh engine (1; 100 with --all)."
        ) { $0.extract.workerReuse = $1 },
        .flag(
            "--no-worker",
            help:
                "Evaluate the recipe in this process, with fewer safeguards: for recipes and pages you trust."
        ) { $0.extract.isInProcess = true },
    ]
    var given = GivenFlags(flags)
}
