import Testing

@testable import WebStandards

struct DataURLTests {
    @Test(
        "A data: URL gives a type and bytes",
        arguments: [
            ("data:,X", "text/plain;charset=US-ASCII", "X"),
            ("data:,", "text/plain;charset=US-ASCII", ""),
            ("data:,a,b", "text/plain;charset=US-ASCII", "a,b"),
            ("data:,%41%6a%4G%%41%4", "text/plain;charset=US-ASCII", "Aj%4G%A%4"),
            ("data:,a?b=%25%2", "text/plain;charset=US-ASCII", "a?b=%%2"),
            ("data://test/,X", "text/plain;charset=US-ASCII", "X"),
            ("data:text/html,<p>X</p>", "text/html", "<p>X</p>"),
            ("data:IMAGE/GIF;Hi=X,X X", "image/gif;hi=X", "X X"),
            ("data: text/html  ,X", "text/html", "X"),
            ("data:text/plain%20,X", "text/plain%20", "X"),
            ("data:text/plain%0C,X", "text/plain%0c", "X"),
            ("data:text/plain;,X", "text/plain", "X"),
            ("data:;charset=x,X", "text/plain;charset=x", "X"),
            ("data:; charset=x,X", "text/plain;charset=x", "X"),
            ("data:;charset= x,X", "text/plain;charset=\" x\"", "X"),
            ("data:;x=y;charset=z,X", "text/plain;x=y;charset=z", "X"),
            ("data:;charset =x,X", "text/plain", "X"),
            ("data:;charset,X", "text/plain", "X"),
            ("data:text/plain;a=\",\",X", "text/plain;a=\"\"", "\",X"),
            ("data:text/plain;a=%2C,X", "text/plain;a=%2C", "X"),
            ("data:X,X", "text/plain;charset=US-ASCII", "X"),
            ("data:%00,X", "text/plain;charset=US-ASCII", "X"),
            ("data:a/b;base64,WA==", "a/b", "X"),
            ("data:a/b;base64,WA", "a/b", "X"),
            ("data:a/b;base64,W%20A%0C%3D=", "a/b", "X"),
            ("data:a/b;  base64,WA", "a/b", "X"),
            ("data:a/b;base64  ,WA", "a/b", "X"),
            ("data:a/b;BASe64,WA", "a/b", "X"),
            ("data:;base64,WA", "text/plain;charset=US-ASCII", "X"),
            ("data:;base64;base64,WA", "text/plain", "X"),
            ("data:a/b;charset=x;base64,WA", "a/b;charset=x", "X"),
            ("data:a/b;base64;charset=x,WA", "a/b;charset=x", "WA"),
            ("data:a/b;base64=x,WA", "a/b;base64=x", "WA"),
            ("data:a/b;base64;,WA", "a/b", "WA"),
            ("data:a/b;base 64,WA", "a/b", "WA"),
            ("data:a/b;xbase64,WA", "a/b", "WA"),
            ("data:a/b;%62ase64,WA", "a/b", "WA"),
            ("data:%3Bbase64,WA", "text/plain;charset=US-ASCII", "WA"),
            ("data:base64,WA", "text/plain;charset=US-ASCII", "WA"),
            ("data:\u{2020},X", "text/plain;charset=US-ASCII", "X"),
        ]
    )
    func processes(url: String, mimeType: String, body: String) throws {
        let processed = try DataURL(url)
        #expect(processed.mimeType.description == mimeType)
        #expect(processed.body == Array(body.utf8))
    }

    @Test("Bytes that are no text come through")
    func binaryBody() throws {
        #expect(try DataURL("data:,%FF%00%c2%B1").body == [0xFF, 0x00, 0xC2, 0xB1])
        #expect(try DataURL("data:;base64,/////w").body == [0xFF, 0xFF, 0xFF, 0xFF])
        #expect(try DataURL("data:,\u{2020}").body == [0xE2, 0x80, 0xA0])
    }

    @Test(
        "What is no data: URL fails and says why",
        arguments: [
            ("", .wrongScheme), ("data", .wrongScheme), ("http://a/,", .wrongScheme),
            ("DATA:,", .wrongScheme),
            ("data:", .missingComma), ("data:text/html", .missingComma),
            ("data:text/html;base64", .missingComma),
            ("data:text/html%2CX", .missingComma), ("data:;base64,W", .invalidBase64),
            ("data:;base64,W%", .invalidBase64), ("data:;base64,\u{E9}AAA", .invalidBase64),
        ] as [(String, DataURLError)]
    )
    func fails(url: String, error: DataURLError) {
        #expect(throws: error) { try DataURL(url) }
    }

    @Test(
        "Base64 may hold whitespace and lack padding, and nothing else",
        arguments: [
            ("", []), ("AA", [0]), ("AAA", [0, 0]), ("AAAA", [0, 0, 0]), ("AA==", [0]), ("AAA=", [0, 0]),
            ("A", nil), ("AAAAA", nil), ("AA=", nil), ("AA===", nil), ("AAA==", nil), ("AAAA=", nil),
            ("AAAA==", nil), ("AAAA====", nil), ("=", nil), ("==", nil), ("====", nil), ("A=", nil),
            ("A===", nil),
            ("A=A=", nil), ("AA=A", nil), ("=AAA", nil), (" A\tA\nA\u{C}A\r", [0, 0, 0]), ("AA = = ", [0]),
            ("A\u{B}AAA", nil), ("A\u{0}AA", nil), ("A-A_", nil), ("+/+/", [0xFB, 0xFF, 0xBF]),
            // Bits that are left over are dropped.
            ("//", [0xFF]), ("///", [0xFF, 0xFF]), ("Az9+", [0x03, 0x3F, 0x7E]),
        ] as [(String, [UInt8]?)]
    )
    func base64(text: String, expected: [UInt8]?) {
        #expect(DataURL.forgivingBase64Decode(Array(text.utf8).span) == expected)
    }

    @Test("Megabytes take linear time", .timeLimit(.minutes(20)))
    func large() throws {
        let base64 = try DataURL("data:;base64," + String(repeating: "AAAA", count: 1 << 20))
        #expect(base64.body.count == 3 << 20)
        #expect(try DataURL("data:," + String(repeating: "%41", count: 1 << 20)).body.count == 1 << 20)
        #expect(try DataURL("data:a/b" + String(repeating: " ", count: 1 << 22) + ",").body.isEmpty)
        #expect(throws: DataURLError.missingComma) {
            try DataURL("data:" + String(repeating: ";base64", count: 1 << 20))
        }
    }
}
