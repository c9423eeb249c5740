// fetch-soak [LOADS]: loads from a server that fails three times out of ten, at one stage or another, some of them
// cancelled on the way, and prints as JSON the descriptors and threads of this process before and after.
//
// A process of its own, since in the tests' other tests open and close theirs. Built with --sanitize=address it says at
// its end what memory was leaked.
import Foundation
import TestSupport
import WebLoader

let loads = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 10_000
let page = String(repeating: "x", count: 20_000)
let good = "HTTP/1.1 200 OK\r\nContent-Length: \(page.utf8.count)\r\nConnection: close\r\n\r\n\(page)"

let server = try RawServer { number in
    var generator = SeededGenerator(seed: UInt64(number))
    switch Int.random(in: 0..<30, using: &generator) {
    case 0: return []
    case 1: return [.send("HTTP/1.1 200 OK\r\nX: y")]
    case 2: return [.send(String(good.prefix(500)))]
    case 3: return [.send("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nConnection: close\r\n\r\nno gzip")]
    case 4: return [.send("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab")]
    case 5: return [.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello")]
    case 6: return [.send("HTTP/1.1 304 Not Modified\r\n\r\n")]
    case 7: return [.sendRepeatedly("HTTP/1.1 103 Early Hints\r\n\r\n", times: 20)]
    case 8: return [.send("HTTP/1.1 302 Found\r\nLocation: ftp://x/\r\nConnection: close\r\n\r\n")]
    default: return [.send(good)]
    }
}

/// How many entries a folder of this process has in /proc.
func count(_ folder: String) throws -> Int {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/\(folder)").count
}

/// Loads so often, some at once, every tenth load cancelled; returns how many did not come to a page.
@Sendable func run(_ loads: Int) async throws -> Int {
    var configuration = PageLoader.Configuration()
    configuration.cacheDirectory = nil
    let loader = PageLoader(configuration: configuration)
    let request = WebRequest(url: try WebURL(server.url))
    return await withTaskGroup(of: Int.self) { group in
        for worker in 0..<8 {
            group.addTask {
                var failures = 0
                for number in stride(from: worker, to: loads, by: 8) {
                    let task = Task { try await loader.load(request) }
                    if number % 10 == 0 {
                        for _ in 0..<number % 7 { await Task.yield() }
                        task.cancel()
                    }
                    if case .failure = await task.result { failures += 1 }
                }
                return failures
            }
        }
        return await group.reduce(0, +)
    }
}

// The first loads open what stays open: the thread pool, libcurl.
_ = try await run(200)
var before = (descriptors: 0, threads: 0)
for _ in 0..<100 {
    try await Task.sleep(for: .milliseconds(20))
    let now = (descriptors: try count("fd"), threads: try count("task"))
    if now == before { break }
    before = now
}
let failures = try await run(loads)
var after = (descriptors: Int.max, threads: Int.max)
for _ in 0..<500 where after.descriptors > before.descriptors || after.threads > before.threads {
    try await Task.sleep(for: .milliseconds(20))
    after = (try count("fd"), try count("task"))
}
server.stop()
print(
    """
    {"loads": \(loads), "failures": \(failures), "descriptors": [\(before.descriptors), \(after.descriptors)], \
    "threads": [\(before.threads), \(after.threads)]}
    """
)
