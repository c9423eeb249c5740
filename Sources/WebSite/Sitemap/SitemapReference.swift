import WebStandards

/// The replacement of references, by the name between "&" and ";".
enum SitemapReference {
    /// Returns the replacement text of a name, as UTF-8; `nil` if the name is unknown.
    static func replacement(_ name: [UInt8]) -> [UInt8]? {
        switch String(decoding: name, as: UTF8.self) {
        case "amp": Array("&".utf8)
        case "lt": Array("<".utf8)
        case "gt": Array(">".utf8)
        case "quot": Array("\"".utf8)
        case "apos": Array("'".utf8)
        default: number(name[...])
        }
    }

    private static func number(_ name: ArraySlice<UInt8>) -> [UInt8]? {
        guard name.first == UInt8(ascii: "#") else { return nil }
        var digits = name.dropFirst()
        let isHexadecimal = digits.first.map { $0 | 0x20 == UInt8(ascii: "x") } ?? false
        if isHexadecimal { digits = digits.dropFirst() }
        guard !digits.isEmpty, digits.count <= 8 else { return nil }
        let text = String(decoding: digits, as: UTF8.self)
        guard let value = UInt32(text, radix: isHexadecimal ? 16 : 10), value != 0,
            let scalar = Unicode.Scalar(value)
        else { return nil }
        return Array(String(scalar).utf8)
    }
}
