/// The search for a declaration of the encoding in an HTML document's bytes.
///
/// It differs from the standard's prescan where Chromium and WebKit do (whatwg/html issues 5913 and 6962,
/// pull request 7205): tags and comments end where the tokenizer ends them, the text of `script`, `title` and
/// their kind holds no elements, and the search ends at the first tag from byte 1024 on that stands outside
/// the head. So a declaration late in a long head counts, one late in the body does not, and no parser starts
/// again.
///
/// Each reading function takes the position it starts at and returns the one it ended at; nil means that the
/// bytes ran out, which ends the search.
///
/// - Complexity: O(n) in the length of the head, or of 1024 bytes and the tag they end in.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding>
@safe
struct EncodingPrescan {
    /// A tag that was read.
    private struct Tag {
        var name: Range<Int>
        var isEnd: Bool
        /// The encoding it declares, where it is a `meta` element's.
        var encoding: TextEncoding?
        var end: Int
    }

    /// The result of "get an attribute": the ranges of a name and a value, or no name where the tag ends.
    private struct Attribute {
        var name: Range<Int>?
        var value: Range<Int>
        var end: Int
    }

    /// How many bytes are always searched.
    private static let unconditionalLength = 1024

    /// The elements whose tags do not end the head, in lower case.
    private static let headElements: [StaticString] = [
        "meta", "link", "script", "style", "title", "base", "noscript", "object",
    ]

    private let bytes: UnsafeRawBufferPointer
    private let count: Int

    /// A search in `bytes`, which have to outlive it.
    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
        count = bytes.count
    }

    /// The encoding of an XML declaration written in UTF-16.
    func utf16XMLDeclaration() -> TextEncoding? {
        if matches("<\0?\0x\0", at: 0) { return .utf16LE }
        if matches("\0<\0?\0x", at: 0) { return .utf16BE }
        return nil
    }

    /// The encoding of the first `meta` element that names one, or nil.
    func metaEncoding() -> TextEncoding? {
        guard case .found(let encoding) = searchMeta() else { return nil }
        return encoding
    }

    /// Whether more bytes of the document could change what the search finds.
    var needsMore: Bool {
        guard count >= Self.unconditionalLength else { return true }
        return utf16XMLDeclaration() == nil && searchMeta() == nil
    }

    /// The result of the search for a `meta` element.
    private enum MetaSearch: Equatable {
        case found(TextEncoding)
        case absent
    }

    /// Searches for a `meta` element that names an encoding; nil where the bytes ran out.
    private func searchMeta() -> MetaSearch? {
        var position = 0
        var isInHead = true
        while let start = index(of: UInt8(ascii: "<"), from: position) {
            if !isInHead, start >= Self.unconditionalLength { return .absent }
            guard let next = byte(at: start + 1) else { return nil }
            switch next {
            case UInt8(ascii: "!"):
                guard let end = markupDeclarationEnd(from: start + 2) else { return nil }
                position = end
            case UInt8(ascii: "?"):
                guard let end = index(of: UInt8(ascii: ">"), from: start + 2) else { return nil }
                position = end + 1
            case UInt8(ascii: "/") where !isLetter(at: start + 2):
                guard let end = index(of: UInt8(ascii: ">"), from: start + 2) else { return nil }
                position = end + 1
            case _ where next == UInt8(ascii: "/") || isLetter(at: start + 1):
                guard let tag = tag(at: start) else { return nil }
                if let encoding = tag.encoding { return .found(encoding) }
                if !isAllowedInHead(tag) { isInHead = false }
                guard let end = tag.isEnd ? tag.end : rawTextEnd(of: tag.name, from: tag.end) else {
                    return nil
                }
                position = end
            default:
                position = start + 1
            }
        }
        return nil
    }

    /// "Get an XML encoding": the encoding named by what looks like an XML declaration at the very start.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing>
    func xmlEncoding() -> TextEncoding? {
        // Steps 1 and 2.
        guard matches("<?xml", at: 0) else { return nil }
        // Step 3.
        let window = min(count, Self.unconditionalLength)
        guard let declarationEnd = index(of: UInt8(ascii: ">"), from: 0), declarationEnd < window else {
            return nil
        }
        // Steps 4 and 5: past the first `encoding`.
        guard let name = (0..<declarationEnd).first(where: { matches("encoding", at: $0) }) else {
            return nil
        }
        var position = skip(from: name + 8) { $0 <= 0x20 }
        // Steps 7 and 8.
        guard byte(at: position) == UInt8(ascii: "=") else { return nil }
        position = skip(from: position + 1) { $0 <= 0x20 }
        // Steps 10 to 12.
        guard let quoteMark = byte(at: position), Self.isQuote(quoteMark) else { return nil }
        // Steps 13 to 15.
        guard let end = index(of: quoteMark, from: position + 1), end < window else { return nil }
        let label = position + 1..<end
        for position in label where byte(at: position) ?? 0 <= 0x20 { return nil }
        // Steps 16 to 18.
        guard let encoding = encoding(label: label) else { return nil }
        return encoding.isUTF16 ? .utf8 : encoding
    }

    // MARK: - Markup

    /// Where a comment, a doctype or a bogus comment ends; `start` is behind the exclamation mark.
    private func markupDeclarationEnd(from start: Int) -> Int? {
        guard matches("--", at: start) else {
            guard let end = index(of: UInt8(ascii: ">"), from: start) else { return nil }
            return end + 1
        }
        let text = start + 2
        var position = text
        while let end = index(of: UInt8(ascii: ">"), from: position) {
            position = end + 1
            // The two hyphens of `-->` may be those of the comment's start, the ones of `--!>` may not.
            if matches("--", at: end - 2) { return position }
            if end - 3 >= text, matches("--!", at: end - 3) { return position }
        }
        return nil
    }

    /// Reads a tag: `start` is at its `<`, and a letter follows, or a slash and a letter.
    private func tag(at start: Int) -> Tag? {
        let isEnd = byte(at: start + 1) == UInt8(ascii: "/")
        let nameStart = start + (isEnd ? 2 : 1)
        let nameEnd = skip(from: nameStart) {
            !$0.isASCIIWhitespace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">")
        }
        let name = nameStart..<nameEnd
        if !isEnd, isText(name, "meta") { return meta(name) }
        var position = nameEnd
        while let attribute = attribute(at: position) {
            position = attribute.end
            if attribute.name == nil {
                return Tag(name: name, isEnd: isEnd, encoding: nil, end: position + 1)
            }
        }
        return nil
    }

    /// Reads the attributes of a `meta` element, whose name stands in `name`.
    private func meta(_ name: Range<Int>) -> Tag? {
        var position = name.upperBound
        // The attribute list, of which only these three names matter.
        var sawHTTPEquiv = false
        var sawContent = false
        var sawCharset = false
        var gotPragma = false
        var needPragma: Bool?
        var charset: TextEncoding?
        // Attributes.
        while true {
            guard let attribute = attribute(at: position) else { return nil }
            position = attribute.end
            guard let name = attribute.name else { break }
            if isText(name, "http-equiv") {
                if !sawHTTPEquiv, isText(attribute.value, "content-type") { gotPragma = true }
                sawHTTPEquiv = true
            } else if isText(name, "content") {
                if !sawContent, needPragma == nil, let encoding = encoding(metaContent: attribute.value) {
                    charset = encoding
                    needPragma = true
                }
                sawContent = true
            } else if isText(name, "charset") {
                if !sawCharset {
                    charset = encoding(label: attribute.value)
                    needPragma = false
                }
                sawCharset = true
            }
        }
        // Processing.
        let counts = needPragma == false || needPragma == true && gotPragma
        let encoding = counts ? charset?.asDeclaredByMeta : nil
        return Tag(name: name, isEnd: false, encoding: encoding, end: position + 1)
    }

    /// "Get an attribute", from `start` on.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing>
    private func attribute(at start: Int) -> Attribute? {
        // Steps 1 and 2.
        var position = skip(from: start) { $0.isASCIIWhitespace || $0 == UInt8(ascii: "/") }
        guard let first = byte(at: position) else { return nil }
        if first == UInt8(ascii: ">") {
            return Attribute(name: nil, value: position..<position, end: position)
        }
        // Steps 3 to 5: the name. An equals sign as its first byte belongs to it.
        let nameStart = position
        position = skip(from: position + 1) {
            !$0.isASCIIWhitespace && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ">")
                && $0 != UInt8(ascii: "=")
        }
        let name = nameStart..<position
        // Steps 6 to 8: spaces, and the equals sign.
        position = skip(from: position) { $0.isASCIIWhitespace }
        guard let next = byte(at: position) else { return nil }
        guard next == UInt8(ascii: "=") else {
            return Attribute(name: name, value: position..<position, end: position)
        }
        // Step 9.
        position = skip(from: position + 1) { $0.isASCIIWhitespace }
        guard let quote = byte(at: position) else { return nil }
        // Step 10: in quotes.
        if Self.isQuote(quote) {
            guard let end = index(of: quote, from: position + 1) else { return nil }
            return Attribute(name: name, value: position + 1..<end, end: end + 1)
        }
        // Steps 10 to 12: without quotes.
        let end = skip(from: position) { !$0.isASCIIWhitespace && $0 != UInt8(ascii: ">") }
        return end < count ? Attribute(name: name, value: position..<end, end: end) : nil
    }

    /// Whether a tag leaves the parser in the head, or before it.
    private func isAllowedInHead(_ tag: Tag) -> Bool {
        if !tag.isEnd, isText(tag.name, "html") || isText(tag.name, "head") { return true }
        return Self.headElements.contains { isText(tag.name, $0) }
    }

    // MARK: - Bytes

    private static func isQuote(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'")
    }

    private func encoding(label range: Range<Int>) -> TextEncoding? {
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
        return unsafe TextEncoding(label: part.span)
    }

    private func encoding(metaContent range: Range<Int>) -> TextEncoding? {
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[range]).assumingMemoryBound(to: UInt8.self)
        return unsafe TextEncoding(metaContent: part.span)
    }

    /// The byte at `position`, or nil where the bytes have run out.
    @inline(__always)
    func byte(at position: Int) -> UInt8? {
        position >= 0 && position < count ? unsafe bytes[position] : nil
    }

    /// The position of the next `byte`, or nil.
    func index(of byte: UInt8, from position: Int) -> Int? {
        var position = position
        while position < count {
            if unsafe bytes[position] == byte { return position }
            position += 1
        }
        return nil
    }

    /// Whether a letter stands at `position`.
    func isLetter(at position: Int) -> Bool {
        guard let byte = byte(at: position) else { return false }
        return byte.asciiLowercased &- UInt8(ascii: "a") < 26
    }

    /// Whether the bytes in `range` are `text`, given in lower case; their own case does not matter.
    func isText(_ range: Range<Int>, _ text: StaticString) -> Bool {
        range.count == text.utf8CodeUnitCount && matchesIgnoringCase(text, at: range.lowerBound)
    }

    /// Whether `text`, given in lower case, stands at `position`; the case of the bytes does not matter.
    func matchesIgnoringCase(_ text: StaticString, at position: Int) -> Bool {
        matches(text, at: position, folding: { $0.asciiLowercased })
    }

    /// Whether `text` stands at `position`.
    func matches(_ text: StaticString, at position: Int) -> Bool {
        matches(text, at: position, folding: { $0 })
    }

    private func matches(_ text: StaticString, at position: Int, folding: (UInt8) -> UInt8) -> Bool {
        guard position >= 0, position + text.utf8CodeUnitCount <= count else { return false }
        return text.withUTF8Buffer { text in
            for offset in 0..<text.count where unsafe folding(bytes[position + offset]) != text[offset] {
                return false
            }
            return true
        }
    }

    /// The position of the first byte from `position` on that `passes` does not hold for.
    @inline(__always)
    private func skip(from position: Int, while passes: (UInt8) -> Bool) -> Int {
        var position = position
        while position < count, unsafe passes(bytes[position]) { position += 1 }
        return position
    }
}
