/// One form for the percent-encodings that make no other URL of one.
///
/// [RFC 3986, sections 6.2.2.1 and 6.2.2.2](https://www.rfc-editor.org/rfc/rfc3986#section-6.2.2)
package enum PercentNormalization {
    /// The bytes of a URL with the digits of each percent-encoding in upper case, and with unreserved characters as themselves.
    ///
    /// - Complexity: O(*n*).
    package static func normalized(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(UInt8(ascii: "%")) else { return text }
        var result: [UInt8] = []
        result.reserveCapacity(text.count)
        var index = 0
        while index < text.count {
            guard text[index] == UInt8(ascii: "%"), index + 2 < text.count,
                let high = digit(text[index + 1]), let low = digit(text[index + 2])
            else {
                result.append(text[index])
                index += 1
                continue
            }
            let byte = high << 4 | low
            if isUnreserved(byte) {
                result.append(byte)
            } else {
                result += [text[index], upper(text[index + 1]), upper(text[index + 2])]
            }
            index += 3
        }
        return result
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte)
    }

    private static func upper(_ byte: UInt8) -> UInt8 { byte.isASCIIAlpha ? byte & 0xDF : byte }

    private static func digit(_ byte: UInt8) -> UInt8? {
        if byte.isASCIIDigit { return byte & 0x0F }
        let letter = byte | 0x20
        return letter.isLowerHexDigit ? letter &- 0x57 : nil
    }
}
