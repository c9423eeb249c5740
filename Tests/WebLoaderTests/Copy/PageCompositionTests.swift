import Foundation
import TestSupport
import Testing

@testable import WebCopy
@testable import WebDocument
@testable import WebLoader
@testable import WebStandards

/// Tests of the contents of copies, and of the resources that are reported as missing.
@Suite(.timeLimit(.minutes(20)))
struct PageCompositionTests {
    typealias File = CopiedSite.File

    private static func options(_ format: PageCopy.Format) -> PageCopy.Options {
        var options = PageCopy.Options()
        options.format = format
        return options
    }

    // MARK: - Missing resources

    @Test(arguments: [
        ("<iframe src=f></iframe>", File("application/pdf", "%PDF-1.4"), ["parse.kind"]),
        ("<iframe src=f></iframe>", File("application/xhtml+xml", "none"), ["parse.xml"]),
        ("<object data=f></object>", File("image/svg+xml", "none"), ["parse.xml"]),
        ("<iframe src=f></iframe>", File("text/plain", "text"), []),
        ("<iframe src=f></iframe>", File("text/html", ""), []),
        ("<img src=f>", File("image/png", ""), ["copy.empty"]),
        ("<img src=f>", File("image/png", "", status: 204), []),
        ("<img src=data:,>", File("image/png", ""), []),
    ])
    func `what was had and cannot be in the copy is missing`(
        markup: String,
        file: File,
        codes: [String]
    ) async throws {
        for format in [PageCopy.Format.html, .mhtml] {
            let site = CopiedSite(["a.test/": .html(markup), "a.test/f": file])
            let copy = try await site.copy(options: Self.options(format))
            #expect(copy.missing.isEmpty)
            let (text, summary) = try await copy.written()
            #expect(summary.missing.map(\.code) == codes)
            if !codes.isEmpty, !file.body.isEmpty {
                #expect(!text.contains(Base64.encode(Array(file.body.utf8))))
            }
        }
    }

    @Test func `what is composed is bounded by what is made`() throws {
        let budget = CompositionBudget(parts: 2, bytes: 10, embedded: 20)
        try budget.takePart()
        try budget.take(bytes: 10)
        try budget.takePart()
        #expect(throws: CopyFault.self) { try budget.takePart() }
        #expect(throws: CopyFault.self) { try budget.take(bytes: 1) }
        // An exceeded budget refuses smaller amounts too.
        #expect(throws: CopyFault.self) { try budget.take(bytes: 0) }
        try budget.take(embedded: 20)
        #expect(throws: CopyFault.self) { try budget.take(embedded: 1) }
        #expect(throws: CopyFault.self) { try budget.take(embedded: 0) }
    }

    @Test(arguments: [
        "<input type=image src=f>", "<link rel=icon href=f>", "<img srcset='f 2x'>",
        "<link rel=stylesheet href=s>",
        "<iframe src=p></iframe>",
    ])
    func `a file that is shown often counts each time`(markup: String) async throws {
        let image = String(repeating: "x", count: 10_000)
        let page = String(repeating: markup, count: 100)
        let site = CopiedSite([
            "a.test/": .html(page), "a.test/f": File("image/png", image),
            "a.test/s": File("text/css", "a{background:url(f)}"), "a.test/p": .html("<img src=f>"),
        ])
        var options = PageCopy.Options()
        options.maximumBytes = 100_000
        let (text, summary) = try await site.copy(options: options).written()
        #expect(text.utf8.count < 200_000)
        #expect(summary.missing.contains { $0.code == "limit.resources" })
    }

    @Test func `a chain of style sheets ends, and is said to be cut`() async throws {
        let count = 1000
        var files: [String: File] = [:]
        for number in 0..<count {
            files["a.test/\(number).css"] = File("text/css", "@import '\(number + 1).css';a{color:red}")
        }
        files["a.test/\(count).css"] = File("text/css", "b{color:red}")
        let links = (0...count).map { "<link rel=stylesheet href=\($0).css>" }.joined()
        files["a.test/"] = .html(links)
        var options = PageCopy.Options()
        options.maximumFiles = count + 1
        let copy = try await CopiedSite(files).copy(options: options)
        #expect(copy.missing.isEmpty)
        let (_, summary) = try await copy.written()
        #expect(summary.missing.contains { $0.code == "limit.depth" })
    }

    @Test func `a file counts that is in the copy`() async throws {
        let site = CopiedSite([
            "a.test/": .html("<img srcset='a.png 1x, b.png 2x'>"),
            "a.test/a.png": File("image/png", "a"), "a.test/b.png": File("image/png", "b"),
        ])
        let copy = try await site.copy()
        #expect(Set(site.asked) == ["http://a.test/a.png", "http://a.test/b.png"])
        #expect(try await copy.written().summary.files == 2)
    }

    // MARK: - Excluded content

    @Test(arguments: ["<object>Text</object>", "<object data=f></object>", ""])
    func `a copy's policy allows nothing by default`(markup: String) async throws {
        let (text, _) = try await CopiedSite(["a.test/": .html(markup)]).copy().written()
        #expect(text.contains("content=\"default-src 'none'; "))
        #expect(text.contains("object-src "))
    }

    @Test func `what the page's policy forbids is not asked for`() async throws {
        let policy = ("Content-Security-Policy", "img-src http://b.test")
        let page = File("text/html", "<img src=i.png><img srcset='http://b.test/i.png 1x'>", fields: [policy])
        let site = CopiedSite(["a.test/": page, "b.test/i.png": File("image/png", "x")])
        let copy = try await site.copy()
        #expect(site.asked == ["http://b.test/i.png"])
        #expect(copy.missing.isEmpty)
    }

    @Test func `a circle of redirects gets no credentials of another host`() async throws {
        let site = CopiedSite([
            "a.test/": .html("<img src=c>"), "a.test/c": .redirect("http://b.test/c"),
            "b.test/c": .redirect("http://a.test/d"), "a.test/d": .redirect("http://a.test/c"),
        ])
        _ = try await site.copy(options: Self.options(.wacz)) { $0.headerFields[.authorization] = "secret" }
        let sent = site.fetcher.requests.filter { $0.headerFields[.authorization] != nil }
        #expect(!sent.isEmpty)
        #expect(sent.allSatisfy { $0.url.hostname == "a.test" })
        #expect(site.fetcher.requests.contains { $0.url.hostname == "b.test" })
    }

    @Test(arguments: PageCopy.Format.allCases.filter { $0 != .wacz })
    func `a page's folder and password are nobody's business`(format: PageCopy.Format) async throws {
        try await withTemporaryFolder { folder in
            let page = folder.appending(path: "page.html")
            try Data("<!DOCTYPE html><a href=other.html>a</a><img src='in/i.png'>".utf8).write(to: page)
            let images = folder.appending(path: "in")
            try FileManager.default.createDirectory(at: images, withIntermediateDirectories: false)
            try Data("image".utf8).write(to: images.appending(path: "i.png"))
            let loaded = try await PageLoader.offline().load(WebRequest(url: WebURL(filePath: page.path)))
            let copy = try await PageCopy(of: loaded, options: Self.options(format))
            #expect(copy.missing.isEmpty)
            let (text, _) = try await copy.written()
            #expect(!text.contains(folder.lastPathComponent))
        }
        let site = CopiedSite([
            "a.test/": .html("<a href=other.html>a</a><img src=i.png>"),
            "a.test/i.png": File("image/png", "x"),
        ])
        let copy = try await site.copy("http://ann:secret@a.test/", options: Self.options(format))
        #expect(try await !copy.written().text.contains("secret"))
    }

    // MARK: - Messages

    @Test func `a resource of two uses is two parts`() async throws {
        let site = CopiedSite([
            "a.test/": .html("<link rel=stylesheet href=x><iframe src=x></iframe><iframe src='/'></iframe>"),
            "a.test/x": File("text/css", "a{background:url(i.png)}"),
            "a.test/i.png": File("image/png", "x"),
        ])
        let (text, summary) = try await site.copy(options: Self.options(.mhtml)).written()
        let locations = text.split(separator: "\r\n").filter { $0.hasPrefix("Content-Location: ") }
        #expect(locations.count == 4)
        #expect(Set(locations).count == 4)
        #expect(locations.first == "Content-Location: http://a.test/")
        #expect(summary.missing.isEmpty)
    }

    // MARK: - The same bytes

    @Test func `images are numbered as they are first used`() throws {
        let urls = try (0..<20).map { try WebURL("http://a.test/\($0)") }
        let images = SharedImages(urls.map { ($0, 2) }) { _ in 100_000 }
        #expect(urls.map { images.numbers[$0] } == Array(0..<20))
    }

    @Test func `a page is the same bytes each time`() async throws {
        var files: [String: File] = [:]
        for number in 0..<8 {
            files["a.test/\(number).png"] = File("image/png", String(repeating: "\(number)", count: 9000))
        }
        let images = (0..<8).map { "<img src=\($0).png>" }.joined()
        files["a.test/"] = File(
            "text/html",
            images + images,
            fields: [("Date", "Mon, 01 Feb 2021 10:00:00 GMT")]
        )
        let first = try await CopiedSite(files).copy().written().text
        let second = try await CopiedSite(files).copy().written().text
        #expect(first == second)
        #expect(first.contains("--webloader-image-7:"))
    }

    // MARK: - Options

    @Test(arguments: [(-1, 0), (.nan, 0), (0, 0), (1.5, 1.5), (.infinity, .infinity)] as [(Double, Double)])
    func `a density is a number from 0`(given: Double, taken: Double) {
        var options = PageCopy.Options()
        options.maximumDensity = given
        #expect(options.maximumDensity == taken)
    }
}
