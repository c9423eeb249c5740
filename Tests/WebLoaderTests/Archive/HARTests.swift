import Testing
import WebArchive
import WebStandards

struct HARTests {
    /// An entry whose content is written by the caller.
    private static func entry(
        _ url: String = "http://a.example/",
        content: String = #""text":"x","size":1,"mimeType":"text/plain""#,
        status: String = "200",
        date: String = "2021-02-01T10:00:00.000Z",
        headers: String = "",
        more: String = ""
    ) -> String {
        """
        {"startedDateTime":"\(date)","request":{"method":"GET","url":"\(url)"},"response":{"status":\(status),\
        "statusText":"OK","headers":[\(headers)],"content":{\(content)}},"_initiator":{"type":"x"}\(more)}
        """
    }

    private static func log(_ entries: String...) -> String {
        #"{"log":{"version":"1.2","_x":{},"entries":[\#(entries.joined(separator: ", "))]}}"#
    }

    @Test(
        "A body is text or Base64, and what is said to be Base64 may be text",
        arguments: [
            (#""text":"Gr\u00fc\u00dfe \ud83d\ude00""#, "Grüße 😀"),
            (#""text":"a\ud800b""#, "a\u{FFFD}b"),
            (#""text":"\/\"\\\n\u0000""#, "/\"\\\n\0"),
            (#""text":"aGVsbG8=","encoding":"base64""#, "hello"),
            (#""text":"aGVs\r\nbG8","encoding":"Base64""#, "hello"),
            (#""text":"<p>not it</p>","encoding":"base64""#, "<p>not it</p>"),
            (#""text":"","size":0"#, ""),
            (#""size":0"#, ""),
            (#""text":"old","text":"new""#, "new"),
        ]
    )
    func readsBody(content: String, expected: String) throws {
        let archive = try ReadArchive(HARContents(text: Self.log(Self.entry(content: content))))
        #expect(archive.texts == [expected])
    }

    @Test(
        "A body that is not in the file is no empty body",
        arguments: [
            #""size":12"#, #""text":null,"size":12"#, #""text":"","size":12"#, #""text":"x","text":null"#,
        ]
    )
    func missesBody(content: String) throws {
        let reader = try HARContents(text: Self.log(Self.entry(content: content))).records()
        _ = try #require(try reader.next())
        #expect { _ = try reader.payload(maximumSize: 10) } throws: {
            ($0 as? ArchiveError)?.code == .bodyMissing
        }
    }

    @Test("A text is Unicode, whatever encoding its type names")
    func textIsUnicode() throws {
        let type = #""mimeType":"text/html; charset=ISO-8859-1""#
        let archive = try ReadArchive(
            HARContents(
                text: Self.log(
                    Self.entry(content: #""text":"ö",\#(type)"#),
                    Self.entry(content: #""text":"漢",\#(type)"#)
                )
            )
        )
        #expect(archive.bodies == [Array("ö".utf8), Array("漢".utf8)])
        // Some write each byte of a picture as a character.
        let picture = #""text":"\u00ff\u0000P","mimeType":"image/png","size":"#
        let pictures = Self.log(Self.entry(content: picture + "3"), Self.entry(content: picture + "4"))
        #expect(
            try ReadArchive(HARContents(text: pictures)).bodies
                == [[0xFF, 0, 0x50], [0xC3, 0xBF, 0, 0x50]]
        )
        #expect(archive.records.map(\.mimeType) == ["text/html", "text/html"])
    }

    @Test(
        "Dates are read as producers write them",
        arguments: [
            ("2021-02-01T10:00:00.000Z", 1_612_173_600_000),
            ("2021-02-01T10:00:00.123456+02:00", 1_612_166_400_123),
            ("2021-02-01T10:00:00-0830", 1_612_204_200_000),
            ("2021-02-01T10:00:00", 1_612_173_600_000),
            ("0001-01-01T00:00:00Z", -62_135_596_800_000),
        ]
    )
    func readsDate(text: String, expected: Int64) throws {
        let archive = try ReadArchive(HARContents(text: Self.log(Self.entry(date: text))))
        #expect(archive.records.first?.date?.millisecondsSince1970 == expected)
        #expect(archive.verified.isEmpty)
    }

    @Test("Fields become a head of HTTP/1: several in a value are taken apart, pseudo-fields are left out")
    func makesHead() throws {
        let headers = #"{"name":":status","value":"200"},{"name":"set-cookie","value":"a=1\nb=2"}"#
        let record = try #require(
            try ReadArchive(HARContents(text: Self.log(Self.entry(headers: headers)))).records.first
        )
        #expect(record.http?.startLine == "HTTP/1.1 200 OK")
        #expect(record.http?.fields.map(\.value) == ["text/plain; charset=utf-8", "a=1", "b=2"])
    }

    @Test("A status of 0 is none")
    func readsNoStatus() throws {
        let archive = try ReadArchive(HARContents(text: Self.log(Self.entry(status: "0"))))
        #expect(archive.records.first?.status == nil)
        #expect(archive.verified.isEmpty)
    }

    /// Damaged logs, how many entries can be read, and what is found.
    private static let damaged: [(String, Int, String)] = [
        (String(log(entry(), entry()).dropLast(40)), 1, "archive.truncated"),
        (String(log(entry()).dropLast(1)), 1, "archive.truncated"),
        (#"{"log":{"entries":["#, 0, "archive.truncated"),
        (log(entry(), "{}", entry()), 2, "archive.header"),
        (log(entry(), "[]"), 1, "archive.header"),
        (log(entry(date: "yesterday")), 1, "archive.header"),
        (log(entry(status: #""?""#)), 1, "archive.header"),
        (log(entry()) + "x", 1, "archive.header"),
        (#"{"log":{"version":"1.2"}}"#, 0, "archive.header"),
        (#"{"log":{"entries":[,]}}"#, 0, "archive.header"),
    ]

    @Test("What is damaged is said, and what is left is read", arguments: damaged)
    func findsDamage(text: String, count: Int, code: String) throws {
        let archive = try ReadArchive(HARContents(text: text))
        #expect(archive.records.count == count)
        #expect(archive.verified == [code])
        #expect(archive.codes == [code])
    }

    @Test(
        "An entry that misses a bracket, or has one too many, does not take the next ones with it",
        arguments: [
            (#""x"}}"#, #""x"}"#), (#""x"}"#, #""x""#), (#""x"}"#, #""x"]"#), (#""x"}"#, #""x"}}"#),
            (#""headers":[]"#, #""headers":[]]"#),
        ]
    )
    func recovers(old: String, new: String) throws {
        let first = Self.entry("http://a.example/1", content: #""size":1,"text":"x""#)
        #expect(first.contains(old))
        let text = Self.log(first.replacing(old, with: new), Self.entry("http://a.example/2"))
        let archive = try ReadArchive(HARContents(text: text))
        #expect(archive.urls == ["http://a.example/1", "http://a.example/2"])
        #expect(archive.texts == ["x", "x"])
        #expect(Set(archive.verified) == ["archive.header"])
    }

    @Test("What has no log is no HAR", arguments: ["", "[]", "{}", #"{"entries":[]}"#, "{\u{0}"])
    func rejects(text: String) {
        #expect { try HARContents(text: text).verify { _ in } } throws: {
            ($0 as? ArchiveError)?.code == .notAnArchive
        }
    }

    @Test("Depth is no matter, and what nobody asks for is passed over")
    func readsDeep() throws {
        let deep = String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000)
        let text = Self.log(
            Self.entry(more: #","_x":\#(deep)"#),
            Self.entry(more: #","x":\#(deep)"#),
            Self.entry()
        )
        let archive = try ReadArchive(HARContents(text: text))
        #expect(archive.records.count == 2)
        #expect(archive.verified == ["archive.header"])
        let open = #"{"log":{"entries":["# + String(repeating: "[", count: 100_000)
        #expect(try ReadArchive(HARContents(text: open)).verified == ["archive.truncated"])
    }

    @Test("A byte order mark, bytes that are no UTF-8 and control characters do not keep it from being read")
    func readsBadText() throws {
        var bytes = Array("\u{FEFF}".utf8)
        bytes += Self.log(Self.entry(content: #""text":"a?b?""#)).utf8.map { $0 == 0x3F ? 0xE4 : $0 }
        #expect(try ReadArchive(HARContents(bytes: bytes)).bodies == [[0x61, 0xE4, 0x62, 0xE4]])
        let archive = try ReadArchive(HARContents(text: Self.log(Self.entry(content: "\"text\":\"a\nb\""))))
        #expect(archive.texts == ["a\nb"])
        #expect(archive.verified == ["archive.header"])
    }

    @Test("An entry is read at its place")
    func seeks() throws {
        let contents = HARContents(
            text: Self.log(Self.entry("http://a.example/1"), Self.entry("http://a.example/2"))
        )
        let last = try #require(try ReadArchive(contents).records.last)
        let reader = try contents.records(at: ArchiveLocation(offset: try #require(last.offset)))
        #expect(try reader.next()?.url == "http://a.example/2")
        #expect(try reader.payload(maximumSize: 10) == Array("x".utf8))
        #expect(try reader.next() == nil)
    }

    @Test("A page is named by its first document")
    func listsPages() throws {
        let html = #""text":"x","mimeType":"text/html""#
        let text = """
            {"log":{"entries":[\
            \(Self.entry("http://a.example/old", content: html, status: "301", more: #","pageref":"p""#)),\
            \(Self.entry("http://a.example/new", content: html, more: #","pageref":"p""#)),\
            \(Self.entry("http://a.example/pic", more: #","pageref":"p""#))],\
            "pages":[{"id":"p","title":"T","startedDateTime":"2021-02-01T10:00:00Z"},{"id":"q"}]}}
            """
        let pages = try #require(try HARContents(text: text).pages())
        #expect(pages.map(\.url) == ["http://a.example/new"])
        #expect(pages.first?.title == "T")
        #expect(try HARContents(text: Self.log(Self.entry())).pages() == nil)
    }

    private static let block =
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain; charset=utf-8\r\na: b\r\n\r\nx"

    @Test("A block is a head without codings, and the body")
    func readsBlock() throws {
        let headers = #"{"name":"content-encoding","value":"gzip"},{"name":"a","value":"b"}"#
        let reader = try HARContents(text: Self.log(Self.entry(headers: headers))).records()
        _ = try reader.next()
        var bytes: [UInt8] = []
        try unsafe reader.readBlock { piece throws(ArchiveError) in
            unsafe bytes.append(contentsOf: piece)
            return true
        }
        #expect(String(decoding: bytes, as: UTF8.self) == Self.block)
    }
}
