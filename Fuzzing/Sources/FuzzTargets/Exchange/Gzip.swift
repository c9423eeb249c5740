/// The gzip format without compression: stored blocks.
///
/// [RFC 1952](https://www.rfc-editor.org/rfc/rfc1952)
enum Gzip {
    /// The bytes in the format.
    static func stored(_ bytes: [UInt8]) -> [UInt8] {
        var result: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]
        result.reserveCapacity(bytes.count + bytes.count / 65535 * 5 + 32)
        var start = 0
        repeat {
            let end = min(bytes.count, start + 65535)
            let count = UInt16(end - start)
            result.append(end == bytes.count ? 1 : 0)
            for number in [count, ~count] {
                result += [UInt8(truncatingIfNeeded: number), UInt8(number >> 8)]
            }
            result += bytes[start..<end]
            start = end
        } while start < bytes.count
        for number in [checksum(bytes), UInt32(truncatingIfNeeded: bytes.count)] {
            for shift in stride(from: 0, to: 32, by: 8) {
                result.append(UInt8(truncatingIfNeeded: number >> UInt32(shift)))
            }
        }
        return result
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum = UInt32.max
        for byte in bytes { sum = table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ (sum >> 8) }
        return ~sum
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? 0xEDB8_8320 ^ (sum >> 1) : sum >> 1 }
    }
}
