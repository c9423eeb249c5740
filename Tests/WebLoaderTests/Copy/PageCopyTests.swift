import Foundation
import TestSupport
import Testing
import WebCopy

@testable import WebCopy

/// Copies of pages as a program makes them, and their parts.
@Suite struct PageCopyTests {
    @Test func `a page from bytes is copied with what is in it`() async throws {
        let loader = PageLoader(configuration: .offline)
        let page = try await loader.loadHTMLString(
            "<!DOCTYPE html><title>T</title><link rel=stylesheet href='data:text/css,b{color:red}'><img src=gone.png>",
            baseURL: WebURL("http://h.test/")
        )
        let copy = try await PageCopy(of: page)
        #expect(copy.missing.map(\.code) == ["cache.miss"])
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "page.html").path
            let summary = try copy.write(to: path)
            #expect(summary.files == 1)
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(summary.bytes == text.utf8.count)
            #expect(text.contains("<img src=\"data:,\">"))
        }
    }

    @Test func `what is no page is an error`() async throws {
        let loader = PageLoader(configuration: .offline)
        let page = try await loader.loadData(
            [0xFF, 0xD8, 0xFF],
            mimeType: "image/jpeg",
            textEncodingName: nil,
            baseURL: nil
        )
        await #expect(throws: LoadError.self) { try await PageCopy(of: page) }
    }

    @Test(arguments: [
        ("a.html", "html"), ("A.HTM", "html"), ("a.mhtml", "mhtml"), ("a.mht", "mhtml"), ("x/y.wacz", "wacz"),
        ("a.warc", "warc"), ("a.WARC.gz", "warc"), ("a.warc.zst", "warc"), ("a.webarchive", "webarchive"),
        ("a.txt", nil), ("html", nil), ("a.gz", nil), ("", nil),
    ])
    func `the name says the form`(name: String, form: String?) {
        #expect(PageCopy.Format(fileNamed: name)?.rawValue == form)
    }

    @Test(arguments: [0, 1, 2, 3, 49_151, 49_152, 49_153, 100_000])
    func `bytes stand where their marks were`(count: Int) {
        let embedded = EmbeddedBytes()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let text = Array("<\(embedded.mark(7))|\(embedded.mark(7))> WL0".utf8)
        var output: [UInt8] = []
        embedded.write(text, bytes: { $0 == 7 ? bytes : [] }) { output += $0 }
        let expected = Data(bytes).base64EncodedString()
        #expect(String(decoding: output, as: UTF8.self) == "<\(expected)|\(expected)> WL0")
        #expect(embedded.length(of: text) { _ in count } == output.count)
    }

    @Test(arguments: [
        "a{b:url(\"c\")}", "100% 'x' <b> & #\\", "é€ \n\t", "data:image/png;base64,AB+/==", " ",
    ])
    func `a text in a URL is the text again`(text: String) throws {
        let url = DataURLText.url("text/css", Array(text.utf8))
        #expect(try DataURL(WebURL(url).href).body == Array(text.utf8))
        // However often it is in another.
        #expect(url.utf8.allSatisfy { !"\"'&<>#\\ ()".utf8.contains($0) })
    }
}

extension PageLoader.Configuration {
    /// Without a cache and a network.
    fileprivate static var offline: PageLoader.Configuration {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = NoNetwork()
        return configuration
    }
}

/// A fetcher that has nothing.
private struct NoNetwork: Fetcher {
    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        throw FetchError(.cacheMiss, "there is no network")
    }
}
