import Glibc
import WebLoader

/// Hits of the cache beside a plain read of one file, look-ups in a small and in a large cache, and trimming.
enum CacheBenchmark {
    /// Bytes of each body.
    private static let bodySize = 10_000
    private static let hitsPerRound = 5_000

    /// `cache [ENTRIES] [ROUNDS]`.
    static func run(_ arguments: [String]) async throws {
        let entries = arguments.first.map { Int($0) ?? 0 } ?? 100_000
        let rounds = arguments.count > 1 ? Int(arguments[1]) ?? 0 : 21
        guard entries > 0, rounds > 0 else { throw BenchmarkError("usage: bench cache [ENTRIES] [ROUNDS]") }
        let folder = try temporaryFolder()
        let small = try await fill("\(folder)/small", 1_000)
        let large = try await fill("\(folder)/large", entries)
        let file = try write("\(folder)/file")

        // In turns, so that what else the machine does hits all alike.
        var times = [[Double]](repeating: [], count: 3)
        for round in -1..<rounds {
            let measured = [
                try time { for _ in 0..<hitsPerRound { try read(file) } },
                try await time { try await hit(small, among: 1_000) },
                try await time { try await hit(large, among: min(entries, 1_000)) },
            ]
            // The first round warms the caches.
            if round >= 0 { for (index, time) in measured.enumerated() { times[index].append(time) } }
        }
        let medians = times.map { $0.sorted()[rounds / 2] / Double(hitsPerRound) }
        print(
            "\(bodySize) bytes a body, medians of \(rounds) rounds of \(hitsPerRound), wall time, one thread"
        )
        print("plain read of one file: \(Int(1 / medians[0]))/s")
        print("hit among 1000: \(Int(1 / medians[1]))/s, \(percent(medians[0] / medians[1])) of that")
        print(
            "hit among \(entries): \(Int(1 / medians[2]))/s, \(percent(medians[1] / medians[2])) of the small cache's"
        )

        let trimmed = try await time { try await trim("\(folder)/large") }
        print("trimming \(entries) entries away: \(Int(trimmed * 1000)) ms")
        print("left in \(folder)")
    }

    private static func percent(_ ratio: Double) -> String { "\(Int((ratio * 100).rounded())) %" }

    // MARK: - What is measured

    /// Opens, sizes, reads and closes a file, as is the least that a cache on disk does.
    private static func read(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("\(path): cannot be opened") }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw BenchmarkError("\(path): no status") }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = max(0, unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        guard bytes.count == bodySize else { throw BenchmarkError("\(path): is cut off") }
    }

    private static func hit(_ loader: PageLoader, among count: Int) async throws {
        for index in 0..<hitsPerRound {
            let response = try await loader.fetch(WebRequest(url: try url(index * 7919 % count)))
            guard response.source == .cache, response.body.count == bodySize else {
                throw BenchmarkError("\(index): no hit")
            }
        }
    }

    private static func trim(_ directory: String) async throws {
        let loader = loader(directory, maximumSize: 1_000_000)
        _ = try await loader.fetch(WebRequest(url: try url(0), cachePolicy: .reloadIgnoringLocalCacheData))
        await loader.finishBackgroundWork(within: 600)
    }

    // MARK: - Setting up

    private static func url(_ index: Int) throws -> WebURL {
        try WebURL("https://www.example.com/articles/2026/\(index)?page=1")
    }

    private static func loader(_ directory: String, maximumSize: Int = 1 << 40) -> PageLoader {
        var configuration = PageLoader.Configuration()
        configuration.cacheDirectory = directory
        configuration.maximumCacheSize = maximumSize
        configuration.blockingWork = .inline
        configuration.fetcher = Origin()
        return PageLoader(configuration: configuration)
    }

    private static func fill(_ directory: String, _ count: Int) async throws -> PageLoader {
        let loader = loader(directory)
        for index in 0..<count { _ = try await loader.fetch(WebRequest(url: try url(index))) }
        return loader
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

    private static func write(_ path: String) throws -> String {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        let bytes = [UInt8](repeating: UInt8(ascii: "x"), count: bodySize)
        let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
        guard count == bodySize else { throw BenchmarkError("\(path): cannot be written") }
        return path
    }

    private static func temporaryFolder() throws -> String {
        var template = Array("/tmp/bench-cache-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw BenchmarkError("no folder to be had in /tmp") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    // MARK: - Time

    private static func time(_ body: () async throws -> Void) async rethrows -> Double {
        let start = seconds()
        try await body()
        return seconds() - start
    }

    private static func time(_ body: () throws -> Void) rethrows -> Double {
        let start = seconds()
        try body()
        return seconds() - start
    }

    private static func seconds() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
