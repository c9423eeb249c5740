import Foundation
import Glibc
import TestSupport
import Testing
import WebLoader

@testable import webinspect

/// Every code and every exit status of docs/exit-codes.md, brought about in the real binary.
///
/// The document is read: a code that is new there needs a ``Provocation``, or a reason why it cannot have one.
@Suite(.timeLimit(.minutes(20)))
struct ErrorCodeTests {
    /// The codes that servers with faulty TLS cause.
    static let certificates: [(site: NginxServer.Site, code: String)] = [
        (.otherHost, "network.tls.certificate.host"),
        (.expired, "network.tls.certificate.expired"),
        (.notYetValid, "network.tls.certificate.not-yet-valid"),
        (.selfSigned, "network.tls.certificate.unknown-root"),
        (.oldTLS, "network.tls"),
    ]

    /// Why the others are not brought about; what the document has as "library only" is besides.
    private static let excused = [
        "network.tls.certificate": "no certificate is known that is refused for none of the other reasons",
        "parse.memory": "takes all memory there is",
        "parse.size": "takes a page of 2 GiB",
        "limit.text": "takes a text of 256 MiB",
        "limit.memory": "takes a tree of 1 GiB",
        "budget.stack": "what is nested is bounded before the stack is used up",
        "system.memory": "takes a limit of address space; ScarcityTests have it",
        "worker.memory": "the same",
        "system.threads": "takes as much memory as the program has, and none for a thread",
        "archive.unavailable": "takes a machine without the libraries",
        "state.busy": "takes a job that runs; the tests of the commands that have jobs do that",
        "state.version": "the same",
        "state.damaged": "the same",
        "state.settings": "the same",
        "limit.pages": "a job says how far it came as well; the tests of crawl and mirror have them",
        "limit.bytes": "the same",
        "limit.files": "the same",
        "limit.resources": "a copy is made all the same; the tests of save have it",
        "render.ended": "takes a browser that ends; the tests of rendering have it",
        "render.picture": "the same",
        "internal": "what would bring it about would be mended",
    ]

    @Test(arguments: Provocation.all)
    func `a code comes with its exit status`(_ provocation: Provocation) async throws {
        let outcome = try await withTemporaryFolder { folder in
            try await withRawServer(provocation.answer) { server in
                if let recipe = provocation.recipe {
                    let bytes = Data("version: 1\nfields: \(recipe)\n".utf8)
                    try bytes.write(to: folder.appending(path: "recipe.yaml"))
                }
                return try await Self.run(provocation.line, in: folder, server: server.url)
            }
        }
        try Self.expect(provocation.code, outcome)
    }

    @Test(.enabled(if: NginxServer.isInstalled, "nginx or openssl is not installed"))
    func `each fault of a server's TLS has its code`() async throws {
        try await withNginx { server in
            for (site, code) in Self.certificates {
                let line = "webinspect \(server.url(site, "/")) --cacert \(server.authority)"
                let outcome = try await withTemporaryFolder { try await Self.run(line, in: $0) }
                try Self.expect(code, outcome)
            }
        }
    }

    @Test func `every code that is documented is brought about, or excused`() throws {
        let documented = try DocumentedCode.all()
        #expect(documented.count >= 70)
        let tested = Set(Provocation.all.map(\.code) + Self.certificates.map(\.code))
        let excused = Set(Self.excused.keys)
        let libraryOnly = Set(documented.filter(\.isLibraryOnly).map(\.code))
        let codes = Set(documented.map(\.code))
        #expect(codes.subtracting(tested).subtracting(excused).subtracting(libraryOnly) == [])
        #expect(tested.union(excused).subtracting(codes) == [], "not documented")
        #expect(tested.intersection(excused) == [], "brought about after all")
    }

    @Test func `every exit status that is documented is tested`() throws {
        let statuses = Set(
            try DocumentedCode.all().filter { code in Provocation.all.contains { $0.code == code.code } }
                .map(\.status)
        )
        // No error has these: all is well, the answer is no, an interrupt.
        #expect(try DocumentedCode.statuses() == statuses.union([0, 1, 130]))
    }

    @Test func `an error of the library has the status that is documented`() throws {
        struct Code: ErrorCode {
            let rawValue: String
            var nsURLErrorCode: Int? { nil }
        }
        let codes = try DocumentedCode.all().filter(\.isOfLibrary)
        #expect(codes.count >= 60)
        for code in codes {
            #expect(ExitStatus(Code(rawValue: code.code)).rawValue == code.status, "\(code.code)")
        }
    }

    @Test(arguments: [("webinspect data:,x", 0), ("webinspect select h1 data:text/html,x", 1)])
    func `an answer is no error`(_ line: String, _ status: Int32) async throws {
        let outcome = try await withTemporaryFolder { try await Self.run(line, in: $0) }
        #expect(outcome.status == status)
        #expect(outcome.errors == "")
    }

    /// Checks that a code's outcome is the one that the document states.
    private static func expect(_ code: String, _ outcome: Command.Outcome) throws {
        let documented = try #require(try DocumentedCode.all().first { $0.code == code })
        // Logs of scripts may follow.
        let lines = outcome.errors.split(separator: "\n").filter { $0.hasPrefix("webinspect: ") }
        #expect(lines.last?.hasSuffix("(\(code))") == true, "\(outcome.errors.prefix(1000))")
        #expect(outcome.status == documented.status, "\(outcome.errors.prefix(1000))")
    }

    private static func run(
        _ line: String,
        in folder: URL,
        server: String = ""
    ) async throws -> Command.Outcome {
        let programs = try Command.file("webinspect").deletingLastPathComponent().path
        return try await Command.run(
            "/bin/bash",
            ["-c", line],
            environment: [
                "PATH": "\(programs):/usr/bin:/bin", "BIN": programs, "SERVER": server, "HOME": folder.path,
                "XDG_CACHE_HOME": "\(folder.path)/cache", "XDG_CONFIG_HOME": "\(folder.path)/config",
            ],
            folder: folder
        )
    }
}
