import Synchronization
import WebDatabase
import WebStandards

/// Hands the pages of a crawl to the one who takes them: each waits until it is done with.
final class PageHandover: Sendable {
    /// What the taker gets.
    enum Event: Sendable {
        /// A page, and what is to be called once with whether it is done with.
        case page(CrawledPage, done: @Sendable (Bool) -> Void)
        /// There are no more.
        case end(StateError?)
    }

    private struct State {
        var pages = Queue<(page: CrawledPage, giver: CheckedContinuation<Bool, Never>)>()
        var taker: CheckedContinuation<Event, Never>?
        var isClosed = false
        /// Set at the end.
        var end: Event?
    }

    private let state = Mutex(State())

    // MARK: - For those who give

    /// Hands a page over; returns when it is done with, and whether it is.
    func hand(_ page: CrawledPage) async -> Bool {
        await withCheckedContinuation { giver in
            let (taker, isClosed) = state.withLock { state -> (CheckedContinuation<Event, Never>?, Bool) in
                guard !state.isClosed else { return (nil, true) }
                guard let taker = state.taker.take() else {
                    state.pages.append((page, giver))
                    return (nil, false)
                }
                return (taker, false)
            }
            if isClosed { giver.resume(returning: false) }
            taker?.resume(returning: .page(page) { giver.resume(returning: $0) })
        }
    }

    /// Says that there are no more pages.
    func end(_ error: StateError?) {
        let taker = state.withLock { state in
            state.end = .end(error)
            return state.taker.take()
        }
        taker?.resume(returning: .end(error))
    }

    // MARK: - For the one who takes

    /// The next page.
    func next() async -> Event {
        await withCheckedContinuation { taker in
            let event: Event? = state.withLock { state in
                if let (page, giver) = state.pages.popFirst() {
                    return .page(page) { giver.resume(returning: $0) }
                }
                if let end = state.end { return end }
                state.taker = taker
                return nil
            }
            if let event { taker.resume(returning: event) }
        }
    }

    /// Takes nothing more: what waits is not done with.
    func close() {
        let givers = state.withLock { state in
            state.isClosed = true
            var givers: [CheckedContinuation<Bool, Never>] = []
            while let (_, giver) = state.pages.popFirst() { givers.append(giver) }
            return givers
        }
        for giver in givers { giver.resume(returning: false) }
    }
}
