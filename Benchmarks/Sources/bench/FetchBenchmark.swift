import Glibc
import WebLoader

/// Pages a second from nginx on loopback, in turn with plain libcurl; memory, time to first byte, cancelling.
enum FetchBenchmark {
    private static let connections = 64

    static func run(_ arguments: [String]) async throws {
        let pages = arguments.first.flatMap { Int($0) } ?? 20_000
        let rounds = arguments.dropFirst().first.flatMap { Int($0) } ?? 5
        let server = try LoopbackNginx(sizes: [100_000, 10_000])
        let floor = try buildFloor()
        for size in [100_000, 10_000] {
            try await compare(server.url(size), size, pages: pages, rounds: rounds, floor: floor)
        }
        try await memory(server.url(10_000))
        try await firstByte(server.url(10_000))
        try await cancelling()
    }

    // MARK: - Pages a second

    /// The program that does it with libcurl alone; nil where its source is not there.
    private static func buildFloor() throws -> String? {
        let shared = unsafe getenv("WEBINSPECT_SHARED").map { unsafe String(cString: $0) } ?? "../shared"
        let source = "\(shared)/bench/fetch_floor.c"
        guard unsafe access(source, R_OK) == 0 else { return nil }
        let program = try Shell.output("mktemp").filter { $0 != "\n" }
        _ = try Shell.output("cc -O2 -o \(program) \(source) -lcurl")
        return program
    }

    private static func compare(
        _ url: String,
        _ size: Int,
        pages: Int,
        rounds: Int,
        floor: String?
    ) async throws {
        let fetcher = fetcher()
        var ours: [Double] = []
        var floors: [Double] = []
        // What a page costs says more than how long it takes, where something else has the processors.
        var (cost, floorCost): ([Double], [Double]) = ([], [])
        // The first round opens the connections, and is not counted.
        for round in -1..<rounds {
            let start = processorTime(RUSAGE_SELF)
            let rate = try await load(url, pages, fetcher)
            if round >= 0 {
                ours.append(rate)
                cost.append((processorTime(RUSAGE_SELF) - start) / Double(pages))
            }
            let floorStart = processorTime(RUSAGE_CHILDREN)
            guard let floor else { continue }
            let output = try Shell.output("\(floor) \(pages) \(connections) \(url)")
            let number = output.split(separator: "\"pages_per_s\":").last?.prefix { $0.isNumber || $0 == "." }
            guard output.contains("\"failed\":0"), let rate = number.flatMap({ Double($0) }) else {
                throw BenchmarkError("fetch_floor said \(output)")
            }
            if round >= 0 {
                floors.append(rate)
                floorCost.append((processorTime(RUSAGE_CHILDREN) - floorStart) / Double(pages))
            }
        }
        var line =
            "\(size / 1000) KB: \(Int(median(ours))) pages/s at \(microseconds(median(cost))) of processor time"
        if !floors.isEmpty {
            let ratios = zip(ours, floors).map { $0 / $1 }
            line += ", fetch_floor \(Int(median(floors))) at \(microseconds(median(floorCost)))"
            line += ", ratio \(rounded(median(ratios))), of cost \(rounded(median(floorCost) / median(cost)))"
        }
        print(line)
    }

    private static func fetcher() -> CurlFetcher {
        var configuration = CurlFetcher.Configuration()
        configuration.maximumConnectionsPerHost = connections
        configuration.proxy = .none
        return CurlFetcher(configuration: configuration)
    }

    /// Loads a page so often over so many connections; returns pages a second.
    private static func load(_ url: String, _ pages: Int, _ fetcher: CurlFetcher) async throws -> Double {
        let request = WebRequest(url: try WebURL(url))
        let start = now()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<connections {
                let count = pages / connections + (index < pages % connections ? 1 : 0)
                group.addTask {
                    var bytes = 0
                    for _ in 0..<count {
                        let response = try await fetcher.fetch(request, limits: LoadLimits())
                        guard response.status == 200 else { throw BenchmarkError("\(response.status ?? 0)") }
                        bytes += response.body.count
                    }
                    return bytes
                }
            }
            try await group.waitForAll()
        }
        return Double(pages) / (now() - start)
    }

    // MARK: - The rest

    private static func memory(_ url: String) async throws {
        let fetcher = fetcher()
        _ = try await load(url, 1000, fetcher)
        let first = try residentKilobytes()
        _ = try await load(url, 99_000, fetcher)
        print("memory: \(first) KB after 1,000 pages, \(try residentKilobytes()) KB after 100,000")
    }

    private static func residentKilobytes() throws -> Int {
        let output = try Shell.output("grep VmRSS /proc/\(getpid())/status")
        return Int(output.filter(\.isNumber)) ?? 0
    }

    private static func firstByte(_ url: String) async throws {
        let fetcher = fetcher()
        let request = WebRequest(url: try WebURL(url))
        var (first, total): ([Double], [Double]) = ([], [])
        for _ in 0..<2000 {
            let start = now()
            let response = try await fetcher.fetch(request, limits: LoadLimits())
            total.append(now() - start)
            first.append(response.timing.firstByte ?? 0)
        }
        print(
            "one at a time, 10 KB: first byte after \(microseconds(median(first))),",
            "response after \(microseconds(median(total)))"
        )
    }

    /// How long after its cancelling a fetch from a server that says nothing returns.
    private static func cancelling() async throws {
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
        let fetcher = fetcher()
        var times: [Double] = []
        for _ in 0..<200 {
            let task = Task { try? await fetcher.fetch(request, limits: LoadLimits()) }
            try await Task.sleep(for: .milliseconds(2))
            let start = now()
            task.cancel()
            _ = await task.value
            times.append(now() - start)
        }
        print("cancelling: \(microseconds(median(times))), at most \(microseconds(times.max() ?? 0))")
    }

    /// Seconds of processor time, the kernel's included.
    private static func processorTime(_ who: __rusage_who) -> Double {
        var usage = rusage()
        unsafe getrusage(__rusage_who_t(who.rawValue), &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        return seconds + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
    }

    private static func now() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

    private static func rounded(_ value: Double) -> Double { (value * 100).rounded() / 100 }

    private static func microseconds(_ seconds: Double) -> String { "\(Int((seconds * 1e6).rounded())) µs" }
}
