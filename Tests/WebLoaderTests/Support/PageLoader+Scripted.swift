@testable import WebLoader
@testable import WebStandards

extension PageLoader {
    /// Creates a loader without a cache, on a scripted fetcher.
    convenience init(
        _ fetcher: any Fetcher,
        _ configure: (inout Configuration) -> Void = { _ in }
    ) {
        var configuration = Configuration()
        configuration.cacheDirectory = nil
        configuration.fetcher = fetcher
        configure(&configuration)
        self.init(configuration: configuration)
    }

    /// A loader that fetches nothing.
    static func offline(_ configure: (inout Configuration) -> Void = { _ in }) -> PageLoader {
        PageLoader(ScriptedFetcher(failing: .refused), configure)
    }
}
