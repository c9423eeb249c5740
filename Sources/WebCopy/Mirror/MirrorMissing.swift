import WebSite
import WebStandards

/// What a mirror does not have, of what it was to have.
enum MirrorMissing {
    /// How many URLs are named, at most.
    static let maximumCount = 100_000

    /// The URLs that could not be had, in the order of finding.
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
            // What redirects lead to has a row of its own.
            case .nothing(number): add(row, "http.\(index.entries[number].status)")
            case .nowhere: add(row, "redirect.loop")
            case .content, .nothing, .unknown: break
            }
            return found.count < maximumCount
        }
        return found.sorted { $0.row < $1.row }.map(\.missing)
    }

    /// Why something was not even asked for.
    static func unloaded(_ end: SiteRunner.End) -> String {
        switch end {
        case .limit(let code): code
        case .complete, .drained, .stopped: "load.cancelled"
        }
    }
}
