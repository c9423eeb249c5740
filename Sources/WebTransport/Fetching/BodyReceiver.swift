import Synchronization

/// Takes a response as it arrives: its head, then the body in pieces.
///
/// A fetcher calls it from one thread at a time. An error that it throws ends the fetch, as the fetch's
/// error. A second head means that the fetch is retried; discard what came before it.
public protocol BodyReceiver: Sendable {
    /// Whether the fetcher also collects the body in the response that it returns.
    ///
    /// If not, the response's body stays empty, and the body need not fit into memory.
    var collectsBody: Bool { get }

    /// Whether the body is read at its reader's own pace, while it arrives; false by default.
    ///
    /// Received bytes are then consumed. So the fetch is not retried once the head was received, no identical request
    /// waits for it, and ``isReady(orElse:)`` is called before each piece. The time for which the receiver is not ready
    /// counts towards no time limit.
    var isPaced: Bool { get }

    /// Whether the next bytes may come; always, by default.
    ///
    /// - Parameter resume: If not, it is called once, on any thread, when they may or when nobody waits for them any more.
    /// - Returns: Whether they may come now.
    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool

    /// Takes the status and the fields of the response, before the first byte of its body.
    ///
    /// - Parameter head: The response, its body empty.
    /// - Throws: An error, which ends the fetch.
    func receive(head: WebResponse) throws(FetchError)

    /// Takes the next bytes of the body, after content decoding.
    ///
    /// - Parameter bytes: The bytes, valid until this returns.
    /// - Throws: An error, which ends the fetch.
    func receive(_ bytes: Span<UInt8>) throws(FetchError)
}

extension BodyReceiver {
    /// Takes the body as fast as it arrives.
    public var isPaced: Bool { false }

    /// Takes the body as fast as it arrives.
    public func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool { true }

    /// Waits until the next bytes may come.
    package func ready() async {
        guard isPaced else { return }
        await withCheckedContinuation { continuation in
            if isReady(orElse: { continuation.resume() }) { continuation.resume() }
        }
    }

    /// Takes a complete response.
    ///
    /// - Parameter response: The response with its body.
    /// - Returns: The response for the fetcher to return: without its body unless ``collectsBody``.
    /// - Throws: An error, which ends the fetch.
    public func receive(whole response: WebResponse) throws(FetchError) -> WebResponse {
        var head = response
        head.body = []
        try receive(head: head)
        if !response.body.isEmpty { try receive(response.body.span) }
        return collectsBody ? response : head
    }
}

/// A receiver that hands what it gets to another one.
protocol ForwardingReceiver: BodyReceiver {
    /// Whether a response was passed on to a reader for whom no other may take its place.
    var isCommitted: Bool { get }
}

/// Passes on only the responses that `passing` selects: no followed redirects, no 304 (Not Modified).
final class FilteredReceiver: ForwardingReceiver {
    private let receiver: any BodyReceiver
    private let passing: @Sendable (WebResponse) -> WebResponse?
    private let isPassing = Atomic(false)

    /// Applies to responses that are not passed on, too.
    var collectsBody: Bool { receiver.collectsBody }

    var isPaced: Bool { receiver.isPaced }

    var isCommitted: Bool {
        isPaced && isPassing.load(ordering: .relaxed)
            && (receiver as? any ForwardingReceiver)?.isCommitted ?? true
    }

    /// - Parameters:
    ///   - receiver: Gets what is passed on.
    ///   - passing: The head to pass on in place of one that arrived; nil if that response is not passed on.
    init(_ receiver: any BodyReceiver, passing: @escaping @Sendable (WebResponse) -> WebResponse?) {
        self.receiver = receiver
        self.passing = passing
    }

    func receive(head: WebResponse) throws(FetchError) {
        let passed = passing(head)
        isPassing.store(passed != nil, ordering: .relaxed)
        if let passed { try receiver.receive(head: passed) }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        if isPassing.load(ordering: .relaxed) { try receiver.receive(bytes) }
    }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        receiver.isReady(orElse: resume)
    }
}
