import WebLoader

/// Text from pages, made fit for a terminal.
enum TerminalText {
    /// The text with what could steer a terminal (control characters, overrides of writing direction) replaced.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { output.append(isControl(scalar) ? "\u{FFFD}" : scalar) }
        return String(output)
    }

    /// Lines of text in UTF-8 with what could steer a terminal replaced.
    ///
    /// Line feeds and tabs stay, and so do the marks that running Hebrew and Arabic need beside numbers (U+200E, U+200F).
    ///
    /// Complexity: O(n), and no copy where there is nothing to replace.
    static func visible(lines: [UInt8]) -> [UInt8] {
        guard lines.indices.contains(where: { controlLength(lines, $0) > 0 }) else { return lines }
        var output: [UInt8] = []
        var index = 0
        while index < lines.count {
            let length = controlLength(lines, index)
            output += length > 0 ? [0xEF, 0xBF, 0xBD] : [lines[index]]
            index += max(length, 1)
        }
        return output
    }

    /// How many bytes a character that steers has, 0 for any other.
    private static func controlLength(_ bytes: [UInt8], _ index: Int) -> Int {
        let byte = bytes[index]
        if byte < 0x20 { return byte == 0x0A || byte == 0x09 ? 0 : 1 }
        guard byte >= 0x7F else { return 0 }
        if byte == 0x7F { return 1 }
        guard byte >= 0xC2 else { return 0 }
        let length = ControlCharacter.length(bytes[index...])
        return length == 3 && bytes[index + 1] == 0x80 && bytes[index + 2] < 0x90 ? 0 : length
    }

    /// Whether a character could steer a terminal, or make one line look like another.
    static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// As in "91.2 KB"; kilobytes are 1000 bytes.
    static func bytes(_ count: Int) -> String {
        guard count >= 1000 else { return "\(count) bytes" }
        var value = Double(count) / 1000
        for unit in ["KB", "MB"] {
            if value < 999.95 { return "\((value * 10).rounded() / 10) \(unit)" }
            value /= 1000
        }
        return "\((value * 10).rounded() / 10) GB"
    }

    /// As in "12.3 ms".
    static func milliseconds(_ time: Duration) -> String {
        "\((time.inSeconds * 10_000).rounded() / 10) ms"
    }
}
