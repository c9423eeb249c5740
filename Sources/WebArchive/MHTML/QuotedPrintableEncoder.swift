/// Encodes quoted-printable piece by piece, so that it decodes to the same bytes.
///
/// [RFC 2045, section 6.7](https://www.rfc-editor.org/rfc/rfc2045#section-6.7)
struct QuotedPrintableEncoder {
    private var column = 0
    /// A byte for which the next one decides.
    private var pending: UInt8?

    private static let lineLength = 76
    private static let digits = Array("0123456789ABCDEF".utf8)

    /// Appends what a piece becomes.
    mutating func encode(_ input: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in input {
            if let first = pending {
                pending = nil
                if first == 0x0D, byte == 0x0A {
                    output += [0x0D, 0x0A]
                    column = 0
                    continue
                }
                // White space at the end of a line would be lost.
                write(first, escaped: first == 0x0D || byte == 0x0D || byte == 0x0A, into: &output)
            }
            switch byte {
            case 0x0D, 0x20, 0x09: pending = byte
            case 0x0A:
                write(byte, escaped: true, into: &output)
                // A line of the text becomes a line of the message.
                output += "=\r\n".utf8
                column = 0
            default:
                write(byte, escaped: byte < 0x20 || byte > 0x7E || byte == UInt8(ascii: "="), into: &output)
            }
        }
    }

    /// Appends what is left at the end.
    mutating func finish(into output: inout [UInt8]) {
        if let pending { write(pending, escaped: true, into: &output) }
        pending = nil
        column = 0
    }

    private mutating func write(_ byte: UInt8, escaped isEscaped: Bool, into output: inout [UInt8]) {
        let length = isEscaped ? 3 : 1
        // The last column is for the sign of a soft line break.
        if column + length > Self.lineLength - 1 {
            output += "=\r\n".utf8
            column = 0
        }
        if isEscaped {
            output += [UInt8(ascii: "="), Self.digits[Int(byte >> 4)], Self.digits[Int(byte & 15)]]
        } else {
            output.append(byte)
        }
        column += length
    }
}
