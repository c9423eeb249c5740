/// A line of values with something between them.
enum DelimitedLine {
    /// [RFC 4180](https://www.rfc-editor.org/rfc/rfc4180), but that lines end as this system's do.
    ///
    /// - Parameters:
    ///   - values: The texts, in order.
    ///   - isSafe: Whether no value is to be a formula to a spreadsheet: those that would be get an apostrophe in front,
    ///     and all get quotes.
    /// - Returns: The line and its end.
    static func csv(_ values: [String], isSafe: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            let value = isSafe ? escapingFormula(value) : value
            let needsQuotes =
                isSafe || value.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
            guard needsQuotes else {
                output += value.utf8
                continue
            }
            output.append(UInt8(ascii: "\""))
            for byte in value.utf8 {
                if byte == UInt8(ascii: "\"") { output.append(byte) }
                output.append(byte)
            }
            output.append(UInt8(ascii: "\""))
        }
        output.append(0x0A)
        return output
    }

    /// [Tab-separated values](https://www.iana.org/assignments/media-types/text/tab-separated-values), in which no value
    /// can have a tab or a line feed: these become spaces.
    static func tsv(_ values: [String], isSafe: Bool = false) -> [UInt8] {
        var output: [UInt8] = []
        for (index, value) in values.enumerated() {
            if index > 0 { output.append(0x09) }
            for byte in (isSafe ? escapingFormula(value) : value).utf8 {
                output.append(byte == 0x09 || byte == 0x0A || byte == 0x0D ? 0x20 : byte)
            }
        }
        output.append(0x0A)
        return output
    }

    // MARK: - Formulas

    /// The value, an apostrophe in front of what a spreadsheet would take for a formula; numbers stay as they are.
    ///
    /// [OWASP, CSV Injection](https://owasp.org/www-community/attacks/CSV_Injection)
    private static func escapingFormula(_ value: String) -> String {
        guard isFormula(value), !isNumber(value) else { return value }
        return "'\(value)"
    }

    /// Whether the first character that is no space begins a formula, or is one that a spreadsheet may skip.
    private static func isFormula(_ value: String) -> Bool {
        guard
            let first = value.unicodeScalars.first(where: { !$0.properties.isWhitespace || $0.value < 0x20 })
        else { return false }
        switch first {
        case "=", "+", "-", "@", "\t", "\r", "\n": return true
        // The wide ones of East Asia, which spreadsheets there take as well.
        case "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}": return true
        default: return first.value < 0x20
        }
    }

    /// Whether a value is but a number: a sign, digits with points and commas between them, perhaps a per cent sign.
    private static func isNumber(_ value: String) -> Bool {
        var digits = Array(value.utf8)[...]
        if digits.first == UInt8(ascii: "-") || digits.first == UInt8(ascii: "+") { digits.removeFirst() }
        if digits.last == UInt8(ascii: "%") { digits.removeLast() }
        guard let first = digits.first, let last = digits.last else { return false }
        let hasDigits = (0x30...0x39).contains(last) && ((0x30...0x39).contains(first) || first == 0x2E)
        return hasDigits && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == 0x2E || $0 == 0x2C }
    }
}
