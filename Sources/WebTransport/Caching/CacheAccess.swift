/// How a fetcher gets at its store: one of this machine's, which blocks, or a program's own, which is waited for.
package enum CacheAccess: Sendable {
    /// A store on this machine, and what runs its work.
    case blocking(any ResponseStore, BlockingWork)
    /// A store of the program's own.
    case keyed(KeyedStore)

    /// Looks up what is stored for a key, as ``ResponseStore/lookUp(_:for:)``.
    ///
    /// A store that does not answer until `deadline`, by the monotonic clock, has damaged what it has. So have all
    /// methods here; blocking stores take the time that they need.
    package func lookUp(
        _ key: String,
        for request: WebRequest,
        until deadline: @autoclosure () -> Double = .infinity
    ) async -> CacheLookup {
        switch self {
        case .blocking(let store, let work): await work.run { store.lookUp(key, for: request) }
        case .keyed(let store): await store.lookUp(key, for: request, until: deadline())
        }
    }

    /// Whether a response is stored for a key; false if the store does not say.
    package func contains(_ key: String) async -> Bool {
        switch self {
        case .blocking(let store, let work): await work.run { store.contains(key) }
        case .keyed(let store): await store.contains(key)
        }
    }

    /// Creates a writer for a body that arrives in pieces.
    package func bodyWriter(for key: String) -> any StoredBodyWriter {
        switch self {
        case .blocking(let store, _): store.bodyWriter(for: key)
        case .keyed(let store): store.bodyWriter(for: key)
        }
    }

    /// Stores a response, replacing the one of the same key and variant.
    ///
    /// - Returns: Whether the store is now over its size limit, so that ``trim()`` is due.
    package func store(
        _ response: StoredResponse,
        until deadline: @autoclosure () -> Double = .infinity
    ) async throws(CacheStoreError) -> Bool {
        switch self {
        case .blocking(let store, let work):
            return try await work.run { () throws(CacheStoreError) in try store.store(response) }
        case .keyed(let store):
            try await store.store(response, until: deadline())
            return false
        }
    }

    /// Notes that a key's response was loaded but not stored, unless something is stored for the key.
    package func note(
        _ refusal: CacheDecision.StorageRefusal,
        for key: String,
        at time: Timestamp,
        until deadline: @autoclosure () -> Double = .infinity
    ) async throws(CacheStoreError) {
        switch self {
        case .blocking(let store, let work):
            try await work.run { () throws(CacheStoreError) in try store.note(refusal, for: key, at: time) }
        case .keyed(let store): try await store.note(refusal, for: key, at: time, until: deadline())
        }
    }

    /// Removes all variants that are stored for a key, if any.
    package func remove(
        _ key: String,
        until deadline: @autoclosure () -> Double = .infinity
    ) async throws(CacheStoreError) {
        switch self {
        case .blocking(let store, let work):
            try await work.run { () throws(CacheStoreError) in try store.remove(key) }
        case .keyed(let store): try await store.remove(key, until: deadline())
        }
    }

    /// Removes the least recently used entries until the store is below its size limit; a program's own does that by
    /// itself.
    package func trim() async {
        guard case .blocking(let store, let work) = self else { return }
        await work.run { store.trim() }
    }
}
