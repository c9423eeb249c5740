import WebStandards

/// Where the captures of an archive are, found by a key: its URL, its record ID or the digest of its payload.
///
/// It keeps a hash in place of each key, 40 bytes a capture in all, so that an archive of a million pages takes 40 MB; who finds
/// one reads the record to see that it is the one.
struct CaptureTable: Sendable {
    /// Where a capture is.
    struct Place: Sendable, Equatable {
        var hash: UInt64
        /// Milliseconds since 1970; the least number where there is no date.
        var date: Int64
        /// Where the member begins; -1 where the archive has no offsets.
        var offset: Int
        /// The number of the record in the archive, in the order of reading.
        var ordinal: Int
        /// The number of the name of the file in the archive.
        var part: Int32
        /// Whether it answers GET, as far as that is known.
        var isOfGET = true
    }

    private(set) var places: [Place] = []
    private(set) var parts: [String?] = []
    private var isSorted = true

    /// The most captures that are noted, for 400 MB of memory.
    static let maximumCount = 10_000_000

    /// Notes a capture under a key.
    mutating func insert(
        _ key: some StringProtocol,
        _ record: ArchiveRecord,
        ordinal: Int
    ) throws(ArchiveError) {
        guard places.count < Self.maximumCount else { throw .tooManyCaptures }
        places.append(
            Place(
                hash: Self.hash(key),
                date: record.date?.millisecondsSince1970 ?? .min,
                offset: record.offset ?? -1,
                ordinal: ordinal,
                part: Int32(clamping: number(ofPart: record.part)),
                isOfGET: record.isOfGET
            )
        )
        isSorted = false
    }

    /// The number of a file's name; records of one file come one after the other.
    private mutating func number(ofPart part: String?) -> Int {
        if let last = parts.last, last == part { return parts.count - 1 }
        if let known = parts.firstIndex(of: part) { return known }
        parts.append(part)
        return parts.count - 1
    }

    /// Notes which records answer other requests than GET.
    mutating func mark(others ordinals: Set<Int>) {
        guard !ordinals.isEmpty else { return }
        for index in places.indices where ordinals.contains(places[index].ordinal) {
            places[index].isOfGET = false
        }
    }

    /// Makes it ready to be asked.
    mutating func sort() {
        guard !isSorted else { return }
        places.sort { ($0.hash, $0.date, $0.ordinal) < ($1.hash, $1.date, $1.ordinal) }
        isSorted = true
    }

    /// The places under a key, oldest first.
    ///
    /// - Complexity: O(log *n* + *k*) for *k* places.
    func places(of key: some StringProtocol) -> ArraySlice<Place> {
        let hash = Self.hash(key)
        var low = 0
        var high = places.count
        while low < high {
            let middle = low + (high - low) / 2
            if places[middle].hash < hash { low = middle + 1 } else { high = middle }
        }
        return places[low...].prefix { $0.hash == hash }
    }

    /// FNV-1a of 64 bits: fast for short keys; who makes two keys collide makes only his own captures slower to find.
    private static func hash(_ key: some StringProtocol) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in key.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return hash
    }
}

extension ArchiveError {
    /// There are more captures than are noted in memory.
    static let tooManyCaptures = ArchiveError(
        .limit,
        "the archive has more than \(CaptureTable.maximumCount) captures; make a WACZ of it, which has an index"
    )
}
