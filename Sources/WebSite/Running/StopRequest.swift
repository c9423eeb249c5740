import Synchronization

/// How a job is asked to end before it is done.
package final class StopRequest: Sendable {
    /// How soon it is to end.
    package enum Level: Int, Comparable, Sendable {
        /// Not at all.
        case goOn
        /// Nothing new is begun, and what runs is finished.
        case drain
        /// What runs is given up, and comes again when the job is continued.
        case now

        package static func < (one: Level, other: Level) -> Bool { one.rawValue < other.rawValue }
    }

    private struct State {
        var level = Level.goOn
        var wake: (@Sendable () -> Void)?
    }

    private let state = Mutex(State())

    package init() {}

    /// How soon the job is to end.
    package var level: Level { state.withLock(\.level) }

    /// Asks for an end, or for a sooner one; it is never taken back.
    package func ask(_ level: Level) {
        let wake = state.withLock { state in
            state.level = max(state.level, level)
            return state.wake
        }
        wake?()
    }

    /// Sets what is called after each request for an end, on the thread that asks; nil for nothing.
    func onAsk(_ wake: (@Sendable () -> Void)?) {
        let isAsked = state.withLock { state in
            state.wake = wake
            return state.level > .goOn
        }
        if isAsked { wake?() }
    }
}

extension StopRequest {
    /// Waits, for as long as no end is asked for.
    package func wait(_ time: Duration) async {
        let sleeper = Task { try? await Task.sleep(for: time) }
        onAsk { sleeper.cancel() }
        await sleeper.value
        onAsk(nil)
    }
}
