import Testing
import WebArchive
import WebStandards

struct MHTMLWriterTests {
    private static let bodies: [[UInt8]] = [
        [], Array("<p>Grüße = 漢 😀 \r\n \t\r\n\n\n\r \t".utf8), Array("--=_x\r\n--b--\r\n.\r\nFrom \r\n".utf8),
        [0xFF, 0, 0x80],
        Array(repeating: 0x3D, count: 1000), Array(repeating: 0x20, count: 1000),
        Array(repeating: 0x0A, count: 200),
        Array(String(repeating: "word wörd ", count: 20_000).utf8),
    ]

    private func written(title: String?, _ write: (inout MHTMLWriter) throws -> Void) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = try unsafe MHTMLWriter(
            url: try WebURL("http://user:word@a.example/p"),
            title: title,
            date: Timestamp(millisecondsSince1970: 1_612_173_600_000)
        ) { piece throws(ArchiveError) in
            unsafe bytes.append(contentsOf: piece)
        }
        try write(&writer)
        try writer.finish()
        return bytes
    }

    @Test(
        "Content reads back byte for byte, in lines of 76 characters at most",
        arguments: ["text/html; charset=utf-8", "image/png", "application/json", "image/svg+xml", "none"]
    )
    func readsBack(type: String) throws {
        let bytes = try written(title: "T") { writer in
            for (index, body) in Self.bodies.enumerated() {
                try writer.append(location: "http://a.example/\(index)", type: type, bytes: body)
            }
        }
        let archive = try ReadArchive(MHTMLContents(bytes: bytes))
        #expect(archive.bodies == Self.bodies)
        #expect(archive.urls == Self.bodies.indices.map { "http://a.example/\($0)" })
        #expect(archive.verified.isEmpty)
        #expect(bytes.split(separator: 0x0A).allSatisfy { $0.count <= 77 })
    }

    @Test(
        "Title, date and URL read back",
        arguments: [
            "T", "", "Grüße 😀 " + String(repeating: "漢字 ", count: 40), "a =?utf-8?Q?b?= c", "two\r\nlines",
        ]
    )
    func writesHead(title: String) throws {
        let bytes = try written(title: title) { writer in
            try writer.append(try HARWriterTests.exchange(Array("x".utf8)), id: "frame@x")
        }
        let contents = MHTMLContents(bytes: bytes)
        let page = try #require(try contents.pages()?.first)
        #expect(page.title == title)
        #expect(page.url == "http://a.example/p?a=b%20c&d")
        #expect(page.date?.text == "2021-02-01T10:00:00Z")
        #expect(!String(decoding: bytes, as: UTF8.self).contains("word"))
        #expect(try ReadArchive(contents).records.first?.fields["Content-ID"] == "<frame@x>")
    }

    @Test("A body that is not there is an error, and the message goes on")
    func missesBody() throws {
        let bytes = try written(title: nil) { writer in
            let exchange = try HARWriterTests.exchange(nil)
            do throws(ArchiveError) {
                try writer.append(exchange)
                Issue.record("there is a body")
            } catch {
                #expect(error.code == .bodyMissing)
            }
            try writer.append(location: nil, id: "a@b", type: "text/css", bytes: Array("p{}".utf8))
        }
        #expect(try ReadArchive(MHTMLContents(bytes: bytes)).urls == ["cid:a@b"])
    }
}
