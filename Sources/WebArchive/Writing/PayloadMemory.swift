package import WebStandards

/// Which payloads were written, so that one that comes again need not be written again; the oldest are forgotten.
package struct PayloadMemory {
    /// The record that has a payload.
    package struct Entry: Sendable {
        /// Its ID, with angle brackets.
        package let id: String
        /// The URL that was asked.
        package let target: String
        package let date: Timestamp

        package init(id: String, target: String, date: Timestamp) {
            self.id = id
            self.target = target
            self.date = date
        }
    }

    private var entries: [String: Entry] = [:]
    private var order = Queue<String>()

    /// How many payloads are remembered: some 10 MB of memory.
    static let maximumCount = 32 << 10

    /// Longer URLs are not remembered, so that memory is bounded.
    private static let maximumTarget = 2 << 10

    package init() {}

    /// The record that has the payload of a digest; nil if it is not known.
    package subscript(digest: String) -> Entry? { entries[digest] }

    /// Remembers a record.
    package mutating func add(_ entry: Entry, digest: String) {
        guard entry.target.utf8.count <= Self.maximumTarget, entries[digest] == nil else { return }
        entries[digest] = entry
        order.append(digest)
        if entries.count > Self.maximumCount, let oldest = order.popFirst() { entries[oldest] = nil }
    }
}
