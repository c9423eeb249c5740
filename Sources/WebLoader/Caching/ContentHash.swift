import CXXHash

/// XXH3, for names and for damage.
///
/// It keeps no secrets and stands up to no attacker.
enum ContentHash {
    /// 64 bits.
    static func checksum(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBytes { unsafe webl_xxh3_64($0.baseAddress, $0.count) }
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
        return hexadecimal(hash[1]) + hexadecimal(hash[0])
    }

    private static func hexadecimal(_ word: UInt64) -> String {
        let digits = String(word, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }
}
