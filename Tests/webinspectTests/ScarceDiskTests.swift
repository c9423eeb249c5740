import Foundation
import TestSupport
import Testing

/// A disk that is full, at whatever write: success, or an error that says so, and nothing torn.
@Suite(.enabled(if: Nightly.isOn, "nightly: the system has too little"), .timeLimit(.minutes(20)))
struct ScarceDiskTests {
    /// Whether a small disk can be had: who may not mount one has the limit on files' sizes alone.
    private static let canMount: Bool = {
        let line = "unshare -m mount -t tmpfs -o size=64k none /mnt"
        // Without a shell there is none either.
        return (try? StartedProgram("/bin/sh", ["-c", line]).wait(within: 60)) == 0
    }()

    /// Runs every line of the folder's in a shell, after some of its own; each says its status, as "line N: STATUS".
    private func run(_ before: String, _ url: String, _ folder: URL) async throws -> Command.Outcome {
        let lines = LoadedFolder.lines(url) + [["cache", "gc", "--cache-dir", "cache", "--max-size", "1"]]
        var script = before + "\n"
        for (index, line) in lines.enumerated() {
            let words = line.map { "'\($0)'" }.joined(separator: " ")
            script += "(limit; exec \"$B\" \(words) > /dev/null); echo \"line \(index): $?\"\n"
        }
        return try await Command.run(
            "/bin/bash",
            ["-c", script],
            environment: ["B": try Command.file("webinspect").path],
            folder: folder
        )
    }

    private func check(_ outcome: Command.Outcome, _ place: LoadedFolder) async throws {
        let statuses = outcome.text.matches(of: /line (\d+): (\d+)/).map { "\($0.2)" }
        #expect(statuses.count == 5, "\(outcome.text) \(outcome.errors)")
        // A response that cannot be stored in the cache is loaded all the same; a file that the user named has to be
        // written. The memory that is shared with a worker is a file to the system.
        let codes = ["0", "8", "70"]
        #expect(statuses.allSatisfy { codes.contains($0) }, "\(outcome.text) \(outcome.errors)")
        for (status, code) in [("8", "(file.write)"), ("70", "(worker.unavailable)")] {
            let count = outcome.errors.components(separatedBy: code).count - 1
            #expect(statuses.filter { $0 == status }.count == count, "\(outcome.text) \(outcome.errors)")
        }
        #expect(try await place.faults() == [])
    }

    /// Kibibytes that a file may have.
    @Test(arguments: [0, 1, 2, 3, 4, 8, 64, 512, 683, 684, 700, 2000])
    func `a file that may not grow is as before or whole`(_ size: Int) async throws {
        try await withTemporaryFolder { folder in
            let place = try LoadedFolder(folder)
            try await withTestServer(LoadedFolder.handler) { server in
                let outcome = try await run("limit() { ulimit -f \(size); }", server.url("/page"), folder)
                try await check(outcome, place)
                if size >= 2000 { #expect(!outcome.text.contains(": 8"), "\(outcome.errors)") }
                if size <= 64 { #expect(outcome.text.contains("line 0: 8"), "\(outcome.text)") }
                #expect(try await place.leftovers() == [])
            }
        }
    }

    /// Kibibytes that are free on the disk.
    @Test(
        .enabled(if: canMount, "needs the right to mount a file system"),
        arguments: [0, 4, 8, 16, 64, 700, 720, 1500, 4000]
    )
    func `a disk that is full leaves files as before or whole`(_ free: Int) async throws {
        try await withTemporaryFolder { folder in
            let place = try LoadedFolder(folder)
            try await withTestServer(LoadedFolder.handler) { server in
                // The small disk ends with the shell; a copy of it is checked afterwards.
                let mount = """
                    if [ -z "$MOUNTED" ]; then MOUNTED=1 exec unshare -m /bin/bash -c "$BASH_EXECUTION_STRING"; fi
                    here=$PWD; mkdir small; mount -t tmpfs -o size=6m none small; cp out jar small/; cd small
                    limit() { :; }
                    trap 'rm filler; cp -r . "$here/"' EXIT
                    left=$(( $(df --output=avail -k . | tail -1) - \(free) ))
                    head -c $(( left * 1024 )) /dev/zero > filler
                    """
                let outcome = try await run(mount, server.url("/page"), folder)
                try await check(outcome, place)
                #expect(try await place.leftovers() == [])
            }
        }
    }
}
