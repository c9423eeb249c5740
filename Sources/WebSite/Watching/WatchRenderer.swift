import WebLoader

/// Runs the scripts of watched pages.
package struct WatchRenderer: Sendable {
    /// Makes the requests of scripts; its loader has a renderer.
    private let fetcher: SiteFetcher
    /// Whether a page is complete only if a condition that is waited for holds.
    private let awaitsSomething: Bool

    package init(_ fetcher: SiteFetcher, awaitsSomething: Bool) {
        self.fetcher = fetcher
        self.awaitsSomething = awaitsSomething
    }

    /// The loader.
    package var loader: PageLoader { fetcher.loader }

    /// Returns the rendered page; responses with an error are returned unchanged.
    ///
    /// An incomplete page is a failure: compared with the former rendered page, it would be a change, and the next one
    /// another.
    func render(
        _ response: WebResponse,
        overriding overrides: ContentOverrides
    ) async -> WatchKeeper.Answer {
        let status = response.status.map { Int($0.code) }
        guard status ?? 200 < 400 else { return .response(response) }
        do throws(LoadError) {
            let (page, rendering) = try await fetcher.scripted(response, overriding: overrides)
            guard let rendering else { return .response(page) }
            guard rendering.isOfScripts else {
                let message = "its scripts could not be run to their end"
                return .failure(code: rendering.ending.rawValue, message: message, status: status)
            }
            if awaitsSomething, rendering.ending == .time {
                let message = "what is waited for has not come"
                return .failure(code: rendering.ending.rawValue, message: message, status: status)
            }
            return .response(page)
        } catch {
            return .failure(code: error.code.rawValue, message: error.message, status: status)
        }
    }
}
