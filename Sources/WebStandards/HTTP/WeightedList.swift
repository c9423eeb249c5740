/// The members of a field such as Accept-Language, highest weight first.
///
/// [RFC 9110, section 12.4.2](https://www.rfc-editor.org/rfc/rfc9110#section-12.4.2)
package struct WeightedList {
    package struct Member: Equatable {
        /// In lower case, with its parameters except the weight.
        package let name: String
        /// In thousandths.
        package let weight: Int
    }

    package let members: [Member]

    /// Parses a field value; nil if it is malformed, or has quoted strings, whose case may matter.
    package init?(_ field: String) {
        guard !field.contains("\"") else { return nil }
        var members: [Member] = []
        for element in field.split(separator: ",") {
            var name = ""
            var weight = 1000
            for (index, part) in element.split(separator: ";", omittingEmptySubsequences: false).enumerated()
            {
                let part = String(asciiLowercasing: part.trimmingHTTPWhitespace.utf8)
                if index > 0, part.hasPrefix("q=") {
                    guard let parsed = Self.weight(part.dropFirst(2)) else { return nil }
                    weight = parsed
                } else if index == 0 {
                    name = part
                } else {
                    name += ";\(part)"
                }
            }
            if !name.isEmpty { members.append(Member(name: name, weight: weight)) }
        }
        self.members = members.sorted { ($1.weight, $0.name) < ($0.weight, $1.name) }
    }

    /// Parses a weight such as `0`, `0.123` or `1.000` into thousandths; nil for anything else.
    private static func weight(_ text: Substring) -> Int? {
        let digits = Array(text.utf8)
        guard let first = digits.first, first == 0x30 || first == 0x31, digits.count <= 5,
            digits.count == 1 || digits[1] == UInt8(ascii: ".")
        else { return nil }
        var weight = Int(first &- 0x30) * 1000
        var unit = 100
        for digit in digits.dropFirst(2) {
            guard digit.isASCIIDigit else { return nil }
            weight += Int(digit &- 0x30) &* unit
            unit /= 10
        }
        return weight <= 1000 ? weight : nil
    }

    /// A normalized text, equal for all values with the same meaning.
    package var normalized: String {
        members.map { $0.weight == 1000 ? $0.name : "\($0.name);q=\($0.weight)" }.joined(separator: ",")
    }
}
