/// The value of an `input`, sanitized for its type.
///
/// [Value sanitization](https://html.spec.whatwg.org/multipage/input.html#value-sanitization-algorithm)
enum FormValue {
    /// The value of an `input` element; nil where it has none.
    ///
    /// - Parameters:
    ///   - value: The value of its attribute, or the one filled in; `nil` if there is none.
    ///   - type: Its type.
    ///   - constraints: Its limits, which apply to a slider.
    ///   - isMultiple: Whether it takes several addresses.
    ///   - initialValue: The value in the page, from which a slider's steps are counted; `nil` if that is `value`.
    /// - Returns: The value; nil where it has none.
    static func value(
        _ value: String?,
        _ type: InputType,
        _ constraints: FormConstraints,
        isMultiple: Bool,
        initialValue: String? = nil
    ) -> String? {
        switch type {
        case .checkbox, .radio: return value ?? "on"
        case .file: return nil
        case .submit, .image, .reset, .button: return value
        case .hidden: return value ?? ""
        case .text, .search, .telephone, .password: return withoutNewlines(value ?? "")
        case .url: return trimmed(withoutNewlines(value ?? ""))
        case .email: return email(value ?? "", isMultiple)
        case .color: return FormColor(value ?? "").text
        case .date, .month, .week, .time, .number:
            guard let value, InputValue(value, type) != nil else { return "" }
            return value
        case .dateAndTime: return dateAndTime(value ?? "")
        case .range: return FormRange.value(value, constraints, initialValue ?? value)
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
        guard isMultiple else { return address(trimmed(line)) }
        return line.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
            .map { address(trimmed(String(Substring($0)))) }.joined(separator: ",")
    }

    /// An address with its domain in ASCII, where that is one.
    private static func address(_ text: String) -> String {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")), !text.utf8.allSatisfy({ $0 < 0x80 }) else {
            return text
        }
        let domain = text[text.utf8.index(after: at)...]
        guard domain.utf8.contains(where: { $0 >= 0x80 }),
            domain.unicodeScalars.allSatisfy({
                $0.properties.isAlphabetic || ".-0123456789".unicodeScalars.contains($0)
            }),
            let host = try? WebURL("http://\(domain)/").hostname
        else { return text }
        return "\(text[...at])\(host)"
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
}
