import ArgumentParser
import Glibc
import WebLoader

/// Hits of the cache beside a plain read of one file.
struct CacheBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cache",
        abstract: "Hits of the cache and plain reads of a file."
    )

    private static let hits = 5_000

    @Option(help: "Entries of the large cache.")
    var entries = 20_000

    @Option(help: "How many rounds.")
    var rounds = 21

    func run() async throws {
        let small = try await BenchmarkCache(entries: 1_000)
        let large = try await BenchmarkCache(entries: entries)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: BenchmarkCache.bodySize)
        let file = try TemporaryFolder.write(body, to: "\(small.directory)/plain")
        let entries = entries
        try await Comparison(
            benchmark: "cache",
            name: "hits, 10 KB each",
            unit: "hit",
            items: Self.hits,
            rounds: rounds
        ).run([
            .init("WebLoader, 1,000 entries") { try await small.hit(Self.hits, among: 1_000) },
            .init("WebLoader, \(entries) entries") {
                try await large.hit(Self.hits, among: min(entries, 1_000))
            },
            .init("plain read of one file") { for _ in 0..<Self.hits { try Self.read(file) } },
        ])
        try small.remove()
        try large.remove()
    }

    /// Opens, sizes, reads and closes a file, which is the least that a cache on disk does.
    private static func read(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw BenchmarkError("\(path): cannot be opened") }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw BenchmarkError("\(path): no status") }
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(status.st_size)) { buffer, count in
            count = max(0, unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count))
        }
        guard bytes.count == BenchmarkCache.bodySize else { throw BenchmarkError("\(path): is cut off") }
    }
}
