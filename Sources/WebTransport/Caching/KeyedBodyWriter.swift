import Glibc
import Synchronization

/// Stores a body in a program's store as it arrives: in memory while it is small, then piece by piece.
///
/// While two pieces wait for the store, ``isReady(orElse:)`` returns false.
final class KeyedBodyWriter: StoredBodyWriter {
    private let store: KeyedStore
    private let key: CacheKey
    private let state = Mutex(State())
    private let sending: Sending

    private struct State {
        /// The bytes that were not handed over yet, at most one piece.
        var pending: [UInt8] = []
        var count = 0
        var checksum: UInt64 = 0
        /// How many pieces were handed over.
        var pieces = 0
        /// The name of the body, once it has more than one piece.
        var holder: KeyedBody.Holder?
        /// The sending of the last piece, which waits for that of the one before.
        var last: Task<Void, Never>?
    }

    init(_ store: KeyedStore, _ key: CacheKey) {
        self.store = store
        self.key = key
        sending = Sending(maximumBlocked: 5 * store.maximumSeconds)
    }

    func write(_ bytes: Span<UInt8>) throws(CacheStoreError) {
        try sending.check()
        state.withLock { state in
            state.count += bytes.count
            var position = 0
            while position < bytes.count {
                // One full piece may wait: it may be the last one, and the body small enough for the response's item.
                if state.pending.count == ContentHash.pieceLength { send(&state) }
                let room = ContentHash.pieceLength - state.pending.count
                let end = min(bytes.count, position + room)
                unsafe bytes.extracting(position..<end).withUnsafeBufferPointer {
                    unsafe state.pending.append(contentsOf: $0)
                }
                position = end
            }
        }
    }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool { sending.isReady(orElse: resume) }

    /// Hands over what is pending.
    private func send(_ state: inout State) {
        let holder = state.holder ?? store.holdNewBody(of: key)
        state.holder = holder
        state.checksum = ContentHash.checksum(piece: state.pending.span, after: state.checksum)
        let piece = state.pending
        state.pending = []
        let (index, previous) = (state.pieces, state.last)
        state.pieces += 1
        sending.begin()
        state.last = Task { [store, sending] in
            await previous?.value
            await sending.end { () async throws(CacheStoreError) in
                try await store.storePiece(piece, index, of: holder, until: .infinity)
            }
        }
    }

    func finish() async throws(CacheStoreError) -> StoredBody {
        let last = state.withLock { state in
            if state.holder != nil, !state.pending.isEmpty { send(&state) }
            return state.last
        }
        await withTaskCancellationHandler {
            await last?.value
        } onCancel: {
            sending.fail(CacheStoreError(message: "the load was cancelled", errno: ECANCELED))
        }
        try sending.check()
        return state.withLock { state in
            guard let holder = state.holder else { return .bytes(state.pending) }
            return .pieces(KeyedBody(holder, count: state.count, checksum: state.checksum))
        }
    }
}

/// The pieces on their way to a store.
private final class Sending: Sendable {
    private struct State {
        var waiting = 0
        var failure: CacheStoreError?
        var resumptions: [@Sendable () -> Void] = []
        /// Since when the sender waits; nil if it does not.
        var blockedSince: Double?
        /// For how many seconds it has waited before.
        var blocked = 0.0

        var isReady: Bool { waiting < Sending.maximumWaiting || failure != nil }
    }

    private let state = Mutex(State())

    /// The seconds that the sender may be made to wait in all; beyond, the body is not stored.
    private let maximumBlocked: Double

    private static let tooSlow = "the cache store is slower than the server"

    init(maximumBlocked: Double) {
        self.maximumBlocked = maximumBlocked
    }

    /// The number of pieces in transit from which ``isReady(orElse:)`` returns false.
    private static let maximumWaiting = 2

    /// Throws the error of an earlier piece.
    func check() throws(CacheStoreError) {
        if let failure = state.withLock(\.failure) { throw failure }
    }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            if !state.isReady { state.resumptions.append(resume) }
            return state.isReady
        }
    }

    /// Counts a piece in.
    func begin() {
        state.withLock { state in
            state.waiting += 1
            if !state.isReady, state.blockedSince == nil { state.blockedSince = MonotonicClock.now }
        }
    }

    /// Sends no piece any more.
    func fail(_ failure: CacheStoreError) {
        state.withLock { $0.failure = $0.failure ?? failure }
    }

    /// Sends a piece, unless an earlier one has failed, and counts it out.
    func end(_ send: () async throws(CacheStoreError) -> Void) async {
        var failure = state.withLock(\.failure)
        if failure == nil {
            do throws(CacheStoreError) {
                try await send()
            } catch {
                failure = error
            }
        }
        let resumptions = state.withLock { state in
            state.waiting -= 1
            state.failure = state.failure ?? failure
            if state.isReady, let start = state.blockedSince.take() {
                state.blocked += MonotonicClock.now - start
                if state.blocked > maximumBlocked {
                    state.failure = state.failure ?? CacheStoreError(message: Self.tooSlow, errno: ETIMEDOUT)
                }
            }
            guard state.isReady else { return [] as [@Sendable () -> Void] }
            defer { state.resumptions = [] }
            return state.resumptions
        }
        for resume in resumptions { resume() }
    }
}
