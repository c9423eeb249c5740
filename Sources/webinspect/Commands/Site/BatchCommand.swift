import ArgumentParser
import WebLoader

/// `webinspect batch URLS|- --run JOB… -o OUT.jsonl`: jobs over many pages, each once.
struct BatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "batch",
        abstract: "Do jobs on many pages, each exactly once, however often it is ended.",
        discussion: """
            URLS is a file of lines, or "-" for standard input, which is copied beside OUT. A line is a URL or a path, or \
            {"id":…,"url":…}, {"id":…,"html":…,"base_url":…} or {"id":…,"warc":"file","offset":…,"length":…}. OUT gets a line \
            for each, {"id":…,"url":…,"status":…,"results":{…}}, with an "error" of a "code" and a "message" if something went \
            wrong, in the order in which they are done. The ID is the line's own, else its number, from 1. \
            With --from FILE --all the list is the pages of an archive: each URL once, in its newest copy.

            What is done and what is left is kept in OUT.state. The same command goes on where it was ended: by Ctrl-C \
            (once: what runs is finished; twice: at once), by a full disk, by kill -9. The jobs and the input must be the same.

            A job is a command with its own flags, in quotes; its result is what the command writes with --json. Two of one \
            command are called links and links.2, or as NAME says in 'NAME=links --kind image'. A host of the open web is \
            asked once a second, and twice at once at most; redirects go by the pace of the host that they lead to. \
            robots.txt is asked only with --robots: the list is yours.

            Exit status 0: all is done; 1: nothing succeeded; 6: --max-time is over; 8: a file; 130: interrupted.

            Examples:
              webinspect batch urls.txt --run links --run text -o results.jsonl
              webinspect batch urls.txt --run 'extract -r product.yaml' -o rows.jsonl
              webinspect batch --status -o results.jsonl
              webinspect batch urls.txt --run links -o links.jsonl --retry-failed
            """
    )

    @Argument(help: ArgumentHelp("A file of lines, or \"-\".", valueName: "urls"))
    var source: String?

    @OptionGroup var own: BatchArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var jobs: JobArguments
    @OptionGroup var shared: SiteArguments

    func run() async throws {
        var line = try LineOptions([], [shared.given, pages.given, jobs.given, own.given])
        let batch = line.batch
        let place = try BatchPlace(batch.output, state: batch.state)
        if batch.salvages { return try JobState.salvage(place.state, rows: "inputs") }
        if batch.isStatus { return try JobState(place.state, of: "batch").write(isJSON: batch.isJSON) }
        if line.loading.takesAllPages {
            if source != nil { throw Failure(usage: "--all", "not together with a list") }
        } else if source == nil {
            throw Failure(usage: "urls", "expects a file of lines, or \"-\"; see webinspect batch --help")
        }
        line.loading.maximumTime = line.site.pageTime
        let list = try JobList(line.jobs.runs, line.loading)
        line.loading.reportsParseErrors = list.needParseErrors
        let run = BatchRun(line: line, list: list, place: place, batch: batch)
        let status = try await run.run(source)
        if status != .done { throw ExitCode(status.rawValue) }
    }
}
