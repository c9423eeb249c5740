/// The pseudo-attributes of a processing instruction, as in `href="a.css" type="text/css"`.
///
/// [Associating Style Sheets with XML documents, section 3](https://www.w3.org/TR/xml-stylesheet/#dt-xml-stylesheet)
enum PseudoAttributes {
    /// The value of the first one of this name; nil without one.
    ///
    /// Malformed data ends the search. Complexity: O(n) in the length of the data.
    static func value(of name: String, in data: String) -> String? {
        all(in: data).first { $0.name == name }?.value
    }

    /// The first one of each name, as far as the data is well-formed.
    ///
    /// Complexity: O(n) in the length of the data.
    static func all(in data: String) -> [(name: String, value: String)] {
        var attributes: [(name: String, value: String)] = []
        var names: Set<String> = []
        var scanner = FieldScanner(data)
        while true {
            scanner.skip(while: \.isASCIIWhitespace)
            let found = scanner.text(scanner.collect { !$0.isASCIIWhitespace && $0 != UInt8(ascii: "=") })
            scanner.skip(while: \.isASCIIWhitespace)
            guard !found.isEmpty, found.utf8.allSatisfy({ $0.isASCIIAlpha || $0 == UInt8(ascii: "-") }),
                scanner.skip(UInt8(ascii: "="))
            else { return attributes }
            scanner.skip(while: \.isASCIIWhitespace)
            guard let quote = scanner.current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
            else {
                return attributes
            }
            scanner.advance()
            let value = scanner.text(scanner.collect { $0 != quote })
            guard scanner.skip(quote) else { return attributes }
            if names.insert(found).inserted { attributes.append((found, unescaped(value))) }
        }
    }

    /// The text with the five entities of XML and character references replaced.
    private static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        var output = ""
        for (index, part) in text.split(separator: "&", omittingEmptySubsequences: false).enumerated() {
            guard index > 0 else {
                output += part
                continue
            }
            let end = part.firstIndex(of: ";")
            if let end, let replaced = character(part[..<end]) {
                output += replaced + part[part.index(after: end)...]
            } else {
                output += "&" + part
            }
        }
        return output
    }

    /// The character of a reference, without its `&` and `;`; nil for one that XML does not know.
    static func character(_ name: Substring) -> String? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default:
            guard name.hasPrefix("#") else { return nil }
            let digits = name.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            return number.flatMap(Unicode.Scalar.init).map { String($0) }
        }
    }
}
