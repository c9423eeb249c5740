import HTTPTypes

extension CachingFetcher {
    /// Stores a response from upstream if that is allowed or requested, and notes it in the cache verdict.
    func keep(
        _ answer: WebResponse,
        _ exchange: Exchange,
        _ requestTime: Timestamp,
        _ sink: StoringReceiver?
    ) async -> WebResponse {
        let request = exchange.request
        var response = answer
        response.cacheVerdict = exchange.verdict
        await invalidate(request, response)
        let refusal = CacheDecision.refusalToStore(request, response)
        if let refusal, !CacheDecision.mayKeepForOfflineUse(request, response, refusal) {
            response.cacheVerdict?.refusal = refusal.rawValue
            response.cacheVerdict?.explanation += "; not stored: \(refusal.explanation)"
            if refusal.allowsOfflineUse { await note(refusal, exchange.key) }
            return response
        }
        let body: StoredBody
        do throws(CacheStoreError) {
            body = try sink?.finish() ?? .bytes(response.body)
        } catch {
            response.cacheVerdict?.failure = "cannot write \(error.message)"
            return response
        }
        var entry = StoredResponse(
            key: exchange.key,
            varyingFields: VaryingFields.of(request, response.headerFields),
            requestTime: requestTime,
            responseTime: now(),
            status: response.status?.code ?? 200,
            httpVersion: response.httpVersion,
            headerFields: CacheDecision.storedFields(response.headerFields),
            body: body
        )
        entry.isKeptForOfflineUse = refusal != nil
        entry.remoteAddress = response.originAddress
        response.cacheVerdict?.freshnessLifetime = Freshness(entry, now: entry.responseTime).lifetime
        // A stored response for other credentials or fields must not be combined with this part.
        if entry.status == 206, let stored = exchange.stored, VaryingFields.match(stored, request) {
            entry = combined(stored, entry, exchange.limits)
        }
        if entry.isKeptForOfflineUse { response.cacheVerdict?.explanation += "; kept for offline use" }
        await write(entry, for: &response)
        return response
    }

    /// Combines a part with the stored response of the same representation; returns the part if that fails.
    private func combined(
        _ stored: StoredResponse,
        _ part: StoredResponse,
        _ limits: LoadLimits
    ) -> StoredResponse {
        // A stored body that cannot be read is replaced by the part.
        (try? PartialContent.combined(stored, part, maximumSize: limits.maximumBodySize)) ?? part
    }

    /// Writes an entry; a failure is only noted in the cache verdict.
    func write(_ entry: StoredResponse, for response: inout WebResponse) async {
        do throws(CacheStoreError) {
            let isOverLimit = try await blockingWork.run { [store] () throws(CacheStoreError) in
                try store.store(entry)
            }
            response.cacheVerdict?.isStored = true
            if isOverLimit {
                background.start("trim") { [blockingWork, store] in await blockingWork.run { store.trim() } }
            }
        } catch {
            response.cacheVerdict?.isStored = false
            response.cacheVerdict?.failure = "cannot write \(error.message)"
        }
    }

    /// Removes what is stored for a key, since its server forbids storing it now.
    func forget(
        _ key: String,
        _ refusal: CacheDecision.StorageRefusal,
        _ response: inout WebResponse
    ) async {
        await blockingWork.run { [store] in
            // A failure is ignored, as with a cache that cannot be written.
            try? store.remove(key)
        }
        response.cacheVerdict?.isStored = false
        response.cacheVerdict?.refusal = refusal.rawValue
        response.cacheVerdict?.explanation += "; no longer stored: \(refusal.explanation)"
        await note(refusal, key)
    }

    /// Notes that a response was not stored, so that a later miss can say so.
    private func note(_ refusal: CacheDecision.StorageRefusal, _ key: String) async {
        let time = now()
        await blockingWork.run { [store] in
            // A failure is ignored; without the note, a later miss only says less.
            try? store.note(refusal, for: key, at: time)
        }
    }

    /// Invalidates the stored responses of the URLs that an unsafe method has changed.
    ///
    /// [RFC 9111, section 4.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.4)
    private func invalidate(_ request: WebRequest, _ response: WebResponse) async {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod)
        guard !isSafe, let status = response.status?.code, 200..<400 ~= status else { return }
        var keys = [StoredResponse.key(for: request.url)]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let reference = response.headerFields[name],
                // Nothing can be stored under an invalid URL.
                let url = try? WebURL(reference, base: request.url), url.isSameOrigin(as: request.url)
            else { continue }
            keys.append(StoredResponse.key(for: url))
        }
        await blockingWork.run { [store, keys] in
            for key in keys {
                // A failure is ignored, as with a cache that cannot be written.
                try? store.remove(key)
            }
        }
    }
}
