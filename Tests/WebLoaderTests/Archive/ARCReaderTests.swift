import Testing
import WebArchive
import WebStandards

struct ARCReaderTests {
    private static let page = "HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x"

    private static func arc(_ line: String, _ content: String) -> [UInt8] {
        Array("\(line) \(content.utf8.count)\n\(content)\n".utf8)
    }

    @Test(
        arguments: [
            "http://a.example/a b 192.0.2.1 20240304050607 text/html",
            "http://a.example/a b 192.0.2.1 20240304050607 text/html 200 - - 0 x.arc",
        ]
    )
    func readsBothVersions(line: String) throws {
        let first = Self.arc("filedesc://x.arc 0.0.0.0 20240102030405 text/plain", "1 0 Test\n")
        let second = Self.arc(line, Self.page)
        for parts in [[first, second], [ArchiveSample.gzip(first), ArchiveSample.gzip(second)]] {
            let reader = try WARCReader(ArchiveFile(bytes: parts[0] + parts[1], path: "x"))
            #expect(try reader.next()?.kind == .information)
            let record = try #require(try reader.next())
            #expect(record.url == "http://a.example/a b")
            #expect(record.date == Timestamp(archiveDate: "2024-03-04T05:06:07Z"))
            #expect(record.offset == parts[0].count)
            #expect(record.status == 200)
            #expect(record.mimeType == "text/html")
            #expect(try reader.payload(maximumSize: 100) == Array("<p>x".utf8))
            #expect(try reader.currentLength() == parts[1].count)
            #expect(try reader.next() == nil)
            #expect(reader.takeFindings() == [])
        }
    }

    @Test func aLengthThatIsNoneIsAFinding() throws {
        let bad = Array("http://a.example/ 192.0.2.1 20240304050607 text/html abc\nhello\n".utf8)
        let good = Self.arc("http://b.example/ 192.0.2.1 20240304050607 text/html", Self.page)
        let reader = try WARCReader(ArchiveFile(bytes: bad + good, path: "x"))
        #expect(try reader.next()?.url == "http://a.example/")
        #expect(try reader.next()?.url == "http://b.example/")
        #expect(reader.takeFindings().map(\.code) == [.length])
    }

    @Test func aLineThatIsCutIsNoRecord() throws {
        let good = Self.arc("http://b.example/ 192.0.2.1 20240304050607 text/html", Self.page)
        let cut = Array("garbage\nhttp://a.example/ 192.0.2.1 20240304050607 text/html 12".utf8)
        let reading = try ArchiveSample.read(good + cut)
        #expect(reading.payloads == ["<p>x"])
        #expect(!reading.findings.isEmpty)
    }
}
