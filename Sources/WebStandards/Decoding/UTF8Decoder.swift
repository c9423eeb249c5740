/// The UTF-8 decoder.
///
/// Well-formed runs are copied; the standard's handler takes over at an error and at a piece's end.
///
/// <https://encoding.spec.whatwg.org/#utf-8-decoder>
struct UTF8Decoder: ByteDecoder, Sendable {
    private var codePoint: UInt32 = 0
    private var bytesNeeded = 0
    private var bytesSeen = 0
    private var lowerBoundary: UInt8 = 0x80
    private var upperBoundary: UInt8 = 0xBF

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        while position < input.count {
            if bytesNeeded == 0 {
                let end = unsafe UTF8Validation.validEnd(of: input, from: position)
                unsafe writer.copy(input, from: position, count: end - position)
                position = end
                if position == input.count { return }
            }
            repeat {
                if unsafe handle(input[position], into: &writer) { position += 1 }
            } while bytesNeeded != 0 && position < input.count
        }
    }

    mutating func finish(into writer: inout UTF8Writer) {
        if bytesNeeded != 0 {
            reset()
            writer.writeReplacement()
        }
    }

    /// The standard's handler for one byte: false where it restored the byte to the queue.
    private mutating func handle(_ byte: UInt8, into writer: inout UTF8Writer) -> Bool {
        if bytesNeeded == 0 {
            switch byte {
            case 0x00...0x7F:
                writer.write(ascii: byte)
            case 0xC2...0xDF:
                bytesNeeded = 1
                codePoint = UInt32(byte & 0x1F)
            case 0xE0...0xEF:
                if byte == 0xE0 { lowerBoundary = 0xA0 }
                if byte == 0xED { upperBoundary = 0x9F }
                bytesNeeded = 2
                codePoint = UInt32(byte & 0x0F)
            case 0xF0...0xF4:
                if byte == 0xF0 { lowerBoundary = 0x90 }
                if byte == 0xF4 { upperBoundary = 0x8F }
                bytesNeeded = 3
                codePoint = UInt32(byte & 0x07)
            default:
                writer.writeReplacement()
            }
            return true
        }
        guard byte >= lowerBoundary, byte <= upperBoundary else {
            reset()
            writer.writeReplacement()
            return false
        }
        lowerBoundary = 0x80
        upperBoundary = 0xBF
        codePoint = codePoint << 6 | UInt32(byte & 0x3F)
        bytesSeen += 1
        if bytesSeen == bytesNeeded {
            writer.write(codePoint)
            reset()
        }
        return true
    }

    private mutating func reset() {
        codePoint = 0
        bytesNeeded = 0
        bytesSeen = 0
        lowerBoundary = 0x80
        upperBoundary = 0xBF
    }
}
