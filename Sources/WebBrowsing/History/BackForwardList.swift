/// The history of a session: its pages in the order in which they were visited, and which of them is in view.
///
/// [The session history](https://html.spec.whatwg.org/multipage/document-sequences.html#session-history)
public struct BackForwardList: Hashable, Sendable {
    /// All entries, the oldest first.
    public private(set) var entries: [HistoryEntry] = []

    /// The index of the entry in view; nil where there is none.
    public private(set) var currentIndex: Int?

    /// The maximum number of entries; beyond it, the oldest are removed.
    public let maximumCount: Int

    private var nextID = 1

    /// Creates an empty list.
    ///
    /// - Parameter maximumCount: The largest number of entries, at least 1.
    init(maximumCount: Int) {
        self.maximumCount = max(1, maximumCount)
    }

    /// Creates a list of restored entries; `nil` if the index is out of range.
    init?(_ entries: [HistoryEntry], currentIndex: Int?, maximumCount: Int) {
        self.init(maximumCount: maximumCount)
        guard entries.isEmpty ? currentIndex == nil : currentIndex.map(entries.indices.contains) == true
        else {
            return nil
        }
        self.entries = entries
        self.currentIndex = currentIndex
        if entries.contains(where: { $0.id > 1 << 50 }) {
            // No session has visited so many pages; renumber the entries, so that numbers are left for new ones.
            for index in self.entries.indices { self.entries[index].id = index + 1 }
        }
        nextID = (self.entries.map(\.id).max() ?? 0) + 1
        trim()
    }

    /// The entry in view; nil where there is none.
    public var current: HistoryEntry? { currentIndex.map { entries[$0] } }

    /// The entry that ``PageSession/goBack()`` navigates to; `nil` if there is none.
    public var backEntry: HistoryEntry? { self[-1] }

    /// The entry that ``PageSession/goForward()`` navigates to; `nil` if there is none.
    public var forwardEntry: HistoryEntry? { self[1] }

    /// The entries before the one in view, the oldest first.
    public var backList: ArraySlice<HistoryEntry> { entries[..<(currentIndex ?? 0)] }

    /// The entries after the one in view.
    public var forwardList: ArraySlice<HistoryEntry> { currentIndex.map { entries[($0 + 1)...] } ?? [] }

    /// The entry at an offset from the one in view; negative offsets go back; `nil` if there is no such entry.
    public subscript(offset: Int) -> HistoryEntry? { index(offset).map { entries[$0] } }

    private func index(_ offset: Int) -> Int? {
        guard let currentIndex, entries.indices.contains(currentIndex +| offset) else { return nil }
        return currentIndex +| offset
    }

    // MARK: - Changes

    /// Adds an entry after the one in view, in place of all that followed it.
    ///
    /// - Parameter make: Makes the entry with its number.
    /// - Returns: The cache keys that no entry has any more.
    mutating func push(_ make: (Int) -> HistoryEntry) -> Set<String> {
        changing { history in
            if let index = history.currentIndex { history.entries.removeSubrange((index + 1)...) }
            history.entries.append(make(history.nextID))
            history.nextID += 1
            history.currentIndex = history.entries.count - 1
            history.trim()
        }
    }

    /// Changes the entry in view; the others stay.
    ///
    /// - Returns: The cache keys that no entry has any more.
    mutating func changeCurrent(_ change: (inout HistoryEntry) -> Void) -> Set<String> {
        changing { history in
            if let index = history.currentIndex { change(&history.entries[index]) }
        }
    }

    /// Removes cache keys from the entries that have them.
    ///
    /// - Parameter keys: The keys.
    mutating func forget(_ keys: Set<String>) {
        for index in entries.indices where entries[index].cacheKey.map(keys.contains) == true {
            entries[index].cacheKey = nil
        }
    }

    /// Sets the cache key and the title of an entry, and of all others of the same page.
    ///
    /// - Parameters:
    ///   - key: The key of the stored page.
    ///   - old: The entry as it was.
    ///   - title: The page's title.
    /// - Returns: The cache keys that no entry has any more.
    mutating func keep(_ key: String, for old: HistoryEntry, title: String?) -> Set<String> {
        changing { history in
            for index in history.entries.indices {
                let isSamePage = old.cacheKey != nil && history.entries[index].cacheKey == old.cacheKey
                guard isSamePage || history.entries[index].id == old.id else { continue }
                history.entries[index].cacheKey = key
                history.entries[index].title = title
            }
        }
    }

    /// Makes another entry the one in view.
    mutating func select(_ id: Int) {
        if let index = entries.firstIndex(where: { $0.id == id }) { currentIndex = index }
    }

    private mutating func changing(_ change: (inout BackForwardList) -> Void) -> Set<String> {
        let before = keys
        change(&self)
        return before.subtracting(keys)
    }

    /// The cache keys of all entries.
    var keys: Set<String> { Set(entries.compactMap(\.cacheKey)) }

    /// The maximum size of the URLs of all entries in bytes: a `data:` URL is as long as its content.
    private static let maximumURLSize = 8 << 20

    /// Removes the oldest entries beyond the largest number and size, then the newest; never the one in view.
    private mutating func trim() {
        var total = entries.reduce(0) { $0 +| $1.size }
        var first = 0
        let index = currentIndex ?? 0
        func isTooMuch(_ count: Int) -> Bool { count > maximumCount || total > Self.maximumURLSize }
        while first < index, isTooMuch(entries.count - first) {
            total -= entries[first].size
            first += 1
        }
        entries.removeFirst(first)
        if currentIndex != nil { currentIndex = index - first }
        while entries.count > index - first + 1, isTooMuch(entries.count), let last = entries.popLast() {
            total -= last.size
        }
    }
}
