import Foundation
import TestSupport
import Testing

/// `webinspect doctor` and `--version`.
@Suite(.timeLimit(.minutes(20)))
struct DoctorCommandTests {
    @Test func looksAtEverything() async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Command.run(
                "webinspect",
                ["doctor", "--json", "--cache-dir", folder.appending(path: "none/yet").path]
            )
            let report = try outcome.json()
            let checks = try #require(report["checks"] as? [[String: String]])
            let failures = checks.filter { $0["outcome"] == "fails" }
            #expect(failures == [])
            #expect(outcome.status == 0)
            let names = checks.compactMap { $0["name"] }
            for name in ["libcurl", "cache", "rules", "time limit", "memory limit", "sandbox"] {
                #expect(names.contains(name))
            }
        }
    }

    @Test func saysWhatDoesNotWork() async throws {
        try await withTemporaryFolder { folder in
            try Data("timeot: 1".utf8).write(to: folder.appending(path: ".webinspect.yml"))
            let file = folder.appending(path: "file")
            try Data().write(to: file)
            let outcome = try await Command.run(
                "webinspect",
                ["doctor", "--cache-dir", file.appending(path: "cache").path],
                folder: folder
            )
            #expect(outcome.status == 1)
            let failures = outcome.text.split(separator: "\n").filter { $0.hasPrefix("FAILS") }
            #expect(failures.contains { $0.contains("configuration") && $0.contains("timeot") })
        }
    }

    @Test func theVersionHasThoseOfTheLibraries() async throws {
        let outcome = try await Command.run("webinspect", ["--version"])
        #expect(outcome.status == 0)
        #expect(outcome.text.hasPrefix("webinspect "))
        for library in ["libxml2", "libcurl", "Lua", "PCRE2", "libyaml"] {
            #expect(try outcome.text.contains(Regex("\\n\(library) [0-9]")), "\(outcome.text)")
        }
    }
}
