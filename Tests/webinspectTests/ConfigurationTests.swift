import FlyingFox
import Foundation
import Glibc
import TestSupport
import Testing

/// Tests of the settings in files and in the environment, and of their precedence.
@Suite(.timeLimit(.minutes(20)))
struct ConfigurationTests {
    /// Returns the User-Agent that a server receives, or the error.
    private func userAgent(
        flags: [String] = [],
        variable: String? = nil,
        folder: String? = nil,
        home: String? = nil
    ) async throws -> String {
        try await outcome(flags: flags, variable: variable, folder: folder, home: home).0
    }

    private func outcome(
        flags: [String] = [],
        variable: String? = nil,
        folder: String? = nil,
        home: String? = nil
    ) async throws -> (String, Command.Outcome) {
        try await withTestServer { request in
            .init(statusCode: .ok, body: Data((request.headers[.init("User-Agent")] ?? "").utf8))
        } _: { server in
            try await withTemporaryFolder { root in
                let configuration = root.appending(path: "config/webinspect")
                try FileManager.default.createDirectory(at: configuration, withIntermediateDirectories: true)
                if let home {
                    try Data(home.utf8).write(to: configuration.appending(path: "config.yml"))
                }
                if let folder { try Data(folder.utf8).write(to: root.appending(path: ".webinspect.yml")) }
                // A server before on the same port may have left what --cache-only finds.
                var environment = [
                    "XDG_CONFIG_HOME": root.appending(path: "config").path,
                    "XDG_CACHE_HOME": root.appending(path: "cache").path,
                ]
                if let variable { environment["WEBINSPECT_USER_AGENT"] = variable }
                let outcome = try await Command.run(
                    "webinspect",
                    ["fetch", server.url("/"), "--no-store"] + flags,
                    environment: environment,
                    folder: root
                )
                return (outcome.text, outcome)
            }
        }
    }

    @Test func theNearestSettingIsTaken() async throws {
        #expect(try await userAgent(home: "user-agent: home") == "home")
        #expect(try await userAgent(folder: "user-agent: folder", home: "user-agent: home") == "folder")
        #expect(try await userAgent(variable: "variable", folder: "user-agent: folder") == "variable")
        #expect(try await userAgent(flags: ["-A", "flag"], variable: "variable") == "flag")
    }

    @Test(arguments: [
        "# nothing\n", "", "{}", "user-agent: null\n", "{\"user-agent\": \"json\"}", "user-agent: -x",
    ])
    func filesMayBeOfAnyForm(text: String) async throws {
        let agent = try await userAgent(folder: text)
        let expected = text.contains("json") ? "json" : text.contains("-x") ? "-x" : nil
        if let expected { #expect(agent == expected) } else { #expect(agent.hasPrefix("WebLoader/")) }
    }

    @Test(arguments: [
        ("user-agnt: x", ".webinspect.yml:1:1"), ("\n\nfail: maybe", ".webinspect.yml:3:1"),
        ("timeout: [1]", ".webinspect.yml:1:1"), ("- a", ".webinspect.yml:1:1"),
        ("a: b: c", ".webinspect.yml:1:"),
        ("output: x", ".webinspect.yml:1:1"),
    ])
    func mistakesHaveAPlace(text: String, place: String) async throws {
        let outcome = try await outcome(folder: text).1
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(place))
        #expect(outcome.errors.hasSuffix("(config.invalid)\n"))
    }

    @Test func aBadValueSaysWhereItIsSet() async throws {
        let outcome = try await outcome(folder: "fail: true\ntimeout: soon").1
        #expect(outcome.status == 2)
        let message = "--timeout soon: not a number of seconds; it is set by .webinspect.yml:2:1 (usage)"
        #expect(outcome.errors.contains(message), "\(outcome.errors)")
        let line = try await self.outcome(flags: ["--timeout", "late"], folder: "timeout: soon").1
        #expect(line.errors.contains("--timeout late: not a number of seconds (usage)"))
    }

    @Test func aVariableOfNoSettingIsWarnedOf() async throws {
        for (flags, isSaid) in [([], true), (["-s"], false)] {
            let outcome = try await Command.run(
                "webinspect",
                ["fetch", "data:,x"] + flags,
                environment: ["WEBINSPECT_TIMEOT": "5", "WEBINSPECT_BROWSER": "/bin/false"]
            )
            #expect(outcome.status == 0)
            let warning = "webinspect: warning: WEBINSPECT_TIMEOT is the variable of no setting\n"
            #expect(outcome.errors == (isSaid ? warning : ""))
        }
    }

    @Test func aFlagPutsASettingOfItsGroupAside() async throws {
        let offline = try await outcome(home: "cache-only: true").1
        #expect(offline.status == 5)
        #expect(try await outcome(flags: ["--refresh"], home: "cache-only: true").1.status == 0)
    }

    @Test func settingsOfOtherCommandsArePassedOver() async throws {
        #expect(try await outcome(folder: "budget-memory: 1MB\nparser: html5").1.status == 0)
        try await withTemporaryFolder { root in
            try Data("timeout: 5\nbudget-time: 1s".utf8).write(to: root.appending(path: ".webinspect.yml"))
            for arguments in [
                ["resolve", "a", "--base-url", "http://h.test/"], ["--version"], ["cache", "ls"],
            ] {
                let outcome = try await Command.run(
                    "webinspect",
                    arguments,
                    environment: ["XDG_CACHE_HOME": root.path],
                    folder: root
                )
                #expect(outcome.status != 2, "\(arguments): \(outcome.errors)")
            }
            let outcome = try await Command.run(
                "webinspect",
                ["data:text/html,<title>T</title>"],
                folder: root
            )
            #expect(outcome.text.contains("Title     T"))
        }
    }

    // MARK: - A stranger's folder

    @Test(arguments: [
        "cache-dir: c", "cache-only: true", "offline: true", "prefer-cache: true",
        "policy: returnCacheDataElseLoad", "keep: true", "header: \"Host: other.test\"",
        "proxy: \"http://127.0.0.1:1\"", "cacert: c.pem", "netrc: true", "netrc-file: n",
        "resolve: \"127.0.0.1:1:127.0.0.1\"", "verbose: true", "retry: 9", "max-time: 301", "timeout: 0",
        "max-filesize: 1T", "max-redirs: 21", "max-nodes: 99999999", "max-tree-memory: 1G",
        "connect-timeout: 1e300",
    ])
    func `a found file sets nothing that could do harm, and each such setting is named`(
        _ setting: String
    ) async throws {
        let (text, outcome) = try await outcome(folder: "user-agent: folder\n\(setting)")
        #expect(outcome.status == 0)
        #expect(text == "folder")
        let warnings = outcome.errors.split(separator: "\n")
        #expect(warnings.count == 1)
        let warning = try #require(warnings.first)
        let name = try #require(setting.split(separator: ":").first)
        #expect(warning.hasPrefix("webinspect: warning: .webinspect.yml:2:1: \(name) "))
        #expect(warning.contains("/webinspect/config.yml"))
    }

    @Test(arguments: ["max-time: 20", "timeout: 60", "max-filesize: 1K", "max-redirs: 0", "max-depth: 10"])
    func `a found file may lower a limit`(_ setting: String) async throws {
        let outcome = try await outcome(folder: setting).1
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func `the user's own file and the environment are trusted with all of it`() async throws {
        let outcome = try await outcome(home: "header: \"X: y\"\nmax-time: 400\nretry: 1").1
        #expect(outcome.status == 0)
        #expect(outcome.errors == "")
    }

    @Test func `silence is the user's to ask for, not the file's`() async throws {
        #expect(try await outcome(folder: "silent: true\nkeep: true").1.errors.contains("keep"))
        #expect(try await outcome(flags: ["-s"], folder: "keep: true").1.errors == "")
        #expect(try await outcome(folder: "keep: true", home: "silent: true").1.errors == "")
    }

    @Test(arguments: ["fifo", "link", "directory", "socket"])
    func `what is no file of the user's is not read, and not waited for`(_ kind: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: ".webinspect.yml").path
            switch kind {
            case "fifo": #expect(unsafe mkfifo(path, 0o600) == 0)
            case "link":
                let target = folder.appending(path: "target")
                try Data("user-agent: linked".utf8).write(to: target)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: target.path)
            case "socket": #expect(unsafe mknod(path, S_IFSOCK | 0o600, 0) == 0)
            default: #expect(unsafe mkdir(path, 0o700) == 0)
            }
            for arguments in [["data:,x"], ["doctor", "--help"], ["cache", "ls", "--cache-dir", "c"]] {
                let outcome = try await Command.run(
                    "webinspect",
                    arguments,
                    environment: ["XDG_CONFIG_HOME": folder.path],
                    folder: folder,
                    seconds: 30
                )
                #expect(outcome.status <= 1, "\(arguments): \(outcome.errors)")
                guard arguments.first != "doctor" else { continue }
                #expect(outcome.errors.contains("warning: .webinspect.yml cannot be read: "))
            }
        }
    }

    @Test func `a pipe in the place of the user's own file is not waited for either`() async throws {
        try await withTemporaryFolder { folder in
            let own = folder.appending(path: "webinspect")
            try FileManager.default.createDirectory(at: own, withIntermediateDirectories: true)
            #expect(unsafe mkfifo(own.appending(path: "config.yml").path, 0o600) == 0)
            let outcome = try await Command.run(
                "webinspect",
                ["data:,x"],
                environment: ["XDG_CONFIG_HOME": folder.path],
                folder: folder,
                seconds: 60
            )
            #expect(outcome.status == 2)
            #expect(outcome.errors.contains("the time for reading is up"))
        }
    }
}
