import Glibc

/// The context of a text, which decides what has to be escaped.
enum MarkupEscaping {
    case htmlText
    case htmlAttribute
    case xmlText
    case xmlAttribute

    /// Returns the replacement for a byte; `nil` if the byte is written as it is.
    @inline(__always)
    fileprivate func replacement(_ byte: UInt8) -> StaticString? {
        switch byte {
        case UInt8(ascii: "&"): return "&amp;"
        case UInt8(ascii: "<"): return "&lt;"
        case UInt8(ascii: ">"): return "&gt;"
        case UInt8(ascii: "\""): return self == .htmlAttribute || self == .xmlAttribute ? "&quot;" : nil
        case 0x09: return self == .xmlAttribute ? "&#9;" : nil
        case 0x0A: return self == .xmlAttribute ? "&#10;" : nil
        case 0x0D: return self == .xmlText || self == .xmlAttribute ? "&#13;" : nil
        case 0..<0x20: return self == .xmlText || self == .xmlAttribute ? "\u{FFFD}" : nil
        default: return nil
        }
    }
}

extension MarkupEscaping {
    /// For HTML: how many bytes from here on certainly need no escaping.
    fileprivate func unescapedLength(_ text: UnsafePointer<UInt8>) -> Int {
        // The last byte, 0xC2, begins U+00A0, and other characters.
        let special: [CChar] = self == .htmlText ? Self.textSpecials : Self.attributeSpecials
        return unsafe strcspn(UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self), special)
    }

    private static let textSpecials = [0x26, 0x3C, 0x3E, CChar(bitPattern: 0xC2), 0]
    private static let attributeSpecials = [0x26, 0x3C, 0x3E, 0x22, CChar(bitPattern: 0xC2), 0]
}

extension [UInt8] {
    /// Appends a text that ends with NUL; nothing for nil.
    mutating func append(nulTerminated text: UnsafePointer<UInt8>?) {
        guard let text = unsafe text else { return }
        unsafe append(contentsOf: UnsafeBufferPointer(start: text, count: TreeNode.length(text)))
    }

    /// Appends a text that ends with NUL, with character references where needed.
    ///
    /// "Escaping a string", for HTML: <https://html.spec.whatwg.org/multipage/parsing.html#escapingString>
    mutating func append(escaping text: UnsafePointer<UInt8>, _ escaping: MarkupEscaping) {
        let isHTML = escaping == .htmlText || escaping == .htmlAttribute
        var start = unsafe text
        var end = unsafe text
        while true {
            // Most texts are copied whole: on real pages this takes a third off the time (Scripts/bench parsing).
            if isHTML { unsafe end += escaping.unescapedLength(end) }
            let byte = unsafe end.pointee
            guard byte != 0 else { break }
            var replacement = escaping.replacement(byte)
            var length = 1
            if isHTML, byte == 0xC2, unsafe end[1] == 0xA0 {
                replacement = "&nbsp;"
                length = 2
            } else if !isHTML, byte == 0xEF, unsafe end[1] == 0xBF, unsafe end[2] >= 0xBE {
                // U+FFFE and U+FFFF are no characters of XML.
                replacement = "\u{FFFD}"
                length = 3
            }
            if let replacement {
                unsafe append(contentsOf: UnsafeBufferPointer(start: start, count: end - start))
                replacement.withUTF8Buffer { unsafe append(contentsOf: $0) }
                unsafe start = end + length
            }
            unsafe end += length
        }
        unsafe append(contentsOf: UnsafeBufferPointer(start: start, count: end - start))
    }
}
