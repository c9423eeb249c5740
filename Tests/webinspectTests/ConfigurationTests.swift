import FlyingFox
import Foundation
import TestSupport
import Testing

/// What is set in files and in the environment, and what goes before what.
@Suite(.timeLimit(.minutes(10)))
struct ConfigurationTests {
    /// The User-Agent that a server sees, or what went wrong.
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
                var environment = ["XDG_CONFIG_HOME": root.appending(path: "config").path]
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
        ("timeout: 5\nproxy: http://h.test", ".webinspect.yml:2:1"),
    ])
    func mistakesHaveAPlace(text: String, place: String) async throws {
        let outcome = try await outcome(folder: text).1
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(place))
        #expect(outcome.errors.hasSuffix("(config.invalid)\n"))
    }

    @Test func aBadValueIsTheFlagsMistake() async throws {
        let outcome = try await outcome(folder: "timeout: soon").1
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("soon: not a number of seconds"))
    }

    @Test func aFlagPutsASettingOfItsGroupAside() async throws {
        let offline = try await outcome(folder: "cache-only: true").1
        #expect(offline.status == 5)
        #expect(try await outcome(flags: ["--refresh"], folder: "cache-only: true").1.status == 0)
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
}
