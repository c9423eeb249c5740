import Synchronization

/// Takes a response as it arrives: its head, then the body in pieces.
///
/// A fetcher calls it from one thread at a time. An error that it throws ends the fetch, as the fetch's error. A second
/// head says that the fetch was tried again, and what came before does not count.
public protocol BodyReceiver: Sendable {
    /// Whether the response is to hold the body too.
    ///
    /// If not, its body stays empty, and need not fit into memory.
    var collectsBody: Bool { get }

    /// Takes the status and the fields of the response, before the first byte of its body.
    ///
    /// - Parameter head: The response, its body empty.
    /// - Throws: What ends the fetch.
    func receive(head: WebResponse) throws(FetchError)

    /// Takes the next bytes of the body, their content coding undone.
    ///
    /// - Parameter bytes: The bytes, valid until this returns.
    /// - Throws: What ends the fetch.
    func receive(_ bytes: Span<UInt8>) throws(FetchError)
}

extension BodyReceiver {
    /// Takes a response that is there as a whole.
    ///
    /// - Parameter response: The response, body and all.
    /// - Returns: What a fetcher returns then: the response, without its body unless that is to be collected.
    /// - Throws: What ends the fetch.
    public func receive(whole response: WebResponse) throws(FetchError) -> WebResponse {
        var head = response
        head.body = []
        try receive(head: head)
        if !response.body.isEmpty { try receive(response.body.span) }
        return collectsBody ? response : head
    }
}

/// Hands on only the responses that somebody waits for: no redirects that are followed, no "not modified".
final class FilteredReceiver: BodyReceiver {
    private let receiver: any BodyReceiver
    private let accepts: @Sendable (WebResponse) -> Bool
    private let isAccepted = Atomic(false)

    /// The body of what is not handed on is collected, for whoever fetched it.
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
