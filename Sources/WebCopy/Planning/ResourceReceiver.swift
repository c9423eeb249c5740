import Synchronization
import WebStandards
import WebTransport

/// A receiver of the body of a resource, up to its own limit and that of the copy.
final class ResourceReceiver: BodyReceiver {
    private struct State {
        var hasHead = false
        var body: [UInt8] = []
    }

    private let budget: CopyBudget
    private let maximumSize: Int
    private let state = Mutex(State())

    /// Creates a receiver.
    ///
    /// - Parameters:
    ///   - budget: The budget that all resources share.
    ///   - maximumSize: The maximum size of the body, in bytes.
    init(_ budget: CopyBudget, maximumSize: Int) {
        self.budget = budget
        self.maximumSize = maximumSize
    }

    var collectsBody: Bool { false }

    /// The body; `nil` if no response was received this way, since the URL contains it.
    var body: [UInt8]? { state.withLock { $0.hasHead ? $0.body : nil } }

    /// Discards the body of a load that failed.
    func drop() {
        budget.giveBack(
            state.withLock { state in
                defer { state.body = [] }
                return state.body.count
            }
        )
    }

    func receive(head: WebResponse) throws(FetchError) {
        // A second head is that of a second attempt.
        drop()
        state.withLock { $0.hasHead = true }
        let length = head.values(.contentLength).first.flatMap { Int(inBounds: $0) } ?? 0
        if length > maximumSize { throw .bodyTooLarge(limit: maximumSize) }
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        let fits = state.withLock { state in
            guard state.body.count + bytes.count <= maximumSize, budget.take(bytes.count) else {
                return false
            }
            unsafe bytes.withUnsafeBufferPointer { unsafe state.body.append(contentsOf: $0) }
            return true
        }
        if !fits { throw .bodyTooLarge(limit: maximumSize) }
    }
}
