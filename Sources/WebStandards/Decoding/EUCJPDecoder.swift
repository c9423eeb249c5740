internal import CEncodingTables

/// The EUC-JP decoder.
///
/// <https://encoding.spec.whatwg.org/#euc-jp-decoder>
struct EUCJPDecoder: ByteDecoder, Sendable {
    private var isJIS0212 = false
    private var leading: UInt8 = 0

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        while position < input.count {
            if leading == 0 {
                position = unsafe writer.copyASCII(input, from: position)
                // Pairs of jis0208, as long as they follow each other; the handler processes everything else.
                while position &+ 1 < input.count,
                    let scalar = unsafe Self.jis0208(input[position], input[position &+ 1])
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
        if leading != 0 {
            leading = 0
            // The next text must begin in the initial state.
            isJIS0212 = false
            writer.writeReplacement()
        }
    }

    /// The standard's handler for one byte: false where it restored the byte to the queue.
    private mutating func handle(_ byte: UInt8, into writer: inout UTF8Writer) -> Bool {
        if leading == 0x8E, byte >= 0xA1, byte <= 0xDF {
            leading = 0
            writer.write(basic: 0xFF61 &- 0xA1 &+ UInt16(byte))
            return true
        }
        if leading == 0x8F, byte >= 0xA1, byte <= 0xFE {
            isJIS0212 = true
            leading = byte
            return true
        }
        if leading != 0 {
            let scalar = isJIS0212 ? Self.jis0212(leading, byte) : Self.jis0208(leading, byte)
            leading = 0
            isJIS0212 = false
            if let scalar {
                writer.write(basic: scalar)
                return true
            }
            writer.writeReplacement()
            return byte >= 0x80
        }
        switch byte {
        case 0x00...0x7F: writer.write(ascii: byte)
        case 0x8E, 0x8F, 0xA1...0xFE: leading = byte
        default: writer.writeReplacement()
        }
        return true
    }

    /// The pointer of a pair, both bytes in the range 0xA1 to 0xFE.
    @inline(__always)
    private static func pointer(_ leading: UInt8, _ trailing: UInt8) -> UInt32? {
        let row = leading &- 0xA1
        let cell = trailing &- 0xA1
        return row < 94 && cell < 94 ? UInt32(row) &* 94 &+ UInt32(cell) : nil
    }

    @inline(__always)
    private static func jis0208(_ leading: UInt8, _ trailing: UInt8) -> UInt16? {
        guard let pointer = pointer(leading, trailing) else { return nil }
        let scalar = encoding_jis0208(pointer)
        return scalar != 0 ? scalar : nil
    }

    private static func jis0212(_ leading: UInt8, _ trailing: UInt8) -> UInt16? {
        guard let pointer = pointer(leading, trailing) else { return nil }
        let scalar = encoding_jis0212(pointer)
        return scalar != 0 ? scalar : nil
    }
}
