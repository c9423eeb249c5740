import WebStandards

/// Decodes quoted-printable piece by piece ([RFC 2045, section 6.7](https://www.rfc-editor.org/rfc/rfc2045#section-6.7)).
///
/// White space at the end of a line is not part of the text; invalid escapes are copied unchanged.
struct QuotedPrintableDecoder {
    private enum State {
        case plain
        /// Behind "=".
        case escape
        /// Behind "=" and a digit.
        case digit(UInt8)
        /// Behind "=" and white space, which ends a line softly if nothing else comes.
        case softBreak
    }

    private var state = State.plain
    /// White space that may be at the end of a line.
    private var space: [UInt8] = []

    private static let maximumSpace = 1 << 16

    /// Appends what a piece stands for.
    mutating func decode(_ input: some Sequence<UInt8>, into output: inout [UInt8]) {
        for byte in input {
            switch state {
            case .plain: plain(byte, into: &output)
            case .escape:
                if Self.value(of: byte) != nil {
                    state = .digit(byte)
                } else if byte == 0x0A {
                    state = .plain
                } else if byte == 0x0D || byte == 0x20 || byte == 0x09 {
                    space.append(byte)
                    state = .softBreak
                } else {
                    state = .plain
                    output.append(UInt8(ascii: "="))
                    plain(byte, into: &output)
                }
            case .digit(let first):
                state = .plain
                if let high = Self.value(of: first), let low = Self.value(of: byte) {
                    output.append(high << 4 | low)
                } else {
                    output.append(UInt8(ascii: "="))
                    output.append(first)
                    plain(byte, into: &output)
                }
            case .softBreak:
                if byte == 0x0A {
                    state = .plain
                    space.removeAll(keepingCapacity: true)
                } else if byte == 0x0D || byte == 0x20 || byte == 0x09, space.count < Self.maximumSpace {
                    space.append(byte)
                } else {
                    state = .plain
                    output.append(UInt8(ascii: "="))
                    plain(byte, into: &output)
                }
            }
        }
    }

    private mutating func plain(_ byte: UInt8, into output: inout [UInt8]) {
        switch byte {
        case 0x20, 0x09, 0x0D:
            if space.count >= Self.maximumSpace { flush(into: &output) }
            space.append(byte)
        case 0x0A:
            let isCRLF = space.last == 0x0D
            space.removeAll(keepingCapacity: true)
            if isCRLF { output.append(0x0D) }
            output.append(0x0A)
        case UInt8(ascii: "="):
            flush(into: &output)
            state = .escape
        default:
            flush(into: &output)
            output.append(byte)
        }
    }

    private mutating func flush(into output: inout [UInt8]) {
        guard !space.isEmpty else { return }
        output += space
        space.removeAll(keepingCapacity: true)
    }

    /// Appends what is left at the end.
    ///
    /// - Parameters:
    ///   - output: Where it goes.
    ///   - keepsSpace: Whether white space at the end is text, as in an encoded word.
    mutating func finish(into output: inout [UInt8], keepingSpace keepsSpace: Bool = false) {
        if case .digit(let first) = state { output += [UInt8(ascii: "="), first] }
        if keepsSpace { flush(into: &output) }
        state = .plain
        space = []
    }

    private static func value(of byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46: byte &- 0x41 &+ 10
        case 0x61...0x66: byte &- 0x61 &+ 10
        default: nil
        }
    }
}
