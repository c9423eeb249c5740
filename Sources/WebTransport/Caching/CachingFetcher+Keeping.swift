import Glibc
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
        if response.source != .archive { await invalidate(exchange, response) }
        let refusal = CacheDecision.refusalToStore(request, response)
        if let refusal, !CacheDecision.mayKeepForOfflineUse(request, response, refusal) {
            response.cacheVerdict?.refusal = refusal.rawValue
            response.cacheVerdict?.explanation += "; not stored: \(refusal.explanation)"
            if refusal.allowsOfflineUse { await note(refusal, exchange) }
            return response
        }
        let body: StoredBody
        do throws(CacheStoreError) {
            body = try await sink?.finish() ?? .bytes(response.body)
        } catch {
            response.cacheVerdict?.failure = error.verdict
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
        // An archived response is not the server's: no load that may ask the server uses it.
        entry.isKeptForOfflineUse = refusal != nil || response.source == .archive
        // A response that was stored on request stays so when it is loaded again.
        let isAsked = request.keepsForOfflineUse && response.source != .archive
        entry.isKeptOnRequest = isAsked || exchange.stored?.isKeptOnRequest ?? false
        entry.remoteAddress = response.originAddress
        response.cacheVerdict?.freshnessLifetime = Freshness(entry, now: entry.responseTime).lifetime
        // A stored response for other credentials or fields must not be combined with this part.
        if entry.status == 206, response.source != .archive, let stored = exchange.stored,
            VaryingFields.match(stored, request)
        {
            entry = await combined(stored, entry, exchange)
        }
        if entry.isKeptForOfflineUse { response.cacheVerdict?.explanation += "; kept for offline use" }
        await write(entry, exchange, for: &response)
        return response
    }

    /// Combines a part with the stored response of the same representation; returns the part if that fails.
    private func combined(
        _ stored: StoredResponse,
        _ part: StoredResponse,
        _ exchange: Exchange
    ) async -> StoredResponse {
        let maximumSize = exchange.limits.maximumBodySize
        let stored = await inMemory(stored, exchange)
        let newer = await inMemory(part, exchange)
        // A stored body that cannot be read is replaced by the part.
        return (try? PartialContent.combined(stored, newer, maximumSize: maximumSize)) ?? part
    }

    /// A response with its body in memory, if it is in pieces that can be read and is not too large.
    private func inMemory(_ response: StoredResponse, _ exchange: Exchange) async -> StoredResponse {
        guard let pieces = response.body.pieces, pieces.count <= exchange.limits.maximumBodySize else {
            return response
        }
        var read = response
        do throws(CacheStoreError) {
            read.body = .bytes(try await pieces.bytes(0..<pieces.count, until: exchange.storeDeadline))
        } catch {
            return response
        }
        return read
    }

    /// Writes an entry; a failure is only noted in the cache verdict.
    func write(_ entry: StoredResponse, _ exchange: Exchange, for response: inout WebResponse) async {
        do throws(CacheStoreError) {
            let isOverLimit = try await store.store(entry, until: exchange.storeDeadline)
            response.cacheVerdict?.isStored = true
            if isOverLimit { background.start("trim") { [store] in await store.trim() } }
            if keepsHistory { await keepVersion(entry, for: &response) }
        } catch {
            response.cacheVerdict?.isStored = false
            response.cacheVerdict?.failure = error.verdict
        }
    }

    /// Removes what is stored for a key, since its server forbids storing it now.
    func forget(
        _ exchange: Exchange,
        _ refusal: CacheDecision.StorageRefusal,
        _ response: inout WebResponse
    ) async {
        // A failure is ignored, as with a cache that cannot be written.
        try? await store.remove(exchange.key, until: exchange.storeDeadline)
        response.cacheVerdict?.isStored = false
        response.cacheVerdict?.refusal = refusal.rawValue
        response.cacheVerdict?.explanation += "; no longer stored: \(refusal.explanation)"
        await note(refusal, exchange)
    }

    /// Notes that a response was not stored, so that a later miss can say so.
    private func note(_ refusal: CacheDecision.StorageRefusal, _ exchange: Exchange) async {
        // A failure is ignored; without the note, a later miss only says less.
        try? await store.note(refusal, for: exchange.key, at: now(), until: exchange.storeDeadline)
    }

    /// Invalidates the stored responses of the URLs that an unsafe method has changed.
    ///
    /// [RFC 9111, section 4.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.4)
    private func invalidate(_ exchange: Exchange, _ response: WebResponse) async {
        let request = exchange.request
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
        for key in keys {
            // A failure is ignored, as with a cache that cannot be written.
            try? await store.remove(key, until: exchange.storeDeadline)
        }
    }
}

extension CacheStoreError {
    /// The text about the error in a cache's verdict; `nil` if the load was cancelled.
    fileprivate var verdict: String? { errno == ECANCELED ? nil : "cannot write \(message)" }
}
