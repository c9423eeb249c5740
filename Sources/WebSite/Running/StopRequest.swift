import Synchronization

/// A request to end a job before it is done.
package final class StopRequest: Sendable {
    /// How soon the job has to end.
    package enum Level: Int, Comparable, Sendable {
        /// The job continues.
        case goOn
        /// No new visit is begun, and running visits are finished.
        case drain
        /// Running visits are cancelled, and repeated when the job is continued.
        case now

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    private struct State {
        var level = Level.goOn
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// How soon the job has to end.
    package var level: Level { state.withLock(\.level) }

    /// Requests an end, or a sooner one; it cannot be withdrawn.
    package func ask(_ level: Level) {
        let wake = state.withLock { state in
            state.level = max(state.level, level)
            return state.wake
        }
        wake?()
    }

    /// Sets the closure to call after each request for an end, on the requesting thread; `nil` to call nothing.
    func onAsk(_ wake: (@Sendable () -> Void)?) {
        let isAsked = state.withLock { state in
            state.wake = wake
            return state.level > .goOn
        }
        if isAsked { wake?() }
    }
}

extension StopRequest {
    /// Waits for a time, or until an end is requested.
    package func wait(_ time: Duration) async {
        let sleeper = Task { try? await Task.sleep(for: time) }
        onAsk { sleeper.cancel() }
        await sleeper.value
        onAsk(nil)
    }
}
