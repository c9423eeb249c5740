import WebStandards

/// Which payloads were written, so that one that comes again need not be written again; the oldest are forgotten.
struct PayloadMemory {
    /// The record that has a payload.
    struct Entry {
        let id: String
        let target: String
        let date: Timestamp
    }

    private var entries: [String: Entry] = [:]
    private var order = Queue<String>()

    /// How many payloads are remembered: some 10 MB of memory.
    static let maximumCount = 32 << 10

    /// Longer URLs are not remembered, so that memory is bounded.
    private static let maximumTarget = 2 << 10

    /// The record that has the payload of a digest; nil if it is not known.
    subscript(digest: String) -> Entry? { entries[digest] }

    /// Remembers a record.
    mutating func add(_ entry: Entry, digest: String) {
        guard entry.target.utf8.count <= Self.maximumTarget, entries[digest] == nil else { return }
        entries[digest] = entry
        order.append(digest)
        if entries.count > Self.maximumCount, let oldest = order.popFirst() { entries[oldest] = nil }
    }
}
