import WebStandards

/// Encodes Base64 piece by piece ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
struct Base64Encoder {
    /// Digits of a line, a multiple of four; nil if there are no lines.
    let lineLength: Int?

    /// Bytes that do not make a line yet, or no four digits.
    private var rest: [UInt8] = []

    init(lineLength: Int? = nil) { self.lineLength = lineLength }

    /// Appends the digits of a piece.
    mutating func encode(_ input: some Sequence<UInt8>, into output: inout [UInt8]) {
        rest += input
        var done = 0
        if let lineLength {
            let count = max(3, lineLength / 4 * 3)
            while rest.count - done >= count {
                Base64.append(rest[done..<(done + count)], to: &output)
                output += [0x0D, 0x0A]
                done += count
            }
        } else {
            done = rest.count / 3 * 3
            Base64.append(rest[..<done], to: &output)
        }
        rest.removeFirst(done)
    }

    /// Appends what is left at the end.
    mutating func finish(into output: inout [UInt8]) {
        guard !rest.isEmpty else { return }
        Base64.append(rest[...], to: &output)
        if lineLength != nil { output += [0x0D, 0x0A] }
        rest = []
    }
}
