import WebStandards

/// Writes `data:` URLs of texts, such that what is Base64 in them stays as it is, however often they are within each other.
///
/// [RFC 2397](https://www.rfc-editor.org/rfc/rfc2397)
enum DataURLText {
    /// The URL of a text, in ASCII but for characters that are not.
    ///
    /// It has no character that HTML, CSS strings or the parser of URLs take for something else.
    ///
    /// - Parameters:
    ///   - type: Its MIME type, without parameters.
    ///   - text: The text, in UTF-8.
    /// - Returns: The URL.
    static func url(_ type: String, _ text: [UInt8]) -> String {
        var bytes = Array("data:\(type);charset=utf-8,".utf8)
        bytes.reserveCapacity(bytes.count + text.count + text.count / 8)
        for byte in text {
            if isPlain[Int(byte)] {
                bytes.append(byte)
            } else {
                bytes.append(UInt8(ascii: "%"))
                bytes.append(hexadecimal[Int(byte >> 4)])
                bytes.append(hexadecimal[Int(byte & 15)])
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    private static let isPlain: [Bool] = {
        var plain = [Bool](repeating: false, count: 256)
        for byte in UInt8(0x21)...0xFF where byte != 0x7F { plain[Int(byte)] = true }
        for byte in "\"#%&'()<>\\]`".utf8 { plain[Int(byte)] = false }
        return plain
    }()
}
