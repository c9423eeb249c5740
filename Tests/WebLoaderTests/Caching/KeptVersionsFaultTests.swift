import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests of stored versions under faults: successive archives, other processes, links, damage, large numbers.
@Suite(.timeLimit(.minutes(20)))
struct KeptVersionsFaultTests {
    private static let start: Int64 = 1_700_000_000_000
    private let request = WebRequest(url: .aboutBlank)

    private func date(_ milliseconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: Self.start + milliseconds)
    }

    private func response(
        _ body: String,
        at milliseconds: Int64,
        key: String = "k",
        varying: [VaryingFields.Field] = []
    ) -> StoredResponse {
        StoredResponse(
            key: key,
            varyingFields: varying,
            requestTime: date(milliseconds),
            responseTime: date(milliseconds),
            status: 200,
            httpVersion: "1.1",
            headerFields: HTTPFields(lines: [("Content-Type", "text/plain")]),
            body: .bytes(Array(body.utf8))
        )
    }

    private func withStore(_ body: (DiskCacheStore, URL) async throws -> Void) async throws {
        try await withTemporaryFolder { folder in
            try await body(DiskCacheStore(directory: folder.path), folder)
        }
    }

    private func files(_ folder: URL, _ kind: CacheEntryName.Kind) throws -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { CacheEntryName.kind(of: $0.lastPathComponent) == kind }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }

    private func text(_ store: DiskCacheStore, at milliseconds: Int64, key: String = "k") throws -> String? {
        let found = store.version(of: key, for: request, at: date(milliseconds))
        guard let response = found.response else { return nil }
        return String(decoding: try response.body.bytes(0..<response.body.count), as: UTF8.self)
    }

    private func age(_ file: URL) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSinceNow: -7200)],
            ofItemAtPath: file.path
        )
    }

    // MARK: - Dates

    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func `in whatever order archives are read, each date has what was there`(order: [Int]) async throws {
        try await withStore { (store, folder) async throws in
            // Each archive is in the order of its dates.
            let archives: [[(String, Int64)]] = [
                [("a", 0), ("a", 40_000), ("c", 90_000)], [("b", 20_000)], [("a", 10_000), ("b", 60_000)],
            ]
            for round in 0..<2 {
                var kept = 0
                for (body, time) in order.flatMap({ archives[$0] })
                where try store.keepVersion(response(body, at: time)).isNew {
                    kept += 1
                }
                if round == 1 { #expect(kept == 0, "an archive that is read twice has nothing new") }
            }
            for (body, time) in archives.joined() {
                #expect(try text(store, at: time) == body, "\(time)")
            }
            #expect(try files(folder, .body).count == 3)
        }
    }

    @Test func `versions of one moment are all kept`() async throws {
        try await withStore { (store, folder) async throws in
            for round in 0..<2 {
                for number in 0..<100 {
                    let kept = try store.keepVersion(response("\(number)", at: 0))
                    #expect(kept.isNew == (round == 0))
                }
            }
            #expect(try files(folder, .version).count == 100)
            for number in 100..<256 { _ = try store.keepVersion(response("\(number)", at: 0)) }
            #expect(throws: CacheStoreError.self) { try store.keepVersion(response("too many", at: 0)) }
            _ = try store.keepVersion(response("next", at: 1))
            #expect(try text(store, at: 1) == "next")
        }
    }

    @Test func `among hundreds of variants each finds the version before it`() async throws {
        try await withStore { (store, folder) async throws in
            for round in 0..<2 {
                for number in 0..<600 {
                    let fields: [VaryingFields.Field] = [("accept-language", "l\(number)")]
                    let time = Int64(round * 1_000_000 + number * 1000)
                    let kept = try store.keepVersion(response("\(number)", at: time, varying: fields))
                    #expect(kept.isNew == (round == 0))
                }
            }
            #expect(try files(folder, .version).count == 600)
        }
    }

    @Test func `a version is as old as it was received from its first moment on`() async throws {
        try await withStore { (store, folder) async throws in
            _ = try store.keepVersion(response("a", at: 0))
            let file = try #require(try files(folder, .version).first)
            let written =
                try FileManager.default.attributesOfItem(atPath: file.path)[.modificationDate] as? Date
            #expect(written.map { Int64($0.timeIntervalSince1970) } == Self.start / 1000)
            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
            let body = try #require(try files(folder, .body).first)
            #expect(
                try FileManager.default.attributesOfItem(atPath: body.path)[.posixPermissions] as? Int
                    == 0o600
            )
        }
    }

    // MARK: - Others

    @Test func `who cannot lock the folder keeps a body of its own, and removes none`() async throws {
        try await withStore { (store, folder) async throws in
            _ = try store.keepVersion(response("a", at: 0))
            _ = try store.keepVersion(response("b", at: 1000))
            let name = CacheEntryName("k", in: folder.path)
            let held = unsafe open(name.folder, O_RDONLY | O_DIRECTORY)
            defer { close(held) }
            try #require(flock(held, LOCK_EX) == 0)
            #expect(try store.keepVersion(response("a", at: 2000)).isNew)
            #expect(try files(folder, .body).count == 3)
            let policy = HistoryPolicy(daysOfAll: 0, daysOfDaily: 0, daysOfWeekly: 0)
            #expect(throws: CacheBrowser.Failure.self) {
                try CacheBrowser(directory: folder.path).thinVersions(policy, now: .now)
            }
            #expect(try files(folder, .version).count == 3)
            #expect(try text(store, at: 2000) == "a")
            flock(held, LOCK_UN)
            #expect(try CacheBrowser(directory: folder.path).thinVersions(policy, now: .now).removed == 2)
            #expect(try text(store, at: 2000) == "a")
        }
    }

    @Test func `bodies are not taken from writers by thinning and trimming meanwhile`() async throws {
        try await withStore { (store, folder) async throws in
            let policy = HistoryPolicy(daysOfAll: 0, daysOfDaily: 0, daysOfWeekly: 0)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<3 {
                    group.addTask {
                        for number in 0..<60 {
                            _ = try store.keepVersion(
                                self.response("\(number % 3)", at: Int64(number * 4 + task) * 1000)
                            )
                        }
                    }
                }
                group.addTask {
                    for _ in 0..<30 {
                        _ = try CacheBrowser(directory: folder.path).thinVersions(policy, now: .now)
                    }
                }
                group.addTask {
                    for _ in 0..<30 { _ = try store.trim(to: 8192) }
                }
                try await group.waitForAll()
            }
            let url = try WebURL("http://a.test/")
            #expect(try CacheBrowser(directory: folder.path).versions(of: url).damages.isEmpty)
            var damages: [String] = []
            try CacheBrowser(directory: folder.path).forEach(matching: nil, verifiesBodies: true) {
                if case .damage(let damage) = $0 { damages.append(damage.message) }
            }
            #expect(damages.isEmpty)
        }
    }

    @Test func `a link in the place of a body is neither followed nor replaced`() async throws {
        try await withStore { (store, folder) async throws in
            _ = try store.keepVersion(response("a", at: 0))
            let body = try #require(try files(folder, .body).first)
            let aim = folder.appendingPathComponent("aim")
            try Data("a".utf8).write(to: aim)
            try FileManager.default.removeItem(at: body)
            try FileManager.default.createSymbolicLink(at: body, withDestinationURL: aim)
            #expect(try text(store, at: 0) == nil)
            #expect(try store.keepVersion(response("a", at: 1000)).isNew)
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: body.path) == aim.path)
            #expect(try text(store, at: 1000) == "a")
            #expect(try Data(contentsOf: aim) == Data("a".utf8))
        }
    }

    @Test func `a link in the place of a version is damage, and stays`() async throws {
        try await withStore { (store, folder) async throws in
            let url = try WebURL("http://a.test/")
            let key = StoredResponse.key(for: url)
            _ = try store.keepVersion(response("a", at: 0, key: key))
            let file = try #require(try files(folder, .version).first)
            let aim = folder.appendingPathComponent("aim")
            try FileManager.default.moveItem(at: file, to: aim)
            try FileManager.default.createSymbolicLink(at: file, withDestinationURL: aim)
            let found = try CacheBrowser(directory: folder.path).versions(of: url)
            #expect(found.versions.isEmpty)
            #expect(found.damages.first?.message.contains("symbolic link") == true)
            #expect(throws: CacheStoreError.self) { try store.keepVersion(response("a", at: 0, key: key)) }
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: file.path) == aim.path)
        }
    }

    // MARK: - Removing

    @Test func `one damaged version does not cost the others`() async throws {
        try await withStore { (store, folder) async throws in
            for number in 0..<20 {
                let body = "\(number)" + String(repeating: "x", count: 50_000)
                _ = try store.keepVersion(response(body, at: Int64(number) * 1000))
            }
            let file = try files(folder, .version)[10]
            var bytes = try Data(contentsOf: file)
            bytes[50] ^= 1
            try bytes.write(to: file)
            let all = try store.trim(to: 1 << 30)
            let some = try store.trim(to: all.bytes * 9 / 10)
            #expect(1...4 ~= some.removedVersions)
            #expect(some.bytes <= all.bytes * 9 / 10)
        }
    }

    @Test func `a large entry goes with its body, and its versions stay`() async throws {
        try await withStore { (store, folder) async throws in
            let body = String(repeating: "x", count: 400_000)
            for key in ["k", "other"] {
                _ = try store.store(response(body, at: 0, key: key))
                _ = try store.keepVersion(response(body, at: 0, key: key))
            }
            // The last one that was used stays.
            for file in try files(folder, .entry)
            where file.path == CacheEntryName("k", in: folder.path).entry {
                try age(file)
            }
            for file in try files(folder, .body) + files(folder, .version)
            where file.path.hasPrefix(CacheEntryName("k", in: folder.path).entry) { try age(file) }
            let report = try store.trim(to: 1_400_000)
            #expect(report.removedEntries == 1)
            #expect(report.removedVersions == 0)
            #expect(try files(folder, .body).count == 3)
            #expect(try text(store, at: 0) == body)
            #expect(try text(store, at: 0, key: "other") == body)
        }
    }

    @Test func `what an unsafe request drops is not what versions name`() async throws {
        try await withStore { (store, folder) async throws in
            let body = String(repeating: "x", count: 400_000)
            _ = try store.store(response(body, at: 0))
            _ = try store.keepVersion(response(body, at: 0))
            #expect(try files(folder, .body).count == 2)
            try store.remove("k")
            #expect(try files(folder, .body).count == 1)
            #expect(try text(store, at: 0) == body)
        }
    }

    @Test func `what is damaged is removed by its URL`() async throws {
        try await withStore { (store, folder) async throws in
            let url = try WebURL("http://a.test/")
            let key = StoredResponse.key(for: url)
            _ = try store.keepVersion(response("a", at: 0, key: key))
            try Data("damaged".utf8).write(to: try #require(try files(folder, .version).first))
            #expect(try CacheBrowser(directory: folder.path).remove(matching: URLPattern(url.href)) == 1)
            #expect(try files(folder, .version).isEmpty)
            #expect(try files(folder, .body).isEmpty)
            #expect(try CacheBrowser(directory: folder.path).remove(matching: URLPattern(url.href)) == 0)
        }
    }

    @Test func `a shared body that is damaged is said for each version that names it`() async throws {
        try await withStore { (store, folder) async throws in
            for (number, body) in ["a", "b", "a", "b"].enumerated() {
                _ = try store.keepVersion(response(body, at: Int64(number) * 1000))
            }
            let body = try #require(try files(folder, .body).first)
            try Data("z".utf8).write(to: body)
            var damages = 0
            var whole = 0
            try CacheBrowser(directory: folder.path).forEach(matching: nil, verifiesBodies: true) { finding in
                switch finding {
                case .damage: damages += 1
                case .version: whole += 1
                case .entry, .note: Issue.record("there are versions only")
                }
            }
            #expect(damages == 2)
            #expect(whole == 2)
        }
    }

    // MARK: - Many

    @Test func `who keeps many remembers them`() async throws {
        try await withStore { (store, folder) async throws in
            let memory = VersionMemory()
            for number in 0..<300 {
                let kept = try store.keepVersion(
                    response("\(number % 7)", at: Int64(number) * 1000),
                    remembering: memory
                )
                #expect(kept.isNew)
            }
            for number in 0..<300 {
                let again = try store.keepVersion(
                    response("\(number % 7)", at: Int64(number) * 1000),
                    remembering: memory
                )
                #expect(!again.isNew)
            }
            #expect(try files(folder, .version).count == 300)
            #expect(try files(folder, .body).count == 7)
            #expect(try text(store, at: 299_000) == "\(299 % 7)")
        }
    }
}
