/// Non-ASCII characters that control a terminal or the display of text: the control characters of ISO 6429
/// (C1), marks of writing direction, and the separators of lines and paragraphs.
///
/// A terminal interprets some of them as commands, and others make a line look different (spoofing).
///
/// [Unicode Technical Report 36, section 2.3](https://www.unicode.org/reports/tr36/#Bidirectional_Text_Spoofing)
package enum ControlCharacter {
    /// The length in UTF-8 of such a character at the start of bytes; 0 if another character begins there.
    @inlinable @inline(__always)
    package static func length<Bytes: RandomAccessCollection>(_ bytes: Bytes) -> Int
    where Bytes.Element == UInt8, Bytes.Index == Int {
        let start = bytes.startIndex
        guard bytes.count > 1 else { return 0 }
        let second = bytes[start + 1]
        switch bytes[start] {
        // U+0080 through U+009F.
        case 0xC2: return second < 0xA0 ? 2 : 0
        // U+061C, the Arabic letter mark.
        case 0xD8: return second == 0x9C ? 2 : 0
        case 0xE2:
            guard bytes.count > 2 else { return 0 }
            let third = bytes[start + 2]
            switch (second, third) {
            // The two marks of direction, both separators, embeddings and overrides: U+200E and U+200F, U+2028 to U+202E.
            case (0x80, 0x8E...0x8F), (0x80, 0xA8...0xAE): return 3
            // Isolates, U+2066 through U+2069.
            case (0x81, 0xA6...0xA9): return 3
            default: return 0
            }
        default: return 0
        }
    }
}
