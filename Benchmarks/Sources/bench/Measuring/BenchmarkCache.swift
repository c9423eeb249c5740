import Glibc
import WebLoader

/// A cache on disk full of ordinary pages, and the loader that reads it.
struct BenchmarkCache {
    /// Bytes of each body.
    static let bodySize = 10_000

    let directory: String
    let loader: PageLoader

    /// Fills a new cache with `entries` pages.
    init(entries: Int) async throws {
        directory = try TemporaryFolder.make()
        loader = Self.loader(directory, maximumSize: 1 << 40)
        for index in 0..<entries { _ = try await loader.fetch(WebRequest(url: try Self.url(index))) }
    }

    /// Loads `times` pages from the cache, scattered over the first `count`.
    func hit(_ times: Int, among count: Int) async throws {
        for index in 0..<times {
            let response = try await loader.fetch(WebRequest(url: try Self.url(index * 7919 % count)))
            guard response.source == .cache, response.body.count == Self.bodySize else {
                throw BenchmarkError("\(index): no hit")
            }
        }
    }

    /// Evicts nearly all entries, as happens when the limit was lowered.
    func trim() async throws {
        let loader = Self.loader(directory, maximumSize: 1_000_000)
        let request = WebRequest(url: try Self.url(0), cachePolicy: .reloadIgnoringLocalCacheData)
        _ = try await loader.fetch(request)
        await loader.finishBackgroundWork(within: .seconds(600))
    }

    func remove() throws {
        try TemporaryFolder.remove(directory)
    }

    private static func url(_ index: Int) throws -> WebURL {
        try WebURL("https://www.example.com/articles/2026/\(index)?page=1")
    }

    private static func loader(_ directory: String, maximumSize: Int) -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = directory
        configuration.maximumCacheSize = maximumSize
        configuration.blockingWork = .inline
        configuration.fetcher = Origin()
        return PageLoader(configuration: configuration)
    }

    /// Answers with the fields of an ordinary page.
    private struct Origin: Fetcher {
        func fetch(
            _ request: WebRequest,
            limits: LoadLimits,
            receiver: (any BodyReceiver)?
        ) async throws(FetchError) -> WebResponse {
            var fields = WebRequest(url: request.url)
            for (name, value) in [
                ("Content-Type", "text/html; charset=utf-8"), ("Cache-Control", "max-age=86400"),
                ("ETag", "\"5f3a-62f\""), ("Last-Modified", "Tue, 14 Nov 2023 22:13:20 GMT"),
                ("Server", "nginx"), ("Vary", "Accept-Encoding"), ("X-Content-Type-Options", "nosniff"),
                ("Content-Length", "\(bodySize)"), ("Strict-Transport-Security", "max-age=31536000"),
            ] {
                fields.setValue(value, forHTTPHeaderField: name)
            }
            let response = WebResponse(
                url: request.url,
                status: 200,
                headerFields: fields.headerFields,
                body: [UInt8](repeating: UInt8(ascii: "x"), count: bodySize),
                source: .network
            )
            return try receiver?.receive(whole: response) ?? response
        }
    }
}
