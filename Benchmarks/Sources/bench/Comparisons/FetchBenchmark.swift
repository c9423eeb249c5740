import ArgumentParser
import Glibc
import WebLoader

/// Pages from nginx on loopback over 64 connections, in turn with plain libcurl; first byte, cancelling, memory.
struct FetchBenchmark: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fetch",
        abstract: "Fetching from nginx on loopback: the library, plain libcurl in C, curl."
    )

    private static let connections = 64

    @Option(help: "The C program that fetches pages with libcurl alone: PAGES CONNECTIONS URL.")
    var floor: String?

    @Option(help: "Pages of a round.")
    var loads = 10_000

    @Option(help: "How many rounds.")
    var rounds = 5

    func run() async throws {
        let server = try LoopbackNginx(sizes: [100_000, 10_000])
        for size in [100_000, 10_000] { try await compare(server.url(size), size) }
        try await firstByte(server.url(10_000))
        try await cancelling()
        try await memory(server.url(10_000))
    }

    private func compare(_ url: String, _ size: Int) async throws {
        let fetcher = Self.fetcher(connections: Self.connections)
        let (loads, connections) = (loads, Self.connections)
        var subjects = [
            Comparison.Subject("WebLoader") {
                try await Self.load(url, loads, over: connections) { request in
                    try await fetcher.fetch(request, limits: LoadLimits())
                }
            }
        ]
        if let floor {
            subjects.append(
                .init("libcurl in C") {
                    let output = try Shell.output("\(floor) \(loads) \(connections) \(url)")
                    guard output.contains("\"failed\":0") else {
                        throw BenchmarkError("\(floor) said \(output)")
                    }
                }
            )
        }
        if (try? Shell.output("command -v curl")) != nil {
            subjects.append(
                .init("curl --parallel") {
                    _ = try Shell.output(
                        "curl -s --parallel --parallel-max \(connections) -o /dev/null '\(url)?[1-\(loads)]'"
                    )
                }
            )
        }
        try await Comparison(
            benchmark: "fetch",
            name: "pages of \(size / 1000) KB, 64 connections",
            unit: "page",
            items: loads,
            rounds: rounds
        ).run(subjects)
    }

    static func fetcher(connections: Int) -> CurlFetcher {
        var configuration = CurlFetcher.Configuration()
        configuration.maximumConnections = connections
        configuration.maximumConnectionsPerHost = connections
        configuration.proxy = .none
        return CurlFetcher(configuration: configuration)
    }

    /// Loads a page `loads` times, over `connections` at once.
    static func load(
        _ url: String,
        _ loads: Int,
        over connections: Int,
        _ fetch: @escaping @Sendable (WebRequest) async throws -> WebResponse
    ) async throws {
        let request = WebRequest(url: try WebURL(url))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for index in 0..<connections {
                let count = loads / connections + (index < loads % connections ? 1 : 0)
                group.addTask {
                    for _ in 0..<count {
                        let response = try await fetch(request)
                        guard response.status == 200 else {
                            throw BenchmarkError("\(response.status?.code ?? 0)")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    // MARK: - One at a time

    private func firstByte(_ url: String) async throws {
        let fetcher = Self.fetcher(connections: 1)
        let request = WebRequest(url: try WebURL(url))
        try await Comparison(benchmark: "fetch", name: "10 KB, one at a time", unit: "page", rounds: 500).run(
            [
                .init("WebLoader") { _ = try await fetcher.fetch(request, limits: LoadLimits()) }
            ])
    }

    /// Measures the time until a cancelled fetch from a silent server returns.
    private func cancelling() async throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        guard listen(listener, 512) == 0 else { throw BenchmarkError("no loopback port") }
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(listener, pointer, &length)
            }
        }
        let request = WebRequest(url: try WebURL("http://127.0.0.1:\(UInt16(bigEndian: address.sin_port))/"))
        let fetcher = Self.fetcher(connections: 1)
        var samples = Comparison.Samples(name: "WebLoader")
        for _ in 0..<200 {
            let task = Task { try? await fetcher.fetch(request, limits: LoadLimits()) }
            try await Task.sleep(for: .milliseconds(2))
            let start = Clock.now
            task.cancel()
            _ = await task.value
            samples.wall.append(Clock.now.wall - start.wall)
        }
        Comparison(benchmark: "fetch", name: "until a cancelled fetch returns", unit: "fetch", rounds: 200)
            .report([samples])
    }

    // MARK: - Memory

    private func memory(_ url: String) async throws {
        let fetcher = Self.fetcher(connections: Self.connections)
        var kilobytes: [Int] = []
        for loads in [1_000, 99_000] {
            try await Self.load(url, loads, over: Self.connections) { request in
                try await fetcher.fetch(request, limits: LoadLimits())
            }
            kilobytes.append(try Self.residentKilobytes())
        }
        Comparison.print([
            "benchmark": "fetch", "case": "memory over 100,000 pages",
            "text": .string(
                "\(kilobytes[0]) KB resident after 1,000 pages, \(kilobytes[1]) KB after 100,000"
            ),
        ])
    }

    static func residentKilobytes() throws -> Int {
        Int(try Shell.output("grep VmRSS /proc/\(getpid())/status").filter(\.isNumber)) ?? 0
    }
}
