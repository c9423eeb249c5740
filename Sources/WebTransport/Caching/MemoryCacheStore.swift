import Glibc
import HTTPTypes
import Synchronization

/// Stores responses in memory, for loaders that must leave nothing on disk, and for tests.
package final class MemoryCacheStore: ResponseStore {
    private let maximumSize: Int
    private let state = Mutex(State())

    private struct Entry {
        var variants: [StoredResponse] = []
        var size = 0
        var lastUse = 0
    }

    private struct State {
        var entries: [String: Entry] = [:]
        var notes: [String: CacheDecision.StorageRefusal] = [:]
        var size = 0
        var uses = 0
    }

    /// The maximum number of notes, which are small.
    private static let maximumNotes = 4096

    package init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    package func lookUp(_ key: String, for request: WebRequest) -> CacheLookup {
        state.withLock { state in
            guard var entry = state.entries[key] else {
                return state.notes[key].map { .notKept($0) } ?? .absent
            }
            state.uses += 1
            entry.lastUse = state.uses
            state.entries[key] = entry
            let match = entry.variants.last { VaryingFields.match($0, request) }
            return (match ?? entry.variants.last).map { .found($0) } ?? .absent
        }
    }

    package func contains(_ key: String) -> Bool {
        state.withLock { $0.entries[key] != nil }
    }

    package func bodyWriter(for key: String) -> any StoredBodyWriter {
        MemoryBodyWriter(maximumSize: maximumSize)
    }

    package func store(_ response: StoredResponse) throws(CacheStoreError) -> Bool {
        let size = Self.size(response)
        guard size <= maximumSize else {
            throw CacheStoreError(
                message: "the response is larger than the cache",
                errno: EFBIG
            )
        }
        return state.withLock { state in
            state.uses += 1
            var entry = state.entries[response.key] ?? Entry()
            // The same variant is replaced, and variants by other fields are outdated.
            entry.variants.removeAll { old in
                old.varyingFields.map(\.name) != response.varyingFields.map(\.name)
                    || old.varyingFields.map(\.value) == response.varyingFields.map(\.value)
            }
            entry.variants.append(response)
            entry.lastUse = state.uses
            state.size -= entry.size
            entry.size = entry.variants.reduce(0) { $0 + Self.size($1) }
            state.size += entry.size
            state.entries[response.key] = entry
            state.notes[response.key] = nil
            return state.size > maximumSize
        }
    }

    package func note(_ refusal: CacheDecision.StorageRefusal, for key: String, at time: Timestamp) {
        state.withLock { state in
            if state.notes.count >= Self.maximumNotes { state.notes.removeAll() }
            if state.entries[key] == nil { state.notes[key] = refusal }
        }
    }

    package func remove(_ key: String) {
        state.withLock { state in
            state.size -= state.entries.removeValue(forKey: key)?.size ?? 0
            state.notes[key] = nil
        }
    }

    package func trim() {
        state.withLock { state in
            guard state.size > maximumSize else { return }
            for (key, entry) in state.entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }).dropLast() {
                state.entries[key] = nil
                state.size -= entry.size
                if state.size <= maximumSize / 10 * 9 { return }
            }
        }
    }

    /// The size in bytes, with an estimate for the fields.
    private static func size(_ response: StoredResponse) -> Int {
        response.headerFields.reduce(response.body.count + response.key.utf8.count + 512) {
            $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 64
        }
    }
}

/// Collects a body in memory.
private final class MemoryBodyWriter: StoredBodyWriter {
    private let maximumSize: Int
    private let bytes = Mutex<[UInt8]>([])

    init(maximumSize: Int) {
        self.maximumSize = maximumSize
    }

    func write(_ piece: Span<UInt8>) throws(CacheStoreError) {
        try bytes.withLock { bytes throws(CacheStoreError) in
            guard piece.count <= maximumSize - bytes.count else {
                throw CacheStoreError(message: "the response is larger than the cache", errno: EFBIG)
            }
            unsafe piece.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
    }

    func finish() -> StoredBody {
        .bytes(bytes.withLock { $0 })
    }
}
