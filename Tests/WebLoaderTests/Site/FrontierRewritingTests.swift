import Foundation
import TestSupport
import Testing
import WebStandards

@testable import WebSite

/// Outputs without the entries of what failed.
struct FrontierRewritingTests {
    private func open(_ folder: URL) throws -> Frontier {
        var options = Frontier.Options()
        options.outputs = [folder.appending(path: "out").path]
        options.commitInterval = 0
        return try Frontier(folder.appending(path: "state").path, options, now: .now)
    }

    private func output(_ folder: URL) throws -> String {
        try String(contentsOf: folder.appending(path: "out"), encoding: .utf8)
    }

    /// Finishes all that is queued; those of `failing` fail.
    private func work(_ frontier: Frontier, failing: Set<Int>) throws {
        while let lease = try frontier.lease(1, now: .now).first {
            let number = try #require(lease.identity.flatMap { Int($0) })
            let isFailing = failing.contains(number)
            try frontier.finish(
                lease,
                isFailing ? .failed("no") : .done,
                signal: .unasked,
                output: Array("\(number)\(isFailing ? " failed" : "")\n".utf8),
                now: .now
            )
        }
    }

    private func begin(_ folder: URL, _ count: Int, failing: Set<Int>) throws -> Frontier {
        let frontier = try open(folder)
        let rows = (0..<count).map { FrontierURL(serialized: "line:", host: "", identity: "\($0)") }
        try frontier.add(rows, now: .now)
        try work(frontier, failing: failing)
        return frontier
    }

    @Test(arguments: [[], [0], [9], [0, 9], [3, 4, 5], Array(0..<10)] as [[Int]])
    func `entries of what failed go, and come again`(_ failing: [Int]) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        do {
            let frontier = try begin(folder, 10, failing: Set(failing))
            try frontier.retryFailed(rewriting: 0, now: .now)
            let kept = (0..<10).filter { !failing.contains($0) }
            #expect(try output(folder) == kept.map { "\($0)\n" }.joined())
            #expect(frontier.counts == FrontierCounts(queued: failing.count, done: kept.count))
            try frontier.close()
        }
        do {
            let frontier = try open(folder)
            try work(frontier, failing: [])
            // Where entries are is right after that, too.
            let text = Array(try output(folder).utf8)
            try frontier.forEach(.done) { (row) throws(StateError) in
                let place = row.place ?? 0..<0
                #expect(String(decoding: text[place], as: UTF8.self) == "\(row.identity ?? "")\n")
                return true
            }
            try frontier.close()
        }
        let frontier = try open(folder)
        #expect(frontier.counts == FrontierCounts(done: 10))
        #expect(try output(folder).split(separator: "\n").map { Int($0) ?? -1 }.sorted() == Array(0..<10))
    }

    @Test func `a process that is ended before the new file has its name loses nothing`() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let old: String
        do {
            let frontier = try begin(folder, 6, failing: [1, 4])
            old = try output(folder)
            try frontier.retryFailed(rewriting: 0, now: .now)
            // As if it had been ended between the commit and the renaming.
            try frontier.setNote("rewritten.0", "written", now: .now)
            try frontier.close()
        }
        let (out, new) = (folder.appending(path: "out"), folder.appending(path: "out.new"))
        try FileManager.default.moveItem(at: out, to: new)
        try Data(old.utf8).write(to: out)
        do {
            let frontier = try open(folder)
            #expect(try output(folder) == "0\n2\n3\n5\n")
            #expect(frontier.counts == FrontierCounts(queued: 2, done: 4))
            try work(frontier, failing: [])
            try frontier.close()
        }
        #expect(try output(folder) == "0\n2\n3\n5\n1\n4\n")
        #expect(!FileManager.default.fileExists(atPath: new.path))
    }
}
