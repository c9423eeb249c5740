import HTTPTypes
import Synchronization
import WebStandards
import WebTransport

/// Takes as much of a body as is wanted, and ends the transfer where that is less than there is.
final class ChoosingReceiver: BodyReceiver {
    private struct State {
        var head: WebResponse?
        var body: [UInt8] = []
        /// The bytes that came, kept or not.
        var count = 0
        var limit = 0
        /// How many bytes that nobody wants may still come: to read a little is cheaper than a new connection.
        var patience = 0
        var isEnded = false
    }

    /// What is read of a body that is not wanted, in bytes.
    private static let idleSize = 16 << 10

    private let wish: BodyWish
    private let maximumSize: Int
    private let state = Mutex(State())

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - wish: What is wanted.
    ///   - maximumSize: The bytes that a whole body may have; more are an error.
    init(_ wish: BodyWish, maximumSize: Int) {
        self.wish = wish
        self.maximumSize = maximumSize
    }

    var collectsBody: Bool { false }

    /// The response as far as it was taken, and whether more of it was there; nil if not even its head came.
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

    /// Whether all of the body is wanted, so that it may not be of any size.
    private func readsToTheEnd(_ state: State) -> Bool { wish.readsAll || state.limit == .largestBounded }

    /// Ends a transfer whose rest nobody wants; ``SiteFetcher`` makes an answer of it.
    private static var end: FetchError { FetchError(.refused, "the rest of the body is not wanted") }
}
