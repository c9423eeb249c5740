internal import CEncodingTables

/// The parts in which the decoders of Big5, EUC-KR and Shift_JIS differ.
protocol TwoByteScheme: Sendable {
    /// Whether a byte from 0x80 on starts a pair.
    static func isLeading(_ byte: UInt8) -> Bool

    /// Decodes and writes a single byte from 0x80 on, or returns false where it is an error.
    static func write(single byte: UInt8, into writer: inout UTF8Writer) -> Bool

    /// Decodes and writes a pair, or returns false where the encoding does not have it.
    static func write(leading: UInt8, trailing: UInt8, into writer: inout UTF8Writer) -> Bool
}

/// The decoder of the encodings whose characters take one byte or two.
struct TwoByteDecoder<Scheme: TwoByteScheme>: ByteDecoder, Sendable {
    /// The pair's first byte, or 0.
    private var leading: UInt8 = 0

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        if leading != 0, let trailing = unsafe input.first {
            position = Self.pair(leading, trailing, into: &writer) - 1
            leading = 0
        }
        while position < input.count {
            position = unsafe writer.copyASCII(input, from: position)
            while position < input.count, case let byte = unsafe input[position], byte >= 0x80 {
                if Scheme.isLeading(byte) {
                    guard position &+ 1 < input.count else {
                        leading = byte
                        return
                    }
                    position &+= unsafe Self.pair(byte, input[position &+ 1], into: &writer)
                } else {
                    if !Scheme.write(single: byte, into: &writer) { writer.writeReplacement() }
                    position &+= 1
                }
            }
        }
    }

    mutating func finish(into writer: inout UTF8Writer) {
        if leading != 0 {
            leading = 0
            writer.writeReplacement()
        }
    }

    /// Decodes a pair and returns how many bytes it took: one where the second, ASCII, is restored to the
    /// queue.
    @inline(__always)
    private static func pair(_ leading: UInt8, _ trailing: UInt8, into writer: inout UTF8Writer) -> Int {
        if Scheme.write(leading: leading, trailing: trailing, into: &writer) { return 2 }
        writer.writeReplacement()
        return trailing < 0x80 ? 1 : 2
    }
}

/// Big5.
///
/// <https://encoding.spec.whatwg.org/#big5-decoder>
enum Big5Scheme: TwoByteScheme {
    @inline(__always)
    static func isLeading(_ byte: UInt8) -> Bool { byte >= 0x81 && byte <= 0xFE }

    @inline(__always)
    static func write(single byte: UInt8, into writer: inout UTF8Writer) -> Bool { false }

    @inline(__always)
    static func write(leading: UInt8, trailing: UInt8, into writer: inout UTF8Writer) -> Bool {
        let offset: UInt8
        switch trailing {
        case 0x40...0x7E: offset = 0x40
        case 0xA1...0xFE: offset = 0x62
        default: return false
        }
        let pointer = (UInt32(leading) &- 0x81) &* 157 &+ UInt32(trailing &- offset)
        let scalar = encoding_big5(pointer)
        guard scalar != 0 else { return writeTwoScalars(pointer, into: &writer) }
        if encoding_big5_plane2(pointer >> 5) >> (pointer & 31) & 1 == 0 {
            writer.write(basic: scalar)
        } else {
            writer.write(0x20000 | UInt32(scalar))
        }
        return true
    }

    /// Writes the two scalar values of the four pointers that stand for two, which no index has; false for
    /// others.
    private static func writeTwoScalars(_ pointer: UInt32, into writer: inout UTF8Writer) -> Bool {
        switch pointer {
        case 1133:
            writer.write(basic: 0x00CA)
            writer.write(basic: 0x0304)
        case 1135:
            writer.write(basic: 0x00CA)
            writer.write(basic: 0x030C)
        case 1164:
            writer.write(basic: 0x00EA)
            writer.write(basic: 0x0304)
        case 1166:
            writer.write(basic: 0x00EA)
            writer.write(basic: 0x030C)
        default:
            return false
        }
        return true
    }
}

/// EUC-KR.
///
/// <https://encoding.spec.whatwg.org/#euc-kr-decoder>
enum EUCKRScheme: TwoByteScheme {
    @inline(__always)
    static func isLeading(_ byte: UInt8) -> Bool { byte >= 0x81 && byte <= 0xFE }

    @inline(__always)
    static func write(single byte: UInt8, into writer: inout UTF8Writer) -> Bool { false }

    @inline(__always)
    static func write(leading: UInt8, trailing: UInt8, into writer: inout UTF8Writer) -> Bool {
        guard trailing >= 0x41, trailing <= 0xFE else { return false }
        let scalar = encoding_euc_kr((UInt32(leading) &- 0x81) &* 190 &+ UInt32(trailing &- 0x41))
        guard scalar != 0 else { return false }
        writer.write(basic: scalar)
        return true
    }
}

/// Shift_JIS.
///
/// <https://encoding.spec.whatwg.org/#shift_jis-decoder>
enum ShiftJISScheme: TwoByteScheme {
    @inline(__always)
    static func isLeading(_ byte: UInt8) -> Bool {
        byte >= 0x81 && byte <= 0x9F || byte >= 0xE0 && byte <= 0xFC
    }

    @inline(__always)
    static func write(single byte: UInt8, into writer: inout UTF8Writer) -> Bool {
        switch byte {
        case 0x80: writer.write(basic: 0x80)
        case 0xA1...0xDF: writer.write(basic: 0xFF61 &- 0xA1 &+ UInt16(byte))
        default: return false
        }
        return true
    }

    @inline(__always)
    static func write(leading: UInt8, trailing: UInt8, into writer: inout UTF8Writer) -> Bool {
        guard trailing >= 0x40, trailing <= 0xFC, trailing != 0x7F else { return false }
        let leadingOffset: UInt8 = leading < 0xA0 ? 0x81 : 0xC1
        let offset: UInt8 = trailing < 0x7F ? 0x40 : 0x41
        let pointer = UInt32(leading &- leadingOffset) &* 188 &+ UInt32(trailing &- offset)
        // Private use, from Windows.
        if pointer >= 8836, pointer <= 10715 {
            writer.write(0xE000 &- 8836 &+ pointer)
            return true
        }
        let scalar = encoding_jis0208(pointer)
        guard scalar != 0 else { return false }
        writer.write(basic: scalar)
        return true
    }
}
