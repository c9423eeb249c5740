/// Operations on a loader's cache besides loading.
extension PageLoader {
    /// Whether the cache has a response for a URL, fresh or not; its fragment does not count.
    ///
    /// It looks at the entry's first bytes and does not read it.
    public func isCached(_ url: WebURL) async -> Bool {
        guard let store else { return false }
        let key = StoredResponse.key(for: url)
        return await configuration.blockingWork.run { store.contains(key) }
    }

    /// Waits for the background work of the cache: revalidating responses that were used stale
    /// (`stale-while-revalidate`), and trimming to its size.
    ///
    /// - Parameter time: The time after which unfinished work is cancelled.
    public func finishBackgroundWork(within time: Duration) async {
        await background?.finish(within: time.inSeconds)
    }

    /// The cache store of a configuration, nil for none.
    static func store(_ configuration: Configuration) -> (any CacheStore)? {
        let size = max(0, configuration.maximumCacheSize)
        if configuration.keepsCacheInMemory { return MemoryCacheStore(maximumSize: size) }
        return configuration.cacheDirectory.map { DiskCacheStore(directory: $0, maximumSize: size) }
    }
}
