import Synchronization
import WebDatabase

/// The crawl of an iterator: it starts with the first request for a page, and ends when this is deallocated.
final class CrawlFeed: Sendable {
    private struct State {
        var task: Task<Void, Never>?
        /// Receives whether the page that was returned last is done.
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
        // The last page was not followed by another call, so it is returned again in the next run. Pages done before
        // are stored: the run is not aborted.
        state.withLock { $0.done?(false) }
        leave()
    }

    /// Returns the next page, and marks the previous one as done.
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

    /// Ends the crawl; pages in progress are returned again in the next run.
    private func leave() {
        stop.ask(.drain)
        pages.close()
    }
}
