internal import CEncodingTables

/// The ISO-2022-JP decoder.
///
/// <https://encoding.spec.whatwg.org/#iso-2022-jp-decoder>
struct ISO2022JPDecoder: ByteDecoder, Sendable {
    private enum State: Sendable {
        case ascii
        case roman
        case katakana
        case leadingByte
        case trailingByte
        case escapeStart
        case escape
    }

    private var state = State.ascii
    private var outputState = State.ascii
    private var leading: UInt8 = 0
    /// The standard's "output", which is true between an escape sequence and the next character.
    private var isAfterEscape = false

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        for position in 0..<input.count { unsafe handle(input[position], into: &writer) }
    }

    mutating func finish(into writer: inout UTF8Writer) {
        switch state {
        case .ascii, .roman, .katakana, .leadingByte:
            break
        case .trailingByte, .escapeStart:
            writer.writeReplacement()
        case .escape:
            writer.writeReplacement()
            state = outputState
            handle(leading, into: &writer)
            // The restored byte may be the first of a pair.
            if state == .trailingByte { writer.writeReplacement() }
        }
        self = ISO2022JPDecoder()
    }

    /// The standard's handler for one byte, and for the bytes that it restores.
    private mutating func handle(_ byte: UInt8, into writer: inout UTF8Writer) {
        switch state {
        case .ascii:
            handleASCII(byte, into: &writer)
        case .roman:
            switch byte {
            case 0x5C:
                isAfterEscape = false
                writer.write(basic: 0xA5)
            case 0x7E:
                isAfterEscape = false
                writer.write(basic: 0x203E)
            default:
                handleASCII(byte, into: &writer)
            }
        case .katakana:
            switch byte {
            case 0x1B:
                state = .escapeStart
            case 0x21...0x5F:
                isAfterEscape = false
                writer.write(basic: 0xFF61 &- 0x21 &+ UInt16(byte))
            default:
                isAfterEscape = false
                writer.writeReplacement()
            }
        case .leadingByte:
            handleLeading(byte, into: &writer)
        case .trailingByte:
            handleTrailing(byte, into: &writer)
        case .escapeStart:
            if byte == 0x24 || byte == 0x28 {
                leading = byte
                state = .escape
            } else {
                isAfterEscape = false
                state = outputState
                writer.writeReplacement()
                handle(byte, into: &writer)
            }
        case .escape:
            handleEscape(byte, into: &writer)
        }
    }

    private mutating func handleASCII(_ byte: UInt8, into writer: inout UTF8Writer) {
        switch byte {
        case 0x1B:
            state = .escapeStart
        case 0x0E, 0x0F, 0x80...0xFF:
            isAfterEscape = false
            writer.writeReplacement()
        default:
            isAfterEscape = false
            writer.write(ascii: byte)
        }
    }

    private mutating func handleLeading(_ byte: UInt8, into writer: inout UTF8Writer) {
        switch byte {
        case 0x1B:
            state = .escapeStart
        case 0x21...0x7E:
            isAfterEscape = false
            leading = byte
            state = .trailingByte
        default:
            isAfterEscape = false
            writer.writeReplacement()
        }
    }

    private mutating func handleTrailing(_ byte: UInt8, into writer: inout UTF8Writer) {
        switch byte {
        case 0x1B:
            state = .escapeStart
            writer.writeReplacement()
        case 0x21...0x7E:
            state = .leadingByte
            let scalar = encoding_jis0208((UInt32(leading) &- 0x21) &* 94 &+ UInt32(byte) &- 0x21)
            if scalar != 0 { writer.write(basic: scalar) } else { writer.writeReplacement() }
        default:
            state = .leadingByte
            writer.writeReplacement()
        }
    }

    private mutating func handleEscape(_ byte: UInt8, into writer: inout UTF8Writer) {
        let first = leading
        leading = 0
        let new: State? =
            switch (first, byte) {
            case (0x28, 0x42): .ascii
            case (0x28, 0x4A): .roman
            case (0x28, 0x49): .katakana
            case (0x24, 0x40), (0x24, 0x42): .leadingByte
            default: nil
            }
        if let new {
            state = new
            outputState = new
            if isAfterEscape { writer.writeReplacement() }
            isAfterEscape = true
            return
        }
        isAfterEscape = false
        state = outputState
        writer.writeReplacement()
        // Both bytes are restored; the first is no escape, so the recursion ends.
        handle(first, into: &writer)
        handle(byte, into: &writer)
    }
}
