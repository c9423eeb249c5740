import WebSite
import WebStandards

/// The URLs that a mirror should have, but lacks.
enum MirrorMissing {
    /// The maximum number of URLs that are listed.
    static let maximumCount = 100_000

    /// Returns the URLs that are missing, in the order in which they were found.
    static func urls(
        _ frontier: Frontier,
        _ index: MirrorIndex,
        after end: SiteRunner.End
    ) throws(StateError) -> [MirrorSummary.Missing] {
        var found: [(row: Int64, missing: MirrorSummary.Missing)] = []
        func add(_ row: FrontierRow, _ code: String) {
            found.append((row.id, MirrorSummary.Missing(row.url, code, isLinked: row.isLinked)))
        }
        for state in [URLState.failed, .skipped, .queued] {
            try frontier.forEach(state) { row throws(StateError) in
                add(row, row.reason.flatMap { state == .queued ? nil : $0 } ?? unloaded(end))
                return found.count < maximumCount
            }
        }
        try frontier.forEach(.done) { row throws(StateError) in
            guard let url = try? WebURL(row.url) else { return true }
            guard let number = index.entry(of: url) else {
                add(row, "archive.miss")
                return found.count < maximumCount
            }
            switch index.end(of: url) {
            // The target of a redirect has a row of its own.
            case .nothing(number): add(row, "http.\(index.entries[number].status)")
            case .nowhere: add(row, "redirect.loop")
            case .content, .nothing, .unknown: break
            }
            return found.count < maximumCount
        }
        return found.sorted { $0.row < $1.row }.map(\.missing)
    }

    /// Returns the code for a URL that was not even requested.
    static func unloaded(_ end: SiteRunner.End) -> String {
        switch end {
        case .limit(let code): code
        case .complete, .drained, .stopped: "load.cancelled"
        }
    }
}
