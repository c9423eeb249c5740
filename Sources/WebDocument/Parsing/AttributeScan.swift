import Glibc

/// Finds tags with more attributes than libxml2 can process in reasonable time: its parsers compare each
/// attribute with all before it.
///
/// It reads markup only approximately, so that it stays linear, and counts between a `<` and its `>`: in XML,
/// equals signs outside quotes; in HTML, where attributes need no value, words as well, so it may accept up
/// to twice as many. Comments, CDATA sections and processing instructions are not counted.
@safe struct AttributeScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let kind: Document.Kind
    private let limit: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ kind: Document.Kind, limit: Int) {
        unsafe self.bytes = bytes
        self.kind = kind
        self.limit = limit
    }

    /// Where the first tag with too many attributes begins, in bytes; nil if there is none.
    ///
    /// - Complexity: O(n), without allocation.
    func firstExcess() -> Int? {
        var position = 0
        while let start = index(of: UInt8(ascii: "<"), from: position) {
            if starts(with: "!--", at: start + 1) {
                position = end(of: "-->", from: start + 4)
            } else if starts(with: "![CDATA[", at: start + 1) {
                position = end(of: "]]>", from: start + 9)
            } else if starts(with: "?", at: start + 1) {
                position = end(of: ">", from: start + 2)
            } else if starts(with: "!", at: start + 1) {
                // In a document type, the values of entities may contain tags.
                position = start + 2
            } else {
                guard let end = tagEnd(from: start + 1) else { return start }
                position = end
            }
        }
        return nil
    }

    /// The end of the tag whose name begins at `start`; nil if it has too many attributes.
    private func tagEnd(from start: Int) -> Int? {
        var position = start
        var count = 0
        var quote: UInt8 = 0
        var wasSpace = false
        while unsafe position < bytes.count {
            let byte = unsafe bytes[position]
            if quote != 0 {
                if byte == quote { quote = 0 }
            } else {
                switch byte {
                case UInt8(ascii: ">"): return position + 1
                // A tag that was not closed, or no tag at all.
                case UInt8(ascii: "<"): return position
                case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
                case UInt8(ascii: "="): count += 1
                case _ where wasSpace && kind == .html && !byte.isASCIIWhitespace: count += 1
                default: break
                }
                wasSpace = byte.isASCIIWhitespace
                if count > (kind == .html ? 2 * limit : limit) { return nil }
            }
            position += 1
        }
        return position
    }

    private func index(of byte: UInt8, from position: Int) -> Int? {
        guard unsafe position < bytes.count, let start = unsafe bytes.baseAddress else { return nil }
        guard let found = unsafe memchr(start + position, Int32(byte), bytes.count - position) else {
            return nil
        }
        return unsafe UnsafeRawPointer(found) - UnsafeRawPointer(start)
    }

    private func starts(with text: StaticString, at position: Int) -> Bool {
        guard unsafe position + text.utf8CodeUnitCount <= bytes.count, let start = unsafe bytes.baseAddress
        else {
            return false
        }
        return unsafe memcmp(start + position, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// The position after the next occurrence of `text`, which ends with ">"; the end if there is none.
    private func end(of text: StaticString, from position: Int) -> Int {
        var next = position
        while let found = index(of: UInt8(ascii: ">"), from: next) {
            next = found + 1
            let begin = next - text.utf8CodeUnitCount
            if begin >= position, starts(with: text, at: begin) { return next }
        }
        return unsafe bytes.count
    }
}
