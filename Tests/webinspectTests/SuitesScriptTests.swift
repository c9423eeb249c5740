import Foundation
import TestSupport
import Testing

/// `Scripts/suites`, from repositories made here, so without any network.
@Suite(.timeLimit(.minutes(20)))
struct SuitesScriptTests {
    private static let files = [
        "cases/a.json": "[1]", "cases/deep/b.json": "[2]", "other.txt": "other",
        "pages/one/source.html": "<p>One",
        "pages/one/expected.html": "<p>Tom &amp; <b>J</b>erry<br>run<p>on</p>",
    ]

    @Test func aSuiteIsLaidOutAsTheManifestSays() async throws {
        try await Repository.with(Self.files) { repository in
            let outcome = try await repository.get([
                repository.suite(
                    "cases",
                    in: "conformance/cases",
                    [["from": "cases"], ["from": "other.txt"]]
                ),
                repository.suite(
                    "texts",
                    in: "data/texts",
                    [
                        ["from": "pages/*/source.html", "to": "pages/*.html", "each": "pages"],
                        ["from": "pages/*/expected.html", "to": "*.txt", "each": "pages", "as": "text"],
                    ]
                ),
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(
                try repository.result() == [
                    "conformance/cases/.suite.json", "conformance/cases/cases/a.json",
                    "conformance/cases/cases/deep/b.json", "conformance/cases/other.txt",
                    "data/texts/.suite.json", "data/texts/one.txt", "data/texts/pages/one.html",
                ]
            )
            #expect(try repository.text("conformance/cases/cases/deep/b.json") == "[2]")
            #expect(try repository.text("data/texts/pages/one.html") == "<p>One")
            #expect(try repository.text("data/texts/one.txt") == "Tom & Jerry\nrun\non\n")
        }
    }

    /// Servers may omit files until they are requested, as public ones do; a repository on the disk does so if
    /// configured.
    @Test func filesThatTheServerHasLeftOutAreAskedFor() async throws {
        try await Repository.with(Self.files) { repository in
            try await repository.git("config", "uploadpack.allowFilter", "true")
            let outcome = try await repository.get([
                repository.suite("cases", in: "cases", [["from": "cases"]])
            ])
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(try repository.text("cases/cases/a.json") == "[1]")
        }
    }

    @Test func whatIsUpToDateIsLeftAloneAndAnotherCommitReplacesIt() async throws {
        try await Repository.with(Self.files) { repository in
            let take = [["from": "cases"]]
            let first = repository.suite("cases", in: "cases", take)
            #expect(try await repository.get([first]).status == 0)
            let before = try repository.identity("cases")

            let again = try await repository.get([first])
            #expect(again.status == 0)
            #expect(again.text == "cases: up to date\n")
            #expect(try repository.identity("cases") == before)

            try await repository.commit(["cases/a.json": "[3]"], removing: ["cases/deep/b.json"])
            let second = repository.suite("cases", in: "cases", take)
            let list = try await repository.run([second], ["--list"])
            #expect(list.text.contains("out of date"))
            #expect(try await repository.get([second]).status == 0)
            #expect(try repository.result() == ["cases/.suite.json", "cases/cases/a.json"])
            #expect(try repository.text("cases/cases/a.json") == "[3]")
            let listAfter = try await repository.run([second], ["--list"])
            #expect(listAfter.text.contains("here"))
        }
    }

    @Test func aFailureSaysWhatIsWrongAndLeavesWhatThereWas() async throws {
        try await Repository.with(Self.files) { repository in
            let good = repository.suite("cases", in: "cases", [["from": "cases"]])
            #expect(try await repository.get([good]).status == 0)
            let before = try repository.result()

            let nowhere = String(repeating: "1", count: 40)
            let blob = try await repository.git("rev-parse", "HEAD:other.txt")
            let failures: [(suite: [String: Any], said: String)] = [
                (good.merging(["commit": nowhere]) { $1 }, "commit \(nowhere) cannot be had"),
                (good.merging(["commit": blob]) { $1 }, "is no commit but a blob"),
                (
                    repository.suite("cases", in: "cases", [["from": "cases"], ["from": "none.json"]]),
                    "has no none.json"
                ),
                (good.merging(["repository": "https://h.invalid/absent"]) { $1 }, "there is no "),
            ]
            for (suite, said) in failures {
                let outcome = try await repository.get([suite])
                #expect(outcome.status == 1)
                #expect(outcome.errors.hasPrefix("suites: cases: "), "\(outcome.errors)")
                #expect(outcome.errors.contains(said), "\(outcome.errors)")
                #expect(try repository.result() == before)
            }
            let others = try await repository.get([
                failures[0].suite, repository.suite("other", in: "other", [["from": "other.txt"]]),
            ])
            #expect(others.status == 1)
            #expect(try repository.text("other/other.txt") == "other")
        }
    }

    @Test func nothingLeadsOutOfTheFolder() async throws {
        try await Repository.with(Self.files) { repository in
            let manager = FileManager.default
            try manager.createSymbolicLink(
                atPath: repository.folder.appendingPathComponent("repositories/suite/link").path,
                withDestinationPath: "/etc/passwd"
            )
            try await repository.commit([:])
            let link = try await repository.get([repository.suite("link", in: "link", [["from": "link"]])])
            #expect(link.status == 1)
            #expect(link.errors.contains("no file but a link"))

            for (place, path) in [
                ("../out", "cases"), ("/out", "cases"), ("in", "../cases"), ("in/.git", "cases"),
            ] {
                let outcome = try await repository.get([repository.suite("out", in: place, [["from": path]])])
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("leads out of its folder"), "\(outcome.errors)")
            }

            let elsewhere = repository.folder.appendingPathComponent("elsewhere")
            try manager.createDirectory(at: elsewhere, withIntermediateDirectories: true)
            try manager.createSymbolicLink(
                at: repository.into.appendingPathComponent("data"),
                withDestinationURL: elsewhere
            )
            let through = try await repository.get([
                repository.suite("cases", in: "data/cases", [["from": "cases"]])
            ])
            #expect(through.status == 1)
            #expect(through.errors.contains("is a link"))
            #expect(try manager.contentsOfDirectory(atPath: elsewhere.path).isEmpty)
        }
    }

    @Test func whatSomebodyElseHasMadeIsNotRemoved() async throws {
        try await Repository.with(Self.files) { repository in
            let own = repository.into.appendingPathComponent("cases")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            let outcome = try await repository.get([
                repository.suite("cases", in: "cases", [["from": "cases"]])
            ])
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("not of this script"))
        }
    }

    /// A run that is killed or terminated in the middle leaves no partial suite, and the next run removes its
    /// leftovers.
    @Test(arguments: ["KILL", "TERM"])
    func anInterruptedRunLeavesNothingHalf(_ signal: String) async throws {
        try await Repository.with(Self.files) { repository in
            let suite = repository.suite("cases", in: "cases", [["from": "cases"]])
            // A git that fetches the commit, and at the first file ends who has called it.
            let programs = repository.folder.appendingPathComponent("programs")
            try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
            let program = programs.appendingPathComponent("git")
            let script = """
                #!/bin/sh
                case "$*" in
                *"cat-file blob"*) kill -\(signal) $PPID; exec sleep 5 ;;
                *) PATH=${PATH#*:}; exec git "$@" ;;
                esac

                """
            try Data(script.utf8).write(to: program)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
            let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
            let outcome = try await repository.get([suite], environment: ["PATH": "\(programs.path):\(path)"])
            #expect(outcome.status == (signal == "KILL" ? 137 : 143))
            #expect(
                !FileManager.default.fileExists(atPath: repository.into.appendingPathComponent("cases").path)
            )
            if signal == "TERM" { #expect(try repository.result().isEmpty) }

            let again = try await repository.get([suite])
            #expect(again.status == 0, "\(again.errors)")
            #expect(
                try repository.result() == [
                    "cases/.suite.json", "cases/cases/a.json", "cases/cases/deep/b.json",
                ]
            )
        }
    }

    @Test func namesChooseAndUnknownOnesAreRefused() async throws {
        try await Repository.with(Self.files) { repository in
            let suites = ["one", "two"].map { repository.suite($0, in: $0, [["from": "other.txt"]]) }
            #expect(try await repository.get(suites, ["two"]).status == 0)
            #expect(try repository.result() == ["two/.suite.json", "two/other.txt"])
            let unknown = try await repository.get(suites, ["three"])
            #expect(unknown.status == 2)
            #expect(unknown.errors.contains("no suite three; there are: one, two"))
        }
    }

    @Test func theProjectsOwnManifestIsRead() async throws {
        let outcome = try await Command.run(Repository.script, ["--list"])
        #expect(outcome.status == 0, "\(outcome.errors)")
        for folder in ["conformance/html5lib", "conformance/url", "data/encoding", "conformance/readable"] {
            #expect(outcome.text.contains(".suites/\(folder)\n"))
        }
        #expect(outcome.text.contains("Not public"))
    }
}

/// A git repository in a temporary folder, and where suites are put beside it.
private struct Repository {
    static let script = ProjectFolder.root.appendingPathComponent("Scripts/suites").path

    let folder: URL
    private(set) var head = ""

    var into: URL { folder.appendingPathComponent("into") }
    private var top: URL { folder.appendingPathComponent("repositories/suite") }

    /// Makes a repository with a commit of some files.
    static func with(_ files: [String: String], _ body: (inout Repository) async throws -> Void) async throws
    {
        try await withTemporaryFolder { folder in
            var repository = Repository(folder: folder)
            for made in [repository.top, repository.into] {
                try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
            }
            try await repository.git("init", "--quiet")
            try await repository.commit(files)
            try await body(&repository)
        }
    }

    @discardableResult
    func git(_ arguments: String...) async throws -> String {
        let person = ["-c", "user.name=Test", "-c", "user.email=test@h.test"]
        let outcome = try await Command.run("/usr/bin/git", ["-C", top.path] + person + arguments)
        guard outcome.status == 0 else { throw TestServerError(message: outcome.errors) }
        return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    mutating func commit(_ files: [String: String], removing removed: [String] = []) async throws {
        for (path, text) in files {
            let file = top.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            try Data(text.utf8).write(to: file)
        }
        for path in removed { try FileManager.default.removeItem(at: top.appendingPathComponent(path)) }
        try await git("add", "--all")
        try await git("commit", "--quiet", "--message", "Files")
        head = try await git("rev-parse", "HEAD")
    }

    /// An entry of a manifest: a suite of the last commit.
    func suite(_ name: String, in place: String, _ take: [[String: String]]) -> [String: Any] {
        [
            "name": name, "repository": "https://h.invalid/suite", "commit": head, "licence": "MIT",
            "tests": ["SuitesScriptTests"], "folder": place, "take": take,
        ]
    }

    /// Gets suites from the repository.
    func get(
        _ suites: [[String: Any]],
        _ arguments: [String] = [],
        environment: [String: String] = [:]
    ) async throws -> Command.Outcome {
        let source = folder.appendingPathComponent("repositories").path
        return try await run(suites, ["--from", source] + arguments, environment: environment)
    }

    /// Runs the script with a manifest of some suites.
    func run(
        _ suites: [[String: Any]],
        _ arguments: [String],
        environment: [String: String] = [:]
    ) async throws -> Command.Outcome {
        let manifest = folder.appendingPathComponent("manifest.json")
        let content: [String: Any] = [
            "suites": suites, "lists": ["pages": ["one"]], "private": [[String: String]](),
        ]
        try JSONSerialization.data(withJSONObject: content).write(to: manifest)
        return try await Command.run(
            Self.script,
            ["--manifest", manifest.path, "--into", into.path] + arguments,
            environment: environment
        )
    }

    /// The files that are there now, with hidden ones.
    func result() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: into.path).filter { path in
            let file = into.appendingPathComponent(path)
            return try file.resourceValues(forKeys: [.isDirectoryKey]).isDirectory == false
        }.sorted()
    }

    func text(_ path: String) throws -> String {
        try String(contentsOf: into.appendingPathComponent(path), encoding: .utf8)
    }

    /// Returns a value that distinguishes a folder from a new one in its place.
    func identity(_ path: String) throws -> UInt64? {
        let attributes = try FileManager.default.attributesOfItem(
            atPath: into.appendingPathComponent(path).path
        )
        return (attributes[.systemFileNumber] as? NSNumber)?.uint64Value
    }
}
