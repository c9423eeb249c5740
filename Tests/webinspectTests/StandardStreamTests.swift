import Foundation
import Glibc
import TestSupport
import Testing

/// Standard streams that do not block, are closed, or take nothing.
@Suite(.timeLimit(.minutes(20)))
struct StandardStreamTests {
    @Test func aStreamThatDoesNotBlockIsWaitedFor() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("a.txt")
            try Data(repeating: 0x78, count: 400_000).write(to: file)
            let output = try PipeEnds()
            try #require(fcntl(output.writing, F_SETFL, O_NONBLOCK) == 0)
            let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
            let program = try StartedProgram(
                "webinspect",
                ["text", file.path],
                descriptors: [nowhere, output.writing]
            )
            [nowhere, output.writing].forEach { close($0) }
            // The pipe is full before anything is read of it.
            var count: Int32 = 0
            try await eventually("the pipe is full") {
                try #require(unsafe ioctl(output.reading, UInt(FIONREAD), &count) == 0)
                return count >= 65536 || program.exitStatus != nil
            }
            let read = await onThread { output.read(until: .now() + 300) }
            #expect(try await program.end() == 0)
            #expect(read.data.count >= 400_000)
        }
    }

    @Test func inputThatDoesNotBlockIsWaitedFor() async throws {
        let (input, output) = (try PipeEnds(), try PipeEnds())
        try #require(fcntl(input.reading, F_SETFL, O_NONBLOCK) == 0)
        let program = try StartedProgram(
            "webinspect",
            ["resolve", "--jsonl"],
            descriptors: [input.reading, output.writing]
        )
        [input.reading, output.writing].forEach { close($0) }
        let (requests, answers) = (
            FileHandle(fileDescriptor: input.writing), FileHandle(fileDescriptor: output.reading)
        )
        for number in 1...2 {
            try requests.write(contentsOf: Data("{\"id\":\(number),\"input\":\"http://h.test/\"}\n".utf8))
            let said = await onThread { answers.availableData }
            let answer = String(decoding: said, as: UTF8.self)
            #expect(answer == "{\"href\":\"http://h.test/\",\"id\":\(number)}\n")
        }
        try requests.close()
        #expect(try await program.end() == 0)
        try answers.close()
    }

    /// Runs a line of the shell, in which `$0` is the command.
    private static func shell(_ line: String, in folder: URL? = nil) async throws -> Command.Outcome {
        try await Command.run("/bin/sh", ["-c", line, try Command.file("webinspect").path], folder: folder)
    }

    @Test(arguments: ["\"$0\" --version >&-", "\"$0\" --version > /dev/full", "\"$0\" schema > /dev/full"])
    func whatCannotBeWrittenIsAnError(line: String) async throws {
        let outcome = try await Self.shell(line)
        #expect(outcome.status == 8)
        #expect(outcome.errors.hasSuffix("(file.write)\n"))
    }

    /// A file that is opened must not be where messages, or a report, are written to.
    @Test(arguments: ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
    func filesAreNoStandardStreams(closing: String) async throws {
        try await withTemporaryFolder { folder in
            let line = "\"$0\" fetch data:,x -v -o body --cache-dir cache --cookie-jar jar \(closing)"
            let outcome = try await Self.shell(line, in: folder)
            #expect(outcome.status == 0)
            #expect(try Data(contentsOf: folder.appendingPathComponent("body")) == Data("x".utf8))
        }
    }

    @Test func messagesThatNobodyReadsChangeNoStatus() async throws {
        try await withTemporaryFolder { folder in
            let line = "mkfifo f; (: < f) & exec 3> f; wait; \"$0\" missing.html 2>&3"
            let outcome = try await Self.shell(line, in: folder)
            #expect(outcome.status == 8)
        }
    }

    @Test func aReaderThatGoesAwayEndsTheCommandQuietly() async throws {
        let outcome = try await Self.shell("{ \"$0\" schema; echo $? >&2; } | head -c 1")
        #expect(outcome.text == "{")
        #expect(outcome.errors == "0\n")
    }
}
