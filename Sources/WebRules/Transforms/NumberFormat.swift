/// The format of numbers in a text: the decimal separator and the separator of digit groups.
struct NumberFormat: Hashable, Sendable {
    /// The decimal separator.
    var decimal: Unicode.Scalar = "."
    /// The separator between groups of digits; nil for a comma (a full stop if the comma is the decimal
    /// separator), any white space and apostrophes.
    var group: Unicode.Scalar?

    /// Reads the only number in a text, whatever text is around it: "ab 1.234,50 €".
    ///
    /// - Parameter text: The text.
    /// - Returns: An integer if there is no fraction and it fits, else the closest number; nil if there is no
    ///   number, there are several, or the digits are not grouped correctly.
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

    /// Reads the digits before the fraction; groups after the first have two or three digits, the last has
    /// three.
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

    /// Whether a minus sign precedes the number, perhaps with a currency symbol or white space between them;
    /// a hyphen after a letter is not one.
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
