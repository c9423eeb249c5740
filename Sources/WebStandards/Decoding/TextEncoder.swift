/// Encodes text by the Encoding standard, for URL queries and forms.
///
/// It encodes in the output encoding of the one it is given: no text is ever written in UTF-16. The caller
/// has to replace what cannot be encoded: see ``errorScalar(for:)``.
///
/// <https://encoding.spec.whatwg.org/#encode>
package struct TextEncoder: ScalarEncoder, Sendable {
    /// The encoding that is written.
    let encoding: TextEncoding

    private var iso2022JP = ISO2022JPEncoder()

    /// An encoder at the start of a text, for a document in `encoding`.
    package init(_ encoding: TextEncoding) {
        self.encoding = encoding.outputEncoding
    }

    package mutating func encode(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) -> Bool {
        let value = scalar.value
        // The one encoding in which ASCII does not stand for itself.
        if encoding == .iso2022JP { return iso2022JP.encode(value, into: &bytes) }
        if value < 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: value))
            return true
        }
        switch encoding {
        case .utf8, .utf16BE, .utf16LE, .replacement:
            bytes.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
            return true
        case .gbk:
            return GB18030Encoder.encode(value, isGBK: true, into: &bytes)
        case .gb18030:
            return GB18030Encoder.encode(value, isGBK: false, into: &bytes)
        case .big5:
            return Self.encodeBig5(value, into: &bytes)
        case .eucJP:
            return Self.encodeEUCJP(value, into: &bytes)
        case .iso2022JP:
            return iso2022JP.encode(value, into: &bytes)
        case .shiftJIS:
            return Self.encodeShiftJIS(value, into: &bytes)
        case .eucKR:
            return Self.encodeEUCKR(value, into: &bytes)
        case .xUserDefined:
            guard value >= 0xF780, value <= 0xF7FF else { return false }
            bytes.append(UInt8(truncatingIfNeeded: value))
            return true
        case .ibm866, .iso8859Part2, .iso8859Part3, .iso8859Part4, .iso8859Part5, .iso8859Part6,
            .iso8859Part7,
            .iso8859Part8, .iso8859Part8I, .iso8859Part10, .iso8859Part13, .iso8859Part14, .iso8859Part15,
            .iso8859Part16, .koi8R, .koi8U, .macintosh, .windows874, .windows1250, .windows1251, .windows1252,
            .windows1253, .windows1254, .windows1255, .windows1256, .windows1257, .windows1258, .xMacCyrillic:
            guard let pointer = ReverseIndex.singleByte(value, encoding) else { return false }
            bytes.append(pointer | 0x80)
            return true
        }
    }

    package mutating func finish(into bytes: inout [UInt8]) {
        iso2022JP.finish(into: &bytes)
    }

    /// The scalar value to report as the error when ``encode(_:into:)`` returned false for `scalar`.
    ///
    /// A caller writes it as `&#…;` in place of `scalar`. It is `scalar` itself, except for three control
    /// characters that could pass for an escape sequence of ISO-2022-JP.
    ///
    /// <https://encoding.spec.whatwg.org/#iso-2022-jp-encoder>
    package func errorScalar(for scalar: Unicode.Scalar) -> Unicode.Scalar {
        encoding == .iso2022JP && ISO2022JPEncoder.isForbidden(scalar.value) ? "\u{FFFD}" : scalar
    }

    /// The Big5 encoder, from its third step on.
    ///
    /// <https://encoding.spec.whatwg.org/#big5-encoder>
    private static func encodeBig5(_ scalar: UInt32, into bytes: inout [UInt8]) -> Bool {
        guard let pointer = ReverseIndex.big5(scalar) else { return false }
        let trailing = pointer % 157
        bytes.append(UInt8(truncatingIfNeeded: pointer / 157 &+ 0x81))
        bytes.append(UInt8(truncatingIfNeeded: trailing &+ (trailing < 0x3F ? 0x40 : 0x62)))
        return true
    }

    /// The EUC-JP encoder, from its third step on.
    ///
    /// <https://encoding.spec.whatwg.org/#euc-jp-encoder>
    private static func encodeEUCJP(_ scalar: UInt32, into bytes: inout [UInt8]) -> Bool {
        switch scalar {
        case 0xA5:
            bytes.append(0x5C)
            return true
        case 0x203E:
            bytes.append(0x7E)
            return true
        case 0xFF61...0xFF9F:
            bytes.append(0x8E)
            bytes.append(UInt8(truncatingIfNeeded: scalar &- 0xFF61 &+ 0xA1))
            return true
        default:
            guard let pointer = ReverseIndex.jis0208(scalar == 0x2212 ? 0xFF0D : scalar) else { return false }
            bytes.append(UInt8(truncatingIfNeeded: pointer / 94 &+ 0xA1))
            bytes.append(UInt8(truncatingIfNeeded: pointer % 94 &+ 0xA1))
            return true
        }
    }

    /// The Shift_JIS encoder, for characters other than ASCII.
    ///
    /// <https://encoding.spec.whatwg.org/#shift_jis-encoder>
    private static func encodeShiftJIS(_ scalar: UInt32, into bytes: inout [UInt8]) -> Bool {
        switch scalar {
        case 0x80:
            bytes.append(0x80)
            return true
        case 0xA5:
            bytes.append(0x5C)
            return true
        case 0x203E:
            bytes.append(0x7E)
            return true
        case 0xFF61...0xFF9F:
            bytes.append(UInt8(truncatingIfNeeded: scalar &- 0xFF61 &+ 0xA1))
            return true
        default:
            guard let pointer = ReverseIndex.shiftJIS(scalar == 0x2212 ? 0xFF0D : scalar) else {
                return false
            }
            let leading = pointer / 188
            let trailing = pointer % 188
            bytes.append(UInt8(truncatingIfNeeded: leading &+ (leading < 0x1F ? 0x81 : 0xC1)))
            bytes.append(UInt8(truncatingIfNeeded: trailing &+ (trailing < 0x3F ? 0x40 : 0x41)))
            return true
        }
    }

    /// The EUC-KR encoder, from its third step on.
    ///
    /// <https://encoding.spec.whatwg.org/#euc-kr-encoder>
    private static func encodeEUCKR(_ scalar: UInt32, into bytes: inout [UInt8]) -> Bool {
        guard let pointer = ReverseIndex.eucKR(scalar) else { return false }
        bytes.append(UInt8(truncatingIfNeeded: pointer / 190 &+ 0x81))
        bytes.append(UInt8(truncatingIfNeeded: pointer % 190 &+ 0x41))
        return true
    }
}
