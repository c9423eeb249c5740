import Synchronization

/// A worker that is reserved for one run.
///
/// Once it is given back, another run may use it, so the end of this run's task must no longer kill it.
package final class WorkerLease: Sendable {
    private enum State {
        case held
        /// It has been killed and cannot be used again.
        case killed
        case released
    }

    package let process: WorkerProcess
    private let pool: WorkerPool
    private let state = Mutex(State.held)

    package init(_ process: WorkerProcess, of pool: WorkerPool) {
        self.process = process
        self.pool = pool
    }

    /// Ends the worker at once, unless it has been given back.
    package func kill() {
        state.withLock { state in
            guard case .held = state else { return }
            process.kill()
            state = .killed
        }
    }

    /// Gives the worker back to its pool, or ends it and waits until it has ended.
    package func release(isReusable: Bool) {
        let isHeld = state.withLock { state in
            guard case .held = state else { return false }
            state = .released
            return true
        }
        if !isHeld || !isReusable || !pool.put(back: process) { _ = process.end() }
    }
}
