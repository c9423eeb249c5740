import Foundation
import HTTPTypes
import Synchronization
import TestSupport
import Testing

@testable import WebLoader
@testable import WebStandards
@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct HSTSStoreTests {
    private let now = Timestamp(millisecondsSince1970: 1_800_000_000_000)

    private func policy(_ text: String) throws -> StrictTransportSecurity {
        try #require(StrictTransportSecurity(text))
    }

    private func later(_ seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: now.millisecondsSince1970 + seconds * 1000)
    }

    @Test(
        "A host is known by its own name, and its subdomains if it says so",
        arguments: [
            ("a.test", true, true), ("a.test.", true, true), ("sub.a.test", false, true),
            ("x.sub.a.test", false, true),
            ("xa.test", false, false), ("test", false, false), ("", false, false),
        ]
    )
    func names(host: String, alone: Bool, withSubdomains: Bool) async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            try store.note("a.test", try policy("max-age=100"), now: now, isKept: true)
            #expect(store.isKnown(host, now: now) == alone)
            try store.note("a.test", try policy("max-age=100; includeSubDomains"), now: now, isKept: true)
            #expect(store.isKnown(host, now: now) == withSubdomains)
            // Another process sees the same.
            #expect(HSTSStore(directory: folder.path).isKnown(host, now: now) == withSubdomains)
        }
    }

    @Test(arguments: [Int64.min, .min + 1, .max, 0])
    func anyTimeMayStandInTheFile(expires: Int64) async throws {
        try await withTemporaryFolder { folder in
            try Data("\(expires) a.test\n".utf8).write(to: folder.appendingPathComponent("hsts"))
            let store = HSTSStore(directory: folder.path)
            #expect(store.isKnown("a.test", now: now) == (expires == .max))
            try store.note("a.test", try policy("max-age=9223372036854775807"), now: now, isKept: true)
            #expect(HSTSStore(directory: folder.path).isKnown("a.test", now: later(1_000_000_000)))
        }
    }

    @Test func whatIsKnownEnds() async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            try store.note("a.test", try policy("max-age=100"), now: now, isKept: true)
            #expect(store.isKnown("a.test", now: later(99)))
            #expect(!store.isKnown("a.test", now: later(100)))
            try store.note("a.test", try policy("max-age=0"), now: now, isKept: true)
            #expect(!store.isKnown("a.test", now: now))
            #expect(!HSTSStore(directory: folder.path).isKnown("a.test", now: now))
            try store.note("a.test", try policy("max-age=99999999999999999999"), now: now, isKept: true)
            #expect(store.isKnown("a.test", now: later(1_000_000_000)))
        }
    }

    @Test(arguments: ["127.0.0.1", "[::1]", "192.0.2.1"])
    func addressesAreNeverKnown(host: String) async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            try store.note(host, try policy("max-age=100; includeSubDomains"), now: now, isKept: true)
            #expect(!store.isKnown(host, now: now))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/hsts"))
        }
    }

    @Test func aLockThatAnotherKeepsIsNotWaitedForLong() async throws {
        try await withTemporaryFolder { folder in
            let lock = unsafe open(folder.path + "/hsts.lock", O_RDWR | O_CREAT, 0o600)
            defer { close(lock) }
            #expect(flock(lock, LOCK_EX) == 0)
            let time = Mutex(0.0)
            let store = HSTSStore(directory: folder.path) { time.withLock { $0 } }
            let policy = try policy("max-age=100")
            for index in 0..<20 {
                // Only the first one waits, and is expected not to be written. The others would wait forever.
                let patience = index == 0 ? 0.01 : .infinity
                try? store.note("h\(index).test", policy, now: now, isKept: true, patience: patience)
                #expect(store.isKnown("h\(index).test", now: now))
            }
            time.withLock { $0 = 5 }
            #expect(throws: File.Failure.self) {
                try store.note("again.test", policy, now: now, isKept: true, patience: 0)
            }
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/hsts"))
        }
    }

    @Test func aPipeInPlaceOfTheFileIsNoTrouble() async throws {
        try await withTemporaryFolder { folder in
            #expect(unsafe mkfifo(folder.path + "/hsts", 0o600) == 0)
            #expect(!HSTSStore(directory: folder.path).isKnown("a.test", now: now))
        }
    }

    @Test(arguments: [
        "my own notes\n", "hsts", "\n1800000100000 b.test\n", "1 2 3\n", "x \u{0}",
        "9999999999999999999999 a.test\n", "1800000100000 \n",
    ])
    func aFileOfTheUsersInItsPlaceStays(text: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "hsts")
            try Data(text.utf8).write(to: file)
            let store = HSTSStore(directory: folder.path)
            let policy = try policy("max-age=100")
            #expect(throws: File.Failure.self) {
                try store.note("a.test", policy, now: now, isKept: true)
            }
            #expect(store.isKnown("a.test", now: now))
            #expect(try Data(contentsOf: file) == Data(text.utf8))
        }
    }

    @Test(arguments: ["", "1800000100000 .b.test\nand what a later version may write\n"])
    func aFileOfItsOwnIsReplaced(text: String) async throws {
        try await withTemporaryFolder { folder in
            try Data(text.utf8).write(to: folder.appending(path: "hsts"))
            try HSTSStore(directory: folder.path)
                .note("a.test", try policy("max-age=100"), now: now, isKept: true)
            let other = HSTSStore(directory: folder.path)
            #expect(other.isKnown("a.test", now: now))
            #expect(other.isKnown("b.test", now: now) == !text.isEmpty)
        }
    }

    @Test func withoutKeepingNothingIsWritten() async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path + "/new")
            try store.note("a.test", try policy("max-age=100"), now: now, isKept: false)
            #expect(store.isKnown("a.test", now: now))
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/new"))
        }
    }

    /// A host, the policy that it sent, whether the file is to store it, and the seconds since the start.
    private typealias Said = (host: String, policy: String, isKept: Bool, time: Int64)

    @Test(
        "What the file does not have is known all the same, after other hosts were written too (RFC 6797, section 8.1)",
        arguments: [
            ([("a.test", "max-age=100", false, 0), ("b.test", "max-age=100", true, 0)], 50, true, false),
            // Taken back, but not in the file.
            (
                [
                    ("a.test", "max-age=100", true, 0), ("a.test", "max-age=0", false, 1),
                    ("b.test", "max-age=100", true, 2),
                ], 50, false, true
            ),
            // A difference of less than a day is not written.
            (
                [
                    ("a.test", "max-age=31536000", true, 0), ("a.test", "max-age=31536000", true, 3600),
                    ("b.test", "max-age=31536000", true, 3600),
                ], 31_537_000, true, false
            ),
            // Said again by a load that may keep it, it is written.
            ([("a.test", "max-age=100", false, 0), ("a.test", "max-age=100", true, 0)], 50, true, true),
        ] as [([(String, String, Bool, Int64)], Int64, Bool, Bool)]
    )
    func unwritten(
        said: [(String, String, Bool, Int64)],
        time: Int64,
        isKnown: Bool,
        isKnownElsewhere: Bool
    ) async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            for (host, text, isKept, time) in said as [Said] {
                try store.note(host, try policy(text), now: later(time), isKept: isKept)
            }
            #expect(store.isKnown("a.test", now: later(time)) == isKnown)
            let other = HSTSStore(directory: folder.path)
            #expect(other.isKnown("a.test", now: later(time)) == isKnownElsewhere)
        }
    }

    @Test func whatAnotherProcessWroteOfAHostIsItsLastWord() async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            try store.note("a.test", try policy("max-age=100"), now: now, isKept: false)
            try HSTSStore(directory: folder.path)
                .note("a.test", try policy("max-age=50"), now: now, isKept: true)
            // Writing reads what the other one wrote.
            try store.note("b.test", try policy("max-age=100"), now: now, isKept: true)
            #expect(store.isKnown("a.test", now: later(49)))
            #expect(!store.isKnown("a.test", now: later(50)))
        }
    }

    @Test func sayingTheSameAgainWritesNothing() async throws {
        try await withTemporaryFolder { folder in
            let store = HSTSStore(directory: folder.path)
            try store.note("a.test", try policy("max-age=31536000"), now: now, isKept: true)
            let first = try String(contentsOfFile: folder.path + "/hsts", encoding: .utf8)
            try store.note("a.test", try policy("max-age=31536000"), now: later(3600), isKept: true)
            #expect(try String(contentsOfFile: folder.path + "/hsts", encoding: .utf8) == first)
            try store.note("a.test", try policy("max-age=31536000"), now: later(90_000), isKept: true)
            #expect(try String(contentsOfFile: folder.path + "/hsts", encoding: .utf8) != first)
        }
    }

    @Test func writersDoNotLoseEachOthersHosts() async throws {
        try await withTemporaryFolder { folder in
            let policy = try policy("max-age=100")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for index in 0..<24 {
                    group.addTask { [now] in
                        try HSTSStore(directory: folder.path).note(
                            "h\(index).test",
                            policy,
                            now: now,
                            isKept: true
                        )
                    }
                }
                try await group.waitForAll()
            }
            let store = HSTSStore(directory: folder.path)
            for index in 0..<24 { #expect(store.isKnown("h\(index).test", now: now)) }
        }
    }

    @Test(
        arguments: Abbreviated.each([
            "", "\0\0\0", "1 a\n1 \n \n. .\n", "1 a\n9999999999999999999999 a.test\n", "1 a\nx a.test\n9 \n",
            "1 a\n1800000000001 \u{E4}.test",
            String(repeating: "1800000100000 a\n", count: 400_000),
        ])
    )
    func aDamagedFileIsNoTrouble(text: Abbreviated<String>) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.path + "/hsts"
            try text.value.write(toFile: file, atomically: true, encoding: .utf8)
            let store = HSTSStore(directory: folder.path)
            #expect(!store.isKnown("b.test", now: now))
            try store.note("b.test", try policy("max-age=100"), now: now, isKept: true)
            #expect(HSTSStore(directory: folder.path).isKnown("b.test", now: now))
        }
    }

    @Test func thereAreNotAnyNumberOfHosts() async throws {
        try await withTemporaryFolder { folder in
            let end = now.millisecondsSince1970 + 1000
            let lines = (0..<HSTSStore.maximumCount).map { "\(end + Int64($0)) h\($0).test\n" }
            try lines.joined().write(toFile: folder.path + "/hsts", atomically: true, encoding: .utf8)
            let store = HSTSStore(directory: folder.path)
            #expect(store.isKnown("h0.test", now: now))
            try store.note("new.test", try policy("max-age=100"), now: now, isKept: true)
            #expect(store.isKnown("new.test", now: now))
            #expect(!store.isKnown("h0.test", now: now))
            #expect(store.isKnown("h1.test", now: now))
        }
    }

    // MARK: - In a load

    private func response(
        _ request: WebRequest,
        verified: Bool?,
        _ field: String = "max-age=1000"
    ) -> WebResponse {
        var response = WebResponse.answering(request, 200, [("Strict-Transport-Security", field)])
        response.tls = verified.map {
            TLSInformation(version: "TLSv1.3", cipher: "X", certificates: [], isVerified: $0)
        }
        return response
    }

    @Test(
        "A host that has said so over TLS that was in order is asked over TLS from then on",
        arguments: [
            ("https://a.test/", true, true), ("https://a.test/", false, false),
            ("https://a.test/", nil, false),
            ("http://a.test/", true, false), ("https://127.0.0.1/", true, false),
        ] as [(String, Bool?, Bool)]
    )
    func isLearned(first: String, verified: Bool?, isUpgraded: Bool) async throws {
        try await withTemporaryFolder { folder in
            let fetcher = ScriptedFetcher { self.response($0, verified: verified) }
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = folder.path
            configuration.fetcher = fetcher
            var request = WebRequest(url: try WebURL(first))
            _ = try await PageLoader(configuration: configuration).fetch(request)
            var url = request.url
            try? url.setProtocol("http")
            request.url = try WebURL(url.href + "page?q#f")
            let response = try await PageLoader(configuration: configuration).fetch(request)
            #expect(response.url.scheme == (isUpgraded ? "https" : "http"))
            #expect(response.redirects.map(\.status) == (isUpgraded ? [307] : []))
            guard isUpgraded else { return }
            #expect(fetcher.requests.last?.url.href == "https://a.test/page?q#f")
            #expect(response.redirects.first?.url.href == "http://a.test/page?q#f")
            #expect(response.redirects.first?.source == .strictTransportSecurity)
            #expect(response.redirects.first?.headerFields[.location] == "https://a.test/page?q#f")
        }
    }

    @Test func whatIsInTheCacheWithoutTLSDoesNotCount() async throws {
        try await withTemporaryFolder { folder in
            let fetcher = ScriptedFetcher { request in
                request.url.scheme == "https"
                    ? self.response(request, verified: true)
                    : .answering(request, 200, [("Cache-Control", "max-age=1000")], body: "plain")
            }
            var configuration = PageLoader.Configuration()
            configuration.cacheDirectory = folder.path
            configuration.fetcher = fetcher
            let loader = PageLoader(configuration: configuration)
            let plain = WebRequest(url: try WebURL("http://a.test/"))
            #expect(try await loader.fetch(plain).body == Array("plain".utf8))
            _ = try await loader.fetch(WebRequest(url: WebURL("https://a.test/")))
            #expect(try await loader.fetch(plain).body == [])
        }
    }
}
