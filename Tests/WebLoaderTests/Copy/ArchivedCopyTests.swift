import Foundation
import TestSupport
import Testing
import WebArchive
import WebCopy

@testable import WebLoader
@testable import WebStandards

/// Copies that are archives: what is in a WARC, and in a webarchive.
@Suite(.timeLimit(.minutes(20)))
struct ArchivedCopyTests {
    typealias File = CopiedSite.File

    private static let page = """
        <!DOCTYPE html><title>T</title><link rel=stylesheet href=a.css><script src=s.js></script><img src=i.png>
        <img src=lost.png><img src=to><iframe src=f name=inner></iframe><iframe src=g></iframe>
        """

    private static let files: [String: File] = [
        "a.test/": File("text/html; charset=utf-8", page),
        "a.test/a.css": File("text/css; charset=latin1", "@import 'b.css'; p{background:url(j.png)}"),
        "a.test/b.css": File("text/css", "b{color:red}"), "a.test/s.js": File("text/javascript", "x()"),
        "a.test/i.png": File("image/png", "i"), "a.test/j.png": File("image/png", "j"),
        "a.test/k.png": File("image/png", "k"), "a.test/to": .redirect("/there.png"),
        "a.test/there.png": File("image/png", "there"),
        "a.test/f": .html("<p>F<img src=k.png><iframe src=g name=deep></iframe>"),
        "a.test/g": .html("<p>G<img src=i.png>"),
    ]

    private func copy(_ format: PageCopy.Format, _ files: [String: File] = files) async throws -> PageCopy {
        var options = PageCopy.Options()
        options.format = format
        return try await CopiedSite(files).copy(options: options)
    }

    // MARK: - WARC

    @Test(arguments: ["copy.warc", "copy.warc.gz", "copy.warc.zst"])
    func `a WARC has what a WACZ has`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: name).path
            let packed = folder.appending(path: "copy.wacz").path
            let copy = try await copy(.warc)
            #expect(copy.missing.map(\.url.href) == ["http://a.test/lost.png"])
            let summary = try copy.write(to: path)
            let bytes = try Data(contentsOf: URL(filePath: path)).count
            #expect(summary.bytes == bytes)
            #expect(summary.missing.isEmpty)
            #expect(summary.changed.isEmpty)
            _ = try await self.copy(.wacz).write(to: packed)
            let written = try WrittenArchive(path)
            let other = try WrittenArchive(packed)
            #expect(written.findings.isEmpty)
            #expect(written.payloads == other.payloads)
            #expect(written.records.map(\.url) == other.records.map(\.url))
            #expect(written.records.first?.kind == .information)
            for (place, file) in Self.files {
                #expect(written.payloads["http://\(place)"] == Array(file.body.utf8), "\(place)")
            }
            // Nothing but the two is left in the folder.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
            // It takes the place of another one.
            _ = try copy.write(to: path)
            #expect(try WrittenArchive(path).payloads == other.payloads)
        }
    }

    @Test func `a WARC is a source of pages`() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "copy.warc.gz").path
            _ = try await copy(.warc).write(to: path)
            var configuration = PageLoader.Configuration()
            configuration.archives = [try Archive(path)]
            let loader = PageLoader(configuration: configuration)
            let page = try await loader.load(WebRequest(url: WebURL("http://a.test/")))
            #expect(page.title == "T")
            #expect(page.response.body == Array(Self.page.utf8))
        }
    }

    // MARK: - Webarchive

    /// A resource of a webarchive, or an archive in it.
    private typealias Members = [String: Any]

    private func webarchive(_ files: [String: File] = files) async throws -> (Members, PageCopy.Summary) {
        let copy = try await copy(.webarchive, files)
        return try await withTemporaryFolder { folder in
            let path = folder.appending(path: "copy.webarchive").path
            let summary = try copy.write(to: path)
            let text = try await PropertyListWriterTests.read(path)
            let read = try JSONSerialization.jsonObject(with: Data(text.utf8))
            return (try #require(read as? Members), summary)
        }
    }

    /// The bytes of a resource, as text.
    private func body(_ resource: Members) throws -> String {
        let data = try #require(resource["WebResourceData"] as? String)
        try #require(data.hasPrefix("data:"))
        return String(decoding: try #require(Data(base64Encoded: String(data.dropFirst(5)))), as: UTF8.self)
    }

    /// Returns the bodies of an archive's subresources, by URL.
    private func subresources(_ archive: Members) throws -> [String: String] {
        var bodies: [String: String] = [:]
        for resource in archive["WebSubresources"] as? [Members] ?? [] {
            let url = try #require(resource["WebResourceURL"] as? String)
            #expect(bodies.updateValue(try body(resource), forKey: url) == nil)
        }
        return bodies
    }

    @Test func `a webarchive has the page as it came`() async throws {
        let (archive, summary) = try await webarchive()
        let main = try #require(archive["WebMainResource"] as? Members)
        #expect(try body(main) == Self.page)
        #expect(main["WebResourceURL"] as? String == "http://a.test/")
        #expect(main["WebResourceMIMEType"] as? String == "text/html")
        #expect(main["WebResourceTextEncodingName"] as? String == "UTF-8")
        #expect(main["WebResourceFrameName"] as? String == "")
        #expect(summary.missing.isEmpty)
        // All but the redirect, which is what it leads to.
        #expect(summary.files == Self.files.count - 1)
    }

    @Test func `a webarchive has what the page shows`() async throws {
        let (archive, _) = try await webarchive()
        #expect(
            try subresources(archive) == [
                "http://a.test/a.css": "@import 'b.css'; p{background:url(j.png)}",
                "http://a.test/b.css": "b{color:red}", "http://a.test/s.js": "x()",
                "http://a.test/i.png": "i", "http://a.test/j.png": "j", "http://a.test/to": "there",
            ]
        )
        let resources = try #require(archive["WebSubresources"] as? [Members])
        let sheet = try #require(resources.first { $0["WebResourceURL"] as? String == "http://a.test/a.css" })
        #expect(sheet["WebResourceMIMEType"] as? String == "text/css")
        #expect(sheet["WebResourceTextEncodingName"] as? String == "windows-1252")
        #expect(sheet["WebResourceFrameName"] == nil)
    }

    @Test func `a frame is an archive of its own`() async throws {
        let (archive, _) = try await webarchive()
        let frames = try #require(archive["WebSubframeArchives"] as? [Members])
        let mains = try frames.map { try #require($0["WebMainResource"] as? Members) }
        #expect(mains.map { $0["WebResourceURL"] as? String } == ["http://a.test/f", "http://a.test/g"])
        #expect(mains.map { $0["WebResourceFrameName"] as? String } == ["inner", nil])
        #expect(
            try frames.map { try subresources($0) } == [
                ["http://a.test/k.png": "k"], ["http://a.test/i.png": "i"],
            ]
        )
        let deep = try #require((frames.first?["WebSubframeArchives"] as? [Members])?.first)
        let main = try #require(deep["WebMainResource"] as? Members)
        #expect(main["WebResourceFrameName"] as? String == "deep")
        #expect(try body(main) == "<!DOCTYPE html><p>G<img src=i.png>")
        #expect(try subresources(deep) == ["http://a.test/i.png": "i"])
    }

    @Test func `frames within each other end`() async throws {
        var files: [String: File] = [:]
        for number in 0..<20 {
            let frames = [number + 1, number].map { "<iframe src=\($0)></iframe>" }
            files["a.test/\(number)"] = .html(frames.joined())
        }
        files["a.test/"] = files["a.test/0"]
        var options = PageCopy.Options()
        options.format = .webarchive
        options.maximumFiles = 100
        let copy = try await CopiedSite(files).copy(options: options)
        let summary = try await copy.written().summary
        #expect(summary.missing.contains { $0.code == "limit.resources" })
        #expect(summary.bytes < 1 << 20)
    }

    @Test func `what is no page is an archive of itself`() async throws {
        let (archive, summary) = try await webarchive(["a.test/": File("image/png", "image")])
        #expect(Array(archive.keys) == ["WebMainResource"])
        let main = try #require(archive["WebMainResource"] as? Members)
        #expect(main["WebResourceMIMEType"] as? String == "image/png")
        #expect(main["WebResourceTextEncodingName"] == nil)
        #expect(summary.files == 1)
    }
}
