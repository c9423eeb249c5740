/// How numbers are written in a text: which characters stand before the fraction and between groups of digits.
struct NumberFormat: Hashable, Sendable {
    /// What stands before the fraction.
    var decimal: Unicode.Scalar = "."
    /// What may stand between groups of digits; nil for a comma (a full stop, where the comma is the decimal), any
    /// white space and apostrophes.
    var group: Unicode.Scalar?

    /// Reads the one number that a text has, whatever stands around it: "ab 1.234,50 €".
    ///
    /// - Parameter text: The text.
    /// - Returns: An integer where there is no fraction and it fits, else the closest number; nil where there is no
    ///   number, there are several, or its groups are none.
    func number(in text: String) -> JSONValue? {
        let scalars = Array(text.unicodeScalars)
        guard let start = scalars.firstIndex(where: Self.isDigit) else { return nil }
        var index = start
        var digits = ""
        guard readWhole(scalars, &index, &digits) else { return nil }
        var isWhole = true
        if index + 1 < scalars.count, scalars[index] == decimal, Self.isDigit(scalars[index + 1]) {
            isWhole = false
            digits += "."
            index += 1
            while index < scalars.count, Self.isDigit(scalars[index]) {
                Self.append(scalars, &index, &digits)
            }
        } else if start > 0, scalars[start - 1] == decimal, !(start > 1 && Self.isLetter(scalars[start - 2]))
        {
            // A fraction alone, as in ".5".
            guard !digits.isEmpty else { return nil }
            digits = "0." + scalars[start..<index].map(String.init).joined()
            isWhole = false
        }
        readExponent(scalars, &index, &digits, &isWhole)
        guard !scalars[index...].contains(where: Self.isDigit) else { return nil }
        if isNegative(scalars, before: start) { digits = "-" + digits }
        if isWhole, let integer = Int64(digits) { return .integer(integer) }
        guard let number = Double(digits), number.isFinite else { return nil }
        return .number(number)
    }

    /// The digits before the fraction, with groups of two or three of them behind the first, the last of three.
    private func readWhole(_ scalars: [Unicode.Scalar], _ index: inout Int, _ digits: inout String) -> Bool {
        var separator: Unicode.Scalar?
        var inGroup = 0
        while index < scalars.count {
            if Self.isDigit(scalars[index]) {
                Self.append(scalars, &index, &digits)
                inGroup += 1
                continue
            }
            guard isSeparator(scalars[index]), index + 1 < scalars.count, Self.isDigit(scalars[index + 1])
            else {
                break
            }
            guard separator == nil || separator == scalars[index] else { return false }
            guard inGroup <= 3, separator == nil || inGroup >= 2 else { return false }
            separator = scalars[index]
            inGroup = 0
            index += 1
        }
        return separator == nil || inGroup == 3
    }

    private func readExponent(
        _ scalars: [Unicode.Scalar],
        _ index: inout Int,
        _ digits: inout String,
        _ isWhole: inout Bool
    ) {
        guard index < scalars.count, scalars[index] == "e" || scalars[index] == "E" else { return }
        var next = index + 1
        var exponent = "e"
        if next < scalars.count, scalars[next] == "-" || scalars[next] == "+" {
            exponent.unicodeScalars.append(scalars[next])
            next += 1
        }
        guard next < scalars.count, Self.isDigit(scalars[next]) else { return }
        while next < scalars.count, Self.isDigit(scalars[next]) { Self.append(scalars, &next, &exponent) }
        index = next
        digits += exponent
        isWhole = false
    }

    /// Whether a minus stands before the number, a currency or white space between them perhaps; a hyphen behind a
    /// letter or a digit is none.
    private func isNegative(_ scalars: [Unicode.Scalar], before start: Int) -> Bool {
        var index = start
        while index > 0 {
            let scalar = scalars[index - 1]
            if scalar == "-" || scalar == "\u{2212}" {
                return index < 2 || !Self.isLetter(scalars[index - 2])
            }
            let isBetween =
                scalar == decimal || scalar.properties.generalCategory == .currencySymbol
                || scalar.properties.isWhitespace
            guard isBetween else { return false }
            index -= 1
        }
        return false
    }

    private func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        if let group { return scalar == group && scalar != decimal }
        if scalar == (decimal == "," ? "." : ",") || scalar == "'" || scalar == "\u{2019}" { return true }
        return scalar != "\n" && scalar.properties.isWhitespace
    }

    private static func append(_ scalars: [Unicode.Scalar], _ index: inout Int, _ digits: inout String) {
        digits.unicodeScalars.append(scalars[index])
        index += 1
    }

    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.isASCII && UInt8(truncatingIfNeeded: scalar.value).isASCIIDigit
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }
}
