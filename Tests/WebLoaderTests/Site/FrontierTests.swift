import Foundation
import TestSupport
import Testing
import WebSite
import WebStandards

/// That a job's state is whole at any moment, and says what is wrong with it.
@Suite(.timeLimit(.minutes(20)))
struct FrontierTests {
    // MARK: - Shared parts

    static func moment(_ seconds: Double, wall: Int64 = 0) -> Moment {
        Moment(monotonic: seconds, wall: Timestamp(millisecondsSince1970: wall))
    }

    static let start = moment(0)

    static func options(
        _ folder: URL,
        _ change: (inout Frontier.Options) -> Void = { _ in }
    ) -> Frontier.Options {
        var options = Frontier.Options()
        options.politeness = .quick(4)
        options.outputs = [folder.appendingPathComponent("out.jsonl").path]
        options.settings = ["depth": "2", "format": "jsonl"]
        change(&options)
        return options
    }

    static func open(
        _ folder: URL,
        now: Moment = start,
        _ change: (inout Frontier.Options) -> Void = { _ in }
    ) throws -> Frontier {
        let path = folder.appendingPathComponent("job.state").path
        return try Frontier(path, options(folder, change), now: now, draw: { 0.5 })
    }

    static func url(_ text: String, depth: Int = 0, skipped: String? = nil) throws -> FrontierURL {
        FrontierURL(try WebURL(text), depth: depth, skipped: skipped)
    }

    private func output(_ folder: URL) throws -> String {
        String(decoding: try Data(contentsOf: folder.appendingPathComponent("out.jsonl")), as: UTF8.self)
    }

    private func rows(_ frontier: Frontier, _ state: URLState) throws -> [FrontierRow] {
        var rows: [FrontierRow] = []
        try frontier.forEach(state) { row throws(StateError) in
            rows.append(row)
            return true
        }
        return rows
    }

    // MARK: - URLs

    @Test func hasEachURLOnce() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            let urls = try [
                "http://a.example/", "http://a.example/#top", "https://a.example/", "http://a.example/?",
                "HTTP://A.example:80/",
                "http://a.example/x/../", "http://a.example:8080/",
            ].map { try Self.url($0) }
            #expect(try frontier.add(urls, now: Self.start) == 4)
            #expect(try frontier.add(urls, now: Self.start) == 0)
            #expect(
                try rows(frontier, .queued).map(\.url) == [
                    "http://a.example/", "https://a.example/", "http://a.example/?", "http://a.example:8080/",
                ]
            )
        }
    }

    /// URLs come out as they went in, whatever their form.
    @Test(arguments: [
        "http://a.example/", "https://a.example/x?y=z", "https://user:pass@a.example/x", "ftp://a.example/x",
        "data:text/plain,x", "mailto:x@a.example", "file:///x/y", "http://[::1]:81/%20", "x:/y", "x://h",
        "http://a.example.org/x",
        "https://xn--mnchen-3ya.example/%C3%BC", "about:blank", "javascript:1",
    ])
    func keepsAURL(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            let url = try Self.url(text)
            try frontier.add([url, try Self.url("http://a.example/other")], now: Self.start)
            let leases = try frontier.lease(9, now: Self.start)
            #expect(leases.contains { $0.url == url.url && $0.host == url.host && $0.identity == nil })
            #expect(try frontier.add([url], now: Self.start) == 0)
        }
    }

    @Test func aURLOfTwoSpellingsIsOne() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            let plain = try Self.url("http://a.example/~user")
            let escaped = FrontierURL(try WebURL("http://a.example/%7Euser"), identity: plain.url)
            #expect(try frontier.add([escaped], now: Self.start) == 1)
            #expect(try frontier.add([plain, escaped], now: Self.start) == 0)
        }
    }

    @Test func anIdentityTellsTheSameURLApart() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            let url = try WebURL("http://a.example/")
            let urls = ["1", "2", nil, "1"].map { FrontierURL(url, identity: $0) }
            #expect(try frontier.add(urls, now: Self.start) == 3)
            #expect(try frontier.lease(9, now: Self.start).map(\.identity) == ["1", "2", nil])
        }
    }

    @Test func skipsWithAReason() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            let skipped = try Self.url("http://a.example/", depth: 3, skipped: "limit.depth")
            try frontier.add([skipped, try Self.url("http://a.example/y")], now: Self.start)
            #expect(frontier.counts.skipped == 1)
            #expect(frontier.reasons(.skipped) == ["limit.depth": 1])
            #expect(try rows(frontier, .skipped).map(\.reason) == ["limit.depth"])
            #expect(try frontier.lease(9, now: Self.start).map(\.url) == ["http://a.example/y"])
        }
    }

    // MARK: - Transactions

    @Test func isAsItWasCommittedAfterTheProcessEnds() async throws {
        try await withTemporaryFolder { folder in
            var frontier = try Self.open(folder)
            try frontier.add(
                [try Self.url("http://a.example/"), try Self.url("http://b.example/")],
                now: Self.start
            )
            let leases = try frontier.lease(9, now: Self.start)
            try frontier.finish(
                leases[0],
                .done,
                signal: .answered,
                result: [1, 2],
                children: [try Self.url("http://a.example/child", depth: 1)],
                output: Array("one\n".utf8),
                now: Self.start
            )
            try frontier.commit()
            // This is not committed any more.
            try frontier.finish(
                leases[1],
                .failed("http.404"),
                signal: .answered,
                children: [try Self.url("http://b.example/child", depth: 1)],
                output: [UInt8](repeating: 120, count: 100_000),
                now: Self.start
            )
            #expect(frontier.counts == FrontierCounts(queued: 2, done: 1, failed: 1))
            frontier = try Self.reopened(&frontier, folder)

            #expect(try output(folder) == "one\n")
            #expect(frontier.counts == FrontierCounts(queued: 2, done: 1))
            #expect(try rows(frontier, .done).map(\.result) == [[1, 2]])
            let again = try frontier.lease(9, now: Self.start)
            #expect(Set(again.map(\.url)) == ["http://b.example/", "http://a.example/child"])
            #expect(again.map { $0.url.hasPrefix("http://b") ? $0.interruptions : 0 }.reduce(0, +) == 1)
            #expect(again.first { $0.depth == 1 }?.parent == leases[0].id)
        }
    }

    /// Ends the process, as far as a test can: nothing that is open is committed.
    static func reopened(
        _ frontier: inout Frontier,
        _ folder: URL,
        now: Moment = start,
        _ change: (inout Frontier.Options) -> Void = { _ in }
    ) throws -> Frontier {
        // The old one must be gone before its lock can be taken.
        let other = folder.appendingPathComponent("other-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        frontier = try open(other)
        return try open(folder, now: now, change)
    }

    @Test func severalFinishedURLsShareATransaction() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder) {
                $0.commitInterval = 5; $0.commitCount = 3
            }
            try frontier.add(try (0..<9).map { try Self.url("http://a.example/\($0)") }, now: Self.start)
            try frontier.commit()
            #expect(frontier.commitDue == nil)
            func finish(_ now: Double) throws {
                let lease = try #require(try frontier.lease(1, now: Self.moment(now)).first)
                try frontier.finish(lease, .done, signal: .answered, output: [10], now: Self.moment(now))
            }
            try finish(1)
            #expect(frontier.commitDue == 6)
            try finish(2)
            #expect(try output(folder) == "")
            try finish(3)
            #expect(frontier.commitDue == nil)
            #expect(try output(folder) == "\n\n\n")
            try finish(10)
            try frontier.commitIfDue(now: Self.moment(14))
            #expect(frontier.commitDue == 15)
            try frontier.commitIfDue(now: Self.moment(15))
            #expect(frontier.commitDue == nil)
            // A clock that goes back holds nothing up.
            try finish(100)
            try frontier.commitIfDue(now: Self.moment(1))
            #expect(frontier.commitDue == nil)
        }
    }

    @Test func aLeaseIsFinishedOnce() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            try frontier.add([try Self.url("http://a.example/")], now: Self.start)
            let lease = try #require(try frontier.lease(1, now: Self.start).first)
            try frontier.giveBack(lease, now: Self.start)
            let error = #expect(throws: StateError.self) {
                try frontier.finish(lease, .done, signal: .answered, now: Self.start)
            }
            #expect(error?.code == .lease)
            // That is the caller's mistake, and the job is as before.
            let second = try #require(try frontier.lease(1, now: Self.start).first)
            try frontier.finish(second, .done, signal: .answered, now: Self.start)
            #expect(throws: StateError.self) {
                try frontier.finish(second, .done, signal: .answered, now: Self.start)
            }
            #expect(frontier.counts == FrontierCounts(done: 1))
        }
    }

    @Test func triesAgainBehindWhatElseThereIs() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder) { $0.politeness = .quick(1) }
            try frontier.add(try (0..<3).map { try Self.url("http://a.example/\($0)") }, now: Self.start)
            var order: [String] = []
            var now = 0.0
            while !frontier.counts.isComplete {
                guard let lease = try frontier.lease(1, now: Self.moment(now)).first else {
                    now = try #require(frontier.nextLease)
                    continue
                }
                order.append(String(lease.url.suffix(1)))
                let isAgain = lease.url.hasSuffix("0") && lease.tries < 2
                try frontier.finish(
                    lease,
                    isAgain ? .again("http.503") : .done,
                    signal: .answered,
                    now: Self.moment(now)
                )
            }
            #expect(order == ["0", "1", "2", "0", "0"])
            // 0.75 after the first, by a draw of one half, and 1.5 after the second.
            #expect(now == 0.75 + 1.5)
        }
    }

    // MARK: - Hosts

    @Test func thereMayBeMoreHostsThanAreKeptInMemory() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder) {
                $0.hostCapacity = 8
                $0.politeness.interval = 1
                $0.commitInterval = 1000
            }
            let urls = try (0..<400).map { try Self.url("http://h\($0 % 200).example/\($0)") }
            try frontier.add(urls, now: Self.start)
            var now = 0.0
            var done: Set<String> = []
            var last: [String: Double] = [:]
            var rounds = 0
            while !frontier.counts.isComplete, rounds < 20_000 {
                rounds += 1
                let leases = try frontier.lease(4, now: Self.moment(now))
                for lease in leases {
                    #expect(now - (last[lease.host] ?? -1) >= 1)
                    last[lease.host] = now
                    let isNew = done.insert(lease.url).inserted
                    #expect(isNew)
                    // Some hosts ask to be left alone for longer than they are kept.
                    let isSlow = lease.host.hasSuffix("7.example")
                    try frontier.finish(
                        lease,
                        .done,
                        signal: isSlow ? .throttled(retryAfter: 60) : .answered,
                        now: Self.moment(now, wall: Int64(now * 1000))
                    )
                    if isSlow { last[lease.host] = now + 58 }
                }
                if leases.isEmpty { now = max(now + 0.001, try #require(frontier.nextLease)) }
            }
            #expect(done.count == 400)
        }
    }

    /// The delay that a host requested outlives the process, and never becomes longer, however the clock was set.
    @Test(
        arguments: [(0, 100), (40_000, 60), (100_000, 0), (-9_000_000_000, 100), (9_000_000_000_000, 0)]
            as [(Int64, Double)]
    )
    func aWaitOutlivesTheProcess(_ later: Int64, _ wait: Double) async throws {
        try await withTemporaryFolder { folder in
            let wall: Int64 = 1_700_000_000_000
            let now = Self.moment(5000, wall: wall)
            var frontier = try Self.open(folder)
            try frontier.add(try (0..<2).map { try Self.url("http://a.example/\($0)") }, now: now)
            let lease = try #require(try frontier.lease(1, now: now).first)
            try frontier.finish(lease, .done, signal: .throttled(retryAfter: 100), now: now)
            try frontier.commit()
            let then = Self.moment(3, wall: wall + later)
            frontier = try Self.reopened(&frontier, folder, now: then)
            #expect(try frontier.lease(1, now: then).count == (wait == 0 ? 1 : 0))
            if wait > 0 {
                // Hosts that are not in memory are looked for more often.
                #expect(try #require(frontier.nextLease) <= 3 + wait)
                #expect(try frontier.lease(1, now: Self.moment(2.9 + wait)).isEmpty)
                #expect(try frontier.lease(1, now: Self.moment(3 + wait)).count == 1)
            }
        }
    }

    @Test func whatIsLeftOfADeadHostIsSaidToBe() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder) {
                $0.politeness.failuresUntilParked = 1
                $0.politeness.probesUntilDead = 1
            }
            try frontier.add(try (0..<4).map { try Self.url("http://a.example/\($0)") }, now: Self.start)
            for time in [0.0, 1000] {
                let lease = try #require(try frontier.lease(1, now: Self.moment(time)).first)
                #expect(!lease.isHostDead)
                try frontier.finish(
                    lease,
                    .failed("network.refused"),
                    signal: .unreachable,
                    now: Self.moment(time)
                )
            }
            let rest = try frontier.lease(9, now: Self.moment(1000))
            #expect(rest.map(\.isHostDead) == [true, true])
        }
    }

    // MARK: - Opening

    @Test func namesTheSettingsThatDiffer() async throws {
        try await withTemporaryFolder { folder in
            try Self.open(folder).close()
            let error = #expect(throws: StateError.self) {
                try Self.open(folder) { $0.settings = ["depth": "3", "format": "jsonl", "rate": "1/s"] }
            }
            #expect(error?.code == .settings)
            let message = error?.message ?? ""
            #expect(message.contains("depth was 2, and is 3"))
            #expect(message.contains("rate was not set, and is 1/s"))
            #expect(!message.contains("format"))
            _ = try Self.open(folder)
        }
    }

    @Test func saysWhoHasTheJob() async throws {
        try await withTemporaryFolder { folder in
            let first = try Self.open(folder)
            let error = #expect(throws: StateError.self) { try Self.open(folder) }
            #expect(error?.code == .busy)
            #expect(error?.message.contains("this process already") == true)
            try first.close()
        }
    }

    @Test(arguments: [
        ("PRAGMA user_version = 2", StateError.Code.version, "version 2"),
        ("PRAGMA application_id = 1", .version, "another program"),
        ("DROP TABLE keys", .damaged, "keys"), ("DELETE FROM job", .damaged, "hashes"),
    ])
    func refusesWhatItDoesNotKnow(_ sql: String, _ code: StateError.Code, _ words: String) async throws {
        try await withTemporaryFolder { folder in
            try Self.open(folder).close()
            try await Self.change(folder, sql)
            let error = #expect(throws: StateError.self) { try Self.open(folder) }
            #expect(error?.code == code)
            #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
        }
    }

    /// Changes a closed database as another program would.
    private static func change(_ folder: URL, _ sql: String) async throws {
        let code =
            "import sqlite3,sys; c=sqlite3.connect(sys.argv[1]); c.execute(sys.argv[2]); c.commit(); c.close()"
        let file = folder.appendingPathComponent("job.state").path
        let outcome = try await Command.run("/usr/bin/env", ["python3", "-c", code, file, sql])
        try #require(outcome.status == 0, "\(outcome.errors)")
    }

    @Test(arguments: [
        "no database at all, but some words that are long enough to be looked at as a page's head .......",
        "SQLite format 3\0",
    ])
    func refusesWhatIsNoDatabase(_ text: String) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("job.state")
            try Data((text + String(repeating: "x", count: 4096)).utf8).write(to: file)
            let error = #expect(throws: StateError.self) { try Self.open(folder) }
            #expect(error?.code == .damaged)
            #expect(error?.message.contains("--salvage") == true)
        }
    }

    @Test(arguments: ["job.state", "job.state-wal", "job.state.lock"]) func followsNoLink(
        _ name: String
    ) async throws {
        try await withTemporaryFolder { folder in
            let other = folder.appendingPathComponent("other")
            try FileManager.default.createSymbolicLink(
                at: folder.appendingPathComponent(name),
                withDestinationURL: other
            )
            #expect(throws: StateError.self) { try Self.open(folder) }
            #expect(!FileManager.default.fileExists(atPath: other.path))
        }
    }

    @Test func theFolderMayBeALink() async throws {
        try await withTemporaryFolder { folder in
            let real = folder.appendingPathComponent("real")
            let link = folder.appendingPathComponent("link")
            try FileManager.default.createDirectory(at: real, withIntermediateDirectories: false)
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
            try Self.open(link).close()
            try Self.open(real).close()
        }
    }

    @Test func afterAFailureNothingMoreIsDone() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            try frontier.add([try Self.url("http://a.example/")], now: Self.start)
            try frontier.commit()
            #expect(throws: StateError.self) { try frontier.append([1], to: 7) }
            #expect(throws: StateError.self) { try frontier.lease(1, now: Self.start) }
        }
    }

    @Test func remembersNotes() async throws {
        try await withTemporaryFolder { folder in
            var frontier = try Self.open(folder)
            try frontier.setNote("seeds", "all", now: Self.start)
            try frontier.commit()
            try frontier.setNote("seeds", "none", now: Self.start)
            frontier = try Self.reopened(&frontier, folder)
            #expect(try frontier.note("seeds") == "all")
            #expect(try frontier.note("other") == nil)
        }
    }

    // MARK: - Salvage

    /// A page of other bytes, or the end cut off.
    @Test(arguments: [(nil, 1), (3, 1), (20, 1), (40, 1), (nil, 0.6)] as [(Int?, Double)])
    func salvagesWhatCanBeRead(_ page: Int?, share: Double) async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Self.open(folder)
            try frontier.add(
                try (0..<5000).map { try Self.url("http://h\($0 % 9).example/\($0)") },
                now: Self.start
            )
            for lease in try frontier.lease(30, now: Self.start) {
                try frontier.finish(lease, .done, signal: .answered, output: [10], now: Self.start)
            }
            try frontier.setNote("seeds", "all", now: Self.start)
            try frontier.close()
            var old: Frontier? = frontier
            _ = consume frontier
            old = nil
            #expect(old == nil)
            let file = folder.appendingPathComponent("job.state")
            if let page {
                var data = try Data(contentsOf: file)
                try #require(data.count > (page + 1) * 4096)
                data.replaceSubrange(
                    page * 4096..<(page + 1) * 4096,
                    with: Data(repeating: 0xA5, count: 4096)
                )
                try data.write(to: file)
            }
            if share < 1 {
                let data = try Data(contentsOf: file)
                try data.prefix(Int(Double(data.count) * share)).write(to: file)
            }
            let new = folder.appendingPathComponent("new.state")
            let salvage = try Frontier.salvage(file.path, to: new.path)
            let got = salvage.urls.values.reduce(0, +)
            #expect(share < 1 ? got > 0 : page == nil ? got == 5000 : got > 4500)
            #expect(got + salvage.lost >= 5000)
            // The new one is whole, and goes on.
            try FileManager.default.removeItem(at: file)
            try FileManager.default.moveItem(at: new, to: file)
            let continued = try Self.open(folder)
            #expect(continued.counts.total == got)
            #expect(try continued.add([try Self.url("http://h0.example/0")], now: Self.start) <= 1)
            #expect(try continued.lease(5, now: Self.start).count == 5 || share < 1)
        }
    }
}
