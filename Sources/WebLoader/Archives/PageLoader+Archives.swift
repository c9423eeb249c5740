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
    /// With a ``PageLoader/Configuration/renderer`` its scripts are run; no server is asked for what they ask for.
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
        try await load(
            response,
            overrides,
            nil,
            for: WebRequest(url: response.url, cachePolicy: .returnCacheDataDontLoad)
        )
    }

    /// Creates a page from a part of one, or of one that a page holds: no scripts are run.
    package func load(
        part response: WebResponse,
        overriding overrides: ContentOverrides = ContentOverrides()
    ) async throws(LoadError) -> Page {
        try await load(response, overrides, nil, runsScripts: false)
    }

    /// Creates a page from a response that was kept, as if it had just been loaded.
    ///
    /// - Parameters:
    ///   - response: The response, with its body.
    ///   - request: The request for it, by which its resources are asked for.
    ///   - overrides: Settings that override those of the server.
    /// - Returns: The page.
    /// - Throws: ``LoadError``, as for a page that is loaded.
    package func load(
        kept response: WebResponse,
        for request: WebRequest,
        overriding overrides: ContentOverrides
    ) async throws(LoadError) -> Page {
        try await load(response, overrides, nil, isLocal: response.url.scheme == "file", for: request)
    }

    /// Creates a page from a text of HTML.
    ///
    /// - Parameters:
    ///   - html: The text. Its declarations of an encoding are ignored.
    ///   - request: The request by which its resources are asked for; its URL is that of the page.
    /// - Returns: The page.
    /// - Throws: ``LoadError``, if there is not enough memory.
    package func load(html: String, for request: WebRequest) async throws(LoadError) -> Page {
        let response = WebResponse(url: request.url, status: nil, body: Array(html.utf8), source: .memory)
        return try await load(response, ContentOverrides(mimeType: "text/html"), .text, for: request)
    }

    /// The response of a record that a caller knows the place of.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - location: Where the record begins.
    ///   - original: Where that begins which has the body of a revisit, if the caller knows; nil to look for it.
    ///   - maximumSize: Bytes that the body may have; nil for what the configuration says.
    /// - Returns: The record's URL and date, and the response.
    /// - Throws: ``LoadError``, "archive.miss" if no response begins there.
    package func response(
        in archive: Archive,
        at location: ArchiveLocation,
        original: ArchiveLocation? = nil,
        maximumSize: Int? = nil
    ) async throws(LoadError) -> (url: String, date: Timestamp?, response: WebResponse) {
        let limits = configuration.limits
        let size = min(maximumSize ?? .largestBounded, limits.maximumBodySize)
        do throws(ArchiveError) {
            return try await configuration.blockingWork.run { () throws(ArchiveError) in
                let limit = WaitLimit(seconds: limits.maximumSeconds)
                return try limit.limit { () throws(ArchiveError) in
                    try Self.response(archive, location, original, maximumSize: size, within: limit)
                }
            }
        } catch {
            throw LoadError(FetchError(error, limits), url: nil)
        }
    }

    /// The response that a record is, and how its URL is written.
    private static func response(
        _ archive: Archive,
        _ location: ArchiveLocation,
        _ original: ArchiveLocation?,
        maximumSize: Int,
        within limit: WaitLimit
    ) throws(ArchiveError) -> (String, Timestamp?, WebResponse) {
        let place = "\(archive.path): at offset \(location.offset)"
        let reader = try archive.contents.records(at: location)
        // A record that begins further on is a different one.
        guard let record = try reader.next(), record.offset ?? location.offset == location.offset
        else { throw ArchiveError(.miss, "\(place) no record begins") }
        guard ArchiveCollection.isCapture(record) || record.kind == .conversion,
            let name = record.url, let url = try? WebURL(name)
        else { throw ArchiveError(.miss, "\(place) there is a record that is no response") }
        let found = try ArchiveCollection([archive]).response(
            of: record,
            reader,
            in: archive,
            original: original,
            within: limit
        )
        return (name, record.date, try found.read(url, maximumSize: maximumSize))
    }
}
