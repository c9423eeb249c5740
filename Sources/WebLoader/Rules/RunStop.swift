import Synchronization

/// Says to a run in this process, from any thread, that nobody wants its result any more.
final class RunStop: Sendable {
    private struct State {
        var isSet = false
        /// The load that the run waits for.
        var load: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// Whether the run is to end.
    var isSet: Bool { state.withLock { $0.isSet } }

    /// Has the run end, and the load that it waits for.
    func set() {
        let load = state.withLock { state in
            state.isSet = true
            return state.load
        }
        load?.cancel()
    }

    /// Takes note of a load that the run is going to wait for.
    func hold(_ load: Task<Void, Never>) {
        let isSet = state.withLock { state in
            state.load = load
            return state.isSet
        }
        if isSet { load.cancel() }
    }
}
