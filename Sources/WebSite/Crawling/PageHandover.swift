import Synchronization
import WebDatabase
import WebStandards

/// Hands the pages of a crawl to their consumer; each producer waits until its page is done.
final class PageHandover: Sendable {
    /// An event for the consumer.
    enum Event: Sendable {
        /// A page, with the closure to call once with whether the page is done.
        case page(CrawledPage, done: @Sendable (Bool) -> Void)
        /// The end of the pages, with the error that ended the crawl.
        case end(StateError?)
    }

    private struct State {
        var pages = Queue<(page: CrawledPage, giver: CheckedContinuation<Bool, Never>)>()
        var taker: CheckedContinuation<Event, Never>?
        var isClosed = false
        /// The end event, once there is one.
        var end: Event?
    }

    private let state = Mutex(State())

    // MARK: - For those who give

    /// Hands over a page, and waits; returns whether the page is done.
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

    /// Ends the pages.
    func end(_ error: StateError?) {
        let taker = state.withLock { state in
            state.end = .end(error)
            return state.taker.take()
        }
        taker?.resume(returning: .end(error))
    }

    // MARK: - For the one who takes

    /// Returns the next event.
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

    /// Stops consuming; waiting pages are not done.
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
