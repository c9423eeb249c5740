/// The shared UTF-16 decoder.
///
/// <https://encoding.spec.whatwg.org/#shared-utf-16-decoder>
struct UTF16Decoder: ByteDecoder, Sendable {
    private let isBigEndian: Bool
    private var leadingByte: UInt8?
    private var leadingSurrogate: UInt16?

    /// A decoder at the start of a text.
    init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
    }

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        if let first = leadingByte, let second = unsafe input.first {
            leadingByte = nil
            handle(unit(first, second), into: &writer)
            position = 1
        }
        // Four code units at a time where all are ASCII: of each, one byte is 0, and so is the high bit of
        // the other.
        let mask: UInt64 = isBigEndian ? 0x80FF_80FF_80FF_80FF : 0xFF80_FF80_FF80_FF80
        while position &+ 2 <= input.count {
            while leadingSurrogate == nil, position &+ 8 <= input.count {
                let word = unsafe input.loadUnaligned(fromByteOffset: position, as: UInt64.self).littleEndian
                if word & mask != 0 { break }
                let units = isBigEndian ? word >> 8 : word
                writer.write(ascii: UInt8(truncatingIfNeeded: units))
                writer.write(ascii: UInt8(truncatingIfNeeded: units >> 16))
                writer.write(ascii: UInt8(truncatingIfNeeded: units >> 32))
                writer.write(ascii: UInt8(truncatingIfNeeded: units >> 48))
                position &+= 8
            }
            guard position &+ 2 <= input.count else { break }
            let unit = unsafe input.loadUnaligned(fromByteOffset: position, as: UInt16.self)
            handle(isBigEndian ? UInt16(bigEndian: unit) : UInt16(littleEndian: unit), into: &writer)
            position &+= 2
        }
        if position < input.count { leadingByte = unsafe input[position] }
    }

    mutating func finish(into writer: inout UTF8Writer) {
        if leadingByte != nil || leadingSurrogate != nil {
            leadingByte = nil
            leadingSurrogate = nil
            writer.writeReplacement()
        }
    }

    private func unit(_ first: UInt8, _ second: UInt8) -> UInt16 {
        isBigEndian ? UInt16(first) << 8 | UInt16(second) : UInt16(second) << 8 | UInt16(first)
    }

    /// The standard's handler, from a whole code unit on.
    @inline(__always)
    private mutating func handle(_ unit: UInt16, into writer: inout UTF8Writer) {
        let isTrailing = unit & 0xFC00 == 0xDC00
        if let leading = leadingSurrogate {
            leadingSurrogate = nil
            if isTrailing {
                writer.write(0x10000 &+ (UInt32(leading & 0x3FF) << 10 | UInt32(unit & 0x3FF)))
                return
            }
            // The code unit is restored to the queue, that is, handled again.
            writer.writeReplacement()
        }
        if unit & 0xFC00 == 0xD800 {
            leadingSurrogate = unit
        } else if isTrailing {
            writer.writeReplacement()
        } else {
            writer.write(UInt32(unit))
        }
    }
}
