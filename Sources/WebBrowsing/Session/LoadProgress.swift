import Synchronization
import WebLoader
import WebTransport

/// How far a page and its resources have come, as a share of the bytes that are expected.
final class LoadProgress: FetchMeter {
    private struct Fetch {
        var expected: Int?
        var received = 0
        var isEnded = false

        /// The bytes that it will have: as many again as there are where nobody says.
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

    /// The bytes of what has not answered yet.
    private static let guess = 16 << 10

    private let state = Mutex(State())
    private let told: @Sendable (Double) -> Void

    /// - Parameter told: Is told of each step of a hundredth; on any thread.
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
            // A request of a page that nobody waits for any more.
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
            // It never goes back, and only the end of the load is 1.
            let share = min(0.99, Double(state.received) / Double(max(1, state.total)))
            guard share >= state.share + 0.01 else { return (value, nil as Double?) }
            state.share = share
            return (value, share)
        }
        if let share { told(share) }
        return value
    }
}
