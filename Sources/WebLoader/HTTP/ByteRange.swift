/// The part of a representation that a Range field asks for, where it asks for one part in bytes.
///
/// [RFC 9110, section 14.1.2](https://www.rfc-editor.org/rfc/rfc9110#section-14.1.2)
enum ByteRange: Equatable, Sendable {
    /// From one position to another, which counts too.
    case bounded(first: Int64, last: Int64)
    /// From a position to the end.
    case from(Int64)
    /// So many bytes at the end.
    case suffix(Int64)

    /// Parses a Range field; nil for another unit, several ranges, and what is malformed.
    init?(_ field: String) {
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

    /// The positions that it stands for in a representation of so many bytes; nil if there is none of them.
    func positions(of length: Int64) -> Range<Int64>? {
        switch self {
        case .bounded(let first, let last):
            first < length ? first..<(last < length ? last + 1 : length) : nil
        case .from(let first): first < length ? first..<length : nil
        case .suffix(let count): count > 0 && length > 0 ? max(0, length - count)..<length : nil
        }
    }
}

/// Which part of a representation a response holds.
///
/// [RFC 9110, section 14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)
struct ContentRange: Equatable, Sendable, CustomStringConvertible {
    /// The positions, never empty.
    let positions: Range<Int64>

    /// How many bytes the whole representation has, nil where that is not known.
    let completeLength: Int64?

    /// The field for a part.
    init(positions: Range<Int64>, completeLength: Int64?) {
        self.positions = positions
        self.completeLength = completeLength
    }

    /// Parses a Content-Range field; nil for another unit, no range, and what is malformed.
    init?(_ field: String) {
        var scanner = FieldScanner(field)
        scanner.trim(while: \.isHTTPTabOrSpace)
        let unit = scanner.collect(while: \.isHTTPToken)
        guard scanner.lowercasedText(unit) == "bytes", scanner.skip(UInt8(ascii: " ")),
            let first = scanner.decimal(), scanner.skip(UInt8(ascii: "-")),
            let last = scanner.decimal(), first <= last, last < .max, scanner.skip(UInt8(ascii: "/"))
        else { return nil }
        if scanner.skip(UInt8(ascii: "*")) {
            completeLength = nil
        } else {
            guard let length = scanner.decimal(), last < length else { return nil }
            completeLength = length
        }
        guard scanner.isAtEnd else { return nil }
        positions = first..<last + 1
    }

    /// As the field has it.
    var description: String {
        "bytes \(positions.lowerBound)-\(positions.upperBound - 1)/\(completeLength.map(String.init) ?? "*")"
    }
}

extension FieldScanner {
    /// Skips digits and returns their number, the largest one where it does not fit; nil where there are none.
    fileprivate mutating func decimal() -> Int64? {
        let digits = collect(while: \.isASCIIDigit)
        guard !digits.isEmpty else { return nil }
        return Int64(text(digits)) ?? .max
    }
}
