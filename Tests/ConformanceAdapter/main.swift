import Foundation

// conformance-adapter SUITE: answers a conformance runner's questions, a line each, until standard input ends.

let suites: [String: ([String]) throws -> Void] = [
    "url": { _ in runURL() },
    "toascii": { _ in runToASCII() },
    "html": { _ in runHTML() },
    "pages": { _ in runPages() },
    "text-features": { _ in runTextFeatures() },
    "bench-parse": { arguments in try runBenchParse(arguments) },
    "bench-steps": { arguments in try runBenchSteps(arguments) },
]
guard CommandLine.arguments.count >= 2, let suite = suites[CommandLine.arguments[1]] else {
    FileHandle.standardError.write(
        Data("usage: conformance-adapter \(suites.keys.sorted().joined(separator: "|"))\n".utf8)
    )
    exit(2)
}
try suite(Array(CommandLine.arguments.dropFirst(2)))
