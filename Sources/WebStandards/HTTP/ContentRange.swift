/// The part of a representation that a response contains.
///
/// [RFC 9110, section 14.4](https://www.rfc-editor.org/rfc/rfc9110#section-14.4)
package struct ContentRange: Equatable, Sendable, CustomStringConvertible {
    /// The positions, never empty.
    package let positions: Range<Int64>

    /// How many bytes the whole representation has, nil if that is not known.
    package let completeLength: Int64?

    /// Creates the range of a part.
    package init(positions: Range<Int64>, completeLength: Int64?) {
        self.positions = positions
        self.completeLength = completeLength
    }

    /// Parses a Content-Range field; nil for another unit, no range, or a malformed field.
    package init?(_ field: String) {
        var scanner = FieldScanner(field)
        scanner.trim(while: \.isHTTPTabOrSpace)
        let unit = scanner.collect(while: \.isHTTPToken)
        guard scanner.lowercasedText(unit) == "bytes", scanner.skip(UInt8(ascii: " ")),
            let first = scanner.decimal(), scanner.skip(UInt8(ascii: "-")),
            let last = scanner.decimal(), first <= last, last < Int.largestBounded,
            scanner.skip(UInt8(ascii: "/"))
        else { return nil }
        if scanner.skip(UInt8(ascii: "*")) {
            completeLength = nil
        } else {
            guard let length = scanner.decimal(), last < length else { return nil }
            completeLength = length
        }
        guard scanner.isAtEnd else { return nil }
        positions = first..<last +| 1
    }

    /// The value of the field.
    package var description: String {
        "bytes \(positions.lowerBound)-\(positions.upperBound -| 1)/\(completeLength.map(String.init) ?? "*")"
    }
}
