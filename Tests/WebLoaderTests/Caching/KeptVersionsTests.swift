import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Versions that are kept beside the newest response.
@Suite(.timeLimit(.minutes(20)))
struct KeptVersionsTests {
    private static let start: Int64 = 1_700_000_000_000
    private let request = WebRequest(url: .aboutBlank)

    private func response(
        _ body: String,
        at seconds: Int64,
        key: String = "k",
        status: Int = 200,
        varying: [VaryingFields.Field] = [],
        fields: [(String, String)] = []
    ) -> StoredResponse {
        let time = Timestamp(millisecondsSince1970: Self.start + seconds * 1000)
        return StoredResponse(
            key: key,
            varyingFields: varying,
            requestTime: time,
            responseTime: time,
            status: status,
            httpVersion: "1.1",
            headerFields: HTTPFields(lines: [("Content-Type", "text/plain")] + fields),
            body: .bytes(Array(body.utf8))
        )
    }

    private func date(_ seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: Self.start + seconds * 1000)
    }

    private func withStore(_ body: (DiskCacheStore, URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await body(DiskCacheStore(directory: folder.path), folder)
        }
    }

    /// The names of files by kind.
    private func names(_ folder: URL, _ kind: CacheEntryName.Kind) throws -> [String] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { ($0 as? URL)?.lastPathComponent } ?? [])
            .filter { CacheEntryName.kind(of: $0) == kind }.sorted()
    }

    private func file(_ folder: URL, named name: String) throws -> URL {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return try #require(all?.compactMap { $0 as? URL }.first { $0.lastPathComponent == name })
    }

    private func text(_ store: DiskCacheStore, at seconds: Int64) throws -> String? {
        let found = store.version(of: "k", for: request, at: date(seconds))
        guard let response = found.response else { return nil }
        return String(decoding: try response.body.bytes(0..<response.body.count), as: UTF8.self)
    }

    // MARK: - Keeping

    @Test func `what is the same is kept once, what comes back has its old body`() async throws {
        try await withStore { (store, folder) async throws in
            #expect(try store.keepVersion(response("a", at: 0)).isNew)
            #expect(try !store.keepVersion(response("a", at: 10, fields: [("ETag", "x")])).isNew)
            #expect(try store.keepVersion(response("b", at: 20)).isNew)
            #expect(try store.keepVersion(response("a", at: 30)).isNew)
            #expect(try !store.keepVersion(response("a", at: 40)).isNew)
            #expect(try names(folder, .version).count == 3)
            #expect(try names(folder, .body).count == 2)
            #expect(try names(folder, .entry).isEmpty)
        }
    }

    @Test(arguments: [
        (404, "text/plain", ""), (200, "text/html", ""), (200, "text/plain", "/elsewhere"),
    ])
    func `status, type and target make a version`(status: Int, type: String, target: String) async throws {
        try await withStore { store, _ in
            _ = try store.keepVersion(response("a", at: 0))
            var other = response("a", at: 1, status: status)
            other.headerFields[.contentType] = type
            if !target.isEmpty { other.headerFields[.location] = target }
            #expect(try store.keepVersion(other).isNew)
        }
    }

    @Test func `variants have versions of their own`() async throws {
        try await withStore { store, _ in
            let german: [VaryingFields.Field] = [("accept-language", "de")]
            let french: [VaryingFields.Field] = [("accept-language", "fr")]
            _ = try store.keepVersion(response("a", at: 0, varying: german))
            _ = try store.keepVersion(response("b", at: 1, varying: french))
            #expect(try !store.keepVersion(response("a", at: 2, varying: german)).isNew)
            #expect(try !store.keepVersion(response("b", at: 3, varying: french)).isNew)
        }
    }

    @Test func `parts and what is known to have changed are not versions`() async throws {
        try await withStore { (store, folder) async throws in
            #expect(try !store.keepVersion(response("a", at: 0, status: 206)).isNew)
            var outdated = response("a", at: 0)
            outdated.isOutdated = true
            #expect(try !store.keepVersion(outdated).isNew)
            #expect(try names(folder, .version).isEmpty)
        }
    }

    @Test(arguments: [0, 1, 262_144, 262_145, 700_000])
    func `a body of any size is kept`(size: Int) async throws {
        try await withStore { store, folder in
            let body = String(repeating: "x", count: size)
            _ = try store.keepVersion(response(body, at: 0))
            #expect(try text(store, at: 0) == body)
            #expect(try names(folder, .body).count == (size == 0 ? 0 : 1))
        }
    }

    @Test func `with the clock set back versions stand by their dates`() async throws {
        try await withStore { store, folder in
            _ = try store.keepVersion(response("future", at: 1_000_000))
            for second in 0..<5 { _ = try store.keepVersion(response("now", at: Int64(second))) }
            #expect(try names(folder, .version).count == 2)
            #expect(try text(store, at: 500) == "now")
            #expect(try text(store, at: 1_000_000) == "future")
        }
    }

    // MARK: - Finding

    @Test func `the nearest before a date is chosen, else the first after it`() async throws {
        try await withStore { store, _ in
            #expect(try text(store, at: 0) == nil)
            for (body, second) in [("a", 10), ("b", 20), ("c", 30)] {
                _ = try store.keepVersion(response(body, at: Int64(second)))
            }
            _ = try store.store(response("d", at: 40))
            let wanted = [
                (0, "a"), (10, "a"), (19, "a"), (20, "b"), (29, "b"), (35, "c"), (40, "d"), (99, "d"),
            ]
            for (second, body) in wanted { #expect(try text(store, at: Int64(second)) == body, "\(second)") }
        }
    }

    @Test func `a version outlives the entry, and no entry takes its body away`() async throws {
        try await withStore { store, folder in
            let body = String(repeating: "x", count: 300_000)
            _ = try store.store(response(body, at: 0))
            _ = try store.keepVersion(response(body, at: 0))
            _ = try store.store(response("short", at: 10))
            #expect(try text(store, at: 0) == body)
            try store.remove("k")
            #expect(store.lookUp("k", for: request).isAbsent)
            #expect(try text(store, at: 99) == body)
            _ = try store.trim(to: 1 << 30)
            #expect(try text(store, at: 99) == body)
            try store.removeAll("k")
            #expect(try text(store, at: 99) == nil)
            #expect(try names(folder, .body).isEmpty)
        }
    }

    @Test(arguments: [1, 20, 39, 41, 60])
    func `a damaged version is skipped and said`(place: Int) async throws {
        try await withStore { store, folder in
            _ = try store.keepVersion(response("a", at: 0))
            _ = try store.keepVersion(response("b", at: 10))
            let file = try file(folder, named: try #require(try names(folder, .version).last))
            var bytes = try Data(contentsOf: file)
            bytes[place] ^= 0x20
            try bytes.write(to: file)
            let found = store.version(of: "k", for: request, at: date(10))
            #expect(try text(store, at: 10) == "a")
            #expect(found.damages.count == 1)
            #expect(found.damages.first?.contains(file.lastPathComponent) == true)
        }
    }

    @Test func `a damaged body is skipped and said, and healed when it comes again`() async throws {
        try await withStore { store, folder in
            _ = try store.keepVersion(response("a", at: 0))
            let file = try file(folder, named: try #require(try names(folder, .body).first))
            try Data("z".utf8).write(to: file)
            #expect(try text(store, at: 0) == nil)
            #expect(store.version(of: "k", for: request, at: date(0)).damages.count == 1)
            #expect(try store.keepVersion(response("a", at: 10)).isNew)
            #expect(try text(store, at: 0) == "a")
            try FileManager.default.removeItem(at: file)
            #expect(store.version(of: "k", for: request, at: date(0)).damages.count == 2)
        }
    }

    @Test func `a name that lies about its date is damage`() async throws {
        try await withStore { store, folder in
            _ = try store.keepVersion(response("a", at: 0))
            let file = try file(folder, named: try #require(try names(folder, .version).first))
            let stem = file.lastPathComponent.prefix(CacheEntryName.stemLength)
            let other = file.deletingLastPathComponent().appendingPathComponent("\(stem)+00000000000a0000")
            try FileManager.default.moveItem(at: file, to: other)
            let found = store.version(of: "k", for: request, at: date(0))
            #expect(found.response == nil)
            #expect(found.damages.first?.contains("another date") == true)
        }
    }

    @Test func `another key with the same hash has no versions here`() async throws {
        try await withStore { store, folder in
            _ = try store.keepVersion(response("a", at: 0, key: "other"))
            let file = try file(folder, named: try #require(try names(folder, .version).first))
            let name = CacheEntryName("k", in: folder.path)
            try FileManager.default.createDirectory(atPath: name.folder, withIntermediateDirectories: true)
            let target = "\(name.stem)\(file.lastPathComponent.dropFirst(CacheEntryName.stemLength))"
            try FileManager.default.copyItem(
                at: file,
                to: URL(fileURLWithPath: name.folder).appendingPathComponent(target)
            )
            #expect(try text(store, at: 0) == nil)
        }
    }

    // MARK: - Bounds

    @Test func `the newest URLs go before versions, and the oldest versions first`() async throws {
        try await withStore { store, folder in
            for number in 0..<20 {
                _ = try store.keepVersion(
                    response("\(number)" + String(repeating: "x", count: 50_000), at: Int64(number))
                )
            }
            for number in 0..<20 {
                _ = try store.store(
                    response(String(repeating: "y", count: 50_000), at: 0, key: "other\(number)")
                )
            }
            let all = try store.trim(to: 1 << 30)
            #expect(all.entries == 21)
            let half = try store.trim(to: all.bytes * 3 / 4)
            #expect(half.removedVersions == 0)
            #expect(half.removedEntries > 0)
            let little = try store.trim(to: 300_000)
            #expect(little.removedVersions > 0)
            #expect(little.bytes <= 300_000)
            #expect(try text(store, at: 0)?.hasPrefix("0x") == false)
            let bytes = try names(folder, .version).count
            #expect(bytes == 20 - little.removedVersions)
        }
    }

    @Test func `removing versions keeps the bodies that others name`() async throws {
        try await withStore { store, folder in
            for (body, second) in [("a", 0), ("b", 10), ("a", 20)] {
                _ = try store.keepVersion(response(body, at: Int64(second)))
            }
            let browser = CacheBrowser(directory: folder.path)
            var policy = HistoryPolicy(daysOfAll: 0, daysOfDaily: 0, daysOfWeekly: 0)
            let thinned = try browser.thinVersions(policy, now: date(1_000_000))
            #expect(thinned.removed == 2)
            #expect(thinned.kept == 1)
            #expect(try names(folder, .body).count == 1)
            #expect(try text(store, at: 0) == "a")
            policy.daysOfWeekly = nil
            #expect(try browser.thinVersions(policy, now: date(1_000_000)).removed == 0)
        }
    }

    @Test func `what a killed writer left is swept an hour later`() async throws {
        try await withStore { store, folder in
            _ = try store.keepVersion(response("a", at: 0))
            let name = CacheEntryName("k", in: folder.path)
            let left = "\(name.folder)/\(name.newBodyFile)"
            try Data("left".utf8).write(to: URL(fileURLWithPath: left))
            _ = try store.trim(to: 1 << 30)
            #expect(try names(folder, .body).count == 2)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                ofItemAtPath: left
            )
            // The version's body is as old, and stays.
            for body in try names(folder, .body) {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                    ofItemAtPath: "\(name.folder)/\(body)"
                )
            }
            #expect(try store.trim(to: 1 << 30).sweptFiles == 1)
            #expect(try text(store, at: 0) == "a")
        }
    }

    @Test func `many at once keep each version, none damaged`() async throws {
        try await withStore { store, folder in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<4 {
                    group.addTask {
                        for number in 0..<25 {
                            _ = try store.keepVersion(
                                self.response("\(number % 5)", at: Int64(number * 4 + task))
                            )
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<20 { _ = try store.trim(to: 1 << 30) }
                }
                try await group.waitForAll()
            }
            let url = try WebURL("http://a.test/")
            #expect(try CacheBrowser(directory: folder.path).versions(of: url).versions.isEmpty)
            for second in 0..<100 {
                let found = store.version(of: "k", for: request, at: date(Int64(second)))
                #expect(found.damages.isEmpty)
                #expect(found.response != nil)
            }
            #expect(try names(folder, .body).count == 5)
        }
    }
}

extension HistoryPolicy {
    fileprivate init(_ all: Int, _ daily: Int, _ weekly: Int?) {
        self.init(daysOfAll: all, daysOfDaily: daily, daysOfWeekly: weekly)
    }
}

/// Which versions a policy keeps: a pure function of dates.
struct HistoryPolicyTests {
    /// Tuesday, 2023-11-14 at noon.
    private static let now: Int64 = 1_699_963_200

    private func kept(_ policy: HistoryPolicy, hoursAgo hours: [Int64]) -> [Int64] {
        let dates = hours.map { Timestamp(millisecondsSince1970: (Self.now - $0 * 3600) * 1000) }
        let surplus = Set(policy.surplus(of: dates, now: Timestamp(millisecondsSince1970: Self.now * 1000)))
        return hours.indices.filter { !surplus.contains($0) }.map { hours[$0] }
    }

    @Test func `all of a day, the last of each day of a month, the last of each week`() {
        let hours = (0..<24 * 100).map { Int64($0) }.reversed()
        let kept = kept(HistoryPolicy(), hoursAgo: Array(hours))
        #expect(kept.filter { $0 < 24 }.count == 24)
        let days = kept.filter { 24..<24 * 30 ~= $0 }
        #expect(days.allSatisfy { $0 == 24 || $0 % 24 == 13 })
        #expect(days.count == 30)
        // Sundays at 23 o'clock, but for the week that the month begins in.
        #expect(kept.filter { $0 >= 24 * 30 }.count == 11)
    }

    @Test func `the newest is kept however old, and what is of the future`() {
        #expect(kept(HistoryPolicy(0, 0, 0), hoursAgo: [9000, 8000]) == [8000])
        #expect(kept(HistoryPolicy(0, 0, 0), hoursAgo: [9000, -1, -2]) == [-1, -2])
        #expect(kept(HistoryPolicy(0, 0, nil), hoursAgo: []) == [])
    }

    @Test func `numbers out of range are the nearest in it`() {
        var policy = HistoryPolicy(.max, -1, .max)
        #expect(policy.daysOfAll > 0)
        #expect(policy.daysOfDaily == 0)
        policy.daysOfAll = -5
        #expect(policy.daysOfAll == 0)
        #expect(kept(HistoryPolicy(.max, .max, .max), hoursAgo: [2, 1, 0]) == [2, 1, 0])
    }
}
