import Synchronization

/// Holds the transfer of a waiting task, so that its cancellation handler can find it.
final class TransferSlot: Sendable {
    private struct State {
        var transfer: CurlTransfer?
        var isCancelled = false
    }

    private let state = Mutex(State())

    var isCancelled: Bool { state.withLock(\.isCancelled) }

    /// Puts the transfer in; false if it was cancelled before.
    func fill(_ transfer: CurlTransfer) -> Bool {
        state.withLock { state in
            state.transfer = transfer
            return !state.isCancelled
        }
    }

    /// Marks it as cancelled and returns the transfer, if there is one yet.
    func cancel() -> CurlTransfer? {
        state.withLock { state in
            state.isCancelled = true
            return state.transfer
        }
    }
}
