/// What a loader's cache is asked and told besides loading.
extension PageLoader {
    /// Whether the cache has a response for a URL, fresh or not; its fragment does not count.
    ///
    /// It looks at the entry's first bytes and does not read it.
    public func isCached(_ url: WebURL) async -> Bool {
        guard let store else { return false }
        let key = StoredResponse.key(for: url)
        return await configuration.blockingWork.run { store.contains(key) }
    }

    /// Waits for what the cache does once loads have their answers: asking servers whether what was used stale still
    /// holds (`stale-while-revalidate`), and keeping to its size.
    ///
    /// - Parameter seconds: After so many of them, what is not done is cancelled.
    public func finishBackgroundWork(within seconds: Double) async {
        await background?.finish(within: seconds)
    }

    /// Where a configuration keeps responses, nil for nowhere.
    static func store(_ configuration: Configuration) -> (any CacheStore)? {
        let size = max(0, configuration.maximumCacheSize)
        if configuration.keepsCacheInMemory { return MemoryCacheStore(maximumSize: size) }
        return configuration.cacheDirectory.map { DiskCacheStore(directory: $0, maximumSize: size) }
    }
}
