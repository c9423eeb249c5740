import HTTPTypes

/// The result of loading the images and style sheets of a page.
public struct PageResources: Hashable, Sendable, Codable {
    /// A resource that could not be loaded.
    public struct Failure: Hashable, Sendable, Codable {
        /// Its URL.
        public let url: WebURL
        /// The reason, as a stable identifier: a ``LoadError/code``, "http.status", or "limit.resources".
        public let code: String
        /// The reason, in words.
        public let message: String
    }

    /// How many were loaded.
    public internal(set) var count = 0

    /// How many of these came over the network.
    public internal(set) var networkCount = 0

    /// The bytes of the loaded ones, after content decoding.
    public internal(set) var bytes = 0

    /// Those that could not be loaded, in the order in which they failed.
    public internal(set) var failures: [Failure] = []
}

extension Page {
    /// Loads the images and the style sheets of the page, as the page itself was loaded: with the same cache
    /// policy, with the same fields within its origin, and a limited number per host at once.
    ///
    /// They are in the cache afterwards, if HTTP allows storing them, so that the page is complete offline.
    /// Of an image with several files one is loaded, ``/WebDocument/PageImage/primaryURL``. Resources in a `template`, and
    /// those that style sheets refer to, are not loaded.
    ///
    /// - Parameters:
    ///   - maximumCount: The maximum number of resources; the others are failures with the code
    ///     "limit.resources".
    ///   - maximumBytes: The maximum number of bytes: once it is reached, the remaining resources fail with
    ///     the same code.
    /// - Returns: The counts and the failures.
    /// - Throws: ``/WebDocument/ParsingError`` as ``parsed()``.
    public func loadResources(
        maximumCount: Int = 500,
        maximumBytes: Int = 256 << 20
    ) async throws(ParsingError) -> PageResources {
        guard let observation = origin.loader.observation else {
            return try await resources(maximumCount, maximumBytes)
        }
        let work = observation.begin(.resources, response.url)
        return try await observation.during(work) { () async throws(ParsingError) in
            try await self.resources(maximumCount, maximumBytes)
        } note: { _, _ in
        }
    }

    private func resources(
        _ maximumCount: Int,
        _ maximumBytes: Int
    ) async throws(ParsingError) -> PageResources {
        var resources = PageResources()
        let urls = Self.resourceURLs(try await parsed())
        for url in urls.dropFirst(max(0, maximumCount)) {
            resources.fail(url, "more than \(maximumCount) resources")
        }
        let taken = Array(urls.prefix(max(0, maximumCount)))
        var rest = Set(taken)
        // Few at once, since each is in memory until it is loaded.
        let loads = origin.loader.loadAll(taken.map { origin.request(for: $0) }, concurrency: 8)
        for await load in loads {
            rest.remove(load.request.url)
            resources.take(load)
            if resources.bytes >= maximumBytes { break }
        }
        for url in taken where rest.contains(url) {
            if Task.isCancelled {
                resources.failures.append(.init(url: url, code: "load.cancelled", message: "cancelled"))
            } else {
                resources.fail(url, "more than \(maximumBytes) bytes of resources")
            }
        }
        return resources
    }

    /// The URLs of images and style sheets, each once.
    private static func resourceURLs(_ page: ParsedPage) -> [WebURL] {
        var urls: [WebURL] = []
        var seen: Set<WebURL> = []
        func add(_ url: WebURL?) {
            guard let url = url?.withoutFragment, url.scheme == "http" || url.scheme == "https",
                seen.insert(url).inserted
            else { return }
            urls.append(url)
        }
        for sheet in page.stylesheets where !sheet.isInert && !sheet.isDisabled { add(sheet.url) }
        for image in page.images where !image.isInert { add(image.primaryURL) }
        return urls
    }
}

extension PageResources {
    fileprivate mutating func fail(_ url: WebURL, _ message: String) {
        failures.append(Failure(url: url, code: "limit.resources", message: message))
    }

    fileprivate mutating func take(_ load: PageLoads<[WebRequest]>.Element) {
        switch load.result {
        case .success(let page):
            if let status = page.response.status?.code, status >= 400 {
                failures.append(
                    Failure(url: load.request.url, code: "http.status", message: "HTTP status \(status)")
                )
            } else {
                count += 1
                if page.response.source == .network { networkCount += 1 }
                bytes += page.response.body.count
            }
        case .failure(let error):
            failures.append(Failure(url: load.request.url, code: error.code.rawValue, message: error.message))
        }
    }
}
