import Synchronization

/// Puts a body into the store as it arrives, and hands it on.
///
/// A store that fails does not fail the load: the body is handed on, and ``finish()`` says what went wrong.
final class StoringReceiver: BodyReceiver {
    private let receiver: any BodyReceiver
    private let makeWriter: @Sendable (WebResponse) -> (any StoredBodyWriter)?
    private let state = Mutex(State())

    private struct State {
        var writer: (any StoredBodyWriter)?
        var failure: CacheStoreError?
    }

    var collectsBody: Bool { false }

    /// Hands on to a receiver; `makeWriter` says what takes the body of a response, nil for what is not to be stored.
    init(
        _ receiver: any BodyReceiver,
        makeWriter: @escaping @Sendable (WebResponse) -> (any StoredBodyWriter)?
    ) {
        self.receiver = receiver
        self.makeWriter = makeWriter
    }

    func receive(head: WebResponse) throws(FetchError) {
        let writer = makeWriter(head)
        state.withLock { $0 = State(writer: writer) }
        try receiver.receive(head: head)
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        if let writer = state.withLock({ $0.writer }) {
            do throws(CacheStoreError) {
                try writer.write(bytes)
            } catch {
                state.withLock { $0 = State(failure: error) }
            }
        }
        try receiver.receive(bytes)
    }

    /// The body, all of it having arrived.
    func finish() throws(CacheStoreError) -> StoredBody {
        let (writer, failure) = state.withLock { ($0.writer, $0.failure) }
        if let failure { throw failure }
        return try writer?.finish() ?? .bytes([])
    }
}
