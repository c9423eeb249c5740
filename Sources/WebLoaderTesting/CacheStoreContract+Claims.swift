public import WebTransport

/// Checks of what only some stores guarantee.
extension CacheStoreContract {
    /// Checks that a store has what it had when it was opened before, as one on a disk or on a server does.
    ///
    /// - Parameter open: Opens the store at one place, where there is nothing at first. It is called twice, and the first
    ///   store is released before.
    /// - Throws: ``BrokenClause``, where something is gone or another, or the store throws or hangs.
    public static func checkReopening(_ open: () async throws -> any CacheStore) async throws(BrokenClause) {
        try await run("what is stored outlives the store that was opened") {
            let keys = (0..<20).map { CacheKey("http://a.test/\($0)") }
            let large = CheckedServer { _ in CheckedServer.Answer(body: pattern(700_000)) }
            try await fill(PatientStore(store: try await open()), keys, large)
            let store = PatientStore(store: try await open())
            for (index, key) in keys.enumerated() {
                let seed = UInt8(truncatingIfNeeded: index)
                try Difference.check(
                    try await store.bytes("response", of: key),
                    is: pattern(5000, seed),
                    "an item, opened again"
                )
                try Difference.check(
                    try await store.names(of: key),
                    is: ["response"],
                    "the names, opened again"
                )
            }
            let kept = try await CheckedCache(items: store).loading(large).kept("http://large.test/")
            try Difference.check(kept?.body, is: pattern(700_000), "a large response, opened again")
        }
    }

    private static func fill(
        _ store: PatientStore,
        _ keys: [CacheKey],
        _ large: CheckedServer
    ) async throws {
        for (index, key) in keys.enumerated() {
            try await store.store(pattern(5000, UInt8(truncatingIfNeeded: index)), as: "response", of: key)
        }
        _ = try await CheckedCache(items: store).loading(large).load("http://large.test/")
    }

    /// Checks that a store keeps to a limit, and forgets first what was not asked for longest.
    ///
    /// - Parameters:
    ///   - limit: The bytes that the store may have in all items together, 100,000 or more. It may have fewer: half of it
    ///     is enough.
    ///   - makeStore: Makes a store with this limit, in which there is nothing yet. It is called once.
    /// - Throws: ``BrokenClause``, where it has more, forgets what is used, or throws or hangs.
    public static func checkLimit(
        of limit: Int,
        _ makeStore: () async throws -> any CacheStore
    ) async throws(BrokenClause) {
        try await run("what was not asked for longest is forgotten beyond a limit") {
            let store = PatientStore(store: try await makeStore())
            let size = max(1, limit / 20)
            let keys = (0..<60).map { CacheKey("http://a.test/\($0)") }
            for (index, key) in keys.enumerated() {
                try await store.store(pattern(size), as: "response", of: key)
                guard let first = keys.first, index > 0 else { continue }
                try Difference.check(
                    try await store.bytes("response", of: first),
                    is: pattern(size),
                    "what was asked for just before"
                )
            }
            var kept: [Int] = []
            for (index, key) in keys.enumerated() where try await store.bytes("response", of: key) != nil {
                kept.append(index)
            }
            guard 10...20 ~= kept.count else {
                throw Difference(expected: "10 to 20 items of \(size) bytes", found: "\(kept.count)")
            }
            let latest = [0] + (keys.count - kept.count + 1..<keys.count)
            try Difference.check(kept, is: latest, "the items that are kept")
        }
    }
}
