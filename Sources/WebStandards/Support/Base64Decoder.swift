/// Decodes Base64 piece by piece ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
///
/// White space is skipped everywhere, and padding may be missing.
package struct Base64Decoder {
    private var word: UInt32 = 0
    /// Digits in `word`.
    private var digits = 0
    private var padding = 0

    /// The number of bytes that are neither digits, nor padding, nor white space, or that follow padding.
    package private(set) var garbage = 0

    /// Creates a decoder that has read nothing.
    package init() {}

    /// Whether what was decoded is Base64 to its end.
    package var isValid: Bool {
        garbage == 0 && digits != 1 && (padding == 0 || digits + padding == 4)
    }

    /// Appends what a piece stands for.
    package mutating func decode(_ input: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in input {
            let value = Self.values[Int(byte)]
            if value < 64 {
                if padding > 0 {
                    // Two texts in one, as when pieces were encoded one by one.
                    if digits + padding == 4 { reset() } else { garbage &+= 1 }
                }
                word = word << 6 | UInt32(value)
                digits += 1
                if digits == 4 {
                    output.append(UInt8(truncatingIfNeeded: word >> 16))
                    output.append(UInt8(truncatingIfNeeded: word >> 8))
                    output.append(UInt8(truncatingIfNeeded: word))
                    digits = 0
                }
            } else if value == Self.pad {
                if padding == 0 { flush(into: &output) }
                padding = min(padding + 1, 4)
            } else if value == Self.other {
                garbage &+= 1
            }
        }
    }

    /// Appends what is left at the end.
    package mutating func finish(into output: inout [UInt8]) {
        if padding == 0 { flush(into: &output) }
    }

    private mutating func reset() {
        digits = 0
        padding = 0
    }

    /// Appends the bytes of a last group of two or three digits.
    private mutating func flush(into output: inout [UInt8]) {
        if digits >= 2 {
            let bits = word << UInt32(truncatingIfNeeded: 6 * (4 - digits))
            output.append(UInt8(truncatingIfNeeded: bits >> 16))
            if digits == 3 { output.append(UInt8(truncatingIfNeeded: bits >> 8)) }
        }
    }

    private static let pad: UInt8 = 64
    private static let space: UInt8 = 65
    private static let other: UInt8 = 66

    private static let values: [UInt8] = {
        var values = [UInt8](repeating: other, count: 256)
        let digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
        for (value, digit) in zip(UInt8(0)..., digits.utf8) { values[Int(digit)] = value }
        for byte in " \t\r\n\u{0C}".utf8 { values[Int(byte)] = space }
        values[Int(UInt8(ascii: "="))] = pad
        return values
    }()
}
