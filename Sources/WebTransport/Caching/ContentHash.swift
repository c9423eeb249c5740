import CXXHash

/// XXH3 hashes, for file names and to detect damage.
///
/// It is not cryptographic: it does not withstand attackers.
enum ContentHash {
    /// Bytes that are hashed at once.
    static let pieceLength = 256 << 10

    /// A 64-bit checksum: each piece (the last may be shorter) is hashed with the hash of those before as its
    /// seed.
    ///
    /// So a large body need not be in memory as a whole, and for a small one it is plain XXH3.
    static func checksum(_ bytes: [UInt8]) -> UInt64 {
        var hash: UInt64 = 0
        var position = 0
        repeat {
            let end = min(bytes.count, position + pieceLength)
            hash = checksum(piece: bytes.span.extracting(position..<end), after: hash)
            position = end
        } while position < bytes.count
        return hash
    }

    /// The checksum of the preceding pieces and this one.
    static func checksum(piece: Span<UInt8>, after hash: UInt64) -> UInt64 {
        unsafe piece.withUnsafeBytes { unsafe webl_xxh3_64($0.baseAddress, $0.count, hash) }
    }

    /// 128 bits as 32 hexadecimal digits.
    static func hexadecimal(of string: String) -> String {
        var hash: [UInt64] = [0, 0]
        var string = string
        string.withUTF8 { bytes in
            unsafe hash.withUnsafeMutableBufferPointer {
                unsafe webl_xxh3_128(bytes.baseAddress, bytes.count, $0.baseAddress)
            }
        }
        return hash[1].hexadecimal() + hash[0].hexadecimal()
    }
}
