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

/// Passes on only the responses that `accepts` selects: no followed redirects, no 304 (Not Modified).
final class FilteredReceiver: BodyReceiver {
    private let receiver: any BodyReceiver
    private let accepts: @Sendable (WebResponse) -> Bool
    private let isAccepted = Atomic(false)

    /// Applies to responses that are not passed on, too.
    var collectsBody: Bool { receiver.collectsBody }

    init(_ receiver: any BodyReceiver, accepts: @escaping @Sendable (WebResponse) -> Bool) {
        self.receiver = receiver
        self.accepts = accepts
    }

    func receive(head: WebResponse) throws(FetchError) {
        let accepted = accepts(head)
        isAccepted.store(accepted, ordering: .relaxed)
        if accepted { try receiver.receive(head: head) }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        if isAccepted.load(ordering: .relaxed) { try receiver.receive(bytes) }
    }
}
