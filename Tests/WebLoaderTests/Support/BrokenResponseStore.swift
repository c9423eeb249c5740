import Glibc
import Synchronization

@testable import WebStandards
@testable import WebTransport

/// A store of this library's kind that does not do what such a store must, in one way.
final class BrokenResponseStore: ResponseStore {
    /// The ways, and the clause that each breaks.
    enum Fault: String, CaseIterable {
        case refusesOtherVariants = "variants by other fields take the place of all"
        case refusesToReplace = "a later response takes the place of the earlier one"
        case dropsConfirmedBodies = "a response that a server confirms keeps its body"
        case putsNotesBeforeResponses = "a response that was not stored is noted, and stored later"
        case removesBeforeItWrites = "a body that does not arrive whole leaves what there was"
        case mixesBodies = "of responses that are stored at once, one is kept whole"
        case leavesAGap = "a look-up during a replacement finds the old response or the new one"
    }

    private let fault: Fault
    private let store = MemoryCacheStore(maximumSize: 1 << 30)
    private let writer = Mutex<(any StoredBodyWriter)?>(nil)
    private let lookUps = Atomic(0)
    private let hasLeftAGap = Atomic(false)

    init(_ fault: Fault) {
        self.fault = fault
    }

    func lookUp(_ key: String, for request: WebRequest) -> CacheLookup {
        defer { lookUps.add(1, ordering: .relaxed) }
        return store.lookUp(key, for: request)
    }

    func contains(_ key: String) -> Bool { store.contains(key) }

    func bodyWriter(for key: String) -> any StoredBodyWriter {
        if fault == .removesBeforeItWrites { store.remove(key) }
        guard fault == .mixesBodies else { return store.bodyWriter(for: key) }
        return writer.withLock { writer in
            let shared = writer ?? store.bodyWriter(for: key)
            writer = shared
            return shared
        }
    }

    func store(_ response: StoredResponse) throws(CacheStoreError) -> Bool {
        var response = response
        if case .found(let old) = lookUp(response.key, for: WebRequest(url: .aboutBlank)) {
            switch fault {
            case .refusesOtherVariants
            where old.varyingFields.map(\.name) != response.varyingFields.map(\.name):
                return false
            case .refusesToReplace: return false
            case .dropsConfirmedBodies: response.body = .bytes([])
            case .leavesAGap where !hasLeftAGap.exchange(true, ordering: .relaxed):
                // The gap lasts until somebody has looked into it, or ten seconds.
                store.remove(response.key)
                let before = lookUps.load(ordering: .relaxed)
                for _ in 0..<2000 where lookUps.load(ordering: .relaxed) == before { usleep(5000) }
            default: break
            }
        }
        return try store.store(response)
    }

    func note(_ refusal: CacheDecision.StorageRefusal, for key: String, at time: Timestamp) {
        if fault == .putsNotesBeforeResponses { store.remove(key) }
        store.note(refusal, for: key, at: time)
    }

    func remove(_ key: String) { store.remove(key) }

    func trim() { store.trim() }
}
