import Foundation
import TestSupport
import Testing

@testable import WebArchive
import WebStandards

@Suite(.timeLimit(.minutes(20)))
struct ArchiveSinkTests {
    private static let body = (0..<6000).map { "\($0 &* 7_919 % 10_007) " }.joined()

    private static func exchange(_ number: Int) throws -> ArchivedExchange {
        var exchange = ArchivedExchange(
            url: try WebURL("http://h.test/\(number)"),
            date: Timestamp(millisecondsSince1970: 0),
            status: 200
        )
        exchange.responseFields = [(name: "Content-Type", value: Array("text/html".utf8))]
        exchange.body = .bytes(Array(body.utf8))
        return exchange
    }

    @Test(arguments: ["a.warc", "a.warc.gz", "a.wacz", "a.har", "a.mhtml"])
    func `an archive has no more bytes than it may`(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: name).path
            let sink = try ArchiveSink(path, withSecrets: false, maximumSize: 100_000)
            let error = #expect(throws: ArchiveError.self) {
                for number in 0..<100_000 { try sink.append(Self.exchange(number)) }
            }
            #expect(error?.code == .limit)
        }
    }

    @Test(arguments: ["a.warc", "a.har"])
    func `an archive that fits is whole`(_ name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: name).path
            let sink = try ArchiveSink(path, withSecrets: false, maximumSize: 100_000)
            try sink.append(Self.exchange(0))
            try sink.finish()
            let size = try #require(FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
            #expect((Self.body.utf8.count...100_000).contains(size))
        }
    }

    @Test func `a body that is too large is reported and left out`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "a.warc").path
            let sink = try ArchiveSink(path, withSecrets: false)
            try sink.append(Self.exchange(0))
            var small = try Self.exchange(1)
            small.body = .bytes(Array("<p>".utf8))
            try sink.append(small)
            try sink.finish()
            let archive = try Archive(path)
            let reader = ExchangeReader(archive, in: ArchiveCollection([archive]), maximumBody: 1000)
            var codes: [ArchiveError.Code] = []
            var urls: [String] = []
            try reader.forEach { error, _ in
                codes.append(error.code)
            } findings: { _ in
            } _: { (exchange) throws(ArchiveError) in
                urls.append(exchange.url.href)
            }
            #expect(codes == [.tooLarge])
            #expect(urls == ["http://h.test/1"])
        }
    }

    @Test func `revisits do not read a body again and again`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "a.warc.gz").path
            let writer = try WARCWriter(path: path)
            for number in 0..<40 {
                var exchange = try Self.exchange(number)
                exchange.body = .bytes(Array(repeating: 0x20, count: 4 << 20))
                try writer.append(exchange)
            }
            let archive = try Archive(path)
            let reader = ExchangeReader(archive, in: ArchiveCollection([archive]), maximumBody: 4 << 20)
            var count = 0
            let error = #expect(throws: ArchiveError.self) {
                try reader.forEach { _, _ in
                } findings: { _ in
                } _: { (_) throws(ArchiveError) in
                    count += 1
                }
            }
            #expect(error?.code == .limit)
            #expect((2..<39).contains(count))
        }
    }
}
