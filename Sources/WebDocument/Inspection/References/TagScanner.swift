/// Reads the attributes of a start tag, whose place is known, as the HTML tokenizer does.
///
/// [Tokenization](https://html.spec.whatwg.org/multipage/parsing.html#before-attribute-name-state)
struct TagScanner {
    private let bytes: [UInt8]
    private let end: Int
    private var index: Int
    /// The tag's name, as it is written.
    let name: Range<Int>

    /// - Parameters:
    ///   - bytes: The source.
    ///   - tag: A tag, from its `<` to after its `>`.
    ///   - isEnd: Whether it is an end tag.
    init(_ bytes: [UInt8], _ tag: Range<Int>, isEnd: Bool) {
        self.bytes = bytes
        end = max(tag.lowerBound, tag.upperBound - 1)
        let start = min(tag.lowerBound + (isEnd ? 2 : 1), end)
        index = start
        while index < end, !Self.endsName(bytes[index]) { index += 1 }
        name = start..<index
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte.isASCIIWhitespace || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    /// An attribute: its name, its value without quotes, and all of it.
    struct Attribute {
        var name: Range<Int>
        var value: Range<Int>
        var range: Range<Int>
        var quote: UInt8?
    }

    /// The next attribute; nil after the last one.
    mutating func next() -> Attribute? {
        while index < end, Self.endsName(bytes[index]) { index += 1 }
        guard index < end else { return nil }
        let start = index
        index += 1
        while index < end, !Self.endsName(bytes[index]), bytes[index] != UInt8(ascii: "=") { index += 1 }
        let name = start..<index
        var after = index
        while after < end, bytes[after].isASCIIWhitespace { after += 1 }
        guard after < end, bytes[after] == UInt8(ascii: "=") else {
            return Attribute(name: name, value: index..<index, range: name, quote: nil)
        }
        index = after + 1
        while index < end, bytes[index].isASCIIWhitespace { index += 1 }
        guard index < end else { return Attribute(name: name, value: end..<end, range: start..<end) }
        let first = bytes[index]
        guard first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") else {
            let begin = index
            while index < end, !bytes[index].isASCIIWhitespace, bytes[index] != UInt8(ascii: ">") {
                index += 1
            }
            return Attribute(name: name, value: begin..<index, range: start..<index)
        }
        let begin = index + 1
        index = begin
        while index < end, bytes[index] != first { index += 1 }
        let value = begin..<index
        index = min(index + 1, end)
        return Attribute(name: name, value: value, range: start..<index, quote: first)
    }
}
