import WebStandards

/// Finds the properties of CSS whose resources browsers ask for with CORS, which no file grants another.
///
/// [CSS Masking, section 7.1](https://drafts.fxtf.org/css-masking/#priv-sec),
/// [CSS Shapes, section 4.3](https://drafts.csswg.org/css-shapes/#shape-outside-property)
struct StyleProperties {
    /// The style sheet, or the declarations.
    private let text: ArraySlice<UInt8>
    /// What was looked at.
    private var index: Int
    /// Where the declaration begins that it is in.
    private var start: Int

    init(_ text: ArraySlice<UInt8>) {
        self.text = text
        index = text.startIndex
        start = index
    }

    /// Whether a value is of such a property, or of a custom one, which may be used for any.
    ///
    /// - Parameter offset: Where the value is in the text, after the one that was asked for last.
    /// - Returns: Whether it is.
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

    /// Whether a property is one of them, by its name in lower case.
    static func isNamed(_ name: String) -> Bool {
        if name.hasPrefix("--") { return true }
        let plain = name.hasPrefix("-webkit-") ? String(name.dropFirst(8)) : name
        return plain == "mask" || plain.hasPrefix("mask-") || plain == "shape-outside" || plain == "clip-path"
            || plain == "filter" || plain == "backdrop-filter"
    }
}
