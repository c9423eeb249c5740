/// How texts are written into markup and style sheets.
enum Escaping {
    /// A value for an attribute in double quotes, or the text of an element.
    static func attribute(_ text: some Sequence<UInt8>) -> [UInt8] {
        var output: [UInt8] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            case UInt8(ascii: "'"): output += "&#39;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            default: output.append(byte)
            }
        }
        return output
    }

    /// A URL for a string or a `url()` of CSS, whatever quotes and whatever markup it stands in.
    static func style(_ url: String) -> [UInt8] {
        var output: [UInt8] = []
        for byte in url.utf8 {
            switch byte {
            case 0...0x20, 0x7F, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
                UInt8(ascii: "\\"), UInt8(ascii: "<"), UInt8(ascii: "&"), UInt8(ascii: "]"):
                output.append(UInt8(ascii: "\\"))
                output += String(byte, radix: 16).utf8
                output.append(UInt8(ascii: " "))
            default: output.append(byte)
            }
        }
        return output
    }
}
