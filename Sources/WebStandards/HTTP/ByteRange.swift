/// The range of bytes that a Range field asks for, if it asks for a single one.
///
/// [RFC 9110, section 14.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2)
package enum ByteRange: Equatable, Sendable {
    /// From one position to another, inclusive.
    case bounded(first: Int64, last: Int64)
    /// From a position to the end.
    case from(Int64)
    /// This number of bytes at the end.
    case suffix(Int64)

    /// Parses a Range field; nil for another unit, several ranges, or a malformed field.
    package init?(_ field: String) {
        var scanner = FieldScanner(field)
        scanner.trim(while: \.isHTTPTabOrSpace)
        let unit = scanner.collect(while: \.isHTTPToken)
        guard scanner.lowercasedText(unit) == "bytes", scanner.skip(UInt8(ascii: "=")) else { return nil }
        let first = scanner.decimal()
        guard scanner.skip(UInt8(ascii: "-")) else { return nil }
        let last = scanner.decimal()
        guard scanner.isAtEnd else { return nil }
        switch (first, last) {
        case (let first?, let last?):
            guard first <= last else { return nil }
            self = .bounded(first: first, last: last)
        case (let first?, nil): self = .from(first)
        case (nil, let length?): self = .suffix(length)
        case (nil, nil): return nil
        }
    }

    /// The positions that it selects in a representation of `length` bytes; nil if it selects none.
    package func positions(of length: Int64) -> Range<Int64>? {
        switch self {
        case .bounded(let first, let last):
            first < length ? first..<(last < length ? last +| 1 : length) : nil
        case .from(let first): first < length ? first..<length : nil
        case .suffix(let count): count > 0 && length > 0 ? max(0, length -| count)..<length : nil
        }
    }
}

extension FieldScanner {
    /// Parses a decimal number, at most 2^53; nil if there are no digits.
    mutating func decimal() -> Int64? {
        let digits = collect(while: \.isASCIIDigit)
        return Int(bounded: text(digits)).map { Int64($0) }
    }
}
