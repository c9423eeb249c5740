import ArgumentParser
import WebLoader

/// The options of the commands that do jobs: batch, pipe.
struct JobOptions: Equatable {
    /// The jobs, as they were written.
    var runs: [String] = []
    /// The part of the input that is worked on; nil for all.
    var shard: InputShard?
}

/// The flags of both commands.
struct JobArguments: FlagGroup {
    static let flags: [CommandFlag] = [
        .values(
            "--run",
            value: "job",
            help:
                "What to do with each page: \(PageJob.commands.joined(separator: ", ")), with its own flags, in quotes; may be repeated."
        ) { $0.jobs.runs.append($1) },
        .value(
            "--shard",
            value: "i/n",
            help: "Only the inputs of part i of n, by a hash of their ID or line number.",
            read: InputShard.init
        ) { $0.jobs.shard = $1 },
    ]
    var given = GivenFlags(flags)
}

/// The flags of `pipe` that many loads have; whoever writes its lines sees to the pace.
struct PipeArguments: FlagGroup {
    static let flags =
        CommandFlag.manyLoads + CommandFlag.archives + CommandFlag.content + CommandFlag.rendering
        + CommandFlag.site.filter { flag in
            ["--jobs", "--retry", "--page-time"].contains(where: flag.isNamed)
        }
    var given = GivenFlags(flags)
}
