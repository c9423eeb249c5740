/// Quantifiers, escapes and codes of characters.
extension SetsPatternParser {
    /// Parses a quantifier; nil where there is none.
    mutating func parseQuantifier() throws(RegularExpression.Failure) -> (least: Int, most: Int?)? {
        let bounds: (least: Int, most: Int?)
        if take("*") {
            bounds = (0, nil)
        } else if take("+") {
            bounds = (1, nil)
        } else if take("?") {
            bounds = (0, 1)
        } else if take("{") {
            guard let least = parseInteger() else { throw Failure(message: "\"{\" without \"\\\"") }
            let most = take(",") ? parseInteger() : least
            guard take("}") else { throw Failure(message: "unclosed \"{\"") }
            guard most.map({ $0 >= least }) ?? true else {
                throw Failure(message: "{m,n} with m greater than n")
            }
            bounds = (least, most)
        } else {
            return nil
        }
        // A lazy quantifier changes what groups match, but not whether all of the text does.
        _ = take("?")
        return bounds
    }

    private mutating func parseInteger() -> Int? {
        let start = index
        var value = 0
        while let digit = next, digit.value >= 0x30, digit.value <= 0x39 {
            value = min(value &* 10 &+ Int(digit.value &- 0x30), 1_000_000)
            index += 1
        }
        return index > start ? value : nil
    }

    /// Parses `\d` and similar classes, behind the backslash; nil where there is none.
    mutating func parseClassEscape() throws(RegularExpression.Failure) -> ScalarSet? {
        guard let letter = next else { return nil }
        let set: ScalarSet
        switch letter {
        case "d", "D": set = .sortedDigit
        case "w", "W": set = .sortedWord
        case "s", "S": set = .whiteSpaceAndLineTerminator
        case "p", "P":
            index += 1
            set = try parseProperty()
            return letter == "P" ? set.complement : set
        default: return nil
        }
        index += 1
        return letter.properties.isUppercase ? set.complement : set
    }

    private mutating func parseProperty() throws(RegularExpression.Failure) -> ScalarSet {
        guard take("{") else { throw Failure(message: "\\p without \"{\"") }
        var name = ""
        // No name is longer than that.
        while let scalar = next, scalar != "}", name.utf8.count <= 64 {
            index += 1
            name.unicodeScalars.append(scalar)
        }
        guard take("}"), let set = ScalarSet.property(named: name) else {
            throw Failure(message: "the property \"\(name)\" is not supported")
        }
        try spend(set.ranges.count)
        return set
    }

    /// Takes ranges off those that classes may still be made of.
    mutating func spend(_ count: Int) throws(RegularExpression.Failure) {
        rangesLeft -= count
        guard rangesLeft >= 0 else { throw Failure(message: "the classes are too large", isLimit: true) }
    }

    /// Parses what stands for a character, behind the backslash.
    mutating func parseCharacterEscape() throws(RegularExpression.Failure) -> UInt32 {
        guard let scalar = next else { throw Failure(message: "a trailing \"\\\"") }
        index += 1
        switch scalar {
        case "t": return 0x09
        case "n": return 0x0A
        case "v": return 0x0B
        case "f": return 0x0C
        case "r": return 0x0D
        case "c":
            if let letter = next, letter.isASCII, letter.properties.isAlphabetic {
                index += 1
                return letter.value & 0x1F
            }
        case "0":
            if next.map({ !("0"..."9").contains($0) }) ?? true { return 0 }
        case "x":
            if let value = takeHexadecimal(2) { return value }
        case "u":
            if let value = takeCode() { return value }
        case "^", "$", "\\", ".", "*", "+", "?", "(", ")", "[", "]", "{", "}", "|", "/": return scalar.value
        default: break
        }
        throw Failure(message: "\"\\\(scalar)\" is not supported")
    }

    /// Parses an escape in the name of a group, behind the backslash.
    mutating func parseNameEscape() throws(RegularExpression.Failure) -> UInt32 {
        guard take("u"), let value = takeCode() else { throw Failure(message: "\"\\\" in a name") }
        return value
    }

    /// Parses a code behind `\u`: four digits, two times four for a pair of surrogates, or any number in braces.
    private mutating func takeCode() -> UInt32? {
        if take("{") {
            var value: UInt32?
            while let digit = next?.hexadecimalValue {
                value = min((value ?? 0) &* 16 &+ digit, 0x11_0000)
                index += 1
            }
            return take("}") ? value.flatMap { $0 <= 0x10_FFFF ? $0 : nil } : nil
        }
        guard let high = takeHexadecimal(4) else { return nil }
        let start = index
        if 0xD800...0xDBFF ~= high, take("\\"), take("u"), let low = takeHexadecimal(4),
            0xDC00...0xDFFF ~= low
        {
            return 0x10000 &+ (high & 0x3FF) << 10 | low & 0x3FF
        }
        index = start
        return high
    }

    private mutating func takeHexadecimal(_ count: Int) -> UInt32? {
        guard index + count <= pattern.count else { return nil }
        var value: UInt32 = 0
        for scalar in pattern[index..<(index + count)] {
            guard let digit = scalar.hexadecimalValue else { return nil }
            value = value << 4 | digit
        }
        index += count
        return value
    }
}

extension Unicode.Scalar {
    /// The value of a hexadecimal digit.
    fileprivate var hexadecimalValue: UInt32? {
        switch self {
        case "0"..."9": value &- 0x30
        case "a"..."f": value &- 0x61 &+ 10
        case "A"..."F": value &- 0x41 &+ 10
        default: nil
        }
    }
}

extension ScalarSet {
    fileprivate static let sortedDigit = ScalarSet(sorting: digit.ranges)
    fileprivate static let sortedWord = ScalarSet(sorting: word.ranges)
    fileprivate static let whiteSpaceAndLineTerminator = ScalarSet(sorting: [
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029,
        0x202F...0x202F, 0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])
    /// The characters that `.` matches.
    static let notLineTerminator =
        ScalarSet(sorting: [0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).complement
}
