import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the way in which all tests start programs.
@Suite(.timeLimit(.minutes(20)))
struct StartedProgramTests {
    @Test func `it has the signals of a user's shell, and no descriptor but its own`() async throws {
        let status = try await Command.run("/bin/grep", ["-E", "Sig(Blk|Ign)", "/proc/self/status"]).text
        let lines = status.split(separator: "\n")
        #expect(lines.count == 2)
        for line in lines {
            let signals = try #require(UInt64(line.split(separator: "\t").last ?? "", radix: 16))
            // Those from 32 on are the system's.
            #expect(signals & 0x7FFF_FFFF == 0, "\(line)")
        }
        // The fourth is that of the folder that it lists.
        let descriptors = try await Command.run("/bin/ls", ["/proc/self/fd"]).text
        #expect(descriptors == "0\n1\n2\n3\n")
    }

    @Test(arguments: ["echo said >&2; sleep 1000", "sleep 1000 & exit 0", "exec >&- 2>&-; sleep 1000"])
    func `one that is not done in time is ended, and that is an error`(line: String) async throws {
        try await withTemporaryFolder { folder in
            let command = try RunningCommand("/bin/sh", ["-c", line], folder: folder, seconds: 0.5)
            await #expect(throws: TestServerError.self) { try await command.end() }
            await command.program.endGroup()
            #expect(command.program.exitStatus != nil)
        }
    }

    @Test func `its number is its own after its end, too`() async throws {
        let program = try StartedProgram("/bin/sh", ["-c", "kill -TERM $$"])
        for _ in 0..<2 { #expect(try await program.end() == 128 + SIGTERM) }
        #expect(program.exitStatus == 128 + SIGTERM)
        #expect(kill(program.id, 0) == 0)
    }

    @Test func `what it does not read does not hold it up`() async throws {
        let outcome = try await Command.run("/bin/true", [], input: Data(count: 5_000_000))
        #expect(outcome.status == 0)
    }
}
