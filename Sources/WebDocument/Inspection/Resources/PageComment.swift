/// A comment of a page.
public struct PageComment: Hashable, Sendable, Codable {
    /// The text between `<!--` and `-->`.
    public let text: String

    /// The condition of a conditional comment, whose contents old browsers of Microsoft treated as part of
    /// the page, as "lt IE 9"; nil for others.
    ///
    /// [Conditional comments](https://learn.microsoft.com/en-us/previous-versions/windows/internet-explorer/ie-developer/compatibility/ms537512(v=vs.85))
    public let condition: String?

    /// Where it stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?

    init(text: String, position: SourcePosition?) {
        self.text = text
        self.position = position
        condition = Self.condition(of: text)
    }

    /// The text between "[if" and "]" at a text's start.
    private static func condition(of text: String) -> String? {
        var scanner = FieldScanner(Array(text.utf8.prefix(200)))
        scanner.skip(while: \.isASCIIWhitespace)
        guard scanner.skip(UInt8(ascii: "[")) else { return nil }
        scanner.skip(while: \.isASCIIWhitespace)
        for letter in "if".utf8 {
            guard let byte = scanner.current, byte.asciiLowercased == letter else { return nil }
            scanner.advance()
        }
        guard let byte = scanner.current,
            byte.isASCIIWhitespace || byte == UInt8(ascii: "(") || byte == UInt8(ascii: "!")
        else { return nil }
        let condition = scanner.collect { $0 != UInt8(ascii: "]") }
        guard scanner.current != nil else { return nil }
        return scanner.text(condition).collapsingASCIIWhitespace
    }
}
