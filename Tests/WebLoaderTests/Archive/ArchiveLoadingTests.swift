import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebArchive
@testable import WebLoader

/// Pages that a loader takes from archives, and archives of what it loads.
@Suite(.timeLimit(.minutes(20)))
struct ArchiveLoadingTests {
    private static func exchange(
        _ url: String,
        _ date: String,
        _ body: String,
        status: Int = 200,
        _ fields: [(String, String)] = [("Content-Type", "text/html; charset=utf-8")]
    ) throws -> ArchivedExchange {
        let moment = try #require(Timestamp(archiveDate: date))
        var exchange = ArchivedExchange(url: try WebURL(url), date: moment, status: status)
        exchange.responseFields = fields.map { ($0.0, Array($0.1.utf8)) }
        exchange.body = .bytes(Array(body.utf8))
        return exchange
    }

    /// Two copies of a page, the second a revisit of the first, and a redirect to it.
    private func withArchive(_ name: String, _ body: (Archive) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: name).path
            let sink = try ArchiveSink(path, withSecrets: false)
            try sink.append(Self.exchange("http://a.test/", "2020-01-01", "<title>One</title>"))
            try sink.append(
                Self.exchange("http://a.test/", "2021-01-01", "<title>Two</title><img src=i.png>")
            )
            try sink.append(Self.exchange("http://a.test/", "2022-01-01", "<title>One</title>"))
            try sink.append(
                Self.exchange("http://a.test/to", "2020-01-01", "", status: 301, [("Location", "/#x")])
            )
            try sink.append(
                Self.exchange(
                    "http://a.test/file",
                    "2020-01-01",
                    "{}",
                    [("Content-Type", "application/json")]
                )
            )
            try sink.finish()
            try await body(Archive(path))
        }
    }

    static let names = ["site.warc", "site.warc.gz", "site.warc.zst", "site.wacz", "site.har"]

    @Test(arguments: names)
    func `the copy of a date is loaded`(_ name: String) async throws {
        try await withArchive(name) { archive in
            let wanted: [(String?, String)] = [
                (nil, "One"), ("2019-01-01", "One"), ("2020-06-01", "One"), ("2021-01-01", "Two"),
                ("2021-12-31", "Two"), ("2030-01-01", "One"),
            ]
            for (date, title) in wanted {
                var configuration = PageLoader.Configuration()
                configuration.archives = [archive]
                configuration.archiveDate = date.flatMap { Timestamp(archiveDate: $0) }
                let loader = PageLoader(configuration: configuration)
                let page = try await loader.load(WebRequest(url: WebURL("http://a.test/to")))
                #expect(page.title == title, "\(date ?? "newest")")
                #expect(page.response.source == .archive)
                #expect(page.response.redirects.count == 1)
                #expect(page.response.url.fragment == "x")
            }
        }
    }

    @Test(arguments: names)
    func `all pages come in order`(_ name: String) async throws {
        try await withArchive(name) { archive in
            var configuration = PageLoader.Configuration()
            configuration.archives = [archive]
            let loader = PageLoader(configuration: configuration)
            var titles: [String?] = []
            for try await found in loader.archivedPages {
                #expect(found.url == "http://a.test/")
                titles.append(try await loader.load(try found.result.get()).title)
            }
            #expect(titles == ["One", "Two", "One"])
        }
    }

    @Test func `what is not in the archive is asked of nobody`() async throws {
        try await withArchive("site.warc") { archive in
            var configuration = PageLoader.Configuration()
            configuration.archives = [archive]
            configuration.fetcher = ScriptedFetcher { request in
                Issue.record("\(request.url) was asked for")
                return WebResponse.answering(request, 200, [])
            }
            let loader = PageLoader(configuration: configuration)
            for url in ["http://a.test/other", "file:///etc/hostname", "https://a.test/"] {
                await #expect { try await loader.load(WebRequest(url: WebURL(url))) } throws: { error in
                    (error as? LoadError)?.code == "archive.miss"
                }
            }
        }
    }

    @Test(arguments: names)
    func `records are a sequence`(_ name: String) async throws {
        try await withArchive(name) { archive in
            var urls: [String] = []
            for try await record in archive
            where record.kind == .response || record.kind == .revisit || record.kind == .resource {
                urls.append(record.url ?? "")
            }
            #expect(urls.count == 5)
            #expect(try await archive.findings() == [])
        }
    }

    @Test(arguments: names, [".warc.gz", ".wacz", ".har"])
    func `an archive becomes another with the same bodies`(_ name: String, _ ending: String) async throws {
        try await withArchive(name) { archive in
            try await withTemporaryFolder { folder in
                let path = folder.appending(path: "other\(ending)").path
                let sink = try ArchiveSink(path, withSecrets: false)
                try ExchangeReader(archive, in: ArchiveCollection([archive])).forEach { error, record in
                    Issue.record("\(record): \(error)")
                } findings: { finding in
                    Issue.record("\(finding)")
                } _: { exchange throws(ArchiveError) in
                    try sink.append(exchange)
                }
                try sink.finish()
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 1)
                let copy = try Archive(path)
                #expect(try await copy.findings() == [])
                let collection = ArchiveCollection([copy])
                for (date, title) in [("2020", "One"), ("2021", "Two"), ("2022", "One")] {
                    let found = try collection.response(
                        to: WebURL("http://a.test/"),
                        at: Timestamp(archiveDate: date),
                        within: .none
                    )
                    let body = try found.reader.payload(maximumSize: 1000)
                    #expect(String(decoding: body, as: UTF8.self).hasPrefix("<title>\(title)</title>"))
                }
            }
        }
    }

    @Test func `a transfer coding that the archive has not is given back`() {
        let head = MessageHead(
            bytes: Array(
                "HTTP/1.1 200 OK\r\nX-Orig-Transfer-Encoding: chunked\r\nContent-Length: 3\r\nA: b".utf8
            )
        )
        let fields = head.originalHTTPFields
        #expect(fields.map(\.name.rawName) == ["Transfer-Encoding", "A"])
    }
}
