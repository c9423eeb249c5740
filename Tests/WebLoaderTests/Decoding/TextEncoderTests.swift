import Testing

@testable import WebStandards

@Suite struct TextEncoderTests {
    @Test(
        arguments: [
            (TextEncoding.utf8, "aé€😀", "61 C3 A9 E2 82 AC F0 9F 98 80"),
            (.utf16LE, "é", "C3 A9"), (.utf16BE, "é", "C3 A9"), (.replacement, "é", "C3 A9"),
            (.windows1252, "€é\u{81}", "80 E9 81"), (.iso8859Part8I, "א", "E0"),
            (.xUserDefined, "a\u{F780}\u{F7FF}", "61 80 FF"),
            // gb18030: what its 2005 edition had as private use keeps its two bytes; U+E5E5 has none.
            (.gb18030, "€中\u{E7C7}😀", "A2 E3 D6 D0 81 35 F4 37 94 39 FC 36"),
            (.gb18030, "\u{E78D}\u{FE10}", "A6 D9 A6 D9"),
            (.gb18030, "\u{E793}\u{E794}\u{E795}\u{E796}", "A6 DF A6 EC A6 ED A6 F3"),
            (.gb18030, "\u{E81E}\u{E826}\u{E82B}\u{E82C}", "FE 59 FE 61 FE 66 FE 67"),
            (.gb18030, "\u{E832}\u{E843}\u{E854}\u{E864}", "FE 6D FE 7E FE 90 FE A0"),
            (.gb18030, "\u{9FB4}\u{9FBB}\u{1E3F}", "FE 59 FE A0 A8 BC"),
            (.gb18030, "\u{80}\u{10FFFF}\u{3000}", "81 30 81 30 E3 32 9A 35 A1 A1"),
            (.gbk, "€中\u{E78D}", "80 D6 D0 A6 D9"),
            // Big5: no Hong Kong characters, and the last pointer for six.
            (.big5, "中═╞╡╪十卅", "A4 A4 F9 F9 F9 E9 F9 EB F9 EA A4 51 A4 CA"),
            (.eucKR, "한갂", "C7 D1 81 41"),
            (.shiftJIS, "日本ｱ\u{80}\\~¥‾−－", "93 FA 96 7B B1 80 5C 7E 5C 7E 81 7C 81 7C"),
            (.shiftJIS, "ⅰ黑纊≒", "FA 40 FC 4B FA 5C 81 E0"),
            (.eucJP, "日本ｱ\\~¥‾−ⅰ", "C6 FC CB DC 8E B1 5C 7E 5C 7E A1 DD FC F1"),
            (.iso2022JP, "a¥\\~‾b", "61 1B 28 4A 5C 1B 28 42 5C 7E 1B 28 4A 7E 62 1B 28 42"),
            (
                .iso2022JP, "日\n本ｱ−¥",
                "1B 24 42 46 7C 1B 28 42 0A 1B 24 42 4B 5C 25 22 21 5D 1B 28 4A 5C 1B 28 42"
            ),
        ] as [(TextEncoding, String, String)]
    )
    func textBecomesBytes(encoding: TextEncoding, text: String, hexadecimal: String) {
        let expected = hexadecimal.split(separator: " ").compactMap { UInt8($0, radix: 16) }
        #expect(encodedBytes(text.unicodeScalars, encoding) == expected)
    }

    @Test(arguments: [
        (TextEncoding.windows1252, "\u{80}😀", "&#128;&#128512;"), (.iso8859Part3, "\u{F7A5}", "&#63397;"),
        (.xUserDefined, "\u{80}\u{F77F}\u{F800}", "&#128;&#63359;&#63488;"),
        (.gbk, "😀\u{E5E5}\u{80}", "&#128512;&#58853;&#128;"), (.gb18030, "\u{E5E5}", "&#58853;"),
        (.big5, "\u{43F0}é😀x", "&#17392;&#233;&#128512;x"), (.eucKR, "\u{80}é", "&#128;&#233;"),
        (.shiftJIS, "\u{E000}é", "&#57344;&#233;"), (.eucJP, "é\u{2D8}", "&#233;&#728;"),
        (.iso2022JP, "é\u{E}\u{F}\u{1B}", "&#233;&#65533;&#65533;&#65533;"),
    ])
    func unencodableScalarValuesAreReported(encoding: TextEncoding, text: String, expected: String) {
        #expect(String(decoding: encodedBytes(text.unicodeScalars, encoding), as: UTF8.self) == expected)
    }

    @Test func iso2022JPReturnsToASCIIBeforeAnError() {
        #expect(
            encodedBytes("日é日\u{1B}".unicodeScalars, .iso2022JP)
                == Array("\u{1B}$BF|\u{1B}(B&#233;\u{1B}$BF|\u{1B}(B&#65533;".utf8)
        )
    }

    @Test func iso2022JPStaysInRomanAtAnError() {
        // As the standard has it: what stands for the error is ASCII that Roman has too.
        #expect(encodedBytes("¥é".unicodeScalars, .iso2022JP) == Array("\u{1B}(J\\&#233;\u{1B}(B".utf8))
    }

    @Test(arguments: TextEncoding.allCases)
    func asciiStandsForItself(encoding: TextEncoding) {
        let ascii = (UInt8(0)..<0x80).filter { encoding != .iso2022JP || ![0x0E, 0x0F, 0x1B].contains($0) }
        #expect(encodedBytes(ascii.map { Unicode.Scalar($0) }, encoding) == ascii)
    }

    /// Encoded text decodes to itself, except for the characters that the standard folds into others.
    @Test(arguments: TextEncoding.allCases)
    func whatIsEncodedDecodesToTheSame(encoding: TextEncoding) {
        let oneWay: [UInt32: UInt32] =
            switch encoding {
            case .shiftJIS, .eucJP: [0xA5: 0x5C, 0x203E: 0x7E, 0x2212: 0xFF0D]
            default: [:]
            }
        var kept: [UInt32] = []
        var bytes: [UInt8] = []
        var encoder = TextEncoder(encoding)
        for value in stride(from: UInt32(0x80), to: 0x30000, by: 1) {
            // Katakana become full-width in ISO-2022-JP, and private use of 2005 becomes what 2022 has.
            if encoding == .iso2022JP, (0xFF61...0xFF9F).contains(value) || value == 0x2212 { continue }
            if encoding == .gbk || encoding == .gb18030, (0xE78D...0xE864).contains(value) { continue }
            guard let scalar = Unicode.Scalar(value) else { continue }
            if encoder.encode(scalar, into: &bytes) {
                kept.append(oneWay[value] ?? value)
            } else {
                // Two escape sequences of ISO-2022-JP in a row would be an error.
                _ = encoder.encode("?", into: &bytes)
                kept.append(0x3F)
            }
        }
        encoder.finish(into: &bytes)
        let result = DecodingResult(bytes, encoding.outputEncoding)
        let isSame = result.text.unicodeScalars.lazy.map(\.value).elementsEqual(kept)
        #expect(isSame)
        #expect(result.replacementCount == 0)
    }
}
