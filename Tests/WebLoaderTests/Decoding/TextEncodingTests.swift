import Foundation
import Testing

@testable import WebStandards

@Suite struct TextEncodingTests {
    @Test(arguments: [
        ("utf-8", "UTF-8"), ("UTF8", "UTF-8"), ("unicode-1-1-utf-8", "UTF-8"), ("latin1", "windows-1252"),
        ("iso-8859-1", "windows-1252"), ("us-ascii", "windows-1252"), ("x-sjis", "Shift_JIS"),
        ("ms_kanji", "Shift_JIS"),
        ("ks_c_5601-1987", "EUC-KR"), ("gb2312", "GBK"), ("gb18030", "gb18030"), ("big5-hkscs", "Big5"),
        ("logical", "ISO-8859-8-I"), ("visual", "ISO-8859-8"), ("utf-16", "UTF-16LE"),
        ("unicodefffe", "UTF-16BE"),
        ("iso-2022-kr", "replacement"), ("hz-gb-2312", "replacement"), ("replacement", "replacement"),
        ("x-user-defined", "x-user-defined"), ("x-mac-ukrainian", "x-mac-cyrillic"), ("mac", "macintosh"),
        (" \t\u{0C}\r\nKoi8-R\n", "KOI8-R"),
    ])
    func labelsStandForEncodings(label: String, name: String) {
        #expect(TextEncoding(label: label)?.name == name)
    }

    @Test(arguments: [
        "", " ", "utf", "utf-9", "utf-80", "utf 8", "utf-7", "utf-32", "\u{B}utf-8", "utf-8\u{0}",
        "\u{A0}utf-8", "utf‑8",
        "\u{212A}oi8-r", "iso-8859-1\u{17F}", "zz", "!", "cseucpkdfmtjapanesee",
        String(repeating: "utf-8", count: 10000),
    ])
    func otherLabelsStandForNone(label: String) {
        #expect(TextEncoding(label: label) == nil)
    }

    @Test func namesAreLabelsOfTheirEncodings() {
        #expect(TextEncoding.allCases.count == 40)
        for encoding in TextEncoding.allCases {
            #expect(TextEncoding(label: encoding.name) == encoding)
            #expect(encoding.description == encoding.name)
        }
    }

    @Test(.enabled(if: EncodingFixtures.arePresent, Comment(rawValue: EncodingFixtures.absence)))
    func everyLabelOfTheStandardStandsForItsEncoding() throws {
        let table = try EncodingFixtures.labels()
        #expect(table.map(\.name) == TextEncoding.allCases.map(\.name))
        var count = 0
        for (name, labels) in table {
            for label in labels {
                #expect(TextEncoding(label: label)?.name == name)
                #expect(TextEncoding(label: "\t\(label.uppercased()) ")?.name == name)
                count += 1
            }
        }
        #expect(count == 228)
    }

    @Test func outputEncodingIsUTF8WhereTheEncodingHasNoEncoder() {
        #expect(TextEncoding.replacement.outputEncoding == .utf8)
        #expect(TextEncoding.utf16BE.outputEncoding == .utf8)
        #expect(TextEncoding.utf16LE.outputEncoding == .utf8)
        #expect(TextEncoding.shiftJIS.outputEncoding == .shiftJIS)
    }

    @Test func codableKeepsTheNameAndReadsLabels() throws {
        let json = try JSONEncoder().encode([TextEncoding.shiftJIS, .utf8])
        #expect(String(decoding: json, as: UTF8.self) == #"["Shift_JIS","UTF-8"]"#)
        #expect(try JSONDecoder().decode([TextEncoding].self, from: json) == [.shiftJIS, .utf8])
        #expect(
            try JSONDecoder().decode([TextEncoding].self, from: Data(#"["latin1"]"#.utf8)) == [.windows1252]
        )
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode([TextEncoding].self, from: Data(#"["utf-7"]"#.utf8))
        }
    }

    @Test(arguments: [
        ("text/html; charset=utf-8", TextEncoding.utf8), ("charset=koi8-r", .koi8R),
        ("CHARSET = \t\"Big5\"x", .big5),
        ("charset='euc-kr';", .eucKR), ("charsetcharset=gbk", .gbk), ("charset charset=gbk", .gbk),
        ("charset utf-8; charset=gbk", .gbk), ("charset=gbk;charset=utf-8", .gbk),
        ("charset=gbk utf-8", .gbk),
        ("charset=utf-16", .utf16LE), ("charset=\" utf-8 \"", .utf8), ("charset==charset=utf-8", nil),
        ("charset=\"utf-8", nil), ("charset='utf-8\"", nil), ("charset=", nil), ("charset", nil),
        ("utf-8", nil), ("", nil),
        ("charset=utf-8,x", nil), ("charset=\"\"", nil), ("charse=utf-8", nil),
        ("charset=bogus; charset=utf-8", nil),
    ])
    func metaContentNamesAnEncoding(content: String, encoding: TextEncoding?) {
        #expect(TextEncoding(metaContent: content) == encoding)
    }

    @Test(.timeLimit(.minutes(20)))
    func longMetaContentTakesLinearTime() {
        #expect(TextEncoding(metaContent: String(repeating: "charset ", count: 1_000_000)) == nil)
        #expect(
            TextEncoding(
                metaContent: String(repeating: "charset=\"", count: 1)
                    + String(repeating: "a", count: 1 << 20)
            ) == nil
        )
    }
}
