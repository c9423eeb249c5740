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
        append(bytes[...], to: &output)
        return String(decoding: output, as: UTF8.self)
    }

    /// Returns the decoded bytes of a text, as by ``Base64Decoder``; characters that are not Base64 are skipped.
    package static func decode(_ text: String) -> [UInt8] {
        var decoder = Base64Decoder()
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count / 4 * 3)
        decoder.decode(text.utf8, into: &output)
        decoder.finish(into: &output)
        return output
    }

    /// The number of characters that encode a number of bytes.
    package static func length(of count: Int) -> Int { (count / 3 + (count % 3 == 0 ? 0 : 1)) *| 4 }

    /// Encodes bytes, padded with "=", and appends the characters.
    package static func append(_ bytes: ArraySlice<UInt8>, to output: inout [UInt8]) {
        let count = length(of: bytes.count)
        let encoded = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe alphabet.withUnsafeBufferPointer { digits in
                    var (read, written) = (0, 0)
                    while read + 2 < input.count {
                        let word =
                            unsafe UInt32(input[read]) << 16 | UInt32(input[read + 1]) << 8
                            | UInt32(input[read + 2])
                        unsafe buffer[written] = digits[Int(word >> 18)]
                        unsafe buffer[written + 1] = digits[Int(word >> 12 & 63)]
                        unsafe buffer[written + 2] = digits[Int(word >> 6 & 63)]
                        unsafe buffer[written + 3] = digits[Int(word & 63)]
                        read += 3
                        written += 4
                    }
                    guard read < input.count else { return }
                    let isPair = read + 1 < input.count
                    let word = unsafe UInt32(input[read]) << 16 | (isPair ? UInt32(input[read + 1]) << 8 : 0)
                    unsafe buffer[written] = digits[Int(word >> 18)]
                    unsafe buffer[written + 1] = digits[Int(word >> 12 & 63)]
                    unsafe buffer[written + 2] = isPair ? digits[Int(word >> 6 & 63)] : UInt8(ascii: "=")
                    unsafe buffer[written + 3] = UInt8(ascii: "=")
                }
            }
            filled = count
        }
        output += encoded
    }
}
