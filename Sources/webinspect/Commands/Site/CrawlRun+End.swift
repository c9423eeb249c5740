import WebArchive
import WebLoader
import WebSite

extension CrawlRun {
    /// The status that a run ends with.
    func status(_ end: SiteRunner.End, _ job: CrawlJob) -> ExitStatus {
        switch end {
        case .complete: job.totals.pages > 0 ? .done : Self.isUnreachable(job) ? .network : .no
        case .limit: .limit
        case .drained, .stopped: .interrupted
        }
    }

    /// Whether nothing was loaded because nobody answered.
    static func isUnreachable(_ job: CrawlJob) -> Bool {
        job.frontier.reasons(.failed).keys.contains { reason in
            reason.hasPrefix("network.") || reason == "robots.unreachable" || reason == "host.dead"
        }
    }

    // MARK: - The report

    /// A line that says what was done, of all runs together.
    func report(_ end: SiteRunner.End, _ job: CrawlJob) {
        for failure in job.failures { Output.message(failure.line) }
        let counts = job.frontier.counts
        var parts = [Wording.number(job.totals.pages, "page"), TerminalText.bytes(job.totals.bytes)]
        if !job.totals.errors.isEmpty { parts.append(JobState.text(errors: job.totals.errors)) }
        for (state, number, word) in [
            (URLState.failed, counts.failed, "failed"), (.skipped, counts.skipped, "skipped"),
        ] where number > 0 {
            parts.append("\(number) \(word) (\(JobState.text(job.frontier.reasons(state))))")
        }
        let left = counts.queued + counts.leased
        if left > 0 { parts.append("\(left) left") }
        Output.message("webinspect: \(Self.word(end)): \(parts.joined(separator: ", "))")
    }

    private static func word(_ end: SiteRunner.End) -> String {
        switch end {
        case .complete: "all is done"
        case .limit(let code): "a limit was reached (\(code))"
        case .drained, .stopped: "interrupted; the same command goes on"
        }
    }

    // MARK: - WACZ

    /// Makes the WACZ of the WARC; what is at its place stays until it is whole.
    func pack(_ job: CrawlJob) throws(Failure) {
        guard let path = place.archive else { return }
        let mark = String(job.frontier.length())
        do throws(StateError) {
            // The WARC has not changed since it was packed.
            if FileStatus(place.output, followsLinks: true) != nil,
                try job.frontier.note(Self.packedNote) == mark
            {
                return
            }
        } catch {
            throw Failure(state: error)
        }
        do throws(ArchiveError) {
            let archives = ArchiveCollection([try Archive(path)])
            let sink = try ArchiveSink(place.output, withSecrets: true)
            for archive in archives.members {
                try ExchangeReader(archive, in: archives).forEach { error, record in
                    Output.message(Failure(error, archive: record.url ?? archive.path).line)
                } findings: { finding in
                    Output.message("webinspect: warning: \(ArchiveReport.line(finding, archive.path))")
                } _: { exchange throws(ArchiveError) in
                    _ = try sink.take(exchange)
                }
            }
            try sink.finish()
        } catch {
            throw Failure(error, archive: place.output)
        }
        do throws(StateError) {
            try job.frontier.setNote(Self.packedNote, mark, now: .now)
            try job.frontier.commit()
        } catch {
            throw Failure(state: error)
        }
    }

    private static let packedNote = "crawl.packed"
}

extension VisitFailure {
    /// The warning that it is.
    var line: String {
        "webinspect: warning: \(TerminalText.visible(Source.redacted(url.href))): \(TerminalText.visible(message)) (\(code))"
    }
}
