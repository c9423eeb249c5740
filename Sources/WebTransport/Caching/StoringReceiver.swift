import Synchronization

/// Stores a body as it arrives, and passes it on.
///
/// A store that fails does not fail the load: the body is passed on, and ``finish()`` throws the error.
final class StoringReceiver: ForwardingReceiver {
    private let receiver: any BodyReceiver
    private let makeWriter: @Sendable (WebResponse) -> (any StoredBodyWriter)?
    private let state = Mutex(State())

    private struct State {
        var writer: (any StoredBodyWriter)?
        var failure: CacheStoreError?
        var hasHead = false
    }

    var collectsBody: Bool { false }

    var isPaced: Bool { receiver.isPaced }

    var isCommitted: Bool {
        isPaced && state.withLock(\.hasHead) && (receiver as? any ForwardingReceiver)?.isCommitted ?? true
    }

    /// Passes responses on to a receiver; `makeWriter` returns a writer for a body, nil if it is not to be
    /// stored.
    init(
        _ receiver: any BodyReceiver,
        makeWriter: @escaping @Sendable (WebResponse) -> (any StoredBodyWriter)?
    ) {
        self.receiver = receiver
        self.makeWriter = makeWriter
    }

    func receive(head: WebResponse) throws(FetchError) {
        let writer = makeWriter(head)
        state.withLock { $0 = State(writer: writer, hasHead: true) }
        try receiver.receive(head: head)
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        if let writer = state.withLock({ $0.writer }) {
            do throws(CacheStoreError) {
                try writer.write(bytes)
            } catch {
                state.withLock { $0 = State(failure: error, hasHead: true) }
            }
        }
        try receiver.receive(bytes)
    }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        guard receiver.isReady(orElse: resume) else { return false }
        return state.withLock(\.writer)?.isReady(orElse: resume) ?? true
    }

    /// The stored body, once all of it has arrived.
    func finish() async throws(CacheStoreError) -> StoredBody {
        let (writer, failure) = state.withLock { ($0.writer, $0.failure) }
        if let failure { throw failure }
        return try await writer?.finish() ?? .bytes([])
    }
}
