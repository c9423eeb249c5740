import TestSupport

/// A page of the soak's server: which one it is stands at its beginning, and a checksum of all before it at its end, so
/// that no part of one, and no mixture of two, passes for a page.
struct SoakPage: Hashable, Sendable {
    /// Which of the ``count`` pages.
    var number: Int
    /// How often it was changed.
    var version: Int
    /// The flavour that the request names, where the response varies.
    var flavour: String

    static let count = 500

    /// The media type of the page.
    enum Form: String, CaseIterable {
        case html = "text/html; charset=utf-8"
        case xhtml = "application/xhtml+xml"
        case xml = "application/xml"
        case text = "text/plain; charset=utf-8"
        case json = "application/json"
        case image = "image/png"
    }

    /// Returns the media type of the page with this number.
    static func form(of number: Int) -> Form {
        switch number % 20 {
        case 3: .xhtml
        case 7: .xml
        case 11: .text
        case 15: .json
        case 19: .image
        default: .html
        }
    }

    var form: Form { Self.form(of: number) }

    var title: String { "Page \(number)" }

    /// How many lines it has: a few hundred bytes to some fifty thousand, and some pages a quarter of a million.
    private var lineCount: Int { number % 97 == 0 ? 2500 : 3 << (number % 8) }

    /// The page.
    var bytes: [UInt8] {
        let mark = "soak \(number) \(version) \(flavour);"
        var page: [UInt8]
        let filler: [[UInt8]]
        switch form {
        case .html:
            page = Array(
                "<!DOCTYPE html><html lang=en><head><meta name=page content='\(mark)'><title>\(title)</title><body>\n"
                    .utf8
            )
            filler = Self.markup
        case .xhtml:
            page = Array(
                "<html xmlns='http://www.w3.org/1999/xhtml' id='\(mark)'><head><title>\(title)</title></head><body>\n"
                    .utf8
            )
            filler = Self.markup
        case .xml:
            page = Array("<feed id='\(mark)'>\n".utf8)
            filler = Self.markup
        case .text, .json:
            page = Array("\(mark)\n".utf8)
            filler = Self.words
        case .image:
            page = [0x89] + Array("PNG\r\n\u{1A}\n\(mark)\0\u{1}\u{2}".utf8)
            filler = Self.words
        }
        for line in 0..<lineCount { page += filler[(number * 31 + version * 7 + line) % filler.count] }
        page += Array("<!--sum=".utf8)
        page += Array(Self.hexadecimal(Self.sum(page)).utf8)
        page += Array("-->".utf8)
        switch form {
        case .xhtml: page += Array("</body></html>".utf8)
        case .xml: page += Array("</feed>".utf8)
        case .html, .text, .json, .image: break
        }
        return page
    }

    /// The page that bytes are, nil where they are not all of one.
    init?(_ bytes: [UInt8]) {
        guard let start = Self.index(of: "soak ", in: bytes[..<min(bytes.count, 128)]),
            let end = bytes[start...].firstIndex(of: UInt8(ascii: ";")),
            let sum = Self.index(of: "sum=", in: bytes[max(0, bytes.count - 64)...]),
            bytes.count >= sum + 20
        else { return nil }
        let words = bytes[start..<end].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard words.count == 4, let number = Int(String(decoding: words[1], as: UTF8.self)),
            let version = Int(String(decoding: words[2], as: UTF8.self))
        else { return nil }
        self.init(number: number, version: version, flavour: String(decoding: words[3], as: UTF8.self))
        let stated = String(decoding: bytes[sum + 4..<sum + 20], as: UTF8.self)
        guard stated == Self.hexadecimal(Self.sum(Array(bytes[..<(sum + 4)]))) else { return nil }
    }

    init(number: Int, version: Int, flavour: String = "") {
        self.number = number
        self.version = version
        self.flavour = flavour
    }

    private static func index(of text: String, in bytes: ArraySlice<UInt8>) -> Int? {
        let text = Array(text.utf8)
        return bytes.indices.first { bytes[$0...].starts(with: text) }
    }

    /// Eight bytes a step, since tests without optimisation read many megabytes.
    private static func sum(_ bytes: [UInt8]) -> UInt64 {
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        unsafe bytes.withUnsafeBytes { bytes in
            var offset = 0
            while offset + 8 <= bytes.count {
                sum =
                    unsafe (sum ^ bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
                    &* 0x100_0000_01B3
                sum ^= sum >> 29
                offset += 8
            }
            while offset < bytes.count {
                sum = unsafe (sum ^ UInt64(bytes[offset])) &* 0x100_0000_01B3
                offset += 1
            }
        }
        return sum
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.utf8.count) + digits
    }

    // MARK: - Contents

    private static let markup: [[UInt8]] = lines { words, number in
        "<p class='c\(number % 5)'>\(words[0]) <a href='/p/\(number % count)'>\(words[1])</a> <b>\(words[2])</b> "
            + "\(words[3]) <img src='/i/\(number).png' alt='\(words[0])'/></p>\n"
    }

    private static let words: [[UInt8]] = lines { words, _ in words.joined(separator: " ") + "\n" }

    private static func lines(_ line: ([String], Int) -> String) -> [[UInt8]] {
        var generator = SeededGenerator(seed: 1)
        return (0..<509).map { number in
            let words = (0..<12).map { _ in
                String(
                    (0..<Int.random(in: 2...9, using: &generator)).map { _ in
                        Character(UnicodeScalar(UInt8.random(in: 97...122, using: &generator)))
                    }
                )
            }
            return Array(line(words, number).utf8)
        }
    }
}
