import ArgumentParser
import WebLoader

/// `webinspect cache gc`: removes leftover files, and trims the cache to a size.
struct CacheTrimCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gc",
        abstract: "Remove leftover temporary files, then the least recently used entries.",
        discussion: """
            Above the limit, entries are removed until nine tenths of it remain. Loads also do this automatically. What \
            --keep-history has kept goes last; --thin drops what is more of it than all versions of the last day, one a day of \
            the last 30 days, and one a week before that.

            Examples:
              webinspect cache gc
              webinspect cache gc --max-size 200M
              webinspect cache gc --thin
              webinspect cache gc --keep-all 7 --keep-daily 90 --keep-weekly 365   # days
            """
    )

    @Option(help: ArgumentHelp("Maximum size of the cache (1G).", valueName: "bytes"))
    var maxSize: String?

    @Flag(help: "Thin out the versions that --keep-history has kept.")
    var thin = false

    @Option(help: ArgumentHelp("Days for which each version is kept (1).", valueName: "days"))
    var keepAll: String?

    @Option(help: ArgumentHelp("Days for which one version a day is kept (30).", valueName: "days"))
    var keepDaily: String?

    @Option(help: ArgumentHelp("Days for which one version a week is kept (always).", valueName: "days"))
    var keepWeekly: String?

    @OptionGroup var cache: CacheArguments

    /// Which versions are kept; nil if all are.
    private func policy() throws(Failure) -> HistoryPolicy? {
        guard thin || keepAll != nil || keepDaily != nil || keepWeekly != nil else { return nil }
        var policy = HistoryPolicy()
        if let keepAll { policy.daysOfAll = try Self.days("--keep-all", keepAll) }
        if let keepDaily { policy.daysOfDaily = try Self.days("--keep-daily", keepDaily) }
        if let keepWeekly { policy.daysOfWeekly = try Self.days("--keep-weekly", keepWeekly) }
        return policy
    }

    private static func days(_ flag: String, _ text: String) throws(Failure) -> Int {
        guard let days = Int(inBounds: text), days >= 0 else {
            throw Failure(usage: "\(flag) \(text)", "not a number of days")
        }
        return days
    }

    func run() async throws {
        let limit =
            try maxSize.map { (text) throws(Failure) in try LoadingOptions.size(text, of: "--max-size") } ?? 1
            << 30
        let rule = try self.policy()
        let report: CacheTrimReport
        var thinning: VersionThinning?
        let browser = try cache.browser()
        do throws(CacheBrowser.Failure) {
            thinning = try rule.map { (policy) throws(CacheBrowser.Failure) in
                try browser.thinVersions(policy, now: .now)
            }
            report = try browser.trim(to: limit)
        } catch {
            throw Failure(error)
        }
        let removedVersions = report.removedVersions + (thinning?.removed ?? 0)
        let versions =
            removedVersions == 0
            ? ""
            : "\(removedVersions) versions removed (\(TerminalText.bytes(thinning?.removedBytes ?? 0)) thinned out), "
        let document: JSONValue = [
            "removed_versions": .integer(Int64(removedVersions)),
            "schema": .integer(CacheReport.schema), "urls": .integer(Int64(report.entries)),
            "bytes": .integer(Int64(report.bytes)), "removed": .integer(Int64(report.removedEntries)),
            "removed_bytes": .integer(Int64(report.removedBytes)),
            "swept_files": .integer(Int64(report.sweptFiles)),
            "swept_bytes": .integer(Int64(report.sweptBytes)),
        ]
        let text = """
            \(versions)\(report.removedEntries) removed (\(TerminalText.bytes(report.removedBytes))), \
            \(report.sweptFiles) temporary files removed (\(TerminalText.bytes(report.sweptBytes))); \
            \(report.entries) URLs remain (\(TerminalText.bytes(report.bytes)))

            """
        try cache.write(document, text: text)
    }
}
