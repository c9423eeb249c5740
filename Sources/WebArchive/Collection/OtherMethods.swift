import WebStandards

/// Finds the responses of an archive that answer other requests than GET, as its request records say, before or behind them.
///
/// It keeps two hashes or three of a response, 16 bytes each, and of a request that is no GET, as many as the archive may have captures.
struct OtherMethods {
    /// Of what the requests have that are no GET: their IDs, and what they name as their responses.
    private var requests: Set<Int> = []
    /// The same of GET, where nothing but URL and moment tells whose request it is.
    private var ambiguous: Set<Int> = []
    private var places: [(hash: Int, ordinal: Int)] = []

    /// Notes a record, if it is a request or a response.
    ///
    /// - Throws: ``ArchiveError/Code/limit`` if there are more than are noted.
    mutating func note(_ record: ArchiveRecord, ordinal: Int) throws(ArchiveError) {
        guard max(places.count, requests.count, ambiguous.count) < CaptureTable.maximumCount else {
            throw .tooManyCaptures
        }
        switch record.kind {
        case .request:
            guard let method = record.http?.method, !method.isEmpty else { return }
            if !method.isEqualIgnoringASCIICase(to: "GET") {
                requests.formUnion(Self.hashes(of: record))
            } else if record.concurrentIDs.isEmpty {
                ambiguous.formUnion(Self.hashes(of: record))
            }
        case .response, .revisit:
            for hash in Self.hashes(of: record) { places.append((hash, ordinal)) }
        default: break
        }
    }

    /// The numbers of those responses.
    var responses: Set<Int> {
        let requests = requests.subtracting(ambiguous)
        guard !requests.isEmpty else { return [] }
        return Set(places.lazy.filter { requests.contains($0.hash) }.map(\.ordinal))
    }

    /// What a request and its response have in common: the ID of either, or where neither names the other, URL and moment.
    private static func hashes(of record: ArchiveRecord) -> [Int] {
        var names = record.concurrentIDs
        if names.isEmpty { names.append("\(record.url ?? "") \(record.date?.millisecondsSince1970 ?? 0)") }
        if let id = record.id { names.append(id) }
        return names.map(\.hashValue)
    }
}
