import Glibc
import WebLoader
import WebSite

/// The state of a crawl or a batch, read without running the job.
struct JobState {
    private let counts: FrontierCounts
    private let failures: [String: Int]
    private let skips: [String: Int]
    /// The pages of a crawl that are answers with an error, by status.
    private let errors: [Int: Int]

    /// Reads a job's state.
    ///
    /// - Parameters:
    ///   - path: The database.
    ///   - job: The name of the job's kind: "crawl".
    /// - Throws: ``Failure`` if the state is missing, or cannot be read.
    init(_ path: String, of job: String) throws(Failure) {
        guard FileStatus(path, followsLinks: false) != nil else {
            throw Failure(subject: path, "there is no such \(job)", code: "file.unreadable", status: .file)
        }
        var options = Frontier.Options()
        options.takesAnySettings = true
        do throws(StateError) {
            let frontier = try Frontier(path, options, now: .now)
            counts = frontier.counts
            failures = frontier.reasons(.failed)
            skips = frontier.reasons(.skipped)
            errors = CrawlJob.Totals(try frontier.note(CrawlJob.totalsNote)).errors
        } catch {
            throw Failure(state: error)
        }
    }

    /// Writes how far the job is.
    func write(isJSON: Bool) throws(Failure) {
        guard !isJSON else { return try Output.write(json.line) }
        var lines = ["\(counts.done) done", "\(counts.queued) queued"]
        for (number, word, reasons) in [
            (counts.failed, "failed", failures), (counts.skipped, "skipped", skips),
        ] {
            lines.append(number > 0 ? "\(number) \(word): \(Self.text(reasons))" : "\(number) \(word)")
        }
        if !errors.isEmpty { lines.append(Self.text(errors: errors)) }
        try Output.write(Array((lines.joined(separator: "\n") + "\n").utf8))
    }

    private var json: JSONValue {
        [
            "done": .integer(Int64(counts.done)),
            "errors": Self.json(Dictionary(errors.map { (String($0.key), $0.value) }) { $1 }),
            "failed": .integer(Int64(counts.failed)),
            "failures": Self.json(failures), "queued": .integer(Int64(counts.queued)),
            "skipped": .integer(Int64(counts.skipped)), "skips": Self.json(skips),
        ]
    }

    private static func json(_ reasons: [String: Int]) -> JSONValue {
        .object(
            reasons.sorted { $0.key < $1.key }.map { JSONValue.Member($0.key, .integer(Int64($0.value))) }
        )
    }

    /// The commonest reasons, with their numbers.
    static func text(_ reasons: [String: Int]) -> String {
        let sorted = reasons.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(4).map { "\(TerminalText.visible($0.key)) \($0.value)" }
        return (shown + (sorted.count > 4 ? ["…"] : [])).joined(separator: ", ")
    }

    /// The number of answers with an error, and the commonest of them by their status.
    static func text(errors: [Int: Int]) -> String {
        let sorted = errors.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
        let shown = sorted.prefix(4).map { "\($0.key): \($0.value)" } + (sorted.count > 4 ? ["…"] : [])
        let number = Wording.number(errors.values.reduce(0, +|), "answer")
        return "\(number) with an error (\(shown.joined(separator: ", ")))"
    }

    // MARK: - Salvage

    /// Creates a new state from the readable part of a damaged one, and replaces it; the damaged one stays
    /// beside it.
    ///
    /// - Parameters:
    ///   - state: The database.
    ///   - rows: The name of its rows: "URLs".
    /// - Throws: ``Failure`` if nothing can be read, or the files cannot be renamed.
    static func salvage(_ state: String, rows: String) throws(Failure) {
        let (new, damaged) = ("\(state).salvaged", "\(state).damaged")
        guard unsafe access(damaged, F_OK) != 0 else {
            throw unwritable(damaged, "it is there already; remove it, or name it otherwise")
        }
        let salvage: Salvage
        do throws(StateError) {
            salvage = try Frontier.salvage(state, to: new)
        } catch {
            guard error.code == .damaged else { throw Failure(state: error) }
            throw Failure(
                subject: state,
                "nothing can be read of it; the output has what was done",
                code: error.code.rawValue,
                status: .file
            )
        }
        for (from, to) in [(state, damaged), (new, state)] {
            for suffix in ["-wal", ""] where unsafe access(from + suffix, F_OK) == 0 {
                guard unsafe rename(from + suffix, to + suffix) == 0 else {
                    throw unwritable(from, "it cannot be renamed: \(File.Failure(errno: errno).text)")
                }
            }
        }
        let read = salvage.urls
        Output.message(
            """
            webinspect: \(read.values.reduce(0, +)) \(rows) were read (\(read[.done] ?? 0) done, \(read[.queued] ?? 0) queued), at \
            most \(salvage.lost) are lost; the damaged state is \(TerminalText.visible(damaged))
            """
        )
    }

    private static func unwritable(_ path: String, _ reason: String) -> Failure {
        Failure(subject: path, reason, code: FileError.Code.unwritable.rawValue, status: .file)
    }
}
