import TestSupport
import Testing
import WebArchive
import WebStandards

struct CDXJTests {
    private static func line(_ key: String, _ time: String = "20200101000000", offset: Int = 0) -> String {
        #"\#(key) \#(time) {"url": "u", "status": "200", "length": "7", "offset": \#(offset), "filename": "a.warc"}"#
    }

    private static func file(_ lines: [String]) -> ArchiveFile {
        ArchiveFile(bytes: Array((lines.joined(separator: "\n") + "\n").utf8), path: "index.cdxj")
    }

    /// Enough lines for a search: those of a file of this number of hosts, each with two captures.
    private static func lines(_ count: Int) -> [String] {
        (0..<count).flatMap { number in
            ["20200101000000", "20210101000000"].map { line("com,h\(number))/", $0, offset: number) }
        }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    @Test func aLineSaysWhereARecordIs() throws {
        let lines = try CDXJFile(Self.file([Self.line("com,a)/", offset: 12)])).lines(ofKey: "com,a)/")
        let line = try #require(lines.first)
        #expect(line.key == "com,a)/" && line.timestamp == "20200101000000")
        #expect(line.offset == 12 && line.length == 7 && line.status == 200)
        #expect(line.url == "u" && line.filename == "a.warc")
        #expect(line.date?.text == "2020-01-01T00:00:00Z")
    }

    @Test(arguments: [
        "com,a)/ 2020 {", "com,a)/ 2020", "com,a)/", "com,a)/ x {}", "com,a)/ 2020 []", "com,a)/ 2020 {} x",
    ])
    func aLineThatCannotBeReadIsPassedOn(line: String) throws {
        var damaged = 0
        try CDXJFile(Self.file([line, Self.line("com,b)/")])).forEachLine(startingWith: []) { line in
            if case .damaged = line.content { damaged += 1 }
            return true
        }
        #expect(damaged == 1)
    }

    @Test func numbersOutOfRangeAreNone() throws {
        let text = #"com,a)/ 2020 {"offset": -1, "length": "99999999999999999999", "status": 1e3}"#
        let line = try #require(try CDXJFile(Self.file([text])).lines(ofKey: "com,a)/").first)
        #expect(line.offset == nil && line.length == nil && line.status == nil)
    }

    @Test func aWrittenLineReadsBack() throws {
        let members = [JSONValue.Member("url", "http://a.com/\"x\""), JSONValue.Member("offset", "5")]
        let line = CDXJLine(key: "com,a)/", timestamp: "20200101000000", members: members)
        let file = ArchiveFile(bytes: line.bytes, path: "x")
        #expect(try CDXJFile(file).lines(ofKey: "com,a)/") == [line])
    }

    @Test(arguments: [1, 3, 500, 20_000])
    func everyKeyOfASortedFileIsFound(count: Int) throws {
        let index = CDXJFile(Self.file(Self.lines(count)))
        for number in stride(from: 0, to: count, by: max(1, count / 97)) {
            #expect(try index.lines(ofKey: "com,h\(number))/").map(\.offset) == [number, number])
        }
        #expect(try index.lines(ofKey: "com,h)/").isEmpty)
        #expect(try index.lines(ofKey: "aaa").isEmpty && index.lines(ofKey: "zzz").isEmpty)
        #expect(index.findings.isEmpty)
    }

    @Test(arguments: [20, 20_000])
    func aFileOutOfOrderStillAnswersRight(count: Int) throws {
        var lines = Self.lines(count)
        lines.swapAt(1, lines.count - 2)
        let index = CDXJFile(Self.file(lines))
        for line in [lines[1], lines[lines.count - 2], lines[count]] {
            let key = String(line.prefix { $0 != " " })
            #expect(try index.lines(ofKey: key).count == 2)
        }
        #expect(index.findings.map(\.code) == [.index])
    }

    @Test func prefixesAreFound() throws {
        let keys = ["com,a)/", "com,a)/x", "com,a)/x/y", "com,a,b)/", "com,a:81)/", "com,ab)/"]
        let index = CDXJFile(Self.file(keys.sorted().map { Self.line($0) }))
        #expect(try index.lines(startingWith: "com,a)/x").map(\.key) == ["com,a)/x", "com,a)/x/y"])
        #expect(try index.lines(startingWith: "com,a", maximumCount: 2).count == 2)
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"))
    func aLineTooLongIsPassedOver() throws {
        let long = "com,b)/ 2020 {\"a\": \"" + String(repeating: "x", count: 3 << 20) + "\"}"
        let index = CDXJFile(Self.file([Self.line("com,a)/"), long, Self.line("com,c)/")]))
        #expect(try index.lines(ofKey: "com,a)/").count == 1 && index.lines(ofKey: "com,c)/").count == 1)
    }

    // MARK: - Blocks

    /// An index in blocks of two lines.
    private static func blocks(_ lines: [String], shift: Int = 0) throws -> ZipNumIndex {
        var data: [UInt8] = []
        var index = ["!meta 0 {\"format\": \"cdxj-gzip-1.0\"}"]
        for start in stride(from: 0, to: lines.count, by: 2) {
            let text = lines[start..<min(start + 2, lines.count)].map { $0 + "\n" }.joined()
            let block = ArchiveSample.gzip(Array(text.utf8))
            let name = lines[start].split(separator: " ").prefix(2).joined(separator: " ")
            index.append("\(name) {\"offset\": \(data.count + shift), \"length\": \(block.count)}")
            data += block
        }
        return try ZipNumIndex(
            blocks: file(index),
            data: ArchiveFile(bytes: data, path: "index.cdx.gz"),
            part: "index.cdx.gz"
        )
    }

    @Test(arguments: [1, 2, 3, 41])
    func everyKeyInBlocksIsFound(count: Int) throws {
        let index = try Self.blocks(Self.lines(count))
        for number in 0..<count {
            #expect(try index.lines(ofKey: "com,h\(number))/").map(\.offset) == [number, number])
        }
        #expect(try index.lines(ofKey: "com,a)/").isEmpty)
        try index.verify()
        #expect(index.findings.isEmpty)
    }

    @Test func blocksThatAreElsewhereStillAnswerRight() throws {
        let index = try Self.blocks(Self.lines(9), shift: 3)
        #expect(try index.lines(ofKey: "com,h4)/").count == 2)
        #expect(index.findings.map(\.code).contains(.index))
    }

    @Test func linesOutOfOrderInBlocksStillAnswerRight() throws {
        var lines = Self.lines(9)
        lines.swapAt(0, 17)
        let index = try Self.blocks(lines)
        #expect(try index.lines(ofKey: "com,h0)/").count == 2)
        #expect(!index.findings.isEmpty)
    }

    // MARK: - Writing

    @Test(arguments: [64 << 20, 1000])
    func linesAreWrittenInTheOrderOfTheirBytes(memory: Int) throws {
        var writer = CDXJWriter(memory: memory)
        let keys = ["b", "a", "Z", "é", "a b", "a!", "a"] + (0..<50).map { "k\($0)" }
        for key in keys {
            try writer.append(CDXJLine(key: key, timestamp: "20200101000000", members: []))
        }
        var written: [[UInt8]] = []
        try writer.finish { line throws(ArchiveError) in written.append(line) }
        #expect(written.count == keys.count - 1)
        #expect(zip(written, written.dropFirst()).allSatisfy { $0.lexicographicallyPrecedes($1) })
    }
}
