extension CachingFetcher {
    /// Keeps a response as a version; a failure is only noted in the cache verdict.
    func keepVersion(_ entry: StoredResponse, for response: inout WebResponse) async {
        do throws(CacheStoreError) {
            guard let kept = try await store.keepVersion(entry) else {
                response.cacheVerdict?.explanation += "; this cache keeps no versions"
                return
            }
            if kept.isNew { response.cacheVerdict?.explanation += "; kept as a version" }
            if kept.isOverLimit { background.start("trim") { [store] in await store.trim() } }
        } catch {
            if response.cacheVerdict?.failure == nil {
                response.cacheVerdict?.failure = "cannot write \(error.message)"
            }
        }
    }

    /// Answers with the version of a date: the nearest before or at it, else the first after it.
    ///
    /// Nothing is asked of a server.
    func version(at date: Timestamp, _ asked: Exchange) async throws(FetchError) -> WebResponse {
        var exchange = asked
        let request = exchange.request
        guard request.httpMethod == "GET" || request.httpMethod == "HEAD" else {
            throw Self.noVersion(CacheDecision.Reason.methodNotCached.explanation)
        }
        let found = await store.version(of: exchange.key, for: request, at: date)
        exchange.damage = Self.text(of: found.damages)
        guard let stored = found.response else {
            throw Self.noVersion(
                "nothing of this URL is kept"
                    + (exchange.damage.map { ", but what is damaged (\($0))" } ?? "")
            )
        }
        guard allowedAddresses.allows(stored.remoteAddress) else {
            throw Self.noVersion(CacheDecision.Reason.addressRefused.explanation)
        }
        guard PartialContent.canAnswer(request, stored) else {
            throw Self.noVersion(CacheDecision.Reason.partNotStored.explanation)
        }
        // Its age is that of the time when it was received.
        let served = try await serve(
            stored,
            exchange,
            .cache,
            .hit,
            .history,
            decided: stored.responseTime
        )
        guard var response = served else { throw Self.noVersion(Self.lostBody) }
        response.cacheVerdict?.explanation += " \(stored.responseTime.text)"
        response.capture = WebResponse.Capture(versionAt: found.path ?? "", received: stored.responseTime)
        return response
    }

    /// Returns a line that names damaged files; `nil` if there are none.
    private static func text(of damages: [String]) -> String? {
        guard !damages.isEmpty else { return nil }
        let rest = damages.count - maximumDamages
        return damages.prefix(maximumDamages).joined(separator: "; ") + (rest > 0 ? "; and \(rest) more" : "")
    }

    /// The most damaged files that are named.
    private static let maximumDamages = 4

    private static func noVersion(_ reason: String) -> FetchError {
        FetchError(.cacheMiss, "no version is in the cache: \(reason)")
    }
}

extension CacheAccess {
    /// Keeps a response as a version; nil if the store keeps none.
    func keepVersion(_ response: StoredResponse) async throws(CacheStoreError) -> KeptVersion? {
        guard case .blocking(let store as DiskCacheStore, let work) = self else { return nil }
        return try await work.run { () throws(CacheStoreError) in try store.keepVersion(response) }
    }

    /// The version of a key that is chosen for a date, its file, and what of others is damaged.
    func version(
        of key: String,
        for request: WebRequest,
        at date: Timestamp
    ) async -> (response: StoredResponse?, path: String?, damages: [String]) {
        guard case .blocking(let store as DiskCacheStore, let work) = self else { return (nil, nil, []) }
        return await work.run { store.version(of: key, for: request, at: date) }
    }
}
