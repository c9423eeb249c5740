import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

@Suite(.timeLimit(.minutes(20)))
struct DiskCacheStoreTests {
    private let request = WebRequest(url: .aboutBlank)

    private func entry(_ key: String, body: [UInt8] = [1, 2, 3]) -> StoredResponse {
        let now = Timestamp(millisecondsSince1970: 1_700_000_000_000)
        return StoredResponse(
            key: key,
            varyingFields: [],
            requestTime: now,
            responseTime: now,
            status: 200,
            httpVersion: "1.1",
            headerFields: HTTPFields(lines: [("X", "\(body.first ?? 0)")]),
            body: .bytes(body)
        )
    }

    /// Every file of a cache, temporary ones included, but not the count of its bytes.
    private func files(_ folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? [])
            .filter { !$0.hasDirectoryPath && $0.lastPathComponent != CacheUsage.fileName }
    }

    private func permissions(_ url: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int
    }

    @Test func keepsLooksUpAndRemoves() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.appendingPathComponent("a/b/cache").path)
            #expect(store.lookUp("k", for: request).isAbsent)
            try store.remove("k")
            _ = try store.store(entry("k"))
            #expect(store.lookUp("k", for: request).body == [1, 2, 3])
            #expect(store.lookUp("other", for: request).isAbsent)
            _ = try store.store(entry("k", body: []))
            #expect(store.lookUp("k", for: request).body == [])
            #expect(files(folder).count == 1)
            try store.remove("k")
            #expect(store.lookUp("k", for: request).isAbsent)
            #expect(files(folder).isEmpty)
        }
    }

    /// Large bodies have files of their own, which go when another takes their place.
    @Test func whatIsBeingReplacedIsNeverDamaged() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            let bodies = (0..<2).map { [UInt8](repeating: $0, count: CacheEntryFile.maximumBodyLength + 1) }
            _ = try store.store(entry("k", body: bodies[0]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask {
                    for number in 0..<200 { _ = try store.store(self.entry("k", body: bodies[number % 2])) }
                }
                group.addTask {
                    for _ in 0..<400 {
                        guard case .found(let found) = store.lookUp("k", for: self.request) else {
                            Issue.record("\(store.lookUp("k", for: self.request))")
                            return
                        }
                        #expect(found.body.count == bodies[0].count)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test func isForItsOwnerAlone() async throws {
        try await withTemporaryFolder { folder in
            let cache = folder.appendingPathComponent("cache")
            _ = try DiskCacheStore(directory: cache.path).store(entry("k"))
            let file = try #require(files(cache).first)
            #expect(try permissions(file) == 0o600)
            #expect(try permissions(file.deletingLastPathComponent()) == 0o700)
            #expect(try permissions(cache) == 0o700)
            #expect(file.deletingLastPathComponent().lastPathComponent.count == 2)
            #expect(file.lastPathComponent.count == 30)
        }
    }

    @Test func aFileInTheDirectorysPlaceIsAnError() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("cache")
            try Data("mine".utf8).write(to: file)
            let store = DiskCacheStore(directory: file.path)
            let error = #expect(throws: CacheStoreError.self) { try store.store(entry("k")) }
            #expect(error?.errno == ENOTDIR)
            #expect(store.lookUp("k", for: request).body == nil)
            #expect(try Data(contentsOf: file) == Data("mine".utf8))
        }
    }

    @Test(.enabled(if: geteuid() != 0, "everything is writable for root"))
    func aDirectoryThatMayNotBeWrittenIsAnError() async throws {
        try await withTemporaryFolder { folder in
            #expect(unsafe chmod(folder.path, 0o500) == 0)
            defer { unsafe chmod(folder.path, 0o700) }
            let store = DiskCacheStore(directory: folder.path)
            let error = #expect(throws: CacheStoreError.self) { try store.store(entry("k")) }
            #expect(error?.errno == EACCES)
        }
    }

    /// The last step fails, since a directory is in the way.
    @Test func leavesNoTemporaryFileWhenItFails() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry("k"))
            let file = try #require(files(folder).first)
            try FileManager.default.removeItem(at: file)
            try FileManager.default.createDirectory(
                at: file.appendingPathComponent("below"),
                withIntermediateDirectories: true
            )
            #expect(throws: CacheStoreError.self) { try store.store(entry("k")) }
            #expect(files(folder).isEmpty)
            guard case .damaged = store.lookUp("k", for: request) else {
                Issue.record("a directory is no entry")
                return
            }
            #expect(throws: CacheStoreError.self) { try store.remove("k") }
        }
    }

    @Test func everyTruncationIsDamageAndHeals() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry("k"))
            let file = try #require(files(folder).first)
            let whole = try Data(contentsOf: file)
            for length in 0..<whole.count {
                try whole.prefix(length).write(to: file)
                guard case .damaged(let reason) = store.lookUp("k", for: request) else {
                    Issue.record("\(length) bytes pass for an entry")
                    continue
                }
                #expect(reason.hasPrefix(file.path))
            }
            _ = try store.store(entry("k"))
            #expect(store.lookUp("k", for: request).body == [1, 2, 3])
        }
    }

    @Test func anotherKeysEntryIsNotTakenForIt() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry("a"))
            let a = try #require(files(folder).first)
            _ = try store.store(entry("b"))
            let b = try #require(files(folder).first { $0.path != a.path })
            try Data(contentsOf: a).write(to: b)
            #expect(store.lookUp("a", for: request).body == [1, 2, 3])
            #expect(store.lookUp("b", for: request).isAbsent)
        }
    }

    /// Whoever reads while others write sees one of the whole entries.
    @Test func manyWritersOfOneKeyLeaveAWholeEntry() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry("k", body: [0]))
            try await withThrowingTaskGroup(of: Void.self) { group in
                for writer in 1...8 {
                    group.addTask {
                        for round in 0..<40 {
                            let length = 1 + writer * 1000 + round
                            _ = try store.store(
                                entry("k", body: [UInt8](repeating: UInt8(writer), count: length))
                            )
                        }
                    }
                    group.addTask {
                        for _ in 0..<40 {
                            let found = store.lookUp("k", for: request)
                            let body = try #require(found.body)
                            let first = try #require(body.first)
                            #expect(body.allSatisfy { $0 == first })
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(files(folder).count == 1)
        }
    }

    @Test(arguments: [
        "", "a\0b", "http://a.test/\(String(repeating: "x", count: 100_000))", "../../etc", "/",
    ])
    func anyKeyWillDo(key: String) async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry(key))
            #expect(store.lookUp(key, for: request).body == [1, 2, 3])
            #expect(files(folder).count == 1)
        }
    }
}

extension CacheLookup {
    /// The body of what was found, nil if nothing was.
    fileprivate var body: [UInt8]? {
        guard case .found(let response) = self else { return nil }
        return response.body.all
    }

    var isAbsent: Bool {
        guard case .absent = self else { return false }
        return true
    }
}
