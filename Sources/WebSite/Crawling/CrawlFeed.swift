import Synchronization
import WebDatabase

/// What an iterator has of a crawl: it begins with the first page that is asked for, and ends with this.
final class CrawlFeed: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Says whether the page that was given last is done with.
        var done: (@Sendable (Bool) -> Void)?
        var isEnded = false
    }

    private let crawler: SiteCrawler
    private let pages = PageHandover()
    private let stop = StopRequest()
    private let state = Mutex(State())

    init(_ crawler: SiteCrawler) {
        self.crawler = crawler
    }

    deinit {
        // The last page was not followed by another call: it comes again. What was done with before is kept, so that the run
        // is not cut off.
        state.withLock { $0.done?(false) }
        leave()
    }

    /// The next page; the one before is done with.
    func next() async throws(StateError) -> CrawledPage? {
        let (done, isEnded) = state.withLock { state -> ((@Sendable (Bool) -> Void)?, Bool) in
            guard !state.isEnded else { return (nil, true) }
            if state.task == nil {
                state.task = Task { [crawler, pages, stop] in
                    do throws(StateError) {
                        try await crawler.run(to: pages, stop)
                        pages.end(nil)
                    } catch {
                        pages.end(error)
                    }
                }
            }
            defer { state.done = nil }
            return (state.done, false)
        }
        guard !isEnded else { return nil }
        done?(true)
        let event = await withTaskCancellationHandler {
            await pages.next()
        } onCancel: {
            leave()
        }
        switch event {
        case .page(let page, let done):
            state.withLock { $0.done = done }
            return page
        case .end(let error):
            state.withLock { $0.isEnded = true }
            if let error { throw error }
            return nil
        }
    }

    /// Ends the crawl: what runs comes again.
    private func leave() {
        stop.ask(.drain)
        pages.close()
    }
}
