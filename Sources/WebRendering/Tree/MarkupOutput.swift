/// The text of markup that may be in attributes of other markup, and is escaped once more for each of them.
struct MarkupOutput {
    /// The role of a text in the markup around it.
    enum Role {
        /// Markup, or text that is not escaped.
        case markup
        /// The text of an element.
        case text
        /// The value of an attribute in double quotes.
        case value
    }

    private(set) var bytes: [UInt8] = []

    /// The maximum number of bytes.
    var limit: Int

    /// Whether the limit was exceeded.
    private(set) var isOver = false

    /// The number of attribute values around the text that is written.
    var level = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// Removes all but the first bytes.
    mutating func truncate(to count: Int) {
        bytes.removeLast(max(0, bytes.count - count))
        isOver = false
    }

    /// Writes markup of the writer's own.
    mutating func write(_ markup: StaticString) {
        guard level > 0 else {
            unsafe append(UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
            return
        }
        for index in 0..<markup.utf8CodeUnitCount { write(byte: unsafe markup.utf8Start[index]) }
    }

    /// Writes a byte of markup, one of ASCII.
    mutating func write(byte: UInt8) {
        if level > 0, let name = Self.name(of: byte) {
            write(reference: name, depth: level)
        } else {
            append(byte)
        }
    }

    /// Writes a text.
    ///
    /// "Escaping a string", and a carriage return, which a parser would take for a line feed:
    /// <https://html.spec.whatwg.org/multipage/parsing.html#escapingString>
    mutating func write(_ text: [UInt8], _ role: Role) {
        let depth = role == .markup ? level : level + 1
        let quoteDepth = role == .value ? level + 1 : level
        guard depth > 0 else {
            append(text[...])
            return
        }
        var run = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            // The first byte of U+00A0, and of other characters.
            let isNonBreaking = byte == 0xC2 && index + 1 < text.count && text[index + 1] == 0xA0
            guard let name: StaticString = isNonBreaking ? "nbsp;" : Self.name(of: byte),
                byte != UInt8(ascii: "\"") || quoteDepth > 0
            else {
                index += 1
                continue
            }
            append(text[run..<index])
            guard !isOver else { return }
            write(reference: name, depth: byte == UInt8(ascii: "\"") ? quoteDepth : depth)
            index += isNonBreaking ? 2 : 1
            run = index
        }
        append(text[run...])
    }

    /// Writes the name of a tag.
    mutating func write(name: String) {
        if level > 0 { write(Array(name.utf8), .markup) } else { append(name.utf8) }
    }

    /// Returns the length of an end tag, in bytes.
    func length(ofEndTag name: String) -> Int {
        level > 0 ? length(of: "</" + name + ">") : name.utf8.count + 3
    }

    /// Returns the length of markup, in bytes.
    func length(of markup: String) -> Int {
        var output = MarkupOutput(limit: .largestBounded)
        output.level = level
        output.write(Array(markup.utf8), .markup)
        return output.bytes.count
    }

    /// Returns the character reference of a byte, without its ampersand; `nil` if it needs none.
    @inline(__always)
    private static func name(of byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): "amp;"
        case UInt8(ascii: "<"): "lt;"
        case UInt8(ascii: ">"): "gt;"
        case UInt8(ascii: "\""): "quot;"
        case 0x0D: "#13;"
        default: nil
        }
    }

    /// Writes a character reference that is escaped `depth` - 1 times.
    private mutating func write(reference name: StaticString, depth: Int) {
        append(UInt8(ascii: "&"))
        for _ in 1..<max(depth, 1) {
            guard !isOver else { return }
            append("amp;")
        }
        append(name)
    }

    private mutating func append(_ text: StaticString) {
        unsafe append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func append(_ byte: UInt8) {
        guard bytes.count < limit else {
            isOver = true
            return
        }
        bytes.append(byte)
    }

    private mutating func append(_ run: some Collection<UInt8>) {
        guard run.count <= limit - bytes.count else {
            isOver = true
            return
        }
        bytes.append(contentsOf: run)
    }
}
