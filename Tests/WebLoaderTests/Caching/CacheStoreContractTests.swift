import Foundation
import TestSupport
import Testing
import WebLoaderTesting

@testable import WebTransport

/// The contract of cache stores: who keeps it, and that each clause finds who does not.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct CacheStoreContractTests {
    @Test(arguments: CacheStoreContract.checks)
    func aStoreOfAProgramKeepsIt(check: CacheStoreContract.Check) async throws {
        try await check.run { ShelfStore() }
    }

    @Test(arguments: CacheStoreContract.checks)
    func theCacheInMemoryKeepsIt(check: CacheStoreContract.Check) async throws {
        _ = try await check.run(.blocking(MemoryCacheStore(maximumSize: 1 << 30), .threads))
    }

    @Test(arguments: CacheStoreContract.checks)
    func theCacheOnDiskKeepsIt(check: CacheStoreContract.Check) async throws {
        try await withTemporaryFolder { folder in
            _ = try await check.run(.blocking(DiskCacheStore(directory: folder.path), .threads))
        }
    }

    @Test func halfOfItIsAboutResponses() async throws {
        var count = 0
        for check in CacheStoreContract.checks {
            let store = MemoryCacheStore(maximumSize: 1 << 30)
            if try await check.run(.blocking(store, .threads)) { count += 1 }
        }
        #expect(count == 11)
        #expect(CacheStoreContract.checks.count == 22)
    }

    // MARK: - Violations

    private func check(_ clause: String) throws -> CacheStoreContract.Check {
        try #require(CacheStoreContract.checks.first { $0.description == clause })
    }

    @Test(arguments: BrokenStore.Fault.allCases)
    func aStoreThatBreaksAClauseIsFoundOut(fault: BrokenStore.Fault) async throws {
        let check = try check(fault.clause)
        let error = await #expect(throws: CacheStoreContract.BrokenClause.self) {
            try await check.run { BrokenStore(fault) }
        }
        #expect(error?.clause == fault.clause)
        #expect(error.map { !$0.expected.isEmpty && $0.expected != $0.found } == true)
        #expect(error?.description.hasPrefix("\(fault.clause): expected ") == true)
    }

    @Test(arguments: BrokenResponseStore.Fault.allCases)
    func aCacheThatBreaksAClauseIsFoundOut(fault: BrokenResponseStore.Fault) async throws {
        let check = try check(fault.rawValue)
        let error = await #expect(throws: CacheStoreContract.BrokenClause.self) {
            _ = try await check.run(.blocking(BrokenResponseStore(fault), .threads))
        }
        #expect(error?.clause == fault.rawValue)
    }

    /// Else a clause could be kept by whatever is there.
    @Test func everyClauseIsBrokenBySomebody() {
        let broken =
            BrokenStore.Fault.allCases.map(\.clause) + BrokenResponseStore.Fault.allCases.map(\.rawValue)
        #expect(Set(broken) == Set(CacheStoreContract.checks.map(\.description)))
    }

    private struct NoStore: Error {}

    @Test func aStoreThatCannotBeMadeBreaksAClause() async throws {
        let check = try #require(CacheStoreContract.checks.first)
        let error = await #expect(throws: CacheStoreContract.BrokenClause.self) {
            try await check.run { throw NoStore() }
        }
        #expect(error?.found == "NoStore()")
    }

    // MARK: - Optional promises

    @Test func aStoreThatLastsIsOpenedAgain() async throws {
        let lasting = ShelfStore()
        try await CacheStoreContract.checkReopening { lasting }
        let error = await #expect(throws: CacheStoreContract.BrokenClause.self) {
            try await CacheStoreContract.checkReopening { ShelfStore() }
        }
        #expect(error?.found == "nothing")
    }

    @Test func aStoreKeepsToItsLimit() async throws {
        try await CacheStoreContract.checkLimit(of: 200_000) { LimitedStore(limit: 200_000) }
        let excess = await #expect(throws: CacheStoreContract.BrokenClause.self) {
            try await CacheStoreContract.checkLimit(of: 200_000) { ShelfStore() }
        }
        #expect(excess?.found == "60")
        await #expect(throws: CacheStoreContract.BrokenClause.self) {
            try await CacheStoreContract.checkLimit(of: 200_000) {
                LimitedStore(limit: 200_000, forgetsLatest: true)
            }
        }
    }
}
