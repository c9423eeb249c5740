import Synchronization
import WebLoader
import WebTransport

/// The progress of a page and its resources, as a fraction of the expected bytes.
final class LoadProgress: FetchMeter {
    private struct Fetch {
        var expected: Int?
        var received = 0
        var isEnded = false

        /// The expected number of bytes: twice the received ones if the server does not say.
        var total: Int {
            isEnded ? received : max(expected ?? max(received *| 2, LoadProgress.guess), received)
        }
    }

    private struct State {
        var fetches: [Int: Fetch] = [:]
        var next = 0
        var received = 0
        var total = 0
        var share = 0.0
    }

    /// The assumed size of a response that has not begun, in bytes.
    private static let guess = 16 << 10

    private let state = Mutex(State())
    private let told: @Sendable (Double) -> Void

    /// Creates a meter that reports each step of a hundredth to a closure, on any thread.
    init(told: @escaping @Sendable (Double) -> Void) {
        self.told = told
    }

    /// Starts over, for the next page.
    func reset() {
        state.withLock { $0 = State(next: $0.next) }
    }

    func began() -> Int {
        change { state in
            state.next += 1
            state.fetches[state.next] = Fetch()
            state.total +|= Self.guess
            return state.next
        }
    }

    func expects(_ expected: Int?, _ request: Int) {
        update(request) {
            $0.expected = expected
            $0.received = 0
        }
    }

    func received(_ count: Int, _ request: Int) { update(request) { $0.received +|= count } }

    func ended(_ request: Int) { update(request) { $0.isEnded = true } }

    private func update(_ request: Int, _ body: (inout Fetch) -> Void) {
        change { state in
            // The request of a page that has been abandoned.
            guard var fetch = state.fetches[request] else { return }
            state.received -= fetch.received
            state.total -= fetch.total
            body(&fetch)
            state.received +|= fetch.received
            state.total +|= fetch.total
            state.fetches[request] = fetch
        }
    }

    private func change<Value>(_ body: (inout State) -> Value) -> Value {
        let (value, share) = state.withLock { state in
            let value = body(&state)
            // The share never decreases, and is 1 only at the end of the load.
            let share = min(0.99, Double(state.received) / Double(max(1, state.total)))
            guard share >= state.share + 0.01 else { return (value, nil as Double?) }
            state.share = share
            return (value, share)
        }
        if let share { told(share) }
        return value
    }
}
