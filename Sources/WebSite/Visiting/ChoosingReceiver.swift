import HTTPTypes
import Synchronization
import WebStandards
import WebTransport

/// Receives as much of a body as is wanted, and ends the transfer early if the body is longer.
final class ChoosingReceiver: BodyReceiver {
    private struct State {
        var head: WebResponse?
        var body: [UInt8] = []
        /// The number of received bytes, whether collected or not.
        var count = 0
        var limit = 0
        /// The number of unwanted bytes that may still be received: reading a little is cheaper than a new connection.
        var patience = 0
        var isEnded = false
    }

    /// The maximum number of bytes to read of an unwanted body.
    private static let idleSize = 16 << 10

    private let wish: BodyWish
    private let maximumSize: Int
    private let state = Mutex(State())

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - wish: The part of the body that is wanted.
    ///   - maximumSize: The maximum number of bytes of a whole body; exceeding it is an error.
    init(_ wish: BodyWish, maximumSize: Int) {
        self.wish = wish
        self.maximumSize = maximumSize
    }

    var collectsBody: Bool { false }

    /// The response as far as it was received, and whether it was cut off; `nil` if not even its head was received.
    var taken: (response: WebResponse, isCut: Bool)? {
        state.withLock { state in
            guard var response = state.head else { return nil }
            response.body = state.body
            return (response, state.isEnded)
        }
    }

    func receive(head: WebResponse) throws(FetchError) {
        let goesOn = try state.withLock { (state) throws(FetchError) in
            state = State(head: head, limit: wish.limit(for: head), patience: Self.idleSize)
            guard let length = head.values(.contentLength).first.flatMap({ Int(inBounds: $0) }) else {
                return true
            }
            guard state.limit == 0, !wish.readsAll else {
                if readsToTheEnd(state), length > maximumSize { throw .bodyTooLarge(limit: maximumSize) }
                return true
            }
            state.isEnded = length > Self.idleSize
            return !state.isEnded
        }
        if !goesOn { throw Self.end }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        let goesOn = try state.withLock { (state) throws(FetchError) in
            state.count += bytes.count
            if readsToTheEnd(state), state.count > maximumSize { throw .bodyTooLarge(limit: maximumSize) }
            let wanted = min(bytes.count, state.limit - state.body.count)
            unsafe bytes.withUnsafeBufferPointer { unsafe state.body.append(contentsOf: $0.prefix(wanted)) }
            guard !wish.readsAll else { return true }
            state.patience -= bytes.count - wanted
            state.isEnded = state.isEnded || bytes.count > wanted && state.limit > 0 || state.patience < 0
            return !state.isEnded
        }
        if !goesOn { throw Self.end }
    }

    /// Whether all of the body is read, so that its size has to be limited.
    private func readsToTheEnd(_ state: State) -> Bool { wish.readsAll || state.limit == .largestBounded }

    /// The error that ends a transfer early; ``SiteFetcher`` turns it into an answer.
    private static var end: FetchError { FetchError(.refused, "the rest of the body is not wanted") }
}
