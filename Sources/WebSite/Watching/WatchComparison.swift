import WebDifference
import WebLoader

/// What differs between two views of a page.
struct WatchComparison: Sendable {
    /// The changes, as they are told; no more than ``maximumCount``.
    private(set) var changes: [JSONValue] = []
    /// How many there are besides.
    private(set) var leftOut = 0
    private(set) var ignored: [String: Int] = [:]
    private(set) var isCoarse = false

    /// The most changes that are told at once.
    static let maximumCount = 200

    var isSame: Bool { changes.isEmpty }

    /// The first change, and how many there are besides.
    var summary: String {
        guard let first = changes.first?["summary"]?.string else { return "nothing" }
        let others = changes.count - 1 + leftOut
        return others == 0 ? first : "\(first) (and \(others) more)"
    }

    /// Compares two views.
    ///
    /// It blocks the thread.
    ///
    /// - Throws: ``SelectorError`` if a selector that is to be ignored takes too many steps.
    init(
        from old: WatchView,
        to new: WatchView,
        _ entry: WatchEntry
    ) throws(SelectorError) {
        if let before = old.data, let after = new.data {
            take(PageDifference(data: before, after, options: entry.difference), entry)
            return
        }
        // Nothing differs, whatever is made of it.
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
