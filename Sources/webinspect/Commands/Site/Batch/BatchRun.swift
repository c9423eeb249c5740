import WebArchive
import WebLoader
import WebSite

/// One run of a batch.
struct BatchRun {
    let line: LineOptions
    let list: JobList
    let place: BatchPlace
    let batch: BatchOptions

    /// Works until nothing is left, or until it is asked to end.
    func run(_ source: String?) async throws(Failure) -> ExitStatus {
        let template = try line.loading.request(for: .aboutBlank)
        let overrides = try line.loading.overrides()
        let loader = try line.jobLoader(retries: 0)
        let path = try await inputPath(source, loader)
        let input = try BatchInput(path)
        let options = try await options(input)
        let stop = StopRequest()
        Interruptions.pass(to: stop, isSilent: line.loading.isSilent)
        let runner = JobRunner(list: list, loader: loader, overrides: overrides, template: template)
        runner.prepare()
        let pages = InputLoader(loader, line.loading)
        let rules =
            batch.asksRobots
            ? RobotsCache(SiteFetcher(loader, template: template, seeds: []), agent: line.agent) : nil
        let visitor = BatchVisitor(
            input: input,
            loader: pages,
            runner: runner,
            template: template,
            robots: rules,
            retries: line.site.retries,
            longestRetryAfter: options.politeness.longestRetryAfter
        )
        let status = try await work(options, input, visitor, stop)
        try line.loading.connection.save(loader.configuration.cookieJar)
        return status
    }

    private func work(
        _ options: Frontier.Options,
        _ input: BatchInput,
        _ visitor: BatchVisitor,
        _ stop: StopRequest
    ) async throws(Failure) -> ExitStatus {
        do throws(StateError) {
            let frontier = try Frontier(place.state, options, now: .now)
            if batch.retriesFailed { try frontier.retryFailed(rewriting: 0, now: .now) }
            let index = try BatchIndex(input, line.loading, line.jobs.shard, frontier)
            let end = try await work(frontier, index, visitor, stop)
            let counts = frontier.counts
            let failures = frontier.reasons(.failed)
            let lost = try frontier.lostCount
            try frontier.close()
            ProgressLine.clear()
            if !line.loading.isSilent { report(end, counts, failures) }
            guard end == .complete, lost > 0 else { return status(end, counts) }
            Output.message(
                "webinspect: \(TerminalText.visible(place.state)) was salvaged: at most \(lost) inputs may be missing in the output"
            )
            return .no
        } catch {
            ProgressLine.clear()
            throw Failure(state: error)
        }
    }

    private func work(
        _ frontier: Frontier,
        _ index: BatchIndex,
        _ visitor: BatchVisitor,
        _ stop: StopRequest
    ) async throws(StateError) -> SiteRunner.End {
        let sites = SiteRunner(
            width: line.site.jobs,
            stop: stop,
            maximumSeconds: line.site.maximumTime,
            progress: SiteProgressLine.reporter(line)
        )
        return try await sites.run(
            frontier,
            limit: { (frontier) throws(StateError) in
                try index.addSome(to: frontier)
                return nil
            },
            visit: { await visitor.visit($0) },
            finish: { (frontier, lease, result) throws(StateError) in
                switch result {
                case .failure(let error): throw StateError(.unreadable, error.message)
                case .success(let found):
                    let now = Moment.now
                    if let delay = found.crawlDelay { try frontier.setInterval(delay, of: lease, now: now) }
                    try frontier.finish(
                        lease,
                        found.outcome,
                        signal: found.signal,
                        result: found.progress,
                        output: found.line,
                        now: now
                    )
                }
            }
        )
    }

    /// The input as a file that can be read again.
    private func inputPath(_ source: String?, _ loader: PageLoader) async throws(Failure) -> String {
        guard let source else {
            try place.check(input: nil)
            try await BatchCopy.make(pagesOf: loader, at: place)
            return place.copy
        }
        let status = source == "-" ? nil : FileStatus(source, followsLinks: true)
        if source != "-" {
            guard let status else {
                throw Failure(
                    subject: source,
                    "No such file or directory",
                    code: "file.not-found",
                    status: .file
                )
            }
            guard status.kind != .directory else {
                throw Failure(subject: source, "Is a directory", code: "file.directory", status: .file)
            }
        }
        try place.check(input: source == "-" ? nil : source)
        if status?.kind == .regular { return source }
        try await BatchCopy.make(of: source, at: place)
        return place.copy
    }

    /// How the job is kept, and what its lines depend on.
    ///
    /// It is continued with the same only; how fast it goes may change.
    private func options(_ input: BatchInput) async throws(Failure) -> Frontier.Options {
        var options = Frontier.Options()
        options.localPoliteness.concurrency = Politeness.repeatedConcurrency
        line.site.set(&options)
        options.outputs = [place.output]
        var settings = ["command": "batch", "input": try await input.fingerprint()]
        for job in list.jobs { settings["job \(job.name)"] = try job.fingerprint() }
        settings["--shard"] = line.jobs.shard?.text
        settings["--from"] =
            line.loading.archives.isEmpty ? nil : line.loading.archives.joined(separator: " ")
        settings["--at"] = line.loading.archiveDate?.text
        settings["--base-url"] = line.loading.baseURL.map(Source.redacted)
        settings["--mime"] = line.loading.mimeType
        settings["--encoding"] = line.loading.encoding
        settings["--parser"] = line.loading.parser.rawValue
        options.settings = settings
        return options
    }

    /// The status that a run ends with.
    private func status(_ end: SiteRunner.End, _ counts: FrontierCounts) -> ExitStatus {
        switch end {
        case .complete: counts.done > 0 || counts.failed + counts.skipped == 0 ? .done : .no
        case .limit: .limit
        case .drained, .stopped: .interrupted
        }
    }

    /// A line that says what was done, of all runs together.
    private func report(_ end: SiteRunner.End, _ counts: FrontierCounts, _ failures: [String: Int]) {
        let word =
            switch end {
            case .complete: "all is done"
            case .limit: "the time is over; the same command goes on"
            case .drained, .stopped: "interrupted; the same command goes on"
            }
        var parts = ["\(counts.done) done"]
        if counts.failed > 0 { parts.append("\(counts.failed) failed (\(JobState.text(failures)))") }
        if counts.skipped > 0 { parts.append("\(counts.skipped) skipped") }
        let left = counts.queued + counts.leased
        if left > 0 { parts.append("\(left) left") }
        Output.message("webinspect: \(word): \(parts.joined(separator: ", "))")
    }
}

extension PageJob {
    /// Returns a text that distinguishes the job from others: its words, and the hash of its recipe.
    func fingerprint() throws(Failure) -> String {
        guard case .extract(let recipe, _) = work else { return text }
        do throws(ArchiveError) {
            var digest = try Digest(.sha256)
            digest.update(recipe.source)
            return "\(text) (recipe: sha256 \(Base16.encode(digest.finish())))"
        } catch {
            throw Failure(error, archive: text)
        }
    }
}
