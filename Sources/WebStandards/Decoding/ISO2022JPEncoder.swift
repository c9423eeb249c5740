internal import CEncodingTables

/// The ISO-2022-JP encoder, the one encoder that keeps a state.
///
/// <https://encoding.spec.whatwg.org/#iso-2022-jp-encoder>
struct ISO2022JPEncoder: Sendable {
    private enum State: Sendable {
        case ascii
        case roman
        case jis0208
    }

    private var state = State.ascii

    /// Encodes a scalar value after the escape sequence it needs, or returns false where the encoding does
    /// not have it.
    mutating func encode(_ scalar: UInt32, into bytes: inout [UInt8]) -> Bool {
        if Self.isForbidden(scalar) {
            if state == .jis0208 { enter(.ascii, into: &bytes) }
            return false
        }
        if scalar < 0x80 {
            // Roman has other characters at 0x5C and 0x7E.
            if state == .jis0208 || state == .roman && (scalar == 0x5C || scalar == 0x7E) {
                enter(.ascii, into: &bytes)
            }
            bytes.append(UInt8(truncatingIfNeeded: scalar))
            return true
        }
        if scalar == 0xA5 || scalar == 0x203E {
            enter(.roman, into: &bytes)
            bytes.append(scalar == 0xA5 ? 0x5C : 0x7E)
            return true
        }
        guard let pointer = ReverseIndex.jis0208(Self.mapped(scalar)) else {
            if state == .jis0208 { enter(.ascii, into: &bytes) }
            return false
        }
        enter(.jis0208, into: &bytes)
        bytes.append(UInt8(truncatingIfNeeded: pointer / 94 &+ 0x21))
        bytes.append(UInt8(truncatingIfNeeded: pointer % 94 &+ 0x21))
        return true
    }

    /// Returns to ASCII.
    mutating func finish(into bytes: inout [UInt8]) {
        enter(.ascii, into: &bytes)
    }

    /// Whether this control character is an error, so that it cannot pass for an escape sequence.
    static func isForbidden(_ scalar: UInt32) -> Bool {
        scalar == 0x0E || scalar == 0x0F || scalar == 0x1B
    }

    /// The scalar value that is looked up: full-width forms for the minus sign and half-width katakana.
    private static func mapped(_ scalar: UInt32) -> UInt32 {
        switch scalar {
        case 0x2212: 0xFF0D
        case 0xFF61...0xFF9F: UInt32(encoding_iso_2022_jp_katakana(scalar &- 0xFF61))
        default: scalar
        }
    }

    private mutating func enter(_ new: State, into bytes: inout [UInt8]) {
        guard state != new else { return }
        state = new
        let (second, third): (UInt8, UInt8) =
            switch new {
            case .ascii: (0x28, 0x42)
            case .roman: (0x28, 0x4A)
            case .jis0208: (0x24, 0x42)
            }
        bytes.append(0x1B)
        bytes.append(second)
        bytes.append(third)
    }
}
