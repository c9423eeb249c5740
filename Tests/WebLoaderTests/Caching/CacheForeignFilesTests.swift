import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests of files that somebody else put into a cache's folder.
@Suite(.timeLimit(.minutes(20)))
struct CacheForeignFilesTests {
    private let request = WebRequest(url: .aboutBlank)

    private func entry(_ count: Int) -> StoredResponse {
        StoredResponse(
            key: "k",
            varyingFields: [],
            requestTime: .now,
            responseTime: .now,
            status: 200,
            headerFields: HTTPFields(),
            body: .bytes([UInt8](repeating: 7, count: count))
        )
    }

    /// Everything below a folder, with what links say and files hold.
    private func contents(_ folder: URL) throws -> [String: String] {
        var contents: [String: String] = [:]
        for case let name as String in try #require(FileManager.default.enumerator(atPath: folder.path)) {
            let path = folder.appending(path: name).path
            var status = stat()
            guard unsafe lstat(path, &status) == 0 else { continue }
            switch status.st_mode & S_IFMT {
            case S_IFREG:
                contents[name] = try String(
                    decoding: Data(contentsOf: URL(fileURLWithPath: path)),
                    as: UTF8.self
                )
            case S_IFLNK: contents[name] = try FileManager.default.destinationOfSymbolicLink(atPath: path)
            default: contents[name] = "\(status.st_mode)"
            }
        }
        return contents
    }

    @Test(arguments: OwnFileTests.kinds, [10, 1_000_000])
    func whatIsInThePlaceOfAnEntryStaysAndIsDamage(kind: String, count: Int) async throws {
        try await withTemporaryFolder { folder in
            let name = CacheEntryName("k", in: folder.path)
            #expect(unsafe mkdir(name.folder, 0o700) == 0)
            let precious = URL(fileURLWithPath: name.folder).appending(path: "precious")
            try Data("precious".utf8).write(to: precious)
            try OwnFileTests.put(kind, at: name.entry)
            let before = try contents(folder)
            let store = DiskCacheStore(directory: folder.path, maximumSize: 1 << 20)
            guard case .damaged = store.lookUp("k", for: request) else {
                Issue.record("it passes for an entry")
                return
            }
            #expect(!store.contains("k"))
            #expect(throws: CacheStoreError.self) { try store.store(entry(count)) }
            // A note is only a service.
            try? store.note(.noStore, for: "k", at: .now)
            try? store.remove("k")
            store.trim()
            var after = try contents(folder)
            after[CacheUsage.fileName] = nil
            #expect(after == before)
        }
    }

    @Test(arguments: OwnFileTests.kinds)
    func whatIsInThePlaceOfALargeBodyStaysAndIsDamage(kind: String) async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry(1_000_000))
            let name = CacheEntryName("k", in: folder.path)
            let body = try #require(
                try FileManager.default.contentsOfDirectory(atPath: name.folder).first { $0.contains(".") }
            )
            let path = "\(name.folder)/\(body)"
            try FileManager.default.removeItem(atPath: path)
            try Data("precious".utf8).write(to: URL(fileURLWithPath: "\(name.folder)/precious"))
            try OwnFileTests.put(kind, at: path)
            guard case .damaged = store.lookUp("k", for: request) else {
                Issue.record("it passes for a body")
                return
            }
            let precious = try String(contentsOfFile: "\(name.folder)/precious", encoding: .utf8)
            #expect(precious == "precious")
        }
    }

    @Test func aLinkInThePlaceOfAFolderIsNotGoneThrough() async throws {
        try await withTemporaryFolder { folder in
            let elsewhere = folder.appending(path: "elsewhere")
            try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
            let cache = folder.appending(path: "cache").path
            #expect(unsafe mkdir(cache, 0o700) == 0)
            let name = CacheEntryName("k", in: cache)
            #expect(unsafe symlink(elsewhere.path, name.folder) == 0)
            let old = elsewhere.appending(path: ".new-0123456789abcdef")
            try Data("precious".utf8).write(to: old)
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -7200)],
                ofItemAtPath: old.path
            )
            let store = DiskCacheStore(directory: cache)
            for count in [10, 1_000_000] {
                #expect(throws: CacheStoreError.self) { try store.store(entry(count)) }
            }
            _ = store.lookUp("k", for: request)
            let report = try store.trim(to: 0)
            #expect(report.sweptFiles == 0)
            #expect(try contents(elsewhere) == [old.lastPathComponent: "precious"])
        }
    }

    @Test(arguments: OwnFileTests.kinds + ["a file of the user's"])
    func whatIsInThePlaceOfTheCountStays(kind: String) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: CacheUsage.fileName).path
            try Data("precious".utf8).write(to: folder.appending(path: "precious"))
            if kind == "a file of the user's" {
                try Data("my own notes about the usage of it".utf8).write(to: URL(fileURLWithPath: path))
            } else {
                try OwnFileTests.put(kind, at: path)
            }
            let before = try contents(folder)
            let store = DiskCacheStore(directory: folder.path)
            #expect(try !store.store(entry(10)))
            store.trim()
            #expect(CacheUsage(folder.path).add(10) == 0)
            guard case .found = store.lookUp("k", for: request) else {
                Issue.record("it is not kept")
                return
            }
            let after = try contents(folder)
            for (name, value) in before { #expect(after[name] == value) }
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "made").path))
        }
    }

    @Test func aCountThatWasCutShortIsMadeAnew() async throws {
        try await withTemporaryFolder { folder in
            for text in ["", "WLUS", "WLUSAGE\n123"] {
                try Data(text.utf8).write(to: folder.appending(path: CacheUsage.fileName))
                #expect(CacheUsage(folder.path).add(10) == .largestBounded)
                CacheUsage(folder.path).set(4096)
                #expect(CacheUsage(folder.path).add(10) == 4106)
            }
        }
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func anotherUsersEntryIsNeitherUsedNorReplaced() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            _ = try store.store(entry(10))
            let path = CacheEntryName("k", in: folder.path).entry
            #expect(unsafe chown(path, 12345, 12345) == 0)
            guard case .damaged(let reason) = store.lookUp("k", for: request) else {
                Issue.record("it is used")
                return
            }
            #expect(reason.contains("another user"))
            #expect(throws: CacheStoreError.self) { try store.store(entry(20)) }
        }
    }

    @Test func aLargeBodyIsReadNoLongerThanTheLoadMayTake() async throws {
        try await withTemporaryFolder { folder in
            let setup = CachingSetup(folder, CachingSetup.server())
            var stored = entry(1_000_000)
            stored.key = "http://a.test/page"
            stored.headerFields = HTTPFields(lines: [("Cache-Control", "max-age=1000")])
            _ = try DiskCacheStore(directory: folder.path).store(stored)
            let request = WebRequest(
                url: try WebURL("http://a.test/page"),
                cachePolicy: .returnCacheDataDontLoad
            )
            var limits = LoadLimits()
            #expect(try await setup.fetcher.fetch(request, limits: limits).body.count == 1_000_000)
            limits.maximumTime = .seconds(0)
            let late = await #expect(throws: FetchError.self) {
                try await setup.fetcher.fetch(request, limits: limits)
            }
            #expect(late?.code == .totalTimeout)
            limits = LoadLimits()
            limits.maximumBodySize = 100
            let large = await #expect(throws: FetchError.self) {
                try await setup.fetcher.fetch(request, limits: limits)
            }
            #expect(large?.code == .bodyTooLarge)
        }
    }
}
