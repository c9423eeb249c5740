import WebDifference
import WebLoader

/// The differences between two views of a page.
struct WatchComparison: Sendable {
    /// The changes, as they are reported; at most ``maximumCount``.
    private(set) var changes: [JSONValue] = []
    /// The number of further changes.
    private(set) var leftOut = 0
    private(set) var ignored: [String: Int] = [:]
    private(set) var isCoarse = false

    /// The maximum number of changes that are reported at once.
    static let maximumCount = 200

    var isSame: Bool { changes.isEmpty }

    /// The first change, and the number of others.
    var summary: String {
        guard let first = changes.first?["summary"]?.string else { return "nothing" }
        let others = changes.count - 1 + leftOut
        return others == 0 ? first : "\(first) (and \(others) more)"
    }

    /// Compares two views.
    ///
    /// Blocks the calling thread.
    ///
    /// - Throws: ``SelectorError`` if a selector to ignore takes too many steps.
    init(
        from old: WatchView,
        to new: WatchView,
        _ entry: WatchEntry
    ) throws(SelectorError) {
        if let before = old.data, let after = new.data {
            take(PageDifference(data: before, after, options: entry.difference), entry)
            return
        }
        // Equal responses have no differences under any rules.
        if old.response.body == new.response.body,
            old.response.contentType == new.response.contentType
        {
            return
        }
        guard let before = old.page, let after = new.page else { return }
        var options = entry.difference
        if case .selection(let selector) = entry.subject {
            options.selection = selector
            options.responseFields = []
        }
        try take(PageDifference(from: before, to: after, options: options), entry)
    }

    private mutating func take(_ difference: PageDifference, _ entry: WatchEntry) {
        ignored = difference.ignored
        isCoarse = difference.isCoarse
        let counted = difference.changes.filter { change in
            guard let only = entry.only else { return true }
            return change.operation == only || change.operation == .changed
        }
        changes = counted.prefix(Self.maximumCount).map(\.json)
        leftOut = max(0, counted.count - changes.count)
    }
}
