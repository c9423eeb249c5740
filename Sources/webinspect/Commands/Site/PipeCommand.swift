import ArgumentParser
import WebLoader

/// `webinspect pipe --run JOB…`: lines of JSON in, lines of JSON out.
struct PipeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pipe",
        abstract: "Do jobs on the pages that standard input names, a line for each.",
        discussion: """
            A line is a URL or a path, or {"id":…,"url":…}, {"id":…,"html":…,"base_url":…} or \
            {"id":…,"warc":"file","offset":…,"length":…}. Its answer is {"id":…,"url":…,"status":…,"results":{…}}, with an \
            "error" of a "code" and a "message" if something went wrong: whatever a page does, it ends nothing else. The ID \
            is the line's own, else its number, from 1. Answers come in the order of the lines, each as soon as it is there; \
            empty lines have none.

            A job is a command with its own flags, in quotes; its result is what the command writes with --json. Two of one \
            command are called links and links.2, or as NAME says in 'NAME=links --kind image'. The page is loaded and parsed \
            once for all of them.

            Exit status 0 at the end of the input, whatever the pages were.

            Examples:
              webinspect pipe --run links --run 'text --markdown' < urls.txt
              webinspect pipe --run 'select h1 --first' --jobs 8 < pages.jsonl
              webinspect pipe --run meta --from site.wacz --all
            """
    )

    @OptionGroup var own: JobArguments
    @OptionGroup var pages: AllPagesArguments
    @OptionGroup var shared: PipeArguments

    func run() async throws {
        var line = try LineOptions([], [shared.given, pages.given, own.given])
        line.loading.maximumTime = line.site.pageTime
        let list = try JobList(line.jobs.runs, line.loading)
        line.loading.reportsParseErrors = list.needParseErrors
        let loader = try line.jobLoader(retries: line.site.retries)
        let runner = JobRunner(
            list: list,
            loader: loader,
            overrides: try line.loading.overrides(),
            template: try line.loading.request(for: .aboutBlank)
        )
        runner.prepare()
        let answers = PipeAnswers(runner, InputLoader(loader, line.loading), line.jobs.shard)
        try await answers.run(line)
        try line.loading.connection.save(loader.configuration.cookieJar)
    }
}

extension LineOptions {
    /// A loader for jobs: what one page sets, as cookies, is nothing to another, or the answer would depend on the order.
    func jobLoader(retries: Int) throws(Failure) -> PageLoader {
        var line = self
        line.loading.connection.retries = retries
        return try line.siteLoader(keepsCookies: false)
    }
}
