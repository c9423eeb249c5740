import WebStandards

/// Finds the responses of an archive to requests other than GET, by the request records before or after them.
///
/// It holds two or three hashes, of 16 bytes each, for each response, and the hashes of requests other than GET, up to
/// the maximum number of an archive's captures.
struct OtherMethods {
    /// Hashes of the requests other than GET: of their IDs, and of the IDs of the responses that they name.
    private var requests: Set<Int> = []
    /// The same of GET requests that only their URL and date connect to a response.
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

    /// Returns hashes of what connects a request to its response: the ID of either, or URL and date if neither names
    /// the other.
    private static func hashes(of record: ArchiveRecord) -> [Int] {
        var names = record.concurrentIDs
        if names.isEmpty { names.append("\(record.url ?? "") \(record.date?.millisecondsSince1970 ?? 0)") }
        if let id = record.id { names.append(id) }
        return names.map(\.hashValue)
    }
}
