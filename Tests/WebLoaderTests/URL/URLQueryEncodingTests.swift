import Foundation
import Testing

@testable import WebLoader

/// An encoder of a few code points, keeping ASCII.
private struct TableEncoder: ScalarEncoder {
    var table: [Unicode.Scalar: [UInt8]] = [:]
    var refused: Set<Unicode.Scalar> = []

    func encode(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) -> Bool {
        if let encoded = table[scalar] {
            bytes += encoded
        } else if scalar.isASCII, !refused.contains(scalar) {
            bytes.append(UInt8(truncatingIfNeeded: scalar.value))
        } else {
            return false
        }
        return true
    }

    func finish(into bytes: inout [UInt8]) {}
}

/// An encoder that shifts out of ASCII and back.
private struct ShiftingEncoder: ScalarEncoder {
    private var isShifted = false

    mutating func encode(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) -> Bool {
        if scalar.isASCII == isShifted {
            shift(into: &bytes)
        }
        bytes.append(UInt8(truncatingIfNeeded: scalar.value & 0x7F))
        return true
    }

    mutating func finish(into bytes: inout [UInt8]) {
        if isShifted { shift(into: &bytes) }
    }

    private mutating func shift(into bytes: inout [UInt8]) {
        bytes += isShifted ? [0x1B, 0x28, 0x42] : [0x1B, 0x24, 0x42]
        isShifted.toggle()
    }
}

struct URLQueryEncodingTests {
    private let windows1252 = TableEncoder(table: ["ä": [0xE4], "†": [0x86]])

    private func parse(_ input: String, _ encoder: some ScalarEncoder, base: String? = nil) throws -> String {
        let base = try base.map { base in try WebURL(base) }
        return try WebURL.parse(utf8: input.utf8.span, base: base, queryEncoder: encoder).href
    }

    @Test(arguments: [
        ("http://h/ä?ä#ä", "http://h/%C3%A4?%E4#%C3%A4"),
        ("?ä☕'", "http://base/?%E4%26%239749%3B%27"),
        (" ?\tä\n ", "http://base/?%E4"),
        ("#?ä", "http://base/?%C3%B6#?%C3%A4"),
        ("file:?ä#", "file:///?%E4#"),
        ("ws://h/?ä", "ws://h/?%C3%A4"),
        ("foo:x?ä", "foo:x?%C3%A4"),
        ("http://h/?a b", "http://h/?a%20b"),
    ])
    func encodesTheQueryAlone(input: String, expected: String) throws {
        #expect(try parse(input, windows1252, base: "http://base/?ö") == expected)
    }

    @Test func endsTheEncodersState() throws {
        #expect(try parse("http://h/?aäb", ShiftingEncoder()) == "http://h/?a%1B$Bd%1B(Bb")
        #expect(try parse("http://h/?ä#x", ShiftingEncoder()) == "http://h/?%1B$Bd%1B(B#x")
    }

    @Test func writesFormsInAnEncoding() {
        let parameters = URLSearchParameters(parsing: "ä=† ☕")
        #expect(parameters.serialized(using: windows1252) == "%E4=%86+%26%239749%3B")
    }

    // MARK: percent-encoding.json

    struct Case: Decodable, Sendable {
        let input: String
        let output: [String: String]
    }

    /// What the encoders of the cases' encodings do with the cases' code points.
    private static let encoders: [String: TableEncoder] = [
        "utf-8": TableEncoder(table: [
            "\u{2020}": [0xE2, 0x80, 0xA0], "\u{E5E5}": [0xEE, 0x97, 0xA5], "\u{2212}": [0xE2, 0x88, 0x92],
        ]),
        "big5": TableEncoder(),
        "euc-kr": TableEncoder(table: ["\u{2020}": [0xA2, 0xD3]]),
        "windows-1252": TableEncoder(table: ["\u{2020}": [0x86]]),
        "iso-2022-jp": TableEncoder(refused: ["\u{0E}", "\u{0F}", "\u{1B}"]),
        "gb18030": TableEncoder(),
        "shift_jis": TableEncoder(table: ["\u{2212}": [0x81, 0x7C]]),
    ]

    @Test(.enabled(if: SharedURLData.isPresent, "shared/conformance/url is absent"))
    func percentEncodesAfterEncoding() throws {
        var count = 0
        for testCase in SharedURLData.cases("percent-encoding.json", as: Case.self) {
            for (label, expected) in testCase.output {
                let encoder = try #require(Self.encoders[label], "\(label)")
                let url = try WebURL.parse(
                    utf8: "https://doesnotmatter.invalid/?\(testCase.input)#\(testCase.input)".utf8.span,
                    base: nil,
                    queryEncoder: encoder
                )
                #expect(url.query == expected, "\(label)")
                #expect(url.fragment == testCase.output["utf-8"], "\(label)")
                count += 1
            }
        }
        #expect(count == 11)
    }
}
