import ArgumentParser
import WebLoader

/// `webinspect cache stats`: numbers and sizes of entries and other files.
struct CacheStatisticsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stats",
        abstract: "Show how much is stored, how much of it is fresh, and what other files there are.",
        discussion: """
            Examples:
              webinspect cache stats
              webinspect cache stats --json
            """
    )

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        var counts = (entries: 0, fresh: 0, kept: 0, versions: 0, notes: 0, damaged: 0, bytes: 0)
        let other: (bodies: Int, bodyBytes: Int, temporary: Int, temporaryBytes: Int)
        let now = Timestamp.now
        let browser = try cache.browser()
        do throws(CacheBrowser.Failure) {
            try browser.forEach(matching: nil) { finding in
                switch finding {
                case .entry(let entry):
                    counts.entries += 1
                    counts.bytes +|= entry.fileSize ?? 0
                    if entry.freshness(now: now).isFresh { counts.fresh += 1 }
                    if entry.isKeptForOfflineUse { counts.kept += 1 }
                case .version(let version):
                    counts.versions += 1
                    counts.bytes +|= version.fileSize ?? 0
                case .note: counts.notes += 1
                case .damage: counts.damaged += 1
                }
            }
            other = try browser.otherFiles()
        } catch {
            throw Failure(error)
        }
        let bytes = counts.bytes +| other.bodyBytes
        let document: JSONValue = [
            "schema": .integer(CacheReport.schema), "entries": .integer(Int64(counts.entries)),
            "fresh": .integer(Int64(counts.fresh)), "kept": .integer(Int64(counts.kept)),
            "versions": .integer(Int64(counts.versions)),
            "notes": .integer(Int64(counts.notes)), "damaged": .integer(Int64(counts.damaged)),
            "bytes": .integer(Int64(bytes)), "large_bodies": .integer(Int64(other.bodies)),
            "temporary_files": .integer(Int64(other.temporary)),
            "temporary_bytes": .integer(Int64(other.temporaryBytes)),
        ]
        let text = """
            entries         \(counts.entries) (\(TerminalText.bytes(bytes)))
            fresh           \(counts.fresh)
            kept (--keep)   \(counts.kept)
            old versions    \(counts.versions) (--keep-history)
            large bodies    \(other.bodies) (\(TerminalText.bytes(other.bodyBytes)))
            not stored      \(counts.notes) noted
            damaged         \(counts.damaged)
            temporary files \(other.temporary) (\(TerminalText.bytes(other.temporaryBytes)))

            """
        try cache.write(document, text: text)
    }
}
