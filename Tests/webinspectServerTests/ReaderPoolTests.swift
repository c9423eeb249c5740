import Foundation
import Glibc
import Synchronization
import TestSupport
import Testing
import WebStandards

@testable import webinspect_server

/// The processes that answer what is asked of kept pages, with shell scripts in their place.
@Suite(.timeLimit(.minutes(20)))
struct ReaderPoolTests {
    // MARK: - Answers

    @Test("Events come before the answer, and one process answers one request after the other")
    func answers() async throws {
        let script = """
            while next; do
                say event '{"n":1}'; say event '{"n":2}'
                say answer "{\\"arguments\\":\\"$1 $2\\",\\"length\\":${#line},\\"pid\\":$$}"
            done
            """
        try await withReaders(script) { readers in
            let events = Mutex<[[UInt8]]>([])
            let first = try await readers.ask(["do": "report"], lane: .page, seconds: 300) { event in
                events.withLock { $0.append(event) }
            }
            #expect(try first.json()["arguments"] == "serve-reader --cache-dir")
            #expect(
                events.withLock { $0.map { String(decoding: $0, as: UTF8.self) } } == [
                    #"{"n":1}"#, #"{"n":2}"#,
                ]
            )
            // More than a pipe holds.
            let text = String(repeating: "x", count: 300_000)
            let second = try await readers.ask(
                ["do": "run", "recipe": .string(text)],
                lane: .page,
                seconds: 300
            )
            #expect(try second.json()["length"]?.number ?? 0 > 300_000)
            #expect(try second.json()["pid"] == first.json()["pid"])
        }
    }

    @Test("An answer may be long, and a document") func documents() async throws {
        let script = """
            while next; do
                printf 'answer %s 5000000\\n' "$id"
                head -c 5000000 /dev/zero | tr '\\0' x
            done
            """
        try await withReaders(script) { readers in
            for name in ["view", "diff-view"] {
                let answer = try await readers.ask(["do": .string(name)], lane: .view, seconds: 300)
                #expect(answer.bytes == [UInt8](repeating: UInt8(ascii: "x"), count: 5_000_000))
                #expect(throws: ServeError.self) { try answer.json() }
            }
        }
    }

    @Test(
        "What a reader says of a request that it cannot answer has a status of HTTP",
        arguments: [
            ("cache.miss", 404), ("usage", 400), ("input.form", 400), ("busy", 503), ("state.busy", 503),
            ("selector.invalid", 422), ("inputs", 422),
        ]
    ) func errors(_ code: String, _ status: Int) async throws {
        let said = #"{"code":"\#(code)","message":"so it is","subject":"x"}"#
        try await withReaders("while next; do say error '\(said)'; done") { readers in
            // Twice: it goes on.
            for _ in 0..<2 {
                let error = await error(readers, ["do": "select"])
                #expect(error == ServeError(status, code, "so it is", details: Array(said.utf8)))
            }
            #expect(readers.processes.count == 1)
        }
    }

    // MARK: - Readers that fail

    @Test("A reader that crashes is told of, and another one answers next") func crash() async throws {
        let script = """
            while next; do
                if [ -e "$3/again" ]; then say answer '{}'; continue; fi
                touch "$3/again"
                echo 'out of luck' >&2
                kill -SEGV $$
            done
            """
        try await withReaders(script) { readers in
            let error = await error(readers)
            #expect(error?.status == 502)
            #expect(error?.code == "reader.crash")
            #expect(error?.message.contains("signal 11: out of luck") == true)
            _ = try await readers.ask(["do": "tree"], lane: .page, seconds: 300)
            #expect(readers.processes.count == 2)
        }
    }

    @Test(
        "What ends, closes its streams, or leaves its streams to another process, has crashed",
        arguments: [
            ("next; exit 3", "status 3"), ("exit 0", "status 0"),
            ("exec <&-; sleep 1000 & exit 4", "status 4"),
            ("next; exec >&-; sleep 1000", "signal 9"),
            ("next; head -c 9000 /dev/zero >&2; exit 5", "status 5"),
            ("next; printf 'answer %s 5\\nabc' $id; exit 6", "status 6"),
        ]
    ) func ends(_ script: String, _ ending: String) async throws {
        try await withReaders(script) { readers in
            let error = await error(readers)
            #expect(error?.code == "reader.crash")
            #expect(error?.message.contains(ending) == true, "\(error?.message ?? "")")
            #expect((error?.message.utf8.count ?? 0) < 2300)
        }
    }

    @Test("What a reader has started ends with it") func family() async throws {
        try await withReaders("next; sleep 1000 & echo $! > \"$3/started\"; kill -KILL $$") { readers in
            #expect(await error(readers)?.message.contains("signal 9") == true)
            let started = try #require(readers.lines("started").first)
            // Whoever has to wait for it now may never do so.
            let file = "/proc/\(started)/stat"
            try await eventually("what the reader has started ends") {
                (try? String(contentsOfFile: file, encoding: .utf8))?.contains(") Z ") ?? true
            }
        }
    }

    @Test(
        "What is no frame ends the reader",
        arguments: [
            "nonsense\\n", "answer $id\\n", "answer $id x\\n", "answer $id -1\\n", "answer  $id 2\\n{}",
            "answer $id 268435457\\n", "answer $id 99999999999999999999999999\\n", "$(seq -s x 200)",
            "answer 99 2\\n{}", "error 99 2\\n{}", "event 99 2\\n{}", "reply $id 2\\n{}", "error $id 2\\n{}",
            "answer 0 2\\n{}",
        ]
    ) func garbage(_ frame: String) async throws {
        try await withReaders("next; printf \"\(frame)\"; sleep 1000") { readers in
            let error = await error(readers)
            #expect(error?.status == 502)
            #expect(error?.code == "reader.answer")
        }
    }

    @Test("An event that comes behind its answer is nobody's") func lateEvent() async throws {
        let script = """
            next; old=$id; say answer '{}'
            next; printf 'event %s 2\\n{}' $old; say answer '{"second":true}'
            next
            """
        try await withReaders(script) { readers in
            _ = try await readers.ask(["do": "tree"], lane: .page, seconds: 300)
            let answer = try await readers.ask(["do": "tree"], lane: .page, seconds: 300) { _ in
                Issue.record("an event of another request")
            }
            #expect(try answer.json()["second"] == true)
        }
    }

    @Test("A program that does not start is no reader, and takes no reader's place") func missing()
        async throws
    {
        let readers = ReaderPool(program: "/nowhere/webinspect", cache: "/nowhere")
        for _ in 0..<3 {
            let error = await #expect(throws: ServeError.self) {
                try await readers.ask(["do": "index"], lane: .index, seconds: 300)
            }
            #expect(error?.code == "process.start")
            #expect(error?.message.contains("No such file") == true)
        }
        await readers.shutDown()
    }

    // MARK: - Limits

    @Test("A reader that takes too long is killed") func time() async throws {
        try await withReaders("next; sleep 1000") { readers in
            let error = await error(readers, seconds: 0.3)
            #expect(error == ServeError(504, "limit.time", "the answer took more than 1 s"))
        }
    }

    @Test(
        "Neither does a reader that says things all the time get more of it",
        arguments: ["say event '{}'", "echo x >&2"]
    ) func endless(_ saying: String) async throws {
        try await withReaders("next; while :; do \(saying); done") { readers in
            #expect(await error(readers, seconds: 0.3)?.code == "limit.time")
        }
    }

    @Test("A reader that takes too much memory is killed") func memory() async throws {
        var limits = ReaderLimits()
        limits.memory = 1024
        try await withReaders("next; sleep 1000", limits) { readers in
            let error = await error(readers)
            #expect(error?.status == 413)
            #expect(error?.code == "limit.memory")
        }
    }

    @Test("A reader that keeps much memory answers no other request") func idleMemory() async throws {
        var limits = ReaderLimits()
        limits.idleMemory = 1024
        try await withReaders("while next; do say answer '{}'; done", limits) { readers in
            for count in 1...3 {
                _ = try await readers.ask(["do": "tree"], lane: .page, seconds: 300)
                #expect(readers.processes.count == count)
            }
        }
    }

    @Test("A reader that nothing is asked of ends") func idle() async throws {
        var limits = ReaderLimits()
        limits.idleTime = 0.05
        try await withReaders("while next; do say answer '{}'; done", limits) { readers in
            for count in 1...2 {
                _ = try await readers.ask(["do": "tree"], lane: .page, seconds: 300)
                let all = readers.processes
                #expect(all.count == count)
                try await eventually("the reader ends") { !all.contains { kill($0, 0) == 0 } }
            }
        }
    }

    // MARK: - Waiting

    /// Answers once there is a file of the URL's name, and says before that it is at work.
    private static let gated = """
        while next; do
            url=${line#*\\"url\\":\\"}; url=${url%%\\"*}
            say event '{}'
            until [ -e "$3/$url" ]; do sleep 0.01; done
            say answer "{\\"pid\\":$$}"
        done
        """

    @Test("A lane has so many readers, and of what waits no more than so much") func queue() async throws {
        var limits = ReaderLimits()
        limits.waiting = 2
        try await withReaders(Self.gated, limits) { readers in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                // Two are at work, two wait.
                for _ in 0..<6 {
                    group.addTask {
                        do {
                            _ = try await readers.ask(["do": "run", "url": "gate"], lane: .run, seconds: 300)
                            return true
                        } catch {
                            #expect((error as? ServeError)?.status == 503)
                            #expect((error as? ServeError)?.code == "busy")
                            return false
                        }
                    }
                }
                for _ in 0..<2 { #expect(try await group.next() == false) }
                try readers.open("gate")
                for _ in 0..<4 { #expect(try await group.next() == true) }
            }
            #expect(readers.processes.count == 2)
        }
    }

    @Test("A page goes to the reader that has it") func affinity() async throws {
        try await withReaders(Self.gated) { readers in
            @Sendable func ask(_ url: String) async throws -> JSONValue? {
                try await readers.ask(["do": "tree", "url": .string(url)], lane: .page, seconds: 300).json()[
                    "pid"
                ]
            }
            let works = AsyncStream<Void>.makeStream()
            async let first = readers.ask(["do": "tree", "url": "a"], lane: .page, seconds: 300) { _ in
                works.continuation.yield()
            }
            for await _ in works.stream { break }
            try readers.open("b")
            let b = try await ask("b")
            try readers.open("a")
            let a = try await first.json()["pid"]
            #expect(a != b)
            for _ in 0..<2 {
                #expect(try await ask("a") == a)
                #expect(try await ask("b") == b)
            }
        }
    }

    @Test("A request whose task is cancelled ends its reader, and does not wait for one") func cancelling()
        async throws
    {
        try await withReaders(Self.gated) { readers in
            let works = AsyncStream<Void>.makeStream()
            let atWork = Task {
                try await readers.ask(["do": "index", "url": "never"], lane: .index, seconds: 300) { _ in
                    works.continuation.yield()
                }
            }
            for await _ in works.stream { break }
            let waiting = Task {
                try await readers.ask(["do": "index", "url": "x"], lane: .index, seconds: 300)
            }
            waiting.cancel()
            await #expect(throws: ServeError.cancelled) { try await waiting.value }
            let next = Task {
                try await readers.ask(["do": "index", "url": "next"], lane: .index, seconds: 300)
            }
            try readers.open("next")
            atWork.cancel()
            await #expect(throws: ServeError.cancelled) { try await atWork.value }
            _ = try await next.value
            #expect(readers.processes.count == 2)
        }
    }

    // MARK: - Processes

    @Test("A reader has a session of its own, and signals as any program has them") func isolation()
        async throws
    {
        let script = """
            next
            read -r pid name state parent group session rest < "/proc/$$/stat"
            ignored=$(sed -n 's/^SigIgn:.*\\(.\\{7\\}\\)$/\\1/p' "/proc/$$/status")
            say answer "{\\"is\\":\\"$((group - pid)) $((session - pid)) $ignored\\"}"
            """
        try await withReaders(script) { readers in
            let found = try await readers.ask(["do": "tree"], lane: .page, seconds: 300).json()["is"]
            #expect(found == "0 0 0000000")
        }
    }

    @Test("Shutting down ends what is idle and at work, and refuses what waits and comes") func ending()
        async throws
    {
        try await withReaders(Self.gated) { readers in
            try readers.open("open")
            _ = try await readers.ask(["do": "tree", "url": "open"], lane: .page, seconds: 300)
            let works = AsyncStream<Void>.makeStream()
            let requests = (0..<2).map { _ in
                Task {
                    try await readers.ask(["do": "index", "url": "never"], lane: .index, seconds: 300) { _ in
                        works.continuation.yield()
                    }
                }
            }
            for await _ in works.stream { break }
            await readers.pool.shutDown()
            for request in requests { await #expect(throws: ServeError.ending) { try await request.value } }
            #expect(readers.processes.count == 2)
            try readers.checkNothingIsLeft()
            #expect(await error(readers) == .ending)
        }
    }

    private func error(
        _ readers: FakeReaders,
        _ request: JSONValue = ["do": "tree"],
        seconds: Double = 300
    ) async -> ServeError? {
        await #expect(throws: ServeError.self) {
            try await readers.ask(request, lane: .page, seconds: seconds)
        }
    }
}

/// A pool whose readers are a script: `next` reads a request, whose number is `$id`, and `say KIND TEXT` writes a frame.
private struct FakeReaders: Sendable {
    let pool: ReaderPool
    let folder: URL

    init(_ script: String, _ limits: ReaderLimits, in folder: URL) throws {
        self.folder = folder
        let program = folder.appendingPathComponent("reader")
        let text = """
            #!/bin/sh
            echo $$ >> "$3/pids"
            readlink "/proc/$$/fd/0" "/proc/$$/fd/1" "/proc/$$/fd/2" >> "$3/pipes"
            next() { read -r line && id=${line##*:} && id=${id%\\}}; }
            say() { printf '%s %s %s\\n%s' "$1" "$id" "${#2}" "$2"; }
            \(script)
            """
        try text.write(to: program, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        pool = ReaderPool(program: program.path, cache: folder.path, limits: limits)
    }

    func ask(
        _ request: JSONValue,
        lane: ReaderPool.Lane,
        seconds: Double,
        onEvent: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(ServeError) -> ReaderAnswer {
        while true {
            do throws(ServeError) {
                return try await pool.ask(request, lane: lane, seconds: seconds, onEvent: onEvent)
            } catch {
                // Another test's child may hold the file open that was just written, until it runs its own program.
                guard error.code == "process.start", error.message.contains("busy") else { throw error }
            }
        }
    }

    /// Makes a file that scripts wait for.
    func open(_ name: String) throws {
        try Data().write(to: folder.appendingPathComponent(name))
    }

    /// The numbers of all processes that were started.
    var processes: [pid_t] { lines("pids").compactMap { pid_t($0) } }

    /// The lines of a file that scripts write.
    func lines(_ name: String) -> [Substring] {
        let text = try? String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
        return text?.split(separator: "\n") ?? []
    }

    /// Checks that all processes have ended and were waited for, and that their pipes are closed here.
    func checkNothingIsLeft() throws {
        for process in processes { #expect(kill(process, 0) == -1, "process \(process) is still there") }
        let pipes = Set(lines("pipes").map(String.init))
        for name in try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd") {
            let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            #expect(target.map(pipes.contains) != true, "descriptor \(name) is still open")
        }
    }
}

/// Does something with readers that are a script, shuts them down, and checks that nothing of them is left.
private func withReaders(
    _ script: String,
    _ limits: ReaderLimits = ReaderLimits(),
    _ body: (FakeReaders) async throws -> Void
) async throws {
    try await withTemporaryFolder { folder in
        let readers = try FakeReaders(script, limits, in: folder)
        do {
            try await body(readers)
        } catch {
            await readers.pool.shutDown()
            throw error
        }
        await readers.pool.shutDown()
        try readers.checkNothingIsLeft()
    }
}
