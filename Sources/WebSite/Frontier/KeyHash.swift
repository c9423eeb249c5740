/// SipHash-2-4 of a text, with a random key for each job.
///
/// The URLs are chosen by the authors of pages: without the key, they could create many with the same hash, each of
/// which would be compared with all others.
///
/// [SipHash: a fast short-input PRF](https://www.aumasson.jp/siphash/siphash.pdf)
package struct KeyHash: Equatable, Sendable {
    /// The two words of the key.
    let k0: UInt64
    let k1: UInt64

    package init(k0: UInt64, k1: UInt64) {
        self.k0 = k0
        self.k1 = k1
    }

    /// Returns the hash of a text, as a signed number for SQLite.
    package func hash(_ text: String) -> Int64 {
        var text = text
        return Int64(bitPattern: text.withUTF8 { unsafe hash($0) })
    }

    /// Returns the hash of bytes.
    func hash(_ bytes: UnsafeBufferPointer<UInt8>) -> UInt64 {
        var state = State(
            v0: k0 ^ 0x736F_6D65_7073_6575,
            v1: k1 ^ 0x646F_7261_6E64_6F6D,
            v2: k0 ^ 0x6C79_6765_6E65_7261,
            v3: k1 ^ 0x7465_6462_7974_6573
        )
        let words = bytes.count / 8
        for word in 0..<words {
            var value: UInt64 = 0
            for index in 0..<8 {
                unsafe value |= UInt64(bytes[word &* 8 &+ index]) << (index &* 8)
            }
            state.add(value)
        }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        for index in 0..<(bytes.count & 7) {
            unsafe last |= UInt64(bytes[words &* 8 &+ index]) << (index &* 8)
        }
        state.add(last)
        return state.finish()
    }

    private struct State {
        var v0: UInt64
        var v1: UInt64
        var v2: UInt64
        var v3: UInt64

        mutating func add(_ word: UInt64) {
            v3 ^= word
            round()
            round()
            v0 ^= word
        }

        mutating func finish() -> UInt64 {
            v2 ^= 0xFF
            for _ in 0..<4 { round() }
            return v0 ^ v1 ^ v2 ^ v3
        }

        /// One SipRound.
        @inline(__always)
        private mutating func round() {
            v0 = v0 &+ v1
            v2 = v2 &+ v3
            v1 = v1 << 13 | v1 >> 51
            v3 = v3 << 16 | v3 >> 48
            v1 ^= v0
            v3 ^= v2
            v0 = v0 << 32 | v0 >> 32
            v2 = v2 &+ v1
            v0 = v0 &+ v3
            v1 = v1 << 17 | v1 >> 47
            v3 = v3 << 21 | v3 >> 43
            v1 ^= v2
            v3 ^= v0
            v2 = v2 << 32 | v2 >> 32
        }
    }
}
