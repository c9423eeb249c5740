/// Passes over what is no text in a source of HTML.
enum SourceMarkup {
    /// Where the tag, the comment or the like ends that begins with the `<` at an index; nil where that is text.
    ///
    /// Complexity: O(n) in the size of it.
    static func end(of start: Int, in bytes: HTMLBytes) -> Int? {
        guard start + 1 < bytes.count else { return nil }
        switch bytes[start + 1] {
        case UInt8(ascii: "!"):
            guard starts("<!--", at: start, in: bytes) else { return after(">", from: start + 2, in: bytes) }
            return endOfComment(start + 4, in: bytes)
        case UInt8(ascii: "?"): return after(">", from: start + 2, in: bytes)
        case UInt8(ascii: "/"):
            guard start + 2 < bytes.count else { return nil }
            return bytes[start + 2].isASCIIAlpha
                ? endOfTag(start + 2, in: bytes) : after(">", from: start + 2, in: bytes)
        case let byte where byte.isASCIIAlpha: return endOfTag(start + 1, in: bytes)
        default: return nil
        }
    }

    /// Whether text is at an index.
    static func starts(_ text: StaticString, at index: Int, in bytes: HTMLBytes) -> Bool {
        bytes.count - index >= text.utf8CodeUnitCount
            && bytes.slice(index, bytes.count).hasPrefix(text)
    }

    private static func after(_ end: Unicode.Scalar, from start: Int, in bytes: HTMLBytes) -> Int {
        var index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: end) { index += 1 }
        return min(index + 1, bytes.count)
    }

    /// Where a comment ends the text of which begins at an index.
    private static func endOfComment(_ start: Int, in bytes: HTMLBytes) -> Int {
        if starts(">", at: start, in: bytes) { return start + 1 }
        if starts("->", at: start, in: bytes) { return start + 2 }
        var index = start
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "-") {
                if starts("-->", at: index, in: bytes) { return index + 3 }
                if starts("--!>", at: index, in: bytes) { return index + 4 }
            }
            index += 1
        }
        return bytes.count
    }

    /// Where a tag ends the name of which begins at an index.
    private static func endOfTag(_ name: Int, in bytes: HTMLBytes) -> Int {
        var index = name
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: ">") { return index }
            guard byte == UInt8(ascii: "=") else { continue }
            while index < bytes.count, bytes[index].isASCIIWhitespace { index += 1 }
            guard index < bytes.count else { break }
            let quote = bytes[index]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                index = after(Unicode.Scalar(quote), from: index + 1, in: bytes)
            } else {
                while index < bytes.count, !bytes[index].isASCIIWhitespace,
                    bytes[index] != UInt8(ascii: ">")
                {
                    index += 1
                }
            }
        }
        return bytes.count
    }
}
