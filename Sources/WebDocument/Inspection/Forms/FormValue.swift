/// The initial value of an `input`.
///
/// [Value sanitization](https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm)
enum FormValue {
    /// The value of an `input` element; nil where it has none.
    static func value(_ attributes: FormControlAttributes, _ type: InputType) -> String? {
        let value = attributes.value
        switch type {
        case .checkbox, .radio: return value ?? "on"
        case .file: return nil
        case .submit, .image, .reset, .button: return value
        case .hidden: return value ?? ""
        case .text, .search, .telephone, .password: return withoutNewlines(value ?? "")
        case .url: return trimmed(withoutNewlines(value ?? ""))
        case .email: return email(value ?? "", attributes.isMultiple)
        case .color: return color(value ?? "")
        case .date, .month, .week, .time, .number:
            guard let value, InputValue(value, type) != nil else { return "" }
            return value
        case .dateAndTime: return dateAndTime(value ?? "")
        case .range: return range(attributes)
        }
    }

    private static func withoutNewlines(_ text: String) -> String {
        guard text.utf8.contains(where: isNewline) else { return text }
        return String(decoding: Array(text.utf8).filter { !isNewline($0) }, as: UTF8.self)
    }

    private static func isNewline(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    private static func trimmed(_ text: String) -> String {
        var scanner = FieldScanner(text)
        scanner.trim(while: \.isASCIIWhitespace)
        return scanner.text(scanner.position..<scanner.end)
    }

    private static func email(_ text: String, _ isMultiple: Bool) -> String {
        let line = withoutNewlines(text)
        guard isMultiple else { return trimmed(line) }
        return line.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { trimmed(String(Substring($0))) }.joined(separator: ",")
    }

    /// A [valid simple color](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-simple-colour) in
    /// lower case, or black.
    private static func color(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isHexadecimal = bytes.dropFirst().allSatisfy {
            $0.isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0.asciiLowercased
        }
        guard bytes.count == 7, bytes[0] == UInt8(ascii: "#"), isHexadecimal else { return "#000000" }
        return String(asciiLowercasing: bytes)
    }

    /// A [normalized date and
    /// time](https://html.spec.whatwg.org/multipage/common-microsyntaxes.html#valid-normalised-local-date-and-time-string).
    private static func dateAndTime(_ text: String) -> String {
        guard InputValue(text, .dateAndTime) != nil else { return "" }
        var bytes = text.utf8.map { $0 == 0x20 ? UInt8(ascii: "T") : $0 }
        if bytes.contains(UInt8(ascii: ".")) {
            while bytes.last == UInt8(ascii: "0") { bytes.removeLast() }
            if bytes.last == UInt8(ascii: ".") { bytes.removeLast() }
        }
        // Seconds of 0 are left out; the hour and the minute stay.
        if bytes.suffix(3).elementsEqual(":00".utf8), bytes.count(where: { $0 == UInt8(ascii: ":") }) == 2 {
            bytes.removeLast(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// A number between the minimum and the maximum, on a step.
    ///
    /// [Range state](https://html.spec.whatwg.org/multipage/input.html#range-state-(type=range))
    private static func range(_ attributes: FormControlAttributes) -> String {
        func number(_ text: String?) -> Double? { text.flatMap { InputValue($0, .number)?.number } }
        let minimum = number(attributes.constraints.minimum) ?? 0
        let maximum = number(attributes.constraints.maximum) ?? 100
        let given = number(attributes.value)
        var value = given ?? (maximum < minimum ? minimum : minimum + (maximum - minimum) / 2)
        value = max(min(value, maximum), minimum)
        let isAny = attributes.constraints.step?.isEqualIgnoringASCIICase(to: "any") ?? false
        if !isAny {
            var step = number(attributes.constraints.step) ?? 1
            if step <= 0 { step = 1 }
            let base = number(attributes.constraints.minimum) ?? given ?? 0
            // The nearest step, and of two equally near ones the higher one, but not above the maximum.
            var stepped = base + ((value - base) / step + 0.5).rounded(.down) * step
            if stepped > maximum { stepped -= step }
            if stepped >= minimum, stepped.isFinite { value = stepped }
        }
        if value == given, let text = attributes.value { return text }
        guard value == value.rounded(), abs(value) < 1e15 else { return "\(value)" }
        return "\(Int(bounded: value))"
    }
}
