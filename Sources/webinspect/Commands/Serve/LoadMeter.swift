import Synchronization
import WebLoader

/// A meter that reports the progress of a load, at most ten times a second.
final class LoadMeter: FetchMeter, PageLoadDelegate {
    private struct State {
        var stage = "connecting"
        var bytes = 0
        var expected: Int?
        /// The number of the last request: those before it were redirects, or are resources of nobody's.
        var last = 0
        /// When the next event is due, in seconds.
        var next = 0.0
        /// Whether the load is over, and nothing more is reported.
        var isOver = false
    }

    private static let interval = 0.1

    private let state = Mutex(State())
    private let send: @Sendable (JSONValue) -> Void

    /// - Parameter send: Receives the events, one after the other, on any thread.
    init(_ send: @escaping @Sendable (JSONValue) -> Void) {
        self.send = send
    }

    /// Stops reporting, including work that is still being done.
    func end() {
        state.withLock { $0.isOver = true }
    }

    /// Changes the state, and reports it if an event is due: within the lock, so that nothing is reported
    /// after the end.
    private func change(isDue: Bool = false, _ body: (inout State) -> Void) {
        state.withLock { state in
            guard !state.isOver else { return }
            let stage = state.stage
            body(&state)
            let now = MonotonicClock.now
            guard isDue || state.stage != stage || now >= state.next else { return }
            state.next = now + Self.interval
            send([
                "stage": .string(state.stage), "bytes": .integer(Int64(state.bytes)),
                "expected": JSONValue(state.expected),
            ])
        }
    }

    // MARK: - The delegate

    func didStart(_ request: WebRequest) async { change(isDue: true) { $0.stage = "connecting" } }

    func didReceive(_ response: WebResponse) async {
        change {
            $0.stage = "parsing"
            $0.bytes = response.body.count
        }
    }

    // MARK: - The meter

    func began() -> Int {
        var number = 0
        change {
            $0.last += 1
            number = $0.last
        }
        return number
    }

    func expects(_ expected: Int?, _ request: Int) {
        change {
            guard request == $0.last, $0.stage != "parsing" else { return }
            $0.expected = expected
            $0.bytes = 0
            $0.stage = "receiving"
        }
    }

    func received(_ count: Int, _ request: Int) {
        change {
            guard request == $0.last, $0.stage == "receiving" else { return }
            $0.bytes +|= count
        }
    }

    func ended(_ request: Int) {}
}
