import WebStandards

/// A scanner for the CSS properties whose resources browsers request with CORS, which no file grants another.
///
/// [CSS Masking, section 7.1](https://drafts.fxtf.org/css-masking/#priv-sec),
/// [CSS Shapes, section 4.3](https://drafts.csswg.org/css-shapes/#shape-outside-property)
struct StyleProperties {
    /// The style sheet, or the declarations.
    private let text: ArraySlice<UInt8>
    /// The index up to which the text was scanned.
    private var index: Int
    /// The start of the declaration at that index.
    private var start: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
        start = index
    }

    /// Whether a value belongs to such a property, or to a custom one, which may be used for any.
    ///
    /// - Parameter offset: The offset of the value in the text, after that of the previous call.
    /// - Returns: Whether it does.
    /// - Complexity: O(n) in the length of the text, for all values together.
    mutating func needsCORS(at offset: Int) -> Bool {
        let end = min(text.startIndex +| offset, text.endIndex)
        while index < end {
            if Self.isEnd(text[index]) { start = index + 1 }
            index += 1
        }
        let name = text[start..<max(start, end)].drop(while: \.isASCIIWhitespace)
            .prefix { $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        return Self.isNamed(String(asciiLowercasing: name))
    }

    private static func isEnd(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ";") || byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
    }

    /// Whether a name, in lower case, is that of such a property.
    static func isNamed(_ name: String) -> Bool {
        if name.hasPrefix("--") { return true }
        let plain = name.hasPrefix("-webkit-") ? String(name.dropFirst(8)) : name
        return plain == "mask" || plain.hasPrefix("mask-") || plain == "shape-outside" || plain == "clip-path"
            || plain == "filter" || plain == "backdrop-filter"
    }
}
