import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import WebStandards

@testable import webinspect_server

/// Jobs that run, with a shell script in the place of the command.
@Suite(.timeLimit(.minutes(20)))
struct JobRunnerTests {
    /// The beginning of a script: the job's folder, and how often it was started.
    private static let head = """
        #!/bin/bash
        for word; do case "$word" in --state=*) folder="${word#--state=}"; folder="${folder%/*}";; esac; done
        echo >> "$folder/starts"; starts=$(wc -l < "$folder/starts")

        """
    /// The line of a script that waits until the test creates a file.
    private static let waits = #"while [ ! -e "$folder/../../go" ]; do sleep 0.02; done"# + "\n"

    private static let check: JSONValue = ["kind": "check", "options": ["urls": ["http://a.example/"]]]

    private func withJobs(
        _ script: String,
        _ body: (FakeJobs) async throws -> Void
    ) async throws {
        try await withTemporaryFolder { folder in
            let jobs = try FakeJobs(Self.head + script, in: folder)
            do {
                try await body(jobs)
            } catch {
                await jobs.runner.shutDown()
                throw error
            }
            await jobs.runner.shutDown()
        }
    }

    // MARK: - Running

    @Test("A job says how far it is, and what it has found") func running() async throws {
        let script = """
            echo '{"progress":{"done":2,"waiting":1,"failed":0,"bytes":9,"elapsed_ms":5,"current":"u","note":"n"}}' >&2
            printf '{"result":"ok","url":"%s"}\\n{"result":"broken"}\\n{"result":"ok"}\\n' "$*"
            echo 'webinspect: not all was checked' >&2
            exit 1
            """
        try await withJobs(script) { jobs in
            let id = try await jobs.add(Self.check)
            let done = try await jobs.job(id, in: "done")
            #expect(done["kind"] == "check")
            #expect(done["title"] == "Check http://a.example/")
            #expect(done["exit_status"] == 1)
            #expect(done["message"] == "webinspect: not all was checked")
            #expect(done["progress"]?["done"] == 2)
            #expect(done["progress"]?["current"] == "u")
            #expect(done["lines"] == 3)
            let all = try await jobs.runner.results(id: id, from: 1, count: 10)
            #expect(all == ["total": 3, "lines": [#"{"result":"broken"}"#, #"{"result":"ok"}"#]])
            let ok = try await jobs.runner.results(id: id, from: 1, count: 10, result: "ok")
            #expect(ok == ["total": 2, "lines": [#"{"result":"ok"}"#]])
            let text = try String(contentsOf: jobs.folder(id).appending(path: "out.jsonl"), encoding: .utf8)
            #expect(text.contains("check --progress=json --state="))
            let mode = try FileManager.default.attributesOfItem(atPath: jobs.folder(id).path)
            #expect(mode[.posixPermissions] as? Int == 0o700)
            // Another run of the server has it as it was.
            await jobs.runner.shutDown()
            let again = try await FakeJobs(jobs).runner.list()
            #expect(again == ["jobs": [done]])
        }
    }

    @Test("Of many jobs three run at once") func width() async throws {
        try await withJobs(Self.waits) { jobs in
            var ids: [Int64] = []
            for _ in 0..<5 { ids.append(try await jobs.add(Self.check)) }
            #expect(try await jobs.states() == ["waiting", "waiting", "running", "running", "running"])
            try await jobs.runner.act(id: ids[3], action: "stop")
            #expect(try await jobs.states() == ["waiting", "stopped", "running", "running", "running"])
            try Data().write(to: jobs.cache.appending(path: "go"))
            for id in ids where id != ids[3] { _ = try await jobs.job(id, in: "done") }
            #expect(try await jobs.states() == ["done", "stopped", "done", "done", "done"])
        }
    }

    @Test("A job is stopped, and goes on") func stopping() async throws {
        let script = """
            trap 'exit 130' INT TERM
            echo "{\\"start\\":$starts}"
            [ $starts = 2 ] && exit 0
            echo '{"progress":{"done":1}}' >&2
            while :; do sleep 0.02; done
            """
        try await withJobs(script) { jobs in
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id) { $0["progress"]?["done"] == 1 }
            try await jobs.runner.act(id: id, action: "stop")
            let stopped = try await jobs.job(id, in: "stopped")
            #expect(stopped["exit_status"] == 130)
            await #expect(throws: ServeError.self) { try await jobs.runner.act(id: id, action: "stop") }
            try await jobs.runner.act(id: id, action: "resume")
            _ = try await jobs.job(id, in: "done")
            let results = try await jobs.runner.results(id: id, from: 0, count: 10)
            #expect(results["lines"] == [#"{"start":1}"#, #"{"start":2}"#])
        }
    }

    @Test("A line that a kill has torn ends before the next one begins") func tornLine() async throws {
        let script = """
            if [ $starts = 1 ]; then printf '{"a":1}\\n{"a":'; kill -KILL $$; fi
            echo '{"a":2}'
            """
        try await withJobs(script) { jobs in
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id, in: "failed")
            try await jobs.runner.act(id: id, action: "resume")
            _ = try await jobs.job(id, in: "done")
            let results = try await jobs.runner.results(id: id, from: 0, count: 10)
            #expect(results["lines"] == [#"{"a":1}"#, #"{"a":"#, #"{"a":2}"#])
        }
    }

    @Test("The folder of a job that nobody remembers stays", arguments: ["file", "folder"])
    func forgottenFolder(_ kind: String) async throws {
        try await withJobs("echo '{}'") { jobs in
            let first = jobs.folder(1)
            try FileManager.default.createDirectory(
                at: kind == "folder" ? first : first.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let kept = kind == "folder" ? first.appending(path: "pages.warc.gz") : first
            try Data("kept".utf8).write(to: kept)
            let id = try await jobs.add(Self.check)
            #expect(id == 2)
            _ = try await jobs.job(id, in: "done")
            #expect(try Data(contentsOf: kept) == Data("kept".utf8))
            #expect(await jobs.store.jobs().map(\.id) == [2])
        }
    }

    @Test("Results that lead elsewhere are not written to", arguments: ["link", "symbolic", "fifo"])
    func foreignResults(_ kind: String) async throws {
        try await withJobs("echo '{}'") { jobs in
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id, in: "done")
            let results = jobs.folder(id).appending(path: "out.jsonl")
            let other = jobs.folder(id).appending(path: "other")
            try FileManager.default.moveItem(at: results, to: other)
            switch kind {
            case "link": try FileManager.default.linkItem(at: other, to: results)
            case "symbolic":
                try FileManager.default.createSymbolicLink(at: results, withDestinationURL: other)
            default: #expect(unsafe mkfifo(results.path, 0o600) == 0)
            }
            try await jobs.runner.act(id: id, action: "resume")
            let failed = try await jobs.job(id, in: "failed")
            #expect(failed["message"]?.string?.contains(jobs.folder(id).path) == true)
            #expect(try Data(contentsOf: other) == Data("{}\n".utf8))
        }
    }

    @Test("What is kept of a job is taken as it may be") func hostileJob() throws {
        let kept = """
            {"kind":"check","title":"T","urls":["u"],"url_count":1e400,"options":{"depth":1e300},"state":"running",
            "started_ms":"x","exit_status":-1e99,"lines":-5,
            "progress":{"done":-1,"current":"\(String(repeating: "x", count: 9999))"},
            "log":["\(String(repeating: "y", count: 9999))"]}
            """
        let job = try #require(Job(id: 1, kept: kept))
        #expect(job.state == .stopped)
        #expect(job.started == nil && job.lines == 0 && job.urlCount >= 0)
        #expect(job.log.allSatisfy { $0.utf8.count <= 500 })
        #expect(job.progress["done"] == .null)
        #expect(job.progress["current"]?.string?.utf8.count == 500)
        #expect(Job(id: 1, kept: "[") == nil)
    }

    @Test("What does not listen is killed, with what it has started") func killing() async throws {
        let script = """
            trap '' INT TERM
            echo '{"progress":{}}' >&2
            sleep 1000 & echo $! > "$folder/child"; wait; sleep 1000
            """
        try await withJobs(script) { jobs in
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id) { $0["progress"] != .null }
            try await jobs.runner.act(id: id, action: "stop")
            let stopped = try await jobs.job(id, in: "stopped")
            #expect(stopped["exit_status"] == .null)
            let file = jobs.folder(id).appending(path: "child")
            let child = try String(contentsOf: file, encoding: .utf8).trimmingCharacters(
                in: .whitespacesAndNewlines
            )
            // It goes at once, or is dead and nobody has waited for it.
            let path = "/proc/\(child)/stat"
            try await eventually("the job's child ends") {
                (try? String(contentsOfFile: path, encoding: .utf8))?.contains(") Z ") ?? true
            }
        }
    }

    @Test(arguments: [
        (3, "failed", "crawl"), (6, "done", "crawl"), (1, "failed", "crawl"), (2, "failed", "check"),
        (6, "failed", "check"), (4, "done", "watch"),
    ])
    func `an exit status says how a job ended`(_ status: Int, _ state: String, _ kind: String) async throws {
        try await withJobs("exit \(status)") { jobs in
            let request: JSONValue = ["kind": .string(kind), "options": ["urls": ["http://a.example/"]]]
            let id = try await jobs.add(request)
            #expect(try await jobs.job(id, in: state)["exit_status"] == .integer(Int64(status)))
        }
    }

    @Test("A job that another process works on says so") func busy() async throws {
        let script = "echo 'webinspect: job: x: process 1 works on this job (state.busy)' >&2; exit 8"
        try await withJobs(script) { jobs in
            let failed = try await jobs.job(try await jobs.add(Self.check), in: "failed")
            #expect(failed["message"]?.string?.contains("another process") == true)
        }
        try await withJobs(Self.waits) { jobs in
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id, in: "running")
            // It runs once it has its lock, and says so in its file.
            let file = jobs.folder(id).appending(path: "starts").path
            try await eventually("the job starts") { FileManager.default.fileExists(atPath: file) }
            let other = FakeJobs(jobs)
            try await other.runner.act(id: id, action: "resume")
            let refused = try await other.job(id) { $0["message"] != .null }
            #expect(refused["state"] == "stopped")
            await #expect(throws: ServeError.self) { try await other.runner.act(id: id, action: "remove") }
            try Data().write(to: jobs.cache.appending(path: "go"))
            _ = try await jobs.job(id, in: "done")
        }
    }

    // MARK: - Removing

    @Test("A job is removed with its folder, and nothing else") func removing() async throws {
        try await withJobs("mkdir \"$folder/state\"; touch \"$folder/state/x\"; \(Self.waits)") { jobs in
            let outside = jobs.cache.appending(path: "outside")
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            try Data().write(to: outside.appending(path: "kept"))
            let id = try await jobs.add(Self.check)
            let link = jobs.folder(id).appending(path: "link")
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: outside)
            try await jobs.runner.act(id: id, action: "remove")
            try await jobs.waitForRemoval(of: id)
            #expect(!FileManager.default.fileExists(atPath: jobs.folder(id).path))
            #expect(FileManager.default.fileExists(atPath: outside.appending(path: "kept").path))
            #expect(try await jobs.runner.list() == ["jobs": []])
            #expect(await jobs.store.jobs().isEmpty)
            await #expect(throws: ServeError.self) {
                try await jobs.runner.results(id: id, from: 0, count: 1)
            }
        }
    }

    @Test("A link in the place of a folder is replaced, not followed") func links() async throws {
        try await withJobs("exit 0") { jobs in
            let outside = jobs.cache.appending(path: "outside")
            let folder = jobs.folder(1).deletingLastPathComponent()
            for made in [outside, folder] {
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            }
            try Data().write(to: outside.appending(path: "kept"))
            try FileManager.default.createSymbolicLink(at: jobs.folder(1), withDestinationURL: outside)
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id, in: "done")
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path) == ["kept"])
        }
    }

    @Test("What ran when the server ended is stopped") func restart() async throws {
        try await withJobs("trap 'exit 130' TERM; \(Self.waits)") { jobs in
            let id = try await jobs.add(Self.check)
            _ = try await jobs.job(id, in: "running")
            let other = FakeJobs(jobs)
            #expect(try await other.states() == ["stopped"])
            await jobs.runner.shutDown()
            _ = try await jobs.job(id, in: "stopped")
            try Data().write(to: jobs.cache.appending(path: "go"))
            try await other.runner.act(id: id, action: "resume")
            _ = try await other.job(id, in: "done")
        }
    }

    @Test("Requests that make no sense are refused") func requests() async throws {
        try await withJobs("exit 0") { jobs in
            for action in ["stop", "resume", "remove", "x"] {
                await #expect(throws: ServeError.self) { try await jobs.runner.act(id: 7, action: action) }
            }
            await #expect(throws: ServeError.self) { try await jobs.add(["kind": "check", "options": [:]]) }
            await #expect(throws: ServeError.self) { try await jobs.add([]) }
            let id = try await jobs.add(Self.check)
            await #expect(throws: ServeError.self) {
                try await jobs.runner.results(id: id, from: 0, count: 1, result: "\"")
            }
            _ = try await jobs.job(id, in: "done")
            let none = try await jobs.runner.results(id: id, from: .max, count: .min)
            #expect(none == ["total": 0, "lines": []])
        }
    }

    // MARK: - Messages of a job

    @Test("Whatever a job says is bounded") func hostileOutput() {
        var output = JobOutput()
        let long = Array(String(repeating: "x", count: 100_000).utf8)
        #expect(output.add(long[...]).isEmpty)
        #expect(output.add([0x0A]) == [.line(String(repeating: "x", count: 500))])
        let empty: JSONValue = [
            "done": .null, "waiting": .null, "failed": .null, "bytes": .null, "elapsed_ms": .null,
            "current": .null, "note": .null,
        ]
        let odd =
            #"{"progress":{"done":"1","waiting":-1,"failed":1.5,"current":5,"more":1}}"#
            + "\n\n{}\n{\"progress\""
        #expect(output.add(Array(odd.utf8)[...]) == [.progress(empty), .line("{}")])
        #expect(output.end() == [.line("{\"progress\"")])
        #expect(output.end().isEmpty)
    }

    @Test("Of a million lines any is found") func manyLines() async throws {
        try await withTemporaryFolder { folder in
            let jobs = JobFolder(cache: folder.path, id: 1)
            #expect(try jobs.make([]))
            let results = JobResults(jobs)
            #expect(try results.lines(from: 0, count: 10) == (0, []))
            let file = folder.appending(path: "serve-jobs/1/out.jsonl")
            var text = ""
            for number in 0..<1_000_000 {
                text += number % 1000 == 7 ? "{\"result\":\"broken\",\"n\":\(number)}\n" : "\(number)\n"
            }
            try Data(text.utf8).write(to: file)
            let last = try results.lines(from: 999_998, count: 10)
            #expect(last == (1_000_000, ["999998", "999999"]))
            #expect(try results.lines(from: 500_001, count: 2).lines == ["500001", "500002"])
            let broken = try results.lines(from: 998, count: 10, result: "broken")
            #expect(broken.total == 1000)
            #expect(
                broken.lines == [
                    "{\"result\":\"broken\",\"n\":998007}", "{\"result\":\"broken\",\"n\":999007}",
                ]
            )
            // Lines that are long, and one that has not ended.
            let long = String(repeating: "y", count: 3_000_000)
            try Data("\(long)\nz\nrest".utf8).write(to: file)
            let (total, lines) = try results.lines(from: 0, count: 3)
            #expect(total == 2)
            #expect(lines == [String(repeating: "y", count: 64 << 10), "z"])
            #expect(try results.lines(from: 0, count: 3, result: "broken").total == 0)
            #expect(try results.lines(from: 5, count: 3) == (2, []))
        }
    }
}

/// A runner of a script, with a store in memory.
private final class FakeJobs: Sendable {
    let cache: URL
    let store: MemoryStore
    let runner: JobRunner
    /// The changes that the runner has reported.
    private let told: ToldChanges
    private let program: String

    init(_ script: String, in folder: URL) throws {
        cache = folder.appending(path: "cache")
        try FileManager.default.createDirectory(at: cache, withIntermediateDirectories: true)
        program = folder.appending(path: "program").path
        try Data(script.utf8).write(to: URL(fileURLWithPath: program))
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
        store = MemoryStore()
        (runner, told) = Self.runner(program, cache, store)
    }

    /// Another run of the server, on the same cache.
    init(_ other: FakeJobs) {
        (cache, store, program) = (other.cache, other.store, other.program)
        (runner, told) = Self.runner(program, cache, store)
    }

    private static func runner(
        _ program: String,
        _ cache: URL,
        _ store: MemoryStore
    ) -> (JobRunner, ToldChanges) {
        let told = ToldChanges()
        let runner = JobRunner(program: program, cache: cache.path, store: store) { change in
            told.changes.withLock { $0.append(change) }
        }
        return (runner, told)
    }

    func folder(_ id: Int64) -> URL { cache.appending(path: "serve-jobs/\(id)") }

    func add(_ request: JSONValue) async throws -> Int64 {
        try await runner.add(request).identifier()
    }

    /// The states of all jobs, the newest first.
    func states() async throws -> [String] {
        guard case .array(let jobs)? = try await runner.list()["jobs"] else { return [] }
        return jobs.compactMap { $0["state"]?.string }
    }

    /// A job, once it is in a state.
    func job(_ id: Int64, in state: String) async throws -> JSONValue {
        try await job(id) { $0["state"]?.string == state }
    }

    /// A job, once it is as it has to be.
    func job(_ id: Int64, _ isWanted: (JSONValue) -> Bool) async throws -> JSONValue {
        var found: JSONValue?
        var last: JSONValue = .null
        var looked = -1
        do {
            try await eventually("job \(id) is as it has to be, and said so") {
                // The list is checked once, and then after each reported change.
                let count = told.changes.withLock(\.count)
                guard count != looked else { return false }
                looked = count
                guard case .array(let jobs)? = try await runner.list()["jobs"] else { return false }
                last = jobs.first { $0["id"] == .integer(id) } ?? .null
                if isWanted(last) { found = last }
                return found != nil
            }
        } catch {
            Issue.record("the job is \(last)")
            throw error
        }
        return try #require(found)
    }

    /// Waits until the removal of a job is reported.
    func waitForRemoval(of id: Int64) async throws {
        try await eventually("job \(id) is removed") {
            told.changes.withLock { $0.contains(["id": .integer(id), "state": "removed"]) }
        }
    }
}

/// The changes that a runner has reported.
private final class ToldChanges: Sendable {
    let changes = Mutex<[JSONValue]>([])
}

private actor MemoryStore: JobStore {
    private var kept: [Int64: String] = [:]
    private var last: Int64 = 0

    func jobs() -> [(id: Int64, json: String)] { kept.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } }

    func put(_ id: Int64?, _ json: String) -> Int64 {
        let id = id ?? last + 1
        last = max(last, id)
        kept[id] = json
        return id
    }

    func delete(_ id: Int64) { kept[id] = nil }
}
