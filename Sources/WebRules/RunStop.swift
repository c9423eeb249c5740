import Synchronization

/// Cancels a run in this process; it may be used from any thread.
package final class RunStop: Sendable {
    private struct State {
        var isSet = false
        /// The load that the run waits for.
        var load: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Creates one that has not been cancelled.
    package init() {}

    /// Whether the run has to end.
    package var isSet: Bool { state.withLock { $0.isSet } }

    /// Cancels the run and the load that it waits for.
    package func set() {
        let load = state.withLock { state in
            state.isSet = true
            return state.load
        }
        load?.cancel()
    }

    /// Registers a load that the run is going to wait for, so that ``set()`` can cancel it.
    package func hold(_ load: Task<Void, Never>) {
        let isSet = state.withLock { state in
            state.load = load
            return state.isSet
        }
        if isSet { load.cancel() }
    }
}
