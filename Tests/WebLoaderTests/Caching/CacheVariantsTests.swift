import Foundation
import Glibc
import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

/// Tests that hold for both stores: variants, large bodies, notes, the limit.
@Suite(.timeLimit(.minutes(20)))
struct CacheVariantsTests {
    /// A store, and the folder with its files.
    enum Kind: CaseIterable {
        case disk
        case memory

        func store(_ folder: URL, maximumSize: Int = 1 << 30) -> any ResponseStore {
            switch self {
            case .disk: DiskCacheStore(directory: folder.path, maximumSize: maximumSize)
            case .memory: MemoryCacheStore(maximumSize: maximumSize)
            }
        }
    }

    private func request(_ fields: [(String, String)]) -> WebRequest {
        var request = WebRequest(url: .aboutBlank)
        request.headerFields = HTTPFields(lines: fields)
        return request
    }

    private func entry(
        _ body: [UInt8],
        key: String = "k",
        vary: String? = nil,
        for fields: [(String, String)] = []
    ) -> StoredResponse {
        var entry = CachingSample.stored(vary.map { [("Vary", $0)] } ?? [])
        entry.key = key
        entry.body = .bytes(body)
        entry.varyingFields = VaryingFields.of(request(fields), entry.headerFields)
        return entry
    }

    private func body(
        _ store: any ResponseStore,
        _ key: String = "k",
        _ fields: [(String, String)] = []
    ) -> [UInt8]? {
        let request = request(fields)
        guard case .found(let response) = store.lookUp(key, for: request),
            VaryingFields.match(response, request)
        else { return nil }
        return response.body.all
    }

    private func files(_ folder: URL) throws -> [String] {
        guard let all = FileManager.default.enumerator(atPath: folder.path) else { return [] }
        return all.compactMap { $0 as? String }.filter { $0.contains("/") }.sorted()
    }

    @Test(arguments: Kind.allCases)
    func variantsStandBesideEachOther(kind: Kind) async throws {
        try await withTemporaryFolder { folder in
            let store = kind.store(folder)
            for round in 0..<2 as Range<UInt8> {
                for value in 1...5 as ClosedRange<UInt8> {
                    _ = try store.store(entry([value, round], vary: "X, Y", for: [("X", "\(value)")]))
                }
                for value in 1...5 as ClosedRange<UInt8> {
                    #expect(body(store, "k", [("X", "\(value)")]) == [value, round])
                }
            }
            // None of them is for this one; what was found says so.
            let other = request([("X", "9")])
            guard case .found(let response) = store.lookUp("k", for: other) else {
                Issue.record("there is no other variant")
                return
            }
            #expect(!VaryingFields.match(response, other))
            try store.remove("k")
            #expect(try files(folder).isEmpty)
            #expect(body(store, "k", [("X", "1")]) == nil)
        }
    }

    @Test(arguments: Kind.allCases)
    func whatVariesByOtherFieldsTakesThePlace(kind: Kind) async throws {
        try await withTemporaryFolder { folder in
            let store = kind.store(folder)
            _ = try store.store(entry([1], vary: "X", for: [("X", "1")]))
            _ = try store.store(entry([2], vary: "X", for: [("X", "2")]))
            _ = try store.store(entry([3], vary: "Y", for: [("X", "1")]))
            #expect(body(store, "k", [("X", "1")]) == [3])
            #expect(body(store, "k", [("X", "2")]) == [3])
            #expect(body(store, "k", [("Y", "1")]) == nil)
            if kind == .disk { #expect(try files(folder).count == 1) }
        }
    }

    /// Each 304 of a large body writes the entry and not the body.
    @Test func aLargeBodyHasAFileOfItsOwn() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            let large = [UInt8](repeating: 7, count: ContentHash.pieceLength * 3 + 5)
            _ = try store.store(entry(large))
            #expect(body(store) == large)
            let before = try files(folder)
            #expect(before.count == 2)
            guard case .found(var found) = store.lookUp("k", for: request([])) else {
                Issue.record("it is not there")
                return
            }
            found.headerFields[.server] = "new"
            _ = try store.store(found)
            #expect(try files(folder) == before)
            #expect(body(store) == large)
            // Another body replaces the file, and who has it open reads on.
            _ = try store.store(entry([1]))
            #expect(try files(folder).count == 1)
            #expect(found.body.all == large)
        }
    }

    @Test(arguments: [
        0, 1, ContentHash.pieceLength - 1, ContentHash.pieceLength, ContentHash.pieceLength + 1, 2_000_000,
    ])
    func bodiesOfAnySizeArriveInPieces(size: Int) async throws {
        try await withTemporaryFolder { folder in
            for kind in Kind.allCases {
                let store = kind.store(folder)
                let whole = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                let writer = store.bodyWriter(for: "k")
                var position = 0
                while position < size {
                    let end = min(size, position + 100_003)
                    try writer.write(Array(whole[position..<end]).span)
                    position = end
                }
                var entry = entry([])
                entry.body = try await writer.finish()
                _ = try store.store(entry)
                #expect(body(store) == whole)
            }
            #expect(try files(folder).count == (size > ContentHash.pieceLength ? 2 : 1))
        }
    }

    @Test func whatIsNotFinishedLeavesNothing() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            do {
                let writer = store.bodyWriter(for: "k")
                try writer.write([UInt8](repeating: 1, count: 1_000_000).span)
            }
            #expect(try files(folder).allSatisfy { !$0.contains(".new-") })
            do {
                let writer = store.bodyWriter(for: "k")
                try writer.write([UInt8](repeating: 1, count: 1_000_000).span)
                _ = try await writer.finish()
            }
            #expect(try files(folder).allSatisfy { !$0.contains(".new-") })
        }
    }

    @Test(arguments: ["missing", "cut", "flipped", "longer"])
    func aDamagedLargeBodyIsDamage(how: String) async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            let large = [UInt8](repeating: 7, count: 1_000_000)
            _ = try store.store(entry(large))
            let name = try #require(try files(folder).first { $0.contains(".") })
            let file = folder.appendingPathComponent(name)
            var bytes = try Data(contentsOf: file)
            switch how {
            case "missing": try FileManager.default.removeItem(at: file)
            case "cut": try bytes.dropLast().write(to: file)
            case "longer": try (bytes + [7]).write(to: file)
            default:
                bytes[500_000] ^= 1
                try bytes.write(to: file)
            }
            let found = store.lookUp("k", for: request([]), touches: false, verifiesBodyFile: true)
            guard case .damaged(let reason) = found else {
                Issue.record("it passes for whole")
                return
            }
            #expect(reason.contains("its body"))
            _ = try store.store(entry(large))
            #expect(body(store) == large)
            #expect(try files(folder).count == 2)
        }
    }

    @Test(arguments: Kind.allCases)
    func notesGiveWayToResponses(kind: Kind) async throws {
        try await withTemporaryFolder { folder in
            let store = kind.store(folder)
            try store.note(.noStore, for: "k", at: .now)
            guard case .notKept(.noStore) = store.lookUp("k", for: request([])) else {
                Issue.record("there is no note")
                return
            }
            #expect(!store.contains("k"))
            _ = try store.store(entry([1]))
            #expect(store.contains("k"))
            try store.note(.noStore, for: "k", at: .now)
            #expect(body(store) == [1])
        }
    }

    @Test(arguments: Kind.allCases)
    func whatWasNotUsedForLongestIsTrimmed(kind: Kind) async throws {
        try await withTemporaryFolder { folder in
            let store = kind.store(folder, maximumSize: 100_000)
            var isOver = false
            for index in 0..<20 {
                isOver = try store.store(entry([UInt8](repeating: 1, count: 10_000), key: "\(index)"))
                // Modification times tell the order on the disk: a minute apart here.
                if kind == .disk {
                    let file = CacheEntryName("\(index)", in: folder.path).entry
                    let time = Date(timeIntervalSinceNow: Double(index - 20) * 60)
                    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
                }
            }
            #expect(isOver)
            if kind == .memory { #expect(body(store, "0") != nil) }
            store.trim()
            let kept = (0..<20).filter { body(store, "\($0)") != nil }
            // Nine tenths of the limit: on the disk in whole blocks, of 12,288 bytes an entry here.
            #expect(kept == (kind == .disk ? Array(13..<20) : [0] + Array(13..<20)))
        }
    }

    @Test func whatTheUserAskedToKeepIsTrimmedLast() async throws {
        try await withTemporaryFolder { folder in
            let store = Kind.disk.store(folder, maximumSize: 100_000)
            func fill(_ keys: Range<Int>, areKept: Bool) throws {
                for index in keys {
                    var new = entry([UInt8](repeating: 1, count: 10_000), key: "\(index)")
                    new.isKeptOnRequest = areKept
                    _ = try store.store(new)
                    let file = CacheEntryName("\(index)", in: folder.path).entry
                    let time = Date(timeIntervalSinceNow: Double(index - 40) * 60)
                    try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: file)
                }
            }
            func kept(_ keys: Range<Int>) -> [Int] { keys.filter { body(store, "\($0)") != nil } }
            try fill(0..<3, areKept: true)
            try fill(3..<20, areKept: false)
            store.trim()
            #expect(kept(0..<20) == [0, 1, 2] + Array(16..<20))
            // Where there is nothing else, the oldest of them go.
            try fill(20..<40, areKept: true)
            store.trim()
            #expect(kept(0..<40) == Array(33..<40))
        }
    }

    @Test(arguments: Kind.allCases)
    func whatIsLargerThanTheCacheIsNotStored(kind: Kind) async throws {
        try await withTemporaryFolder { folder in
            let store = kind.store(folder, maximumSize: 1_000_000)
            let error = #expect(throws: CacheStoreError.self) {
                try store.store(entry([UInt8](repeating: 1, count: 1_000_001)))
            }
            #expect(error?.errno == EFBIG)
            let left = try files(folder)
            #expect(left.isEmpty)
        }
    }
}
