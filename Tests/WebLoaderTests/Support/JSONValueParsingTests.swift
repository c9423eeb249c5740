import Testing

@testable import WebStandards

struct JSONValueParsingTests {
    private static let valid: [(String, JSONValue)] = [
        ("null", .null), (" true\n", true), ("\tfalse\r", false), ("0", 0), ("-0", .number(-0.0)),
        ("-12", -12),
        ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
        ("9223372036854775808", .number(9_223_372_036_854_775_808)), ("1.5", .number(1.5)),
        ("1e2", .number(100)),
        ("1E+2", .number(100)), ("1.25e-2", .number(0.0125)), ("0.1", .number(0.1)),
        ("1e999", .number(.infinity)),
        (#""""#, ""), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
        (#""\u0041\u00e9\u6F22""#, "Aé漢"),
        (#""\ud83d\ude00""#, "😀"), (#""\ud83dx""#, "\u{FFFD}x"), (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"),
        (#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\u0000""#, "\0"),
        (#""é漢😀""#, "é漢😀"), ("\"\u{7F}\"", "\u{7F}"), ("[]", []), ("[ ]", []),
        ("[1 , [2],{}]", [1, [2], [:]]),
        (#"{"a" : 1 , "b":{"c":null}}"#, ["a": 1, "b": ["c": .null]]), (#"{"a":1,"a":2}"#, ["a": 1, "a": 2]),
    ]

    @Test(arguments: valid)
    func validTextIsRead(text: String, expected: JSONValue) throws {
        #expect(try JSONValue(parsing: text.utf8) == expected)
    }

    private static let invalid = [
        "", " ", "nul", "True", "01", "-", "+1", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity", "1 2",
        "'a'", "\"a",
        "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"", "\"a\nb\"", "\"\t\"", "[", "[1", "[1,", "[1,]", "[,1]", "]",
        "{", "{}}",
        "{a:1}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{\"a\":1 \"b\":2}", "{1:2}", "// x\n1", "\u{FEFF}1",
        "[1]x", "\"\\",
        "\"\\ud83d\\u", "\u{A0}1",
    ]

    @Test(arguments: invalid)
    func invalidTextIsRefused(text: String) {
        #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: text.utf8) }
    }

    @Test func invalidUTF8IsRefused() {
        #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: [0x22, 0xFF, 0x22]) }
        #expect(throws: JSONValue.ParsingError.self) {
            try JSONValue(parsing: [0x22, 0xED, 0xA0, 0x80, 0x22])
        }
    }

    @Test func errorsSayWhere() {
        #expect {
            try JSONValue(parsing: "{\n  \"a\": x}".utf8)
        } throws: { error in
            (error as? JSONValue.ParsingError).map { [$0.line, $0.column] } == [2, 8]
        }
    }

    @Test(arguments: ["[", "{\"a\":"])
    func depthIsBounded(opening: String) throws {
        let close = opening == "[" ? "]" : "}"
        func text(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: close, count: depth)
        }
        _ = try JSONValue(parsing: text(512).utf8)
        #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: text(513).utf8) }
        #expect(throws: JSONValue.ParsingError.self) { try JSONValue(parsing: text(1_000_000).utf8) }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        let value: JSONValue = [
            "a": ["\u{0}\u{1F}\"\\/\u{2028}😀", -1, .number(1.5e300), .null, true], "b": [:],
        ]
        #expect(try JSONValue(parsing: value.serialized()) == value)
    }

    @Test func aNumberIsHadWholeOrNot() throws {
        let value = try JSONValue(parsing: #"{"a":12,"b":12.5,"c":"12"}"#.utf8)
        #expect(value["a"]?.number == 12)
        #expect(value["b"]?.number == 12.5)
        #expect(value["c"]?.number == nil)
    }
}
