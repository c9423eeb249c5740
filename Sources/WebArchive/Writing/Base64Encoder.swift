/// Encodes Base64 piece by piece ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
struct Base64Encoder {
    /// Digits of a line, a multiple of four; nil if there are no lines.
    let lineLength: Int?

    private var column = 0
    private var rest: [UInt8] = []

    private static let digits = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8
    )

    init(lineLength: Int? = nil) { self.lineLength = lineLength }

    /// Appends the digits of a piece.
    mutating func encode(_ input: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in input {
            rest.append(byte)
            if rest.count == 3 { flush(into: &output) }
        }
    }

    /// Appends what is left at the end.
    mutating func finish(into output: inout [UInt8]) {
        if !rest.isEmpty { flush(into: &output) }
        if column > 0, lineLength != nil { output += [0x0D, 0x0A] }
        column = 0
    }

    private mutating func flush(into output: inout [UInt8]) {
        let count = rest.count
        while rest.count < 3 { rest.append(0) }
        let word = UInt32(rest[0]) << 16 | UInt32(rest[1]) << 8 | UInt32(rest[2])
        rest.removeAll(keepingCapacity: true)
        for (index, shift) in [UInt32(18), 12, 6, 0].enumerated() {
            output.append(index <= count ? Self.digits[Int(word >> shift & 63)] : UInt8(ascii: "="))
        }
        column += 4
        if column == lineLength {
            output += [0x0D, 0x0A]
            column = 0
        }
    }
}
