/// Data as a terminal is to show it.
extension TerminalText {
    /// Returns the data with everything replaced that could control a terminal, whoever made it: control
    /// characters, bytes that are not UTF-8, marks of writing direction except the two that running text
    /// needs.
    ///
    /// Line feeds stay, a carriage return before one is removed, and tabs become the spaces that a terminal
    /// would show.
    ///
    /// - Parameters:
    ///   - data: The data to show.
    ///   - keepingStyles: Whether sequences of ``Terminal/Style`` stay; the data's own text has none then.
    /// - Returns: UTF-8.
    /// - Complexity: O(n).
    static func shown(_ data: [UInt8], keepingStyles: Bool) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(data.count)
        var column = 0
        var index = 0
        while index < data.count {
            let byte = data[index]
            if 0x20..<0x7F ~= byte {
                output.append(byte)
                column += 1
                index += 1
            } else if byte == 0x0A {
                output.append(byte)
                column = 0
                index += 1
            } else if byte == 0x09 {
                let spaces = 8 - column % 8
                output += [UInt8](repeating: 0x20, count: spaces)
                column += spaces
                index += 1
            } else if byte == 0x0D, index + 1 < data.count, data[index + 1] == 0x0A {
                index += 1
            } else if keepingStyles, byte == 0x1B, let style = style(data[index...]) {
                output += style
                index += style.count
            } else {
                let (scalar, length) = scalar(data[index...])
                let isMark = scalar == "\u{200E}" || scalar == "\u{200F}"
                output += Array(String(isControl(scalar) && !isMark ? "\u{FFFD}" : scalar).utf8)
                column += scalar.columns
                index += length
            }
        }
        return output
    }

    /// The character at the start of some bytes, and how many of them it has; U+FFFD and 1 where there is none.
    private static func scalar(_ bytes: ArraySlice<UInt8>) -> (scalar: Unicode.Scalar, length: Int) {
        var decoder = Unicode.UTF8.ForwardParser()
        var iterator = bytes.prefix(4).makeIterator()
        switch decoder.parseScalar(from: &iterator) {
        case .valid(let encoded): return (Unicode.UTF8.decode(encoded), encoded.count)
        case .error(let length): return ("\u{FFFD}", length)
        case .emptyInput: return ("\u{FFFD}", 1)
        }
    }

    /// The sequence at the start of some bytes that sets a style of ours or ends one; nil where there is none.
    private static func style(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        Terminal.sequences.first { bytes.starts(with: $0) }.map { bytes.prefix($0.count) }
    }
}
