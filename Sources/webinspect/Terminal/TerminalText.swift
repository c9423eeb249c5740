/// Text from pages, made fit for a terminal.
enum TerminalText {
    /// The text with what could steer a terminal (control characters, overrides of writing direction) replaced.
    static func visible(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isSteering) else { return text }
        var output = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { output.append(isSteering(scalar) ? "\u{FFFD}" : scalar) }
        return String(output)
    }

    private static func isSteering(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
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
    static func milliseconds(_ seconds: Double) -> String {
        "\((seconds * 10_000).rounded() / 10) ms"
    }
}
