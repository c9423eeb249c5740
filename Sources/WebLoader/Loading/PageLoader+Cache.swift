/// Operations on a loader's cache besides loading.
extension PageLoader {
    /// Whether the cache has a response for a URL, fresh or not; its fragment does not count.
    ///
    /// On a disk it looks at the entry's first bytes and does not read it; a ``/WebTransport/CacheStore`` is asked for the
    /// response, without a body of more than 256 KiB.
    public func isCached(_ url: WebURL) async -> Bool {
        await store?.contains(StoredResponse.key(for: url)) ?? false
    }

    /// Waits for the background work of the cache: revalidating responses that were used stale
    /// (`stale-while-revalidate`), and trimming to its size.
    ///
    /// - Parameter time: The time after which unfinished work is cancelled.
    public func finishBackgroundWork(within time: Duration) async {
        await background?.finish(within: time.inSeconds)
    }

    /// Returns the cache store of a configuration; `nil` if it has no cache.
    static func store(_ configuration: Configuration) -> CacheAccess? {
        if let store = configuration.cacheStore {
            return .keyed(KeyedStore(store, maximumSeconds: configuration.maximumCacheStoreTime.inSeconds))
        }
        let size = max(0, configuration.maximumCacheSize)
        let work = configuration.blockingWork
        if configuration.keepsCacheInMemory { return .blocking(MemoryCacheStore(maximumSize: size), work) }
        return configuration.cacheDirectory.map {
            .blocking(DiskCacheStore(directory: $0, maximumSize: size), work)
        }
    }
}
