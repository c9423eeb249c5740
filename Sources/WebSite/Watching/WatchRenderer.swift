import WebLoader

/// Runs the scripts of pages that are watched.
package struct WatchRenderer: Sendable {
    /// What asks for what scripts ask for; its loader has a renderer.
    private let fetcher: SiteFetcher
    /// Whether a page is complete only once something is there that is waited for.
    private let awaitsSomething: Bool

    package init(_ fetcher: SiteFetcher, awaitsSomething: Bool) {
        self.fetcher = fetcher
        self.awaitsSomething = awaitsSomething
    }

    /// The loader.
    package var loader: PageLoader { fetcher.loader }

    /// What scripts make of a page; anything but a page that was found is as it was.
    ///
    /// A page that is not whole is a failure: compared with what scripts had made before, it would be a change, and the next one
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
