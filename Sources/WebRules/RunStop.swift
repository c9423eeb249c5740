import Synchronization

/// Cancels a run in this process; it may be used from any thread.
package final class RunStop: Sendable {
    private struct State {
        var isCancelled = false
        /// The load that the run waits for.
        var load: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Creates one that has not been cancelled.
    package init() {}

    /// Whether the run has to end.
    package var isCancelled: Bool { state.withLock { $0.isCancelled } }

    /// Cancels the run and the load that it waits for.
    package func cancel() {
        let load = state.withLock { state in
            state.isCancelled = true
            return state.load
        }
        load?.cancel()
    }

    /// Registers a load that the run is going to wait for, so that ``cancel()`` can cancel it.
    package func hold(_ load: Task<Void, Never>) {
        let isCancelled = state.withLock { state in
            state.load = load
            return state.isCancelled
        }
        if isCancelled { load.cancel() }
    }
}
