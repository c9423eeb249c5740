import Foundation
import Testing

@testable import WebStandards

/// Tests of the escaping in JSON strings.
struct JSONValueSerializingTests {
    /// Every character that controls a terminal or the display of text.
    private static let controlCharacters: [Unicode.Scalar] =
        (Array(0..<0x20) + [0x7F] + Array(0x80..<0xA0) + [0x61C, 0x200E, 0x200F] + Array(0x2028...0x202E)
        + Array(0x2066...0x2069)).compactMap(Unicode.Scalar.init(_:))

    /// At every place of a word of eight bytes, and across two.
    @Test(arguments: 0..<17)
    func controlCharactersAreEscaped(offset: Int) throws {
        for scalar in Self.controlCharacters {
            let text = String(repeating: "x", count: offset) + String(scalar) + "yz"
            let bytes = JSONValue.string(text).serialized()
            #expect(bytes.allSatisfy { 0x20..<0x7F ~= $0 })
            #expect(try JSONValue(parsing: bytes[...]) == .string(text))
        }
    }

    @Test(arguments: [
        "\u{A0}é", "\u{61B}\u{61D}", "\u{200D}\u{2010}\u{2027}\u{202F}\u{2065}\u{206A}", "名前€", "ØÙ",
        "\u{F8A8}",
    ])
    func otherCharactersStayAsTheyAre(text: String) {
        for offset in 0..<9 {
            let text = String(repeating: "x", count: offset) + text
            #expect(JSONValue.string(text).serialized() == Array("\"\(text)\"".utf8))
        }
    }

    @Test func escapesAreThoseOfTheCharacter() {
        let text = "\u{9B}\u{7F}\u{202E}\u{61C}\u{2066}\u{0}\n"
        let expected = #""\u009b\u007f\u202e\u061c\u2066\u0000\n""#
        #expect(String(decoding: JSONValue.string(text).serialized(), as: UTF8.self) == expected)
    }
}
