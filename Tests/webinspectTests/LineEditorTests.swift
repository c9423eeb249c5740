import Foundation
import TestSupport
import Testing

/// Lines that are edited at a terminal: `webinspect session` there.
@Suite(.timeLimit(.minutes(20)))
struct LineEditorTests {
    private static let prompt = "webinspect> "

    /// A session whose history is in a folder, once its prompt is there.
    private func session(
        in folder: URL,
        _ environment: [String: String] = [:]
    ) async throws -> PseudoTerminal {
        let state = ["XDG_STATE_HOME": folder.path].merging(environment) { $1 }
        let terminal = try PseudoTerminal("webinspect", ["session"], environment: state)
        try await terminal.wait(for: Self.prompt)
        return terminal
    }

    private func history(in folder: URL) -> URL {
        folder.appending(path: "webinspect/session-history")
    }

    @Test func `Tab completes the word`() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try await session(in: folder)
            try terminal.type("tit\t")
            try await terminal.wait(for: "title ")
            try terminal.type("\u{03}")
            try await terminal.wait(for: Self.prompt)
            try terminal.type("\u{04}")
            #expect(try await terminal.end() == 0)
        }
    }

    @Test func `the arrow keys bring lines back`() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try await session(in: folder)
            try terminal.type("title\n")
            try await terminal.wait(for: "no page")
            try await terminal.wait(for: Self.prompt)
            try terminal.type("\u{1B}[A")
            try await terminal.wait(for: "title")
            try terminal.type("\n")
            try await terminal.wait(for: "no page")
            try await terminal.wait(for: Self.prompt)
            try terminal.type("quit\n")
            #expect(try await terminal.end() == 0)
        }
    }

    @Test func `Control-D ends it`() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try await session(in: folder)
            try terminal.type("\u{04}")
            #expect(try await terminal.end() == 0)
            #expect(terminal.shown.hasSuffix("\n"))
        }
    }

    @Test func `Control-C gives the line up, and it goes on`() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try await session(in: folder)
            try terminal.type("qui")
            try await terminal.wait(for: "qui")
            try terminal.type("\u{03}")
            try await terminal.wait(for: "^C\n")
            try await terminal.wait(for: Self.prompt)
            try terminal.type("url\n")
            try await terminal.wait(for: "no page")
            try await terminal.wait(for: Self.prompt)
            try terminal.type("\u{04}")
            #expect(try await terminal.end() == 0)
        }
    }

    @Test func `lines are kept for the next time, for their user alone`() async throws {
        try await withTemporaryFolder { folder in
            let first = try await session(in: folder)
            try first.type("url äöü\n")
            try await first.wait(for: Self.prompt)
            try first.type("\u{04}")
            #expect(try await first.end() == 0)
            let file = history(in: folder)
            #expect(try String(contentsOf: file, encoding: .utf8) == "url äöü\n")
            let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)

            let second = try await session(in: folder)
            try second.type("\u{1B}[A")
            try await second.wait(for: "url äöü")
            try second.type("\u{03}")
            try await second.wait(for: Self.prompt)
            try second.type("\u{04}")
            #expect(try await second.end() == 0)
        }
    }

    @Test func `a link or a pipe in place of the history is left alone`() async throws {
        try await withTemporaryFolder { folder in
            let file = history(in: folder)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(),
                withIntermediateDirectories: true
            )
            let other = folder.appending(path: "other")
            try Data("help\n".utf8).write(to: other)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: other)
            let linked = try await session(in: folder)
            try linked.type("url\n")
            try await linked.wait(for: Self.prompt)
            try linked.type("\u{04}")
            #expect(try await linked.end() == 0)
            #expect(try String(contentsOf: other, encoding: .utf8) == "help\n")

            try FileManager.default.removeItem(at: file)
            #expect(unsafe mkfifo(file.path, 0o600) == 0)
            let piped = try await session(in: folder)
            try piped.type("url\n")
            try await piped.wait(for: Self.prompt)
            try piped.type("\u{04}")
            #expect(try await piped.end() == 0)
        }
    }

    @Test func `a terminal that cannot edit gets lines as they come`() async throws {
        try await withTemporaryFolder { folder in
            let terminal = try await session(in: folder, ["TERM": "dumb"])
            try terminal.type("url\n")
            try await terminal.wait(for: "no page")
            try await terminal.wait(for: Self.prompt)
            try terminal.type("quit\n")
            #expect(try await terminal.end() == 0)
        }
    }
}
