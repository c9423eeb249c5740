/// The versions of a page that a loader's cache stores, by date.
///
/// Loads with ``PageLoader/Configuration/keepsHistory`` store versions. A version that is the same as the one before
/// it is not stored again, and equal bodies are stored once.
///
/// ```swift
/// var configuration = PageLoader.Configuration()
/// configuration.keepsHistory = true
/// let loader = PageLoader(configuration: configuration)
/// let url = try WebURL("https://example.com/")
/// _ = try await loader.load(WebRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData))
/// let history = try await loader.history(of: url)
/// for (version, change) in zip(history.versions, await loader.changes(in: history)) {
///     print(version.date.text, version.status, version.size, change.summary)
/// }
/// ```
public struct PageHistory: Sendable {
    /// A version of the page.
    public struct Version: Sendable {
        /// When it was received first, by this machine's clock then, which may have been wrong.
        public let date: Timestamp

        /// When it was received or confirmed last, while it was the newest, to the second; nil if that is not known.
        public let lastSeen: Timestamp?

        /// The status, 200 through 999.
        public let status: Int

        /// The response's Content-Type as it was sent; nil if it had none.
        public let contentType: String?

        /// Where the response redirects to, as it was sent; nil if it does not.
        public let location: String?

        /// The size of the body in bytes, its content coding undone.
        public let size: Int

        let stored: CacheVersion

        init(_ stored: CacheVersion) {
            self.stored = stored
            date = stored.received
            lastSeen = stored.lastSeen
            status = stored.status
            contentType = stored.contentType
            location = stored.location
            size = stored.bodySize
        }

        /// The file of the cache that it is in.
        package var path: String { stored.path }
    }

    /// The URL, without its fragment.
    public let url: WebURL

    /// The versions, oldest first.
    ///
    /// Of two consecutive versions that are the same, as remain when those between them were removed, only the first
    /// is listed.
    ///
    /// They are of all variants of the page (`Vary`).
    public let versions: [Version]

    /// The number of stored versions that are older than the requested ones.
    public let olderCount: Int

    /// The damaged entries that were omitted: each with its file and the reason.
    public let damages: [String]

    /// The version before the first one; `nil` if there is no older one.
    let before: Version?

    init(_ url: WebURL) {
        self.url = url
        versions = []
        olderCount = 0
        damages = []
        before = nil
    }

    /// Creates the history of a URL from the versions found in the cache.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - found: The contents of the cache: one version more than requested, if there are that many.
    ///   - maximumCount: The number of requested versions; `nil` for all.
    init(
        _ url: WebURL,
        _ found: (versions: [CacheVersion], damages: [CacheBrowser.Damage], olderCount: Int),
        _ maximumCount: Int?
    ) {
        self.url = url
        damages = found.damages.map(\.message)
        var last: [UInt64: CacheVersion] = [:]
        var versions: [Version] = []
        versions.reserveCapacity(found.versions.count)
        for version in found.versions {
            if let before = last[version.variant], version.isSame(as: before) { continue }
            last[version.variant] = version
            versions.append(Version(version))
        }
        let surplus = max(0, versions.count - (maximumCount ?? versions.count))
        before = surplus > 0 ? versions[surplus - 1] : nil
        self.versions = Array(versions[surplus...])
        olderCount = found.olderCount + surplus
    }

    /// The version that is chosen for a date: the nearest before or at it, else the first after it; nil if there is none.
    ///
    /// ``PageLoader/Configuration/archiveDate`` chooses so for a load, from these and the newest response, among those
    /// of the request's variant.
    ///
    /// Complexity: O(log n).
    public func version(at date: Timestamp) -> Version? {
        var (low, high) = (0, versions.count)
        while low < high {
            let middle = low + (high - low) / 2
            if versions[middle].date <= date { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? versions[low - 1] : versions.first
    }
}

extension PageLoader {
    /// Returns the versions of a URL that the cache stores; none if there is no cache on disk.
    ///
    /// No body is read. A damaged version is omitted, and reported in ``PageHistory/damages``.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment is ignored.
    ///   - maximumCount: The maximum number of versions, the newest ones; `nil`, the default, for all.
    /// - Returns: The history, which may have no versions.
    /// - Throws: ``LoadError``, "file.unreadable" if the cache cannot be listed.
    ///
    /// Complexity: O(n) in the number of listed versions, one file each; of the others only the names are read.
    public func history(of url: WebURL, maximumCount: Int? = nil) async throws(LoadError) -> PageHistory {
        let url = url.withoutFragment
        guard let directory = historyDirectory else { return PageHistory(url) }
        do throws(CacheBrowser.Failure) {
            return try await configuration.blockingWork.run { () throws(CacheBrowser.Failure) in
                let found = try CacheBrowser(directory: directory).versions(
                    of: url,
                    // One more, to compare the first of them with it.
                    maximumCount: maximumCount.map { max(0, $0) +| 1 }
                )
                return PageHistory(url, found, maximumCount.map { max(0, $0) })
            }
        } catch {
            throw LoadError(FileError(.unreadable, path: error.path, error.reason), url: url)
        }
    }

    /// Removes the versions of all URLs that a policy does not keep.
    ///
    /// A body is removed with the last version that has it.
    ///
    /// - Parameter policy: Which versions remain; by default all of one day, one a day for a month, then one a week.
    /// - Returns: The number of versions removed; 0 if there is no cache on disk.
    /// - Throws: ``LoadError``, "file.unreadable" if the cache cannot be listed, or another process holds its lock;
    ///   the versions removed before that stay removed.
    @discardableResult
    public func thinHistory(_ policy: HistoryPolicy = HistoryPolicy()) async throws(LoadError) -> Int {
        guard let directory = historyDirectory else { return 0 }
        do throws(CacheBrowser.Failure) {
            return try await configuration.blockingWork.run { () throws(CacheBrowser.Failure) in
                try CacheBrowser(directory: directory).thinVersions(policy, now: .now).removed
            }
        } catch {
            throw LoadError(FileError(.unreadable, path: error.path, error.reason), url: nil)
        }
    }

    /// The directory of the cache that stores versions; `nil` if there is none.
    private var historyDirectory: String? {
        let isElsewhere = configuration.cacheStore != nil || configuration.keepsCacheInMemory
        return isElsewhere ? nil : configuration.cacheDirectory
    }

    /// Returns the response of a version, its body read and verified; ``load(_:overriding:)`` makes a page of it.
    ///
    /// - Parameters:
    ///   - version: The version.
    ///   - history: The history that has the version.
    /// - Returns: The response as it was stored, from the cache.
    /// - Throws: ``LoadError``, "cache.miss" if it is damaged, was removed since, or came from an address that the
    ///   configuration does not allow; "limit.size" if its body is larger than the configuration's limit.
    public func response(
        of version: PageHistory.Version,
        in history: PageHistory
    ) async throws(LoadError) -> WebResponse {
        let limit = configuration.limits.maximumBodySize
        let addresses = configuration.fetcher.allowedAddresses
        do throws(FetchError) {
            return try await configuration.blockingWork.run { () throws(FetchError) in
                try version.stored.response(history.url, maximumSize: limit, from: addresses)
            }
        } catch {
            throw LoadError(error, url: history.url)
        }
    }
}
