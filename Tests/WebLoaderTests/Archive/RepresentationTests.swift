import Testing

@testable import WebArchive
@testable import WebLoader

/// Which of the exchanges of a URL stands for it.
struct RepresentationTests {
    private typealias Sample = ArchiveSample

    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"

    /// An exchange as a WARC has it, the request behind the response or before it.
    private static func exchange(
        _ method: String,
        _ id: String,
        _ block: String,
        requestFirst: Bool = false,
        named: Bool = true
    ) -> [UInt8] {
        let response = Sample.record(id: id, block: block)
        let request = Sample.record(
            "request",
            id: "\(id)-request",
            contentType: "application/http; msgtype=request",
            fields: named ? ["WARC-Concurrent-To: <urn:x:\(id)>"] : [],
            block: "\(method) / HTTP/1.1\r\nHost: a.example\r\n\r\n"
        )
        return requestFirst ? request + response : response + request
    }

    /// Returns the body that an archive has for a URL; `nil` if it has none.
    private static func body(
        _ contents: any ArchiveContents,
        _ url: String = "http://a.example/"
    ) throws -> String? {
        let collection = ArchiveCollection([Archive(contents, path: "sample")])
        let parsed = try WebURL(url)
        do throws(ArchiveError) {
            let found = try collection.response(to: parsed, within: .none)
            return String(decoding: try found.reader.payload(maximumSize: 1000), as: UTF8.self)
        } catch {
            guard error.code == .miss else { throw error }
            return nil
        }
    }

    private static func warc(_ bytes: [UInt8]) -> WARCContents {
        WARCContents(file: ArchiveFile(bytes: bytes, path: "sample"))
    }

    private static func har(_ entries: String...) -> HARContents {
        let text = "{\"log\":{\"version\":\"1.2\",\"entries\":[\(entries.joined(separator: ","))]}}"
        return HARContents(file: ArchiveFile(bytes: Array(text.utf8), path: "sample"))
    }

    private static func entry(
        _ body: String,
        method: String = "GET",
        status: Int = 200,
        second: Int = 0,
        type: String = "text/html"
    ) -> String {
        """
        {"startedDateTime":"2024-03-04T05:06:0\(second)Z","request":{"method":"\(method)","url":"http://a.example/"},
        "response":{"status":\(status),"headers":[{"name":"content-type","value":"\(type)"}],
        "content":{"mimeType":"\(type)","text":"\(body)"}}}
        """
    }

    @Test("Only what GET was answered with", arguments: ["POST", "HEAD", "OPTIONS", "post"])
    func otherMethods(method: String) throws {
        for (first, isNamed) in [(false, true), (true, true), (false, false)] {
            let page = Self.exchange("GET", "1", "\(Self.head)page", requestFirst: first, named: isNamed)
            let other = Self.exchange(method, "2", "\(Self.head)other", requestFirst: first, named: isNamed)
            // Of one moment, and without a name, either may be meant.
            if isNamed { #expect(try Self.body(Self.warc(page + other)) == "page") }
            #expect(try Self.body(Self.warc(page)) == "page")
            #expect(try Self.body(Self.warc(other)) == nil)
        }
        let other = Self.exchange(method, "2", "\(Self.head)other")
        let archived = ArchiveCollection([Archive(Self.warc(other), path: "sample")])
        // Who looks into the archive gets whatever there is.
        #expect(try archived.response(to: "http://a.example/", at: nil, within: .none).status == 200)
        let later = Self.entry("other", method: method, second: 1)
        #expect(try Self.body(Self.har(Self.entry("page"), later)) == "page")
        #expect(try Self.body(Self.har(later)) == nil)
    }

    @Test func aMethodThatIsNotSaidIsGET() throws {
        #expect(try Self.body(Self.har(Self.entry("page", method: ""))) == "page")
    }

    @Test func whatHasNotChangedIsTheCopyBefore() throws {
        let page = Sample.record(block: "\(Self.head)page")
        let same = Sample.record(id: "2", block: "HTTP/1.1 304 Not Modified\r\n\r\n")
        #expect(try Self.body(Self.warc(page + same)) == "page")
        #expect(try Self.body(Self.warc(same)) == nil)
        #expect(try Self.body(Self.har(Self.entry("page"), Self.entry("", status: 304, second: 1))) == "page")
    }

    @Test("What nobody answered is no copy", arguments: [0, -1])
    func aborted(status: Int) throws {
        #expect(
            try Self.body(Self.har(Self.entry("page"), Self.entry("", status: status, second: 1))) == "page"
        )
    }

    @Test(
        "The form of a percent-encoding makes no other URL",
        arguments: [
            ("http://a.example/%c3%a9%7Ea%2Db", "http://a.example/é~a-b"),
            ("http://a.example/?q=%c3%a9", "http://a.example/?q=%C3%A9"),
        ]
    )
    func percentEncodings(written: String, asked: String) throws {
        let contents = Self.warc(Sample.record(url: written, block: "\(Self.head)page"))
        #expect(try Self.body(contents, asked) == "page")
        #expect(try Self.body(contents, "http://a.example/%2F") == nil)
    }

    @Test(
        "A text of a HAR is Unicode",
        arguments: ["text/html", "text/html; charset=windows-1251", "text/css"]
    )
    func textOfAHAR(type: String) throws {
        let contents = Self.har(Self.entry("Погода", type: type))
        let collection = ArchiveCollection([Archive(contents, path: "sample")])
        let found = try collection.response(to: "http://a.example/", at: nil, within: .none)
        #expect(found.fields[.contentType]?.hasSuffix("; charset=utf-8") == true)
        #expect(String(decoding: try found.reader.payload(maximumSize: 1000), as: UTF8.self) == "Погода")
    }

    @Test func bytesOfAHARKeepTheirType() throws {
        let contents = Self.har(Self.entry("x", type: "image/png"))
        let collection = ArchiveCollection([Archive(contents, path: "sample")])
        let found = try collection.response(to: "http://a.example/", at: nil, within: .none)
        #expect(found.fields[.contentType] == "image/png")
    }

    @Test("A file without a record is no archive", arguments: ["<p>page", "{\"a\":1}", "\n"])
    func noArchives(text: String) throws {
        let contents = try ArchiveOpening.open(ArchiveFile(bytes: Array(text.utf8), path: "sample"))
        #expect {
            let reader = try contents.records()
            while try reader.next() != nil {}
        } throws: { ($0 as? ArchiveError)?.code == .notAnArchive }
    }

    @Test func oneThatCannotBeReadHidesNoOther() throws {
        let good = Archive(Self.warc(Sample.record(block: "\(Self.head)page")), path: "good")
        let bad = Archive(UnreadableContents(ArchiveError(.unreadable, "gone")), path: "bad")
        let collection = ArchiveCollection([bad, good])
        let found = try collection.response(to: "http://a.example/", at: nil, within: .none)
        #expect(found.archive === good)
        #expect { try collection.response(to: "http://b.example/", at: nil, within: .none) } throws: {
            ($0 as? ArchiveError)?.code == .unreadable
        }
    }

    @Test func pagesWithoutAValidTypeAreToldByTheirBytes() async throws {
        let types = ["", "Content-Type: \"text/html\r\n", "Content-Type: text/plain\r\n"]
        var bytes: [UInt8] = []
        for (number, type) in types.enumerated() {
            for body in ["<!doctype html><title>\(number)</title>", "data"] {
                bytes += Sample.record(
                    id: "\(number)\(body.count)",
                    block: "HTTP/1.1 200 OK\r\n\(type)\r\n\(body)"
                )
            }
        }
        var configuration = PageLoader.Configuration()
        configuration.archives = [
            Archive(UnreadableContents(ArchiveError(.unreadable, "gone")), path: "bad"),
            Archive(Self.warc(bytes), path: "sample"),
        ]
        var titles: [String?] = []
        let loader = PageLoader(configuration: configuration)
        var pages = loader.archivedPages.makeAsyncIterator()
        // The first archive is said to be bad, and the next call goes on with the second.
        await #expect(throws: ArchiveError.self) { _ = try await pages.next() }
        while let found = try await pages.next() {
            titles.append(try await loader.load(try found.result.get()).title)
        }
        #expect(titles == ["0", "1"])
    }

    @Test("Of a body without a type no more is decoded than tells what it is")
    func headOfABody() throws {
        // Some 1,000 bytes of a billion zeros would not be decoded to their end.
        let head = Array("<!doctype html>".utf8)
        var exchange = ArchivedExchange(
            url: try WebURL("http://a.example/"),
            date: Timestamp(millisecondsSince1970: 0),
            status: 200
        )
        exchange.responseFields = [("Content-Encoding", Array("gzip".utf8))]
        // The bytes after the first member are not gzip: they are not read.
        exchange.body = .bytes(Sample.gzip(head + [UInt8](repeating: 0x20, count: 4096)) + [1, 2, 3])
        #expect(try DecodedBody(of: exchange)?.head(8) == Array(head.prefix(8)))
        #expect(try exchange.isPage())
        exchange.status = 404
        #expect(try !exchange.isPage())
    }

    @Test func aRecordNamesAFewOthers() {
        var record = ArchiveRecord(kind: .request)
        let lines = (0..<100).map { "warc-concurrent-to: <urn:x:\($0)>\r\n" }.joined()
        record.fields = MessageHead(bytes: Array("WARC/1.1\r\n\(lines)".utf8))
        #expect(record.concurrentIDs.count == 16)
        #expect(record.concurrentIDs.first == "urn:x:0")
    }
}
