import WebStandards

/// Decodes the contents of a JSON string to UTF-8, piece by piece.
///
/// Bytes outside of escape sequences are copied unchanged, even if they are not valid UTF-8. Half of a surrogate pair
/// becomes U+FFFD.
struct JSONStringDecoder {
    private enum State {
        case plain, escape
        /// Behind `\u`: the digits so far, and their value.
        case digits(Int, UInt16)
    }

    private var state = State.plain
    /// The first half of a surrogate pair, whose second half is to follow at once.
    private var lead: UInt16?

    /// Appends what a piece stands for.
    mutating func decode(_ input: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        var index = 0
        while index < input.count {
            guard case .plain = state else {
                unsafe step(input[index], into: &output)
                index += 1
                continue
            }
            let start = index
            while index < input.count, unsafe input[index] != UInt8(ascii: "\\") { index += 1 }
            if index > start {
                endPair(into: &output)
                unsafe output.append(contentsOf: input[start..<index])
            }
            if index < input.count {
                state = .escape
                index += 1
            }
        }
    }

    /// Appends what is left at the end.
    mutating func finish(into output: inout [UInt8]) { endPair(into: &output) }

    private mutating func endPair(into output: inout [UInt8]) {
        guard lead != nil else { return }
        lead = nil
        output += "\u{FFFD}".utf8
    }

    private mutating func step(_ byte: UInt8, into output: inout [UInt8]) {
        switch state {
        case .plain: output.append(byte)
        case .escape:
            state = .plain
            if byte == UInt8(ascii: "u") {
                state = .digits(0, 0)
                return
            }
            endPair(into: &output)
            switch byte {
            case UInt8(ascii: "b"): output.append(0x08)
            case UInt8(ascii: "f"): output.append(0x0C)
            case UInt8(ascii: "n"): output.append(0x0A)
            case UInt8(ascii: "r"): output.append(0x0D)
            case UInt8(ascii: "t"): output.append(0x09)
            default: output.append(byte)
            }
        case .digits(let count, let value):
            guard let digit = Self.value(of: byte) else {
                // Not an escape after all.
                state = .plain
                endPair(into: &output)
                output += "\u{FFFD}".utf8
                if byte == UInt8(ascii: "\\") { state = .escape } else { output.append(byte) }
                return
            }
            let unit = value << 4 | UInt16(digit)
            guard count == 3 else {
                state = .digits(count + 1, unit)
                return
            }
            state = .plain
            append(unit, into: &output)
        }
    }

    private mutating func append(_ unit: UInt16, into output: inout [UInt8]) {
        if let first = lead, UTF16.isTrailSurrogate(unit) {
            lead = nil
            let value = 0x10000 &+ (UInt32(first) &- 0xD800) << 10 &+ (UInt32(unit) &- 0xDC00)
            output += String(Unicode.Scalar(value) ?? "\u{FFFD}").utf8
            return
        }
        endPair(into: &output)
        if UTF16.isLeadSurrogate(unit) {
            lead = unit
        } else {
            output += String(Unicode.Scalar(unit) ?? "\u{FFFD}").utf8
        }
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
