import Testing
import WebArchive
import WebStandards

struct WACZTests {
    /// A WACZ of two WARCs with two responses each, and what is wrong with it.
    struct Sample {
        var parts: [(name: String, records: [[UInt8]])]
        var index: [String] = []
        var manifest: String?
        var digest: String?
        var pages = """
            {"format": "json-pages-1.0", "id": "pages", "title": "All"}
            {"url": "http://a.com/1", "ts": "2020-01-02T03:04:05Z", "title": "One"}

            """
        var others: [(name: String, text: String)] = []

        init(isPacked: Bool = false, folder: String = "archive/") {
            let ending = isPacked ? "warc.gz" : "warc"
            parts = [1, 2].map { part in
                let records = [1, 2].map {
                    WACZTests.record("http://a.com/\(part * 2 + $0 - 2)", "body \(part) \($0)")
                }
                return ("\(folder)\(part).\(ending)", isPacked ? records.map(ArchiveSample.gzip) : records)
            }
            for (part, (name, records)) in parts.enumerated() {
                var offset = 0
                for (number, record) in records.enumerated() {
                    let url = "http://a.com/\(part * 2 + number + 1)"
                    let file = name.split(separator: "/").last ?? ""
                    index.append(
                        #"com,a)/\#(part * 2 + number + 1) 20200102030405 {"url": "\#(url)", "status": "200", "#
                            + #""length": "\#(record.count)", "offset": "\#(offset)", "filename": "\#(file)"}"#
                    )
                    offset += record.count
                }
            }
        }

        /// The members, without the manifest.
        private var members: [(name: String, bytes: [UInt8])] {
            var members = parts.map { ($0.name, $0.records.flatMap { $0 }) }
            if !index.isEmpty {
                members.append(("indexes/index.cdx", Array(index.map { $0 + "\n" }.joined().utf8)))
            }
            members.append(("pages/pages.jsonl", Array(pages.utf8)))
            return members
        }

        func contents(_ change: (inout ZIPMaker) -> Void = { _ in }) throws -> WACZContents {
            try WACZContents(file: try file(change))
        }

        func file(_ change: (inout ZIPMaker) -> Void = { _ in }) throws -> ArchiveFile {
            var maker = ZIPMaker()
            for (name, bytes) in members { maker.add(name, bytes) }
            for (name, text) in others { maker.add(name, text) }
            let resources = try members.map { name, bytes in
                #"{"path": "\#(name)", "hash": "\#(try WACZTests.hash(bytes))", "bytes": \#(bytes.count)}"#
            }
            let text =
                manifest
                ?? #"{"profile": "data-package", "resources": [\#(resources.joined(separator: ", "))]}"#
            if !text.isEmpty { maker.add("datapackage.json", text) }
            let hash = try digest ?? WACZTests.hash(Array(text.utf8))
            maker.add("datapackage-digest.json", #"{"path": "datapackage.json", "hash": "\#(hash)"}"#)
            change(&maker)
            return ArchiveFile(bytes: maker.bytes, path: "x.wacz")
        }
    }

    fileprivate static func hash(_ bytes: [UInt8]) throws -> String {
        var digest = try Digest(.sha256)
        digest.update(bytes)
        return "sha256:" + Base16.encode(digest.finish())
    }

    fileprivate static func record(_ url: String, _ body: String) -> [UInt8] {
        let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n\(body)"
        return ArchiveSample.record(id: url, url: url, block: block)
    }

    private func codes(_ contents: WACZContents) throws -> [ArchiveFinding.Code] {
        var codes: [ArchiveFinding.Code] = []
        try contents.verify { codes.append($0.code) }
        return codes
    }

    private func body(_ url: String, _ contents: WACZContents) throws -> String? {
        let archives = ArchiveCollection([Archive(contents, path: "x.wacz")])
        let found = try archives.response(to: url, at: nil, within: .none)
        return String(decoding: try found.reader.payload(maximumSize: 1000), as: UTF8.self)
    }

    // MARK: - Reading

    @Test(arguments: [(false, "archive/"), (true, "archive/"), (true, ""), (false, "data/of/")])
    func recordsOfAllPartsAreRead(isPacked: Bool, folder: String) throws {
        let contents = try Sample(isPacked: isPacked, folder: folder).contents()
        let reader = try contents.records()
        var urls: [String] = []
        var parts: Set<String> = []
        while let record = try reader.next() {
            urls.append(record.url ?? "")
            parts.insert(record.part ?? "")
        }
        #expect(urls == (1...4).map { "http://a.com/\($0)" })
        #expect(parts.count == 2 && reader.takeFindings().isEmpty)
        #expect(try codes(contents).isEmpty)
    }

    @Test func aURLIsFoundByTheIndex() throws {
        let contents = try Sample(isPacked: true).contents()
        let captures = try #require(try contents.captures(of: WebURL("http://a.com/3#x")))
        #expect(captures.map(\.location.part) == ["archive/2.warc.gz"])
        #expect(captures.map(\.status) == [200] && captures.map(\.mimeType) == ["text/html"])
        #expect(try body("http://a.com/3", contents) == "body 2 1")
        // A line may be missing: the records are to be looked through.
        #expect(try contents.captures(of: WebURL("http://a.com/9")) == nil)
        #expect(try contents.captures(of: WebURL("https://a.com/3")) == nil)
    }

    @Test func withoutAnIndexThereAreNoCapturesByIt() throws {
        var sample = Sample()
        sample.index = []
        let contents = try sample.contents()
        #expect(try contents.captures(of: WebURL("http://a.com/1")) == nil)
        #expect(try codes(contents) == [.index])
    }

    @Test func pagesAreThoseOfTheLists() throws {
        var sample = Sample()
        sample.others = [
            ("pages/extraPages.jsonl", "{\"format\": \"x\"}\n{\"url\": \"http://a.com/2\", \"ts\": 1000}\n")
        ]
        let pages = try #require(try sample.contents().pages())
        #expect(pages.map(\.url) == ["http://a.com/1", "http://a.com/2"])
        #expect(pages.map(\.title) == ["One", nil])
        #expect(pages.map { $0.date?.text } == ["2020-01-02T03:04:05Z", "1970-01-01T00:00:01Z"])
    }

    @Test func aZIPOfOtherThingsIsNoWACZ() {
        var maker = ZIPMaker()
        maker.add("a.txt", "text")
        let file = ArchiveFile(bytes: maker.bytes, path: "x")
        #expect(throws: ArchiveError.self) { try WACZContents(file: file) }
    }

    // MARK: - Wrong indexes

    @Test func aMissingLineIsSaidAndLosesNothing() throws {
        var sample = Sample()
        sample.index.remove(at: 2)
        let contents = try sample.contents()
        #expect(try body("http://a.com/3", contents) == "body 2 1")
        #expect(try codes(contents) == [.index])
    }

    @Test(arguments: [
        ("\"offset\": \"0\"", "\"offset\": \"7\""), ("\"1.warc\"", "\"2.warc\""),
        ("\"1.warc\"", "\"3.warc\""),
        ("\"offset\"", "\"ofset\""), ("}", ""),
    ])
    func aWrongLineIsSaidAndLosesNothing(text: String, wrong: String) throws {
        var sample = Sample()
        sample.index[0] = sample.index[0].replacing(text, with: wrong)
        let contents = try sample.contents()
        #expect(try body("http://a.com/1", contents) == "body 1 1")
        let codes = try codes(contents)
        #expect(!codes.isEmpty && Set(codes) == [.index])
    }

    @Test func anIndexOutOfOrderIsSaid() throws {
        var sample = Sample()
        sample.index.reverse()
        let contents = try sample.contents()
        #expect(try body("http://a.com/4", contents) == "body 2 2")
        #expect(try codes(contents) == [.index])
    }

    @Test func aKeyOfAnotherMakeIsFound() throws {
        var sample = Sample()
        sample.parts[0].records[0] = Self.record("http://www.a.com/B/?c=d%20e", "other")
        sample.index[0] =
            #"com,a)/b/?c=d+e 20200102030405 {"url": "http://www.a.com/B/?c=d%20e", "offset": 0, "filename": "1.warc"}"#
        let captures = try sample.contents().captures(of: WebURL("http://www.a.com/B/?c=d%20e"))
        #expect(captures?.count == 1)
    }

    // MARK: - Manifest

    @Test(arguments: [
        "", "{", "[]", "{}", #"{"resources": [{"path": "archive/9.warc"}]}"#, #"{"resources": [{}]}"#,
        #"{"resources": [{"path": "archive/1.warc", "hash": "sha256:00"}]}"#,
        #"{"resources": [{"path": "archive/1.warc", "bytes": 1e99}]}"#, #"{"resources": []}"#,
    ])
    func aWrongManifestIsSaidAndLosesNothing(manifest: String) throws {
        var sample = Sample()
        sample.manifest = manifest
        let contents = try sample.contents()
        #expect(try body("http://a.com/4", contents) == "body 2 2")
        let codes = try codes(contents)
        #expect(!codes.isEmpty && Set(codes) == [.manifest])
    }

    @Test func aManifestIsComparedWithItsDigest() throws {
        var sample = Sample()
        sample.digest = try Self.hash([])
        #expect(try codes(sample.contents()) == [.manifest])
    }

    @Test(arguments: ["../a", "/a", "a/../../b", "a\\..\\b", "C:\\a", "c:/a", "archive/../a.warc"])
    func aNameThatLeadsOutIsSaid(name: String) throws {
        var sample = Sample()
        sample.others = [(name, "")]
        #expect(try codes(sample.contents()).contains(.manifest))
    }

    @Test func aMemberThatCannotBeReadIsSaid() throws {
        let contents = try Sample().contents {
            $0.add("archive/1.warc", "twice")
            $0.add("archive/3.warc", Array("secret".utf8), flags: 1)
            $0.add("archive/4.warc", Array("no WARC".utf8))
        }
        #expect(try body("http://a.com/1", contents) == "body 1 1")
        var found: Set<String> = []
        try contents.verify { if $0.code == .manifest { found.insert($0.part ?? "") } }
        #expect(found.isSuperset(of: ["archive/1.warc", "archive/3.warc", "archive/4.warc"]))
    }

    @Test func whatARevisitRefersToMayBeInAnotherPart() throws {
        var sample = Sample()
        sample.index[1] = sample.index[1].replacing("\"length\"", with: "\"was\"")
        for (other, expected) in [("4", []), ("9", [ArchiveFinding.Code.revisit])] {
            sample.parts[0].records[1] = ArchiveSample.record(
                "revisit",
                id: "http://a.com/2",
                url: "http://a.com/2",
                fields: ["WARC-Refers-To: <urn:x:http://a.com/\(other)>"]
            )
            #expect(try codes(sample.contents()) == expected)
        }
    }
}
