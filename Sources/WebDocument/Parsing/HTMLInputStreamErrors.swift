/// The parse errors of characters that must not be in the input: controls and noncharacters.
///
/// It examines every byte, and is used only if errors are requested.
struct HTMLInputStreamErrors {
    private(set) var errors: [HTMLParseError] = []
    private(set) var isTruncated = false
    private var line = 1
    private var column = 0
    private var scalar: UInt32 = 0
    private var wanted = 0
    private var endedLine = false
    private var wasReturn = false

    /// Takes the next byte of valid UTF-8.
    mutating func take(_ byte: UInt8) {
        if wanted > 0 {
            scalar = scalar << 6 | UInt32(byte & 0x3F)
            wanted -= 1
            if wanted == 0, scalar & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar) {
                append(.noncharacterInInputStream)
            } else if wanted == 0, (0x80...0x9F).contains(scalar) {
                append(.controlCharacterInInputStream)
            }
            return
        }
        if endedLine, !(wasReturn && byte == 0x0A) {
            line += 1
            column = 0
        }
        column += 1
        endedLine = byte == 0x0A || byte == 0x0D
        wasReturn = byte == 0x0D
        switch byte {
        case 0xF0...0xFF:
            scalar = UInt32(byte & 0x07)
            wanted = 3
        case 0xE0...0xEF:
            scalar = UInt32(byte & 0x0F)
            wanted = 2
        case 0x80...0xDF:
            scalar = UInt32(byte & 0x1F)
            wanted = 1
        case 0x01...0x08, 0x0B, 0x0E...0x1F, 0x7F: append(.controlCharacterInInputStream)
        default: break
        }
    }

    private mutating func append(_ code: HTMLParseError.Code) {
        guard errors.count < ParseErrors.maximumCount else {
            isTruncated = true
            return
        }
        errors.append(HTMLParseError(code: code, line: line, column: column))
    }
}
