import Synchronization
import WebLoader

/// Answers lines of standard input, or the pages of archives, with lines of standard output.
struct PipeAnswers: Sendable {
    private let runner: JobRunner
    private let loader: InputLoader
    private let shard: InputShard?

    init(_ runner: JobRunner, _ loader: InputLoader, _ shard: InputShard?) {
        self.runner = runner
        self.loader = loader
        self.shard = shard
    }

    /// Runs until there is no more input.
    func run(_ line: LineOptions) async throws(Failure) {
        Output.endWithoutReader()
        if line.loading.takesAllPages {
            let feed = ArchiveFeed(loader.loader.archivedPages)
            return try await OrderedAnswers<PageInput>(width: line.site.jobs).run(
                read: { () async throws(Failure) in try await feed.next().map { [$0] } },
                answer: { await self.answer($0) },
                write: { (bytes) throws(Failure) in try Output.write(bytes) }
            )
        }
        let lines = StandardInputLines()
        try await OrderedAnswers<LineSplitter.Numbered>(width: line.site.jobs).run(
            read: { () async throws(Failure) in try await lines.next() },
            // A line is taken apart here, where several are at once.
            answer: { line in
                guard let input = line.input else { return [] }
                return await self.answer(input)
            },
            write: { (bytes) throws(Failure) in try Output.write(bytes) }
        )
    }

    private func answer(_ input: PageInput) async -> [UInt8] {
        if let shard, !shard.contains(input.id) { return [] }
        return await runner.answer(input, loader).line
    }
}

/// The pages of archives, one after the other.
private actor ArchiveFeed {
    private var number = 0
    private var pages: ArchivedPages.AsyncIterator

    init(_ pages: ArchivedPages) { self.pages = pages.makeAsyncIterator() }

    func next() async throws(Failure) -> PageInput? {
        var copy = pages
        let found = try await PageSources.next(&copy)
        pages = copy
        guard let found else { return nil }
        number += 1
        return PageInput(number: number, .success(.archived(url: found.url, date: found.date, found.result)))
    }
}
