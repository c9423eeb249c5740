import Testing

@testable import WebStandards

/// Bytes, the text they mean, and how many of its U+FFFD stand for errors.
struct DecodingSample: Sendable, CustomTestStringConvertible {
    var encoding: TextEncoding
    var bytes: [UInt8]
    var text: String
    var errors: Int

    /// A sample of bytes in hexadecimal; every U+FFFD is an error where `errors` is not given.
    init(_ encoding: TextEncoding, _ hexadecimal: String, _ text: String, errors: Int? = nil) {
        self.encoding = encoding
        self.text = text
        self.errors = errors ?? text.unicodeScalars.count { $0 == "\u{FFFD}" }
        bytes = hexadecimal.split(separator: " ").compactMap { UInt8($0, radix: 16) }
    }

    var testDescription: String {
        "\(encoding) \(bytes.map { String($0, radix: 16) }.joined(separator: " "))"
    }
}

extension DecodingSample {
    /// The output of each decoder for well-formed and ill-formed bytes.
    static let all: [DecodingSample] = unicode + singleByte + chineseAndKorean + japanese

    /// In UTF-8, each maximal subpart is an error; in UTF-16, a lone surrogate and half a code unit are.
    private static let unicode: [DecodingSample] = [
        Sample(.utf8, "", ""),
        Sample(.utf8, "61 C3 A9 E2 82 AC F0 9F 98 80 00 EF BB BF", "aé€😀\u{0}\u{FEFF}"),
        Sample(.utf8, "EF BF BD", "\u{FFFD}", errors: 0),
        Sample(.utf8, "80 BF C0 C1 F5 FF", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.utf8, "C0 80", "\u{FFFD}\u{FFFD}"),
        Sample(.utf8, "C3", "\u{FFFD}"),
        Sample(.utf8, "C3 41", "\u{FFFD}A"),
        Sample(.utf8, "C3 C3 A9", "\u{FFFD}é"),
        Sample(.utf8, "E0 9F BF", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.utf8, "E0 A0", "\u{FFFD}"),
        Sample(.utf8, "E2 82", "\u{FFFD}"),
        Sample(.utf8, "E2 82 41", "\u{FFFD}A"),
        Sample(.utf8, "E2 82 E2 82 AC", "\u{FFFD}€"),
        Sample(.utf8, "ED 9F BF ED A0 80", "\u{D7FF}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.utf8, "F0 8F BF BF", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.utf8, "F0 90 80 41", "\u{FFFD}A"),
        Sample(.utf8, "F0 9F 98", "\u{FFFD}"),
        Sample(.utf8, "F4 8F BF BF F4 90 80 80", "\u{10FFFF}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.utf8, "F1 80 80 E1 80 C2 41", "\u{FFFD}\u{FFFD}\u{FFFD}A"),
        Sample(.utf8, "61 62 63 64 65 66 67 68 69 6A 6B 6C 6D 6E 6F 70 E2 82", "abcdefghijklmnop\u{FFFD}"),
        Sample(.utf16LE, "41 00 3D D8 00 DE", "A\u{1F600}"),
        Sample(.utf16LE, "41 00 42", "A\u{FFFD}"),
        Sample(.utf16LE, "3D D8", "\u{FFFD}"),
        Sample(.utf16LE, "3D D8 41", "\u{FFFD}"),
        Sample(.utf16LE, "3D D8 41 00", "\u{FFFD}A"),
        Sample(.utf16LE, "3D D8 3D D8 00 DE", "\u{FFFD}\u{1F600}"),
        Sample(.utf16LE, "00 DE 41 00", "\u{FFFD}A"),
        Sample(.utf16LE, "80 00 FF 07 00 08 FF FF", "\u{80}\u{7FF}\u{800}\u{FFFF}"),
        Sample(.utf16BE, "00 41 D8 3D DE 00", "A\u{1F600}"),
        Sample(.utf16BE, "D8 3D 00 41", "\u{FFFD}A"),
        Sample(.utf16BE, "00 61 00 62 00 63 00 64 00 65 4E 2D FE FF", "abcde中\u{FEFF}"),
        Sample(.utf16BE, "D8 3D 00", "\u{FFFD}"),
    ]

    private static let singleByte: [DecodingSample] = [
        Sample(.windows1252, "63 80 81 9F E9 FF", "c€\u{81}Ÿéÿ"),
        Sample(.iso8859Part3, "A5 A6", "\u{FFFD}Ĥ"),
        Sample(.iso8859Part8, "A1 E0 FF", "\u{FFFD}א\u{FFFD}"),
        Sample(.iso8859Part8I, "A1 E0 FF", "\u{FFFD}א\u{FFFD}"),
        Sample(.windows874, "80 DB FB", "€\u{FFFD}๛"),
        Sample(.xMacCyrillic, "A2 B6 FF", "Ґґ€"),
        Sample(.xUserDefined, "41 80 FF", "A\u{F780}\u{F7FF}"),
        Sample(.replacement, "", ""),
        Sample(.replacement, "41", "\u{FFFD}"),
        Sample(.replacement, "41 80 FF 42 0A", "\u{FFFD}"),
    ]

    private static let chineseAndKorean: [DecodingSample] = [
        Sample(.gbk, "D6 D0 41 80", "中A\u{20AC}"),
        Sample(.gbk, "81 30 81 30", "\u{80}"),
        Sample(.gbk, "A2 E3", "\u{20AC}"),
        Sample(.gb18030, "D6 D0 41 80", "中A\u{20AC}"),
        Sample(.gb18030, "A3 A0 A8 BC A8 BF", "\u{3000}\u{1E3F}\u{1F9}"),
        Sample(.gb18030, "A6 D9 FE 59 FE A0", "\u{FE10}龴龻"),
        Sample(.gb18030, "81 30 81 30 84 31 A4 37", "\u{80}\u{FFFD}", errors: 0),
        Sample(.gb18030, "84 31 A4 39", "\u{FFFF}"),
        Sample(.gb18030, "84 31 A5 30", "\u{FFFD}"),
        Sample(.gb18030, "90 30 81 30 E3 32 9A 35", "\u{10000}\u{10FFFF}"),
        Sample(.gb18030, "81 35 F4 37", "\u{E7C7}"),
        Sample(.gb18030, "E3 32 9A 36", "\u{FFFD}"),
        Sample(.gb18030, "FF 41", "\u{FFFD}A"),
        Sample(.gb18030, "81", "\u{FFFD}"),
        Sample(.gb18030, "81 30", "\u{FFFD}"),
        Sample(.gb18030, "81 30 81", "\u{FFFD}"),
        Sample(.gb18030, "81 20", "\u{FFFD} "),
        Sample(.gb18030, "81 7F", "\u{FFFD}\u{7F}"),
        Sample(.gb18030, "81 FF 41", "\u{FFFD}A"),
        Sample(.gb18030, "81 30 41", "\u{FFFD}0A"),
        Sample(.gb18030, "81 30 FF 41", "\u{FFFD}0\u{FFFD}A"),
        Sample(.gb18030, "81 30 D6 D0 41", "\u{FFFD}0中A"),
        Sample(.gb18030, "81 30 81 41", "\u{FFFD}0丄"),
        Sample(.gb18030, "81 30 81 81 30 81 30", "\u{FFFD}0亖0\u{FFFD}"),
        Sample(.gb18030, "81 30 81 FF 41", "\u{FFFD}0\u{FFFD}A"),
        Sample(.gb18030, "FE 39 FE 39", "\u{FFFD}"),
        Sample(.big5, "A4 A4 41", "中A"),
        Sample(.big5, "88 62 88 64 88 A3 88 A5", "\u{CA}\u{304}\u{CA}\u{30C}\u{EA}\u{304}\u{EA}\u{30C}"),
        Sample(.big5, "87 40 FE FE", "䏰秔"),
        Sample(.big5, "89 58 FE FD", "华\u{2910D}"),
        Sample(.big5, "80 41", "\u{FFFD}A"),
        Sample(.big5, "FF 41", "\u{FFFD}A"),
        Sample(.big5, "A4", "\u{FFFD}"),
        Sample(.big5, "81 40", "\u{FFFD}@"),
        Sample(.big5, "A4 20 A4 7F", "\u{FFFD} \u{FFFD}\u{7F}"),
        Sample(.big5, "A4 80 41", "\u{FFFD}A"),
        Sample(.big5, "A4 FF 41", "\u{FFFD}A"),
        Sample(.eucKR, "C7 D1 81 41", "한갂"),
        Sample(.eucKR, "80 41 FF", "\u{FFFD}A\u{FFFD}"),
        Sample(.eucKR, "B0 62 FF C8 41", "캼\u{FFFD}\u{FFFD}A"),
        Sample(.eucKR, "C8", "\u{FFFD}"),
        Sample(.eucKR, "81 40 81 FF", "\u{FFFD}@\u{FFFD}"),
        Sample(.eucKR, "C8 5B", "\u{FFFD}["),
    ]

    private static let japanese: [DecodingSample] = [
        Sample(.shiftJIS, "93 FA 96 7B 80 B1 5C 7E", "日本\u{80}ｱ\\~"),
        Sample(.shiftJIS, "F0 40 F9 FC", "\u{E000}\u{E757}"),
        Sample(.shiftJIS, "A0 FD FE FF", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.shiftJIS, "81", "\u{FFFD}"),
        Sample(.shiftJIS, "81 20 81 7F", "\u{FFFD} \u{FFFD}\u{7F}"),
        Sample(.shiftJIS, "81 FD 41", "\u{FFFD}A"),
        Sample(.shiftJIS, "85 40 41", "\u{FFFD}@A"),
        Sample(.shiftJIS, "FA 40 FC 4B FC 4C", "\u{2170}黑\u{FFFD}L"),
        Sample(.eucJP, "C6 FC CB DC 8E B1 8F A2 AF 5C", "日本ｱ\u{2D8}\\"),
        Sample(.eucJP, "80 A0 FF", "\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.eucJP, "8E E0 41", "\u{FFFD}A"),
        Sample(.eucJP, "8E 41", "\u{FFFD}A"),
        Sample(.eucJP, "8E 8E B1", "\u{FFFD}\u{FFFD}"),
        Sample(.eucJP, "8F 41", "\u{FFFD}A"),
        Sample(.eucJP, "8F A2 41", "\u{FFFD}A"),
        Sample(.eucJP, "8F A1 A1 A4 A2", "\u{FFFD}あ"),
        Sample(.eucJP, "8F", "\u{FFFD}"),
        Sample(.eucJP, "8F A2", "\u{FFFD}"),
        Sample(.eucJP, "8F 8F B0 A1", "\u{FFFD}亜"),
        Sample(.eucJP, "A4 62 A4 FF A9 A1", "\u{FFFD}b\u{FFFD}\u{FFFD}"),
        Sample(
            .iso2022JP,
            "41 5C 7E 1B 28 4A 5C 7E 41 1B 28 49 31 1B 24 42 46 7C 4B 5C 1B 28 42 41",
            "A\\~\u{A5}\u{203E}Aｱ日本A"
        ),
        Sample(.iso2022JP, "1B 24 40 46 7C 0A 1B 28 42", "日\u{FFFD}"),
        Sample(.iso2022JP, "0E 0F 80 FF", "\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}"),
        Sample(.iso2022JP, "1B", "\u{FFFD}"),
        Sample(.iso2022JP, "1B 28", "\u{FFFD}("),
        Sample(.iso2022JP, "1B 24", "\u{FFFD}$"),
        Sample(.iso2022JP, "1B 41 1B 28 41 1B 24 41", "\u{FFFD}A\u{FFFD}(A\u{FFFD}$A"),
        Sample(.iso2022JP, "1B 1B 28 4A 61 5C", "\u{FFFD}a\u{A5}"),
        Sample(.iso2022JP, "1B 28 42 1B 28 4A 61", "\u{FFFD}a"),
        Sample(.iso2022JP, "1B 24 42 46 1B 28 42 61", "\u{FFFD}a"),
        Sample(.iso2022JP, "1B 24 42 46", "\u{FFFD}"),
        Sample(.iso2022JP, "1B 24 42 46 01 46 7C", "\u{FFFD}日"),
        Sample(.iso2022JP, "1B 24 42 1B 24", "\u{FFFD}\u{FFFD}"),
        Sample(.iso2022JP, "1B 24 42 29 21", "\u{FFFD}"),
        Sample(.iso2022JP, "1B 28 49 60 1B 28 5A", "\u{FFFD}\u{FFFD}ｨﾚ"),
        Sample(.iso2022JP, "1B 28 49 80 1B 28 42", "\u{FFFD}"),
        Sample(.iso2022JP, "1B 28 4A 1B 24 29 43", "\u{FFFD}$)C"),
    ]
}

private typealias Sample = DecodingSample
