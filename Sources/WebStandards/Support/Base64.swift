/// Base64 as of [RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4).
///
/// Libraries with Base64 would add a dependency on FoundationEssentials.
package enum Base64 {
    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    /// Encodes bytes, padded with "=".
    package static func encode(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity((bytes.count + 2) / 3 * 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let word =
                group.reduce(0) { $0 << 8 | UInt32($1) } << UInt32(truncatingIfNeeded: 8 * (3 - group.count))
            for position in 0..<4 {
                let digit = alphabet[Int(word >> UInt32(truncatingIfNeeded: 18 - 6 * position) & 63)]
                output.append(position <= group.count ? digit : UInt8(ascii: "="))
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
