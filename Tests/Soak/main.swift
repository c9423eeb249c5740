// soak [LOADS]: so many loads (20,000) of 500 pages from a server that fails one time in four, at one stage or another,
// through loaders with a cache that is too small; some of them hurried or cancelled, some with recipes that want all that
// there is. Every answer is looked at, and so is what this process uses. Prints a line of JSON after each twentieth, and
// at the end one that says it all; the status is 1 where something does not hold, and 3 where nothing goes on any more.
//
// A process of its own, since in the tests' other tests open and close theirs. Built with --sanitize=address it says at
// its end what memory was leaked.
import Foundation
import TestSupport
import WebLoader

if CommandLine.arguments.dropFirst().first == "serve" {
    try SoakServer.run(seed: 1)
    exit(0)
}

let loads = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 20_000
let started = Date()

// The server: this program again, which ends with its standard input.
let (lifeline, said) = (try PipeEnds(), try PipeEnds())
let server = try StartedProgram(
    try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
    ["serve"],
    descriptors: [lifeline.reading, said.writing, 2]
)
[lifeline.reading, said.writing].forEach { close($0) }
let ports = try readPorts(from: FileHandle(fileDescriptor: said.reading))

let isSound = try await withTemporaryFolder { folder in
    let soak = Soak(ports: ports, cacheDirectory: folder.appendingPathComponent("cache").path)
    soak.watch(seconds: 120)
    return try await SoakReport(soak, loads: loads, started: started).run()
}
await server.endGroup()
exit(isSound ? 0 : 1)

/// The ports that the server prints, a line each.
func readPorts(from said: FileHandle) throws -> [Int] {
    var text = Data()
    while true {
        let data = said.availableData
        guard !data.isEmpty else { throw TestServerError(message: "the server does not start") }
        text += data
        // The last line may not be whole yet.
        let ports = String(decoding: text, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
            .dropLast()
            .compactMap { Int($0) }
        if ports.count >= 8 { return ports }
    }
}
