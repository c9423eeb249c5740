import WebLoader

/// One of several parts of an input, each of which another process works on.
struct InputShard: Equatable, Sendable {
    /// Which one, from 1.
    let number: Int
    /// How many there are.
    let count: Int

    private static let largestCount = 1_000_000

    /// Parses "2/8".
    init(_ text: String) throws(Failure) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let number = Int(inBounds: parts[0]), let count = Int(inBounds: parts[1]),
            1...Self.largestCount ~= count, 1...count ~= number
        else {
            throw Failure(usage: "--shard \(text.prefix(60))", "not a part of a whole, as in 1/8, 2/8 to 8/8")
        }
        self.number = number
        self.count = count
    }

    var text: String { "\(number)/\(count)" }

    /// Whether an ID is of this part: by a hash of its text that never changes, so that all processes agree.
    func contains(_ id: [UInt8]) -> Bool {
        // FNV-1a, and the last step of MurmurHash3, since the lowest bits of the former depend on few bits of the text.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in id { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash = (hash ^ hash >> 33) &* 0xFF51_AFD7_ED55_8CCD
        hash = (hash ^ hash >> 33) &* 0xC4CE_B9FE_1A85_EC53
        hash ^= hash >> 33
        return hash % UInt64(clamping: count) == UInt64(clamping: number - 1)
    }
}
