internal import CEncodingTables

/// The gb18030 decoder, which also decodes GBK.
///
/// <https://encoding.spec.whatwg.org/#gb18030-decoder>
struct GB18030Decoder: ByteDecoder, Sendable {
    private var first: UInt8 = 0
    private var second: UInt8 = 0
    private var third: UInt8 = 0

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        while position < input.count {
            if first == 0 {
                position = unsafe writer.copyASCII(input, from: position)
                // Pairs, as long as they follow each other; the handler processes everything else.
                while position &+ 1 < input.count,
                    let scalar = unsafe Self.pair(input[position], input[position &+ 1])
                {
                    writer.write(basic: scalar)
                    position &+= 2
                }
                if position == input.count { return }
            }
            if unsafe handle(input[position], into: &writer) { position &+= 1 }
        }
    }

    mutating func finish(into writer: inout UTF8Writer) {
        if first != 0 {
            reset()
            writer.writeReplacement()
        }
    }

    /// The standard's handler for one byte: false where it restored the byte to the queue.
    ///
    /// The standard also restores the second and the third byte: the second is a digit, which is written
    /// here, and the third becomes the first byte of the next character.
    private mutating func handle(_ byte: UInt8, into writer: inout UTF8Writer) -> Bool {
        if third != 0 {
            guard byte >= 0x30, byte <= 0x39 else {
                writer.writeReplacement()
                writer.write(ascii: second)
                first = third
                second = 0
                third = 0
                return false
            }
            let scalar = GB18030Ranges.scalar(first, second, third, byte)
            reset()
            if let scalar { writer.write(scalar) } else { writer.writeReplacement() }
            return true
        }
        if second != 0 {
            if byte >= 0x81, byte <= 0xFE {
                third = byte
                return true
            }
            writer.writeReplacement()
            writer.write(ascii: second)
            reset()
            return false
        }
        if first != 0 {
            if byte >= 0x30, byte <= 0x39 {
                second = byte
                return true
            }
            let scalar = Self.pair(first, byte)
            reset()
            if let scalar {
                writer.write(basic: scalar)
                return true
            }
            writer.writeReplacement()
            return byte >= 0x80
        }
        switch byte {
        case 0x00...0x7F: writer.write(ascii: byte)
        case 0x80: writer.write(basic: 0x20AC)
        case 0x81...0xFE: first = byte
        default: writer.writeReplacement()
        }
        return true
    }

    private mutating func reset() {
        first = 0
        second = 0
        third = 0
    }

    /// The scalar value of a pair of bytes in index gb18030.
    @inline(__always)
    private static func pair(_ leading: UInt8, _ trailing: UInt8) -> UInt16? {
        guard leading >= 0x81, leading <= 0xFE, trailing >= 0x40, trailing != 0x7F, trailing <= 0xFE else {
            return nil
        }
        let offset: UInt8 = trailing < 0x7F ? 0x40 : 0x41
        let scalar = encoding_gb18030(UInt32(leading &- 0x81) &* 190 &+ UInt32(trailing &- offset))
        return scalar != 0 ? scalar : nil
    }
}

/// The four-byte characters of gb18030.
enum GB18030Ranges {
    /// "Index gb18030 ranges code point", of four bytes in their ranges.
    ///
    /// <https://encoding.spec.whatwg.org/#index-gb18030-ranges-code-point>
    static func scalar(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ fourth: UInt8) -> UInt32? {
        let high = (UInt32(first) &- 0x81) &* 12600 &+ (UInt32(second) &- 0x30) &* 1260
        let pointer = high &+ (UInt32(third) &- 0x81) &* 10 &+ UInt32(fourth) &- 0x30
        // Step 1: between the ranges and beyond them.
        if pointer > 39419, pointer < 189000 || pointer > 1_237_575 { return nil }
        // Step 2.
        if pointer == 7457 { return 0xE7C7 }
        // Steps 3 and 4: the last range that starts at or before the pointer.
        if pointer >= 189000 { return 0x10000 &+ pointer &- 189000 }
        let range = lastRange { UInt32(encoding_gb18030_range_pointers($0)) <= pointer }
        let start = UInt32(encoding_gb18030_range_pointers(range))
        return UInt32(encoding_gb18030_range_scalars(range)) &+ pointer &- start
    }

    /// "Index gb18030 ranges pointer", of a scalar value that index gb18030 does not have.
    ///
    /// <https://encoding.spec.whatwg.org/#index-gb18030-ranges-pointer>
    static func pointer(_ scalar: UInt32) -> UInt32 {
        // Step 1.
        if scalar == 0xE7C7 { return 7457 }
        // Steps 2 and 3: the last range that starts at or before the scalar value.
        if scalar >= 0x10000 { return 189000 &+ scalar &- 0x10000 }
        let range = lastRange { UInt32(encoding_gb18030_range_scalars($0)) <= scalar }
        let start = UInt32(encoding_gb18030_range_scalars(range))
        return UInt32(encoding_gb18030_range_pointers(range)) &+ scalar &- start
    }

    /// The last range for which `isAtOrBefore` holds, by binary search; the first one always does.
    private static func lastRange(_ isAtOrBefore: (UInt32) -> Bool) -> UInt32 {
        var low: UInt32 = 0
        var high = UInt32(truncatingIfNeeded: ENCODING_GB18030_RANGE_COUNT)
        while high &- low > 1 {
            let middle = (low &+ high) / 2
            if isAtOrBefore(middle) { low = middle } else { high = middle }
        }
        return low
    }
}
