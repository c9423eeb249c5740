/// SHA-256, for values that must not be readable on disk: credentials, and fields that may contain them.
///
/// [FIPS 180-4, section 6.2](https://csrc.nist.gov/pubs/fips/180-4/upd1/final)
enum SHA256 {
    /// The first 128 of the 256 bits, as 32 hexadecimal digits: enough where collision attacks are no
    /// concern.
    static func halfHexadecimal(of bytes: [UInt8]) -> String { hexadecimal(hash(bytes).prefix(4)) }

    /// All 256 bits, as 64 hexadecimal digits.
    static func hexadecimal(of bytes: [UInt8]) -> String { hexadecimal(hash(bytes)[...]) }

    private static func hexadecimal(_ words: ArraySlice<UInt32>) -> String {
        words.map { UInt64($0).hexadecimal(digits: 8) }.joined()
    }

    /// The hash, as eight words of 32 bits.
    static func hash(_ bytes: [UInt8]) -> [UInt32] {
        var message = bytes
        // A one, zeros up to eight bytes before the end of a block, and the length in bits.
        message.append(0x80)
        message += [UInt8](repeating: 0, count: (120 - message.count % 64) % 64)
        let length = UInt64(truncatingIfNeeded: bytes.count) &* 8
        for shift in stride(from: 56, through: 0, by: -8) {
            message.append(UInt8(truncatingIfNeeded: length >> UInt64(truncatingIfNeeded: shift)))
        }
        var hash = initial
        for start in stride(from: 0, to: message.count, by: 64) {
            add(schedule(message[start..<start + 64]), to: &hash)
        }
        return hash
    }

    /// The message schedule of a block of 64 bytes.
    private static func schedule(_ block: ArraySlice<UInt8>) -> [UInt32] {
        var words: [UInt32] = []
        words.reserveCapacity(64)
        for index in stride(from: block.startIndex, to: block.endIndex, by: 4) {
            var word: UInt32 = 0
            for byte in block[index..<index + 4] { word = (word << 8) | UInt32(byte) }
            words.append(word)
        }
        for index in 16..<64 {
            let early: UInt32 = words[index - 15]
            let late: UInt32 = words[index - 2]
            let small: UInt32 = rotated(early, 7) ^ rotated(early, 18) ^ (early >> 3)
            let large: UInt32 = rotated(late, 17) ^ rotated(late, 19) ^ (late >> 10)
            let older: UInt32 = words[index - 16] &+ words[index - 7]
            words.append(older &+ small &+ large)
        }
        return words
    }

    /// The rounds over one block.
    private static func add(_ words: [UInt32], to hash: inout [UInt32]) {
        var state = hash
        for index in 0..<64 {
            let a: UInt32 = state[0]
            let e: UInt32 = state[4]
            let choice: UInt32 = (e & state[5]) ^ (~e & state[6])
            let majority: UInt32 = (a & state[1]) ^ (a & state[2]) ^ (state[1] & state[2])
            let input: UInt32 = constants[index] &+ words[index]
            let large: UInt32 = rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)
            let first: UInt32 = state[7] &+ large &+ choice &+ input
            let small: UInt32 = rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)
            state = Array(state.dropLast())
            state[3] &+= first
            state.insert(first &+ small &+ majority, at: 0)
        }
        for index in 0..<8 { hash[index] &+= state[index] }
    }

    private static func rotated(_ word: UInt32, _ count: UInt32) -> UInt32 {
        (word >> count) | (word << (32 &- count))
    }

    /// The fractional parts of the square roots of the first 8 primes.
    private static let initial: [UInt32] = [
        0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab,
        0x5be0_cd19,
    ]

    /// The fractional parts of the cube roots of the first 64 primes.
    private static let constants: [UInt32] = [
        0x428a_2f98, 0x7137_4491, 0xb5c0_fbcf, 0xe9b5_dba5, 0x3956_c25b, 0x59f1_11f1, 0x923f_82a4,
        0xab1c_5ed5, 0xd807_aa98, 0x1283_5b01, 0x2431_85be, 0x550c_7dc3, 0x72be_5d74, 0x80de_b1fe,
        0x9bdc_06a7, 0xc19b_f174, 0xe49b_69c1, 0xefbe_4786, 0x0fc1_9dc6, 0x240c_a1cc, 0x2de9_2c6f,
        0x4a74_84aa, 0x5cb0_a9dc, 0x76f9_88da, 0x983e_5152, 0xa831_c66d, 0xb003_27c8, 0xbf59_7fc7,
        0xc6e0_0bf3, 0xd5a7_9147, 0x06ca_6351, 0x1429_2967, 0x27b7_0a85, 0x2e1b_2138, 0x4d2c_6dfc,
        0x5338_0d13, 0x650a_7354, 0x766a_0abb, 0x81c2_c92e, 0x9272_2c85, 0xa2bf_e8a1, 0xa81a_664b,
        0xc24b_8b70, 0xc76c_51a3, 0xd192_e819, 0xd699_0624, 0xf40e_3585, 0x106a_a070, 0x19a4_c116,
        0x1e37_6c08, 0x2748_774c, 0x34b0_bcb5, 0x391c_0cb3, 0x4ed8_aa4a, 0x5b9c_ca4f, 0x682e_6ff3,
        0x748f_82ee, 0x78a5_636f, 0x84c8_7814, 0x8cc7_0208, 0x90be_fffa, 0xa450_6ceb, 0xbef9_a3f7,
        0xc671_78f2,
    ]
}
