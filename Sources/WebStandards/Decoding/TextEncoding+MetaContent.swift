extension TextEncoding {
    /// Extracts the encoding from the `content` attribute of a `meta` element, as in `text/html;
    /// charset=utf-8`.
    ///
    /// Nil where the attribute names no encoding, or none that the Encoding standard knows.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#extracting-character-encodings-from-meta-elements>
    package init?(metaContent: String) {
        let bytes = metaContent.utf8
        self.init(metaContent: bytes.span)
    }

    /// Extracts the encoding from the bytes of a `content` attribute.
    ///
    /// - Complexity: O(n).
    package init?(metaContent bytes: Span<UInt8>) {
        // Step 1.
        var position = 0
        // Step 2, loop: past the next "charset".
        while let end = Self.endOfCharset(in: bytes, from: position) {
            position = end
            // Step 3.
            while position < bytes.count, bytes[position].isASCIIWhitespace { position += 1 }
            // Step 4: back to the loop where no equals sign follows.
            guard position < bytes.count, bytes[position] == UInt8(ascii: "=") else { continue }
            position += 1
            // Step 5.
            while position < bytes.count, bytes[position].isASCIIWhitespace { position += 1 }
            // Step 6.
            guard let label = Self.labelRange(in: bytes, from: position) else { return nil }
            self.init(label: bytes.extracting(label))
            return
        }
        return nil
    }

    /// Where the next `charset` ends, in upper or lower case.
    private static func endOfCharset(in bytes: Span<UInt8>, from start: Int) -> Int? {
        let word: StaticString = "charset"
        let length = word.utf8CodeUnitCount
        return word.withUTF8Buffer { word in
            var position = start
            search: while position + length <= bytes.count {
                for offset in 0..<length
                where unsafe bytes[position + offset].asciiLowercased != word[offset] {
                    position += 1
                    continue search
                }
                return position + length
            }
            return nil
        }
    }

    /// The label that starts at `start`: in quotes, or up to a space or semicolon.
    private static func labelRange(in bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        guard start < bytes.count else { return nil }
        let first = bytes[start]
        if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
            var end = start + 1
            while end < bytes.count, bytes[end] != first { end += 1 }
            // An unmatched quotation mark names nothing.
            return end < bytes.count ? start + 1..<end : nil
        }
        var end = start
        while end < bytes.count, !bytes[end].isASCIIWhitespace, bytes[end] != UInt8(ascii: ";") { end += 1 }
        return start..<end
    }
}
