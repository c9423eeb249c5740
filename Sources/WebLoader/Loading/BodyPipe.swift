import Synchronization

/// Takes a response as it arrives, and hands it to a reader at the reader's pace.
///
/// It is ready for more while it holds less than ``capacity``.
final class BodyPipe: BodyReceiver {
    private struct State {
        var head: WebResponse?
        /// The bytes that the reader has not taken yet.
        var bytes: [UInt8] = []
        /// The number of bytes received, whether the reader has them or not.
        var count = 0
        /// How it ended; nil while more may come.
        var end: Result<Void, LoadError>?
        /// The work that fills it.
        var task: Task<Void, Never>?
        /// Readers that wait for the head, for bytes, or for the end.
        var readers: [CheckedContinuation<Void, Never>] = []
        /// The functions to call when it is ready for more.
        var resumptions: [@Sendable () -> Void] = []
    }

    private let url: WebURL
    private let state = Mutex(State())

    /// How many bytes may wait for the reader before no further ones are taken.
    ///
    /// One delivery of the cache's 256 KiB, or of a decoder's 64 KiB, may be added to one byte less.
    private static let capacity = 256 << 10

    /// Creates a pipe for the response to a request of a URL.
    init(_ url: WebURL) {
        self.url = url
    }

    // MARK: - Filling

    var collectsBody: Bool { false }

    var isPaced: Bool { true }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        state.withLock { state in
            // After the end, what comes is refused.
            if state.bytes.count < Self.capacity || state.end != nil { return true }
            state.resumptions.append(resume)
            return false
        }
    }

    func receive(head: WebResponse) throws(FetchError) {
        try change { (state) throws(FetchError) in
            guard state.end == nil else { throw .cancelled }
            // A fetcher that begins again would join the bodies of two responses.
            guard state.head == nil else {
                throw FetchError(
                    .connectionLost,
                    "another response began after the reader had the first one's head"
                )
            }
            state.head = head
        }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        try change { (state) throws(FetchError) in
            guard state.end == nil else { throw .cancelled }
            unsafe bytes.withUnsafeBufferPointer { unsafe state.bytes.append(contentsOf: $0) }
            state.count = state.count +| bytes.count
        }
    }

    /// Notes the response and the size of its body.
    func note(in outcome: inout ObservedOutcome) {
        let (head, count) = state.withLock { ($0.head, $0.count) }
        guard let head else { return }
        outcome.take(head)
        outcome.bodySize = count
    }

    /// Runs the work that fills it, until it ends or is cancelled.
    func fill(_ work: @escaping @Sendable (BodyPipe) async throws(LoadError) -> Void) {
        state.withLock { state in
            guard state.end == nil else { return }
            state.task = Task { [self] in
                do throws(LoadError) {
                    try await work(self)
                    end(.success(()))
                } catch {
                    end(.failure(error))
                }
            }
        }
    }

    private func end(_ result: Result<Void, LoadError>) {
        change { state in
            state.end = state.end ?? result
            state.task = nil
        }
    }

    /// Takes a response with what is there of its body.
    func take(_ response: WebResponse) throws(LoadError) {
        do throws(FetchError) {
            _ = try receive(whole: response)
        } catch {
            throw LoadError(error, url: url)
        }
    }

    /// Takes the next bytes of a body.
    func take(_ bytes: [UInt8]) throws(LoadError) {
        do throws(FetchError) {
            try receive(bytes.span)
        } catch {
            throw LoadError(error, url: url)
        }
    }

    /// Whether the head was received.
    var hasHead: Bool { state.withLock { $0.head != nil } }

    /// Ends it, unless all of it was read: what waits is dropped, and the work that fills it is cancelled.
    func cancel() {
        let task: Task<Void, Never>? = change { state in
            switch state.end {
            case .success? where state.bytes.isEmpty: return nil
            case .failure?: break
            default: state.end = .failure(LoadError(.cancelled, url: url))
            }
            state.bytes = []
            return state.task.take()
        }
        task?.cancel()
    }

    // MARK: - Reading

    /// The head, once it is there.
    func head(isolation: isolated (any Actor)? = #isolation) async throws(LoadError) -> WebResponse {
        while true {
            let (head, end) = state.withLock { ($0.head, $0.end) }
            // Later failures are thrown by the body.
            if let head { return head }
            if case .failure(let error)? = end { throw error }
            await wait { $0.head != nil }
        }
    }

    /// All bytes that wait, once there are some; nil at the end.
    func next(isolation: isolated (any Actor)? = #isolation) async throws(LoadError) -> [UInt8]? {
        while true {
            if Task.isCancelled { cancel() }
            // Other readers are not woken: there is nothing new for them.
            let (bytes, end, resumptions) = state.withLock { state in
                defer { (state.bytes, state.resumptions) = ([], []) }
                return (state.bytes, state.end, state.resumptions)
            }
            for resume in resumptions { resume() }
            if !bytes.isEmpty { return bytes }
            if let end {
                try end.get()
                return nil
            }
            await wait { !$0.bytes.isEmpty }
        }
    }

    /// Waits until something is there, or the end is.
    private func wait(
        isolation: isolated (any Actor)? = #isolation,
        until isThere: @Sendable (borrowing State) -> Bool
    ) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDone = state.withLock { state in
                    if state.end != nil || isThere(state) { return true }
                    state.readers.append(continuation)
                    return false
                }
                if isDone { continuation.resume() }
            }
        } onCancel: {
            cancel()
        }
    }

    /// Changes the state, then wakes those for whom there is something now.
    private func change<Value: Sendable, Failure: Error>(
        _ body: (inout State) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var readers: [CheckedContinuation<Void, Never>] = []
        var resumptions: [@Sendable () -> Void] = []
        let value = try state.withLock { (state) throws(Failure) in
            let value = try body(&state)
            (readers, state.readers) = (state.readers, [])
            if state.bytes.count < Self.capacity || state.end != nil {
                (resumptions, state.resumptions) = (state.resumptions, [])
            }
            return value
        }
        for reader in readers { reader.resume() }
        for resume in resumptions { resume() }
        return value
    }
}
