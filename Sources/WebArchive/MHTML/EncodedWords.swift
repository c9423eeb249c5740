import WebStandards

/// Words of a field that stand for text in another encoding ([RFC 2047](https://www.rfc-editor.org/rfc/rfc2047)).
enum EncodedWords {
    /// The text that a field's value stands for; what is no encoded word stays.
    static func decoded(_ value: String) -> String {
        guard value.utf8.count <= 1 << 16, value.contains("=?") else { return value }
        var output: [UInt8] = []
        let bytes = Array(value.utf8)
        var index = 0
        // White space between two encoded words is not part of the text.
        var wordEnd: Int?
        while index < bytes.count {
            if let (text, end) = word(in: bytes, at: index) {
                if let wordEnd { output.removeLast(min(output.count, index - wordEnd)) }
                output += text
                index = end
                wordEnd = end
            } else {
                if !bytes[index].isASCIIWhitespace { wordEnd = nil }
                output.append(bytes[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The encoded word that begins at an index, as UTF-8, and its end.
    private static func word(in bytes: [UInt8], at start: Int) -> ([UInt8], Int)? {
        guard start + 1 < bytes.count, bytes[start] == UInt8(ascii: "="),
            bytes[start + 1] == UInt8(ascii: "?")
        else { return nil }
        // A word has 75 characters at most; writers are less exact.
        let rest = bytes[(start + 2)..<min(bytes.count, start + 1000)]
        guard let charsetEnd = rest.firstIndex(of: UInt8(ascii: "?")),
            let kindEnd = rest[(charsetEnd + 1)...].firstIndex(of: UInt8(ascii: "?")),
            kindEnd == charsetEnd + 2
        else { return nil }
        var end = kindEnd + 1
        while end + 1 < rest.endIndex,
            !(bytes[end] == UInt8(ascii: "?") && bytes[end + 1] == UInt8(ascii: "="))
        {
            guard !bytes[end].isASCIIWhitespace else { return nil }
            end += 1
        }
        guard end + 1 < rest.endIndex else { return nil }
        let label = String(decoding: rest[..<charsetEnd].prefix { $0 != UInt8(ascii: "*") }, as: UTF8.self)
        guard let encoding = TextEncoding(label: label) else { return nil }
        var content: [UInt8] = []
        switch bytes[charsetEnd + 1] | 0x20 {
        case UInt8(ascii: "b"):
            var decoder = Base64Decoder()
            decoder.decode(bytes[(kindEnd + 1)..<end], into: &content)
            decoder.finish(into: &content)
        case UInt8(ascii: "q"):
            var decoder = QuotedPrintableDecoder()
            let text = bytes[(kindEnd + 1)..<end].map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }
            decoder.decode(text, into: &content)
            decoder.finish(into: &content, keepingSpace: true)
        default: return nil
        }
        var decoder = TextDecoder(encoding)
        var text: [UInt8] = []
        unsafe content.withUnsafeBytes { unsafe decoder.decode($0, isLast: true, into: &text) }
        return (text, end + 2)
    }
}

extension EncodedWords {
    /// A text as the value of a field: as it is if it is ASCII, and else as encoded words of UTF-8, folded.
    static func encoded(_ text: String) -> String {
        let text = text.prefix(2000)
        let isPlain =
            text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && !text.contains("=?") && text.utf8.count <= 900
        guard !isPlain else { return String(text) }
        // 45 bytes make 60 digits, and a word of 72 characters.
        var words: [[UInt8]] = [[]]
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            if words[words.count - 1].count + bytes.count > 45 { words.append([]) }
            words[words.count - 1] += bytes
        }
        return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\r\n ")
    }
}
