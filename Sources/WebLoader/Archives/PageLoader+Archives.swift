import WebArchive

extension PageLoader.Configuration {
    /// Makes archives answer in place of the network, below the cache, which stores what they answer.
    package mutating func fetch(from archives: [Archive]) {
        fetcher = ArchiveFetcher(ArchiveCollection(archives), at: nil, blockingWork)
    }
}

/// Pages of archives.
extension PageLoader {
    /// The pages of the configuration's archives, one after the other; none if there are no archives.
    ///
    /// ```swift
    /// var configuration = PageLoader.Configuration()
    /// configuration.archives = [try Archive("site.wacz")]
    /// let loader = PageLoader(configuration: configuration)
    /// for try await found in loader.archivedPages {
    ///     let page = try await loader.load(try found.result.get())
    ///     print(found.url, page.title ?? "untitled")
    /// }
    /// ```
    public var archivedPages: ArchivedPages {
        ArchivedPages(
            archives: configuration.archives,
            blockingWork: configuration.blockingWork,
            limits: configuration.limits
        )
    }

    /// Creates a page from a response that is there already, as those of ``archivedPages``.
    ///
    /// - Parameters:
    ///   - response: The response, with its body.
    ///   - overrides: Settings that override those of the server.
    /// - Returns: The page.
    /// - Throws: ``LoadError``, as for a page that is loaded.
    public func load(
        _ response: WebResponse,
        overriding overrides: ContentOverrides = ContentOverrides()
    ) async throws(LoadError) -> Page {
        try await load(response, overrides, nil)
    }
}
