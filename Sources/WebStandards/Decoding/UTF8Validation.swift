/// The search for the first error in UTF-8.
enum UTF8Validation {
    /// The end of the longest run of whole, well-formed characters that starts at `start`.
    ///
    /// ASCII is checked 16 bytes at a time, every other character with one load and a few comparisons.
    static func validEnd(of bytes: UnsafeRawBufferPointer, from start: Int) -> Int {
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let end = bytes.count
        var position = start
        while position < end {
            // ASCII.
            while position &+ 16 <= end {
                let first = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self)
                let second = unsafe bytes.loadUnaligned(fromByteOffset: position &+ 8, as: UInt64.self)
                if (first | second) & highBits != 0 { break }
                position &+= 16
            }
            if position &+ 8 <= end {
                let word = unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
                let high = word & highBits
                position &+= high == 0 ? 8 : high.trailingZeroBitCount >> 3
            }
            while position < end, unsafe bytes[position] < 0x80 { position &+= 1 }
            // Longer sequences, as long as they follow each other.
            while position < end, unsafe bytes[position] >= 0x80 {
                let length =
                    position &+ 4 <= end
                    ? length(
                        unsafe bytes.loadUnaligned(fromByteOffset: position, as: UInt32.self).littleEndian
                    )
                    : unsafe lengthNearEnd(bytes, position)
                if length == 0 { return position }
                position &+= length
            }
        }
        return end
    }

    /// The length of the well-formed sequence of 2 to 4 bytes that `word` starts with, first byte lowest, or
    /// 0.
    @inline(__always)
    private static func length(_ word: UInt32) -> Int {
        if word & 0xC0C0F0 == 0x8080E0 {
            // E0 needs A0 or more behind it, ED needs 9F or less (no surrogates).
            let pair = word & 0x200F
            return pair != 0 && pair != 0x200D ? 3 : 0
        }
        if word & 0xC0E0 == 0x80C0 {
            // C0 and C1 are overlong.
            return word & 0x1E != 0 ? 2 : 0
        }
        if word & 0xC0C0_C0F8 == 0x8080_80F0 {
            // F0 needs 90 or more behind it, F4 needs 8F or less, and nothing is above F4.
            let lead = word & 0x07
            let second = word & 0x3000
            let isInRange = lead == 0 ? second != 0 : lead < 4 || lead == 4 && second == 0
            return isInRange ? 4 : 0
        }
        return 0
    }

    /// Returns the same as `length(_:)` for the last three bytes, where a load of four bytes would read past
    /// the end.
    private static func lengthNearEnd(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> Int {
        var word: UInt32 = 0
        for index in position..<bytes.count {
            unsafe word |= UInt32(bytes[index]) << UInt32(truncatingIfNeeded: 8 * (index - position))
        }
        // Missing bytes are 0, which is no continuation byte.
        return length(word)
    }
}
