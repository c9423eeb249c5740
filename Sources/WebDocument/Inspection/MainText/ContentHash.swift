/// Hashes by which equal texts of a page are found.
enum ContentHash {
    /// A hash, which is not 0.
    ///
    /// Complexity: O(n) in the number of bytes, of which it takes eight at a time.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
        var hash = UInt64(truncatingIfNeeded: bytes.count)
        var index = 0
        while index < bytes.count {
            var word: UInt64 = 0
            if bytes.count - index >= 8 {
                word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            } else {
                for place in index..<bytes.count { word = unsafe word << 8 | UInt64(bytes[place]) }
            }
            hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
            hash ^= hash >> 32
            index += 8
        }
        return (hash &* 0x9E37_79B9_7F4A_7C15) | 1
    }
}
