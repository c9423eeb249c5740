import HTTPTypes

/// A fetcher with a cache before it: asks the store first where the policy says so, and keeps what may be kept.
struct CachingFetcher: Fetcher {
    let store: any CacheStore
    let upstream: any Fetcher
    let blockingWork: BlockingWork
    let now: @Sendable () -> Timestamp

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        // The store needs the body as a whole; a receiver that collects it may have it on the way.
        let passes = receiver?.collectsBody ?? false
        let (response, isReceived) = try await fetch(request, limits, passes ? receiver : nil)
        guard let receiver, !isReceived else { return response }
        return try receiver.receive(whole: response)
    }

    /// Fetches a response, and says whether the receiver has it already.
    private func fetch(
        _ request: WebRequest,
        _ limits: LoadLimits,
        _ receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> (WebResponse, isReceived: Bool) {
        let started = MonotonicClock.now
        let key = StoredResponse.key(for: request.url)
        var stored: StoredResponse?
        var damage: String?
        switch await blockingWork.run({ [store] in store.lookUp(key) }) {
        case .found(let response): stored = response
        case .absent: break
        case .damaged(let reason): damage = reason
        }
        let decision = CacheDecision.decide(request, stored: stored, now: now())
        var response: WebResponse
        var isReceived = false
        switch (decision, stored) {
        case (.use(let isFresh, let reason), let stored?):
            // It may have been stored under another limit.
            guard stored.body.count <= limits.maximumBodySize else {
                throw .bodyTooLarge(limit: limits.maximumBodySize)
            }
            response = self.response(stored, request, .cache)
            response.timing.total = MonotonicClock.now - started
            response.cacheVerdict = verdict(isFresh ? .hit : .staleHit, reason, stored)
        case (.validate(let reason), let stored?):
            response = try await validate(request, stored, reason, limits, receiver)
            isReceived = receiver != nil && response.source == .network
        case (.miss(let reason), _):
            let reason = damage == nil ? reason : .damaged
            throw FetchError(.cacheMiss, "not in the cache: \(reason.explanation)")
        case (.use(_, let reason), nil), (.validate(let reason), nil), (.fetch(let reason), _):
            response = try await load(request, damage == nil ? reason : .damaged, limits, receiver)
            isReceived = receiver != nil
        }
        response.cacheVerdict?.damage = damage
        return (response, isReceived)
    }

    /// Gets it from upstream and keeps it.
    private func load(
        _ request: WebRequest,
        _ reason: CacheDecision.Reason,
        _ limits: LoadLimits,
        _ receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        var upstreamRequest = request
        if request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData {
            upstreamRequest.headerFields[.cacheControl] = "no-cache"
            upstreamRequest.setValue("no-cache", forHTTPHeaderField: "Pragma")
        }
        let requestTime = now()
        let response = try await upstream.fetch(upstreamRequest, limits: limits, receiver: receiver)
        return await keep(response, for: request, reason, requestTime)
    }

    /// Asks upstream whether the stored response still holds.
    private func validate(
        _ request: WebRequest,
        _ stored: StoredResponse,
        _ reason: CacheDecision.Reason,
        _ limits: LoadLimits,
        _ receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let requestTime = now()
        let answer = try await upstream.fetch(
            CacheDecision.validation(of: stored, request),
            limits: limits,
            receiver: receiver.map { FilteredReceiver($0) { $0.status != 304 } }
        )
        guard answer.status == 304 else { return await keep(answer, for: request, reason, requestTime) }
        let updated = CacheDecision.updated(
            stored,
            by: answer,
            requestTime: requestTime,
            responseTime: now()
        )
        guard updated.body.count <= limits.maximumBodySize else {
            throw .bodyTooLarge(limit: limits.maximumBodySize)
        }
        var response = self.response(updated, request, .validatedCache)
        response.timing = answer.timing
        response.remoteAddress = answer.remoteAddress
        response.interimResponses = answer.interimResponses
        response.cacheVerdict = verdict(.validated, reason, updated)
        if request.storesResponse { await write(updated, for: &response) }
        return response
    }

    /// Keeps a response from upstream where that is allowed, and says so.
    private func keep(
        _ response: WebResponse,
        for request: WebRequest,
        _ reason: CacheDecision.Reason,
        _ requestTime: Timestamp
    ) async -> WebResponse {
        var response = response
        let outcome: CacheVerdict.Outcome = reason.isBypass ? .bypass : .miss
        if let reasonNot = CacheDecision.reasonNotToStore(request, response) {
            response.cacheVerdict = CacheVerdict(
                outcome: outcome,
                reason: reason.rawValue,
                explanation: "\(reason.explanation); not kept: \(reasonNot)"
            )
            await invalidate(request, response)
            return response
        }
        let entry = StoredResponse(
            key: StoredResponse.key(for: request.url),
            varyingFields: CacheDecision.varyingFields(request, response.headerFields),
            requestTime: requestTime,
            responseTime: now(),
            status: response.status ?? 200,
            httpVersion: response.httpVersion,
            headerFields: response.headerFields,
            body: response.body
        )
        response.cacheVerdict = CacheVerdict(
            outcome: outcome,
            reason: reason.rawValue,
            explanation: reason.explanation,
            freshnessLifetime: CacheDecision.freshnessLifetime(entry)
        )
        await write(entry, for: &response)
        return response
    }

    /// Writes an entry; a failure is noted and nothing else comes of it.
    private func write(_ entry: StoredResponse, for response: inout WebResponse) async {
        let failure = await blockingWork.run { [store] in
            do throws(CacheStoreError) {
                try store.store(entry)
                return CacheStoreError?.none
            } catch {
                return error
            }
        }
        response.cacheVerdict?.isStored = failure == nil
        if let failure { response.cacheVerdict?.failure = "cannot write \(failure.message)" }
    }

    /// Drops what is stored for a URL that an unsafe method has changed.
    ///
    /// [RFC 9111, section 4.4](https://www.rfc-editor.org/rfc/rfc9111#section-4.4)
    private func invalidate(_ request: WebRequest, _ response: WebResponse) async {
        let isSafe = ["GET", "HEAD", "OPTIONS", "TRACE"].contains(request.httpMethod)
        guard !isSafe, let status = response.status, 200..<400 ~= status else { return }
        let key = StoredResponse.key(for: request.url)
        // An entry that cannot be removed cannot be written either; the load has its answer all the same.
        await blockingWork.run { [store] in try? store.remove(key) }
    }

    private func response(
        _ stored: StoredResponse,
        _ request: WebRequest,
        _ source: WebResponse.Source
    ) -> WebResponse {
        var response = WebResponse(
            url: request.url,
            status: stored.status,
            headerFields: stored.headerFields,
            body: request.httpMethod == "HEAD" ? [] : stored.body,
            source: source
        )
        response.httpVersion = stored.httpVersion
        response.headerFields[.age] = String(CacheDecision.currentAge(stored, now: now()))
        return response
    }

    private func verdict(
        _ outcome: CacheVerdict.Outcome,
        _ reason: CacheDecision.Reason,
        _ stored: StoredResponse
    ) -> CacheVerdict {
        CacheVerdict(
            outcome: outcome,
            reason: reason.rawValue,
            explanation: reason.explanation,
            isStored: true,
            age: CacheDecision.currentAge(stored, now: now()),
            freshnessLifetime: CacheDecision.freshnessLifetime(stored)
        )
    }
}
