import Testing
import WebArchive
import WebStandards

struct MHTMLTests {
    private static func head(_ boundary: String = "b", type: String = "related") -> String {
        """
        MIME-Version: 1.0\r
        Snapshot-Content-Location: http://s.example/d/p\r
        Subject: =?utf-8?Q?Gr=C3=BC?= =?UTF-8?B?w59l?= x\r
        Date: Tue, 5 Mar 2024 10:20:30 +0100 (CET)\r
        Content-Type: multipart/\(type);\r
        \tboundary="\(boundary)"\r
        \r

        """
    }

    private static func part(
        _ location: String?,
        _ body: String,
        _ encoding: String = "8bit",
        boundary: String = "b",
        more: String = ""
    ) -> String {
        let location = location.map { "Content-Location: \($0)\r\n" } ?? ""
        return
            "--\(boundary)\r\nContent-Type: Text/HTML; charset=utf-8\r\nContent-Transfer-Encoding: \(encoding)\r\n"
            + "\(location)\(more)\r\n\(body)\r\n"
    }

    private static let url = "http://s.example/x"

    @Test(
        "Content is decoded, and the line end before a boundary is none of it",
        arguments: [
            ("8BIT", "p\r\n\r\nq\r\n", "p\r\n\r\nq\r\n"),
            ("binary", "", ""),
            ("quoted-printable", "a=3Db=\r\nc=3d=ZZ \t\r\nd=20\r\n=\r\ne=", "a=bc==ZZ\r\nd \r\ne"),
            ("Quoted-Printable", "a= \t\r\nb=4", "ab=4"),
            ("base64", "aGVs\r\nbG8=", "hello"),
            ("base64", "aG!Vs*bG8", "hello"),
            ("7bit", "--bc\r\n-- b\r\n--b-", "--bc\r\n-- b\r\n--b-"),
        ]
    )
    func decodes(encoding: String, body: String, expected: String) throws {
        let text = Self.head() + Self.part(Self.url, body, encoding) + "--b--\r\n"
        let archive = try ReadArchive(MHTMLContents(text: text))
        #expect(archive.texts == [expected])
        #expect(archive.urls == [Self.url])
        #expect(archive.records.first?.mimeType == "text/html")
        #expect(archive.records.first?.date?.text == "2024-03-05T09:20:30Z")
    }

    @Test(
        "A boundary may be any",
        arguments: [
            ("b--", "b--", []), ("=_a b'(c)+,-./:=?d", "=_a b'(c)+,-./:=?d", []),
            ("x", "real", ["archive.header"]),
            ("b", "b--", ["archive.header"]),
        ]
    )
    func findsBoundary(declared: String, used: String, codes: [String]) throws {
        let text =
            Self.head(declared) + "preamble\r\n" + Self.part(Self.url, "1", boundary: used)
            + Self.part(Self.url, "2", boundary: used) + "--\(used)-- \r\nepilogue"
        for text in [text, text.replacing("\r\n", with: "\n")] {
            let archive = try ReadArchive(MHTMLContents(text: text))
            #expect(archive.texts == ["1", "2"])
            #expect(archive.verified == codes)
        }
    }

    @Test(
        "A part's URL is its location, absolute or relative to something, or its ID",
        arguments: [
            ("Content-Location: ../i.png", "http://s.example/i.png"),
            ("Content-Base: http://o.example/q/\r\nContent-Location: r", "http://o.example/q/r"),
            ("Content-Location: http://o.example/a\r\n b\r\n\tc", "http://o.example/abc"),
            ("Content-ID: <a@b>", "cid:a@b"),
            ("Content-Location: CID:A@b", "cid:A@b"),
            ("X: y", "http://s.example/d/p"),
        ]
    )
    func resolves(head: String, expected: String) throws {
        let text = Self.head() + "--b\r\n\(head)\r\n\r\nx\r\n--b--"
        #expect(try ReadArchive(MHTMLContents(text: text)).urls == [expected])
    }

    @Test(
        "The page of a message without URLs has that of the message",
        arguments: [
            ("", "text/html", "thismessage:/"), ("", "text/css", nil),
            ("; type=\"Application/XHTML+xml\"", "application/xhtml+xml", "thismessage:/"),
            ("\r\nContent-Base: http://s.example/d/", "text/html", "http://s.example/d/"),
        ]
    )
    func hasURLOfTheMessage(more: String, type: String, expected: String?) throws {
        let text =
            "MIME-Version: 1.0\r\nContent-Type: multipart/related; boundary=b\(more)\r\n\r\n"
            + "--b\r\nContent-Type: image/gif\r\nContent-Location: cid:i\r\n\r\nx\r\n--b\r\nContent-Type: \(type)\r\n\r\nx\r\n"
        #expect(try ReadArchive(MHTMLContents(text: text + "--b--")).urls == ["cid:i", expected])
        // There is one.
        let other = "--b\r\nContent-Type: \(type)\r\n\r\nx\r\n--b--"
        #expect(try ReadArchive(MHTMLContents(text: text + other)).urls == ["cid:i", expected, nil])
    }

    @Test("Parts are found in parts, and in messages in them")
    func nests() throws {
        let inner = Self.part(Self.url + "1", "1", boundary: "c") + "--c--\r\n"
        let text =
            Self.head(type: "mixed") + "--b\r\nContent-Type: multipart/alternative; boundary=c\r\n\r\n"
            + inner
            + "--b\r\nContent-Type: message/rfc822\r\n\r\nContent-Type: multipart/related; boundary=c\r\n\r\n"
            + inner
            + Self.part(Self.url + "2", "2") + "--b--\r\n"
        let archive = try ReadArchive(MHTMLContents(text: text))
        #expect(archive.urls == [Self.url + "1", Self.url + "1", Self.url + "2"])
        #expect(archive.texts == ["1", "1", "2"])
        #expect(archive.verified.isEmpty)
    }

    @Test("Depth is no matter")
    func nestsDeeply() throws {
        var text = Self.head("0")
        for level in 0..<20_000 {
            text += "--\(level)\r\nContent-Type: multipart/mixed; boundary=\(level + 1)\r\n\r\n"
        }
        #expect(try ReadArchive(MHTMLContents(text: text)).verified.contains("archive.truncated"))
    }

    @Test("A file that ends early is said to, and is read so far")
    func findsEnd() throws {
        let text =
            Self.head() + Self.part(Self.url, "1") + Self.part(Self.url, "aGVsbG8gd2", "base64").dropLast(1)
        let archive = try ReadArchive(MHTMLContents(text: text))
        #expect(archive.texts == ["1", "hello w"])
        #expect(archive.verified == ["archive.truncated"])
        #expect(archive.codes == ["archive.truncated"])
        let cut = try ReadArchive(
            MHTMLContents(text: Self.head() + "--b\r\nContent-Location: \(Self.url)\r\nX")
        )
        #expect(cut.bodies == [nil])
    }

    @Test("A message without parts is one")
    func readsSingle() throws {
        let text =
            "Content-Type: text/html\r\nContent-Location: \(Self.url)\r\nContent-Transfer-Encoding: base64\r\n\r\naGk="
        let archive = try ReadArchive(MHTMLContents(text: text))
        #expect(archive.texts == ["hi"])
        #expect(archive.verified.isEmpty)
    }

    @Test("What has no head of MIME is no message", arguments: ["", "hello", "a: b\r\n\r\nc", "\r\n\r\n"])
    func rejects(text: String) {
        #expect { try MHTMLContents(text: text).verify { _ in } } throws: {
            ($0 as? ArchiveError)?.code == .notAnArchive
        }
    }

    @Test("A part is read at its place, and those after it follow")
    func seeks() throws {
        let text = Self.head() + (0..<5).map { Self.part("\($0)", "\($0)") }.joined() + "--b--\r\n"
        let contents = MHTMLContents(text: text)
        let third = try #require(try ReadArchive(contents).records[2].offset)
        let reader = try contents.records(at: ArchiveLocation(offset: third))
        #expect(try reader.next()?.url == "http://s.example/d/2")
        #expect(try reader.payload(maximumSize: 10) == Array("2".utf8))
        #expect(try reader.next()?.url == "http://s.example/d/3")
    }

    @Test("The page is the main part, and the subject its title")
    func namesPage() throws {
        let parts = Self.part("a", "1") + Self.part("m", "2", more: "Content-ID: <m@x>\r\n") + "--b--"
        let pages = try #require(try MHTMLContents(text: Self.head() + parts).pages())
        #expect(pages.map(\.url) == ["http://s.example/d/a"])
        #expect(pages.map(\.title) == ["Grüße x"])
        let named = Self.head().replacing("boundary=", with: "start=\"<m@x>\"; boundary=") + parts
        #expect(try MHTMLContents(text: named).pages()?.map(\.url) == ["http://s.example/d/m"])
    }
}
