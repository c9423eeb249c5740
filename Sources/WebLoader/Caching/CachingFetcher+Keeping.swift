import HTTPTypes

extension CachingFetcher {
    /// Keeps a response from upstream where that is allowed or asked for, and says so.
    func keep(
        _ answer: WebResponse,
        _ exchange: Exchange,
        _ requestTime: Timestamp,
        _ sink: StoringReceiver?
    ) async -> WebResponse {
        let request = exchange.request
        var response = answer
        response.cacheVerdict = CacheVerdict(
            outcome: exchange.reason.isBypass ? .bypass : .miss,
            reason: exchange.reason.rawValue,
            explanation: exchange.reason.explanation
        )
        response.cacheVerdict?.damage = exchange.damage
        await invalidate(request, response)
        let refusal = CacheDecision.refusalToStore(request, response)
        if let refusal, !CacheDecision.mayKeepForOfflineUse(request, response, refusal) {
            response.cacheVerdict?.explanation += "; not kept: \(refusal.explanation)"
            if refusal.isServersWish { await note(refusal, exchange.key) }
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
            status: response.status ?? 200,
            httpVersion: response.httpVersion,
            headerFields: CacheDecision.storedFields(response.headerFields),
            body: body
        )
        entry.isKeptForOfflineUse = refusal != nil
        entry.remoteAddress = response.originAddress
        response.cacheVerdict?.freshnessLifetime = Freshness(entry, now: entry.responseTime).lifetime
        // What was for other credentials, or other fields, is not to come to whoever asked for this part.
        if entry.status == 206, let stored = exchange.stored, VaryingFields.match(stored, request) {
            entry = combined(stored, entry, exchange.limits)
        }
        if entry.isKeptForOfflineUse { response.cacheVerdict?.explanation += "; kept for offline use" }
        await write(entry, for: &response)
        return response
    }

    /// A part with what is stored of the same representation; alone where they do not fit.
    private func combined(
        _ stored: StoredResponse,
        _ part: StoredResponse,
        _ limits: LoadLimits
    ) -> StoredResponse {
        // What cannot be read is not combined, and the part takes its place.
        (try? PartialContent.combined(stored, part, maximumSize: limits.maximumBodySize)) ?? part
    }

    /// Writes an entry; a failure is noted and nothing else comes of it.
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

    /// Drops what is stored for a key, since its server does not want it kept any more.
    func forget(
        _ key: String,
        _ refusal: CacheDecision.StorageRefusal,
        _ response: inout WebResponse
    ) async {
        await blockingWork.run { [store] in
            // What cannot be removed stays, as it would without a cache that can be written.
            try? store.remove(key)
        }
        response.cacheVerdict?.isStored = false
        response.cacheVerdict?.explanation += "; not kept any more: \(refusal.explanation)"
        await note(refusal, key)
    }

    /// Notes that a response was not kept, so that a later miss can say so.
    private func note(_ refusal: CacheDecision.StorageRefusal, _ key: String) async {
        let time = now()
        await blockingWork.run { [store] in
            // It is a service; without the note, the miss says less.
            try? store.note(refusal, for: key, at: time)
        }
    }

    /// Drops what is stored for the URLs that an unsafe method has changed.
    ///
    /// [RFC 9111, section 4.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.4)
    private func invalidate(_ request: WebRequest, _ response: WebResponse) async {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod)
        guard !isSafe, let status = response.status, 200..<400 ~= status else { return }
        var keys = [StoredResponse.key(for: request.url)]
        for name in [HTTPField.Name.location, .contentLocation] {
            guard let reference = response.headerFields[name],
                // What is no URL names nothing that could be stored.
                let url = try? WebURL(reference, base: request.url), url.isSameOrigin(as: request.url)
            else { continue }
            keys.append(StoredResponse.key(for: url))
        }
        await blockingWork.run { [store, keys] in
            for key in keys {
                // What cannot be removed stays, as it would without a cache that can be written.
                try? store.remove(key)
            }
        }
    }
}
