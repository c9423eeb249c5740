import HTTPTypes

extension CachingFetcher {
    /// A response, and whether it may also answer identical requests.
    typealias Loaded = (response: WebResponse, isShared: Bool)

    /// Fetches from upstream, or revalidates the stored response.
    func load(_ exchange: Exchange) async throws(FetchError) -> Loaded {
        let requestTime = now()
        let request = exchange.request
        let passed = exchange.receiver.map { passing($0, exchange) }
        let sink = passed.flatMap { storingReceiver($0, exchange) }
        let answer: WebResponse
        do throws(FetchError) {
            answer = try await upstream.fetch(
                upstreamRequest(exchange),
                limits: exchange.limitsLeft,
                receiver: sink ?? passed
            )
        } catch {
            guard error.isDisconnection, passed?.isCommitted != true else { throw error }
            if let stale = try await serveStale(exchange, .disconnected, error.message) { return stale }
            var error = error
            if let stored = exchange.stored, Freshness(stored, now: now()).forbidsStaleUse {
                error.generatedStatus = 504
            }
            throw error
        }
        if answer.status == 304, exchange.validates, let stored = exchange.stored {
            return try await confirm(stored, answer, exchange, requestTime)
        }
        if Self.isServerFailure(answer.status),
            let stale = try await serveStale(exchange, .error, "status \(answer.status?.code ?? 0)")
        {
            return stale
        }
        if passed != nil, Self.isServerFailure(answer.status), isStaleUsable(exchange, .error) {
            // The stored body can no longer be read, and the receiver has not heard of the failure: try again without it.
            return try await load(exchange.withoutStored())
        }
        let response: WebResponse
        if request.httpMethod == "HEAD" {
            response = await take(answer, exchange, requestTime)
        } else {
            response = await keep(answer, exchange, requestTime, sink)
        }
        return (response, CacheDecision.mayAnswerOthers(request, answer))
    }

    private func upstreamRequest(_ exchange: Exchange) -> WebRequest {
        var request = exchange.request
        if exchange.validates, let stored = exchange.stored {
            request = CacheDecision.validation(of: stored, request)
        }
        if request.cachePolicy == .reloadIgnoringLocalAndRemoteCacheData {
            request.headerFields[.cacheControl] = "no-cache"
            request.setValue("no-cache", forHTTPHeaderField: "Pragma")
        }
        // Fetch, section 4.5, cache mode "no-cache": caches between us and the origin must revalidate too.
        if request.cachePolicy == .reloadRevalidatingCacheData,
            request.headerFields[.cacheControl] == nil, !request.omittedFields.contains(.cacheControl)
        {
            request.headerFields[.cacheControl] = "max-age=0"
        }
        return request
    }

    // MARK: - Receiving

    /// Passes on the response unless the stored response is the answer (304, or stale on a server error).
    private func passing(_ receiver: any BodyReceiver, _ exchange: Exchange) -> FilteredReceiver {
        let isStaleUsable = isStaleUsable(exchange, .error)
        let validates = exchange.validates
        let verdict = exchange.verdict
        return FilteredReceiver(receiver) { head in
            if validates && head.status == 304 || isStaleUsable && Self.isServerFailure(head.status) {
                return nil
            }
            var head = head
            head.cacheVerdict = verdict
            return head
        }
    }

    /// A receiver that stores the body as it arrives; nil if the body is collected.
    private func storingReceiver(_ receiver: FilteredReceiver, _ exchange: Exchange) -> StoringReceiver? {
        guard !receiver.collectsBody else { return nil }
        let request = exchange.request
        return StoringReceiver(receiver) { [store] head in
            let refusal = CacheDecision.refusalToStore(request, head)
            guard refusal.map({ CacheDecision.mayKeepForOfflineUse(request, head, $0) }) ?? true else {
                return nil
            }
            return store.bodyWriter(for: exchange.key)
        }
    }

    // MARK: - Answering from the store

    private static func isServerFailure(_ status: HTTPResponse.Status?) -> Bool {
        status == 500 || status == 502 || status == 503 || status == 504
    }

    private func isStaleUsable(_ exchange: Exchange, _ failure: CacheDecision.ServerFailure) -> Bool {
        exchange.stored.map {
            CacheDecision.reasonToUse($0, after: failure, exchange.request, now: now()) != nil
        } ?? false
    }

    /// The stored response in place of a failure; nil if it may not be used.
    private func serveStale(
        _ exchange: Exchange,
        _ failure: CacheDecision.ServerFailure,
        _ message: String
    ) async throws(FetchError) -> Loaded? {
        let time = now()
        guard let stored = exchange.stored,
            let reason = CacheDecision.reasonToUse(stored, after: failure, exchange.request, now: time)
        else { return nil }
        guard var response = try await serve(stored, exchange, .cache, .staleHit, reason, decided: time)
        else {
            return nil
        }
        response.cacheVerdict?.explanation += ": \(message)"
        return (response, true)
    }

    /// Handles a 304: answers with the updated stored response, and stores it.
    private func confirm(
        _ stored: StoredResponse,
        _ answer: WebResponse,
        _ exchange: Exchange,
        _ requestTime: Timestamp
    ) async throws(FetchError) -> Loaded {
        guard CacheDecision.isConfirmed(stored, by: answer) else {
            // The 304 is about another representation: fetch that one.
            var again = exchange
            again.validates = false
            return try await load(again)
        }
        let time = now()
        var updated = CacheDecision.updated(stored, by: answer, requestTime: requestTime, responseTime: time)
        updated.remoteAddress = stored.address(with: answer.originAddress)
        let served = try await serve(
            updated,
            exchange,
            .validatedCache,
            .validated,
            exchange.reason,
            decided: time
        )
        guard var response = served else {
            // The validated response can no longer be read: fetch it.
            return try await load(exchange.withoutStored())
        }
        response.timing = answer.timing
        response.remoteAddress = answer.remoteAddress
        response.interimResponses = answer.interimResponses
        let isShared = await keep(updated, answer, exchange, &response)
        return (response, isShared)
    }

    /// Stores a response updated by a 304 or a HEAD response, if that is allowed.
    ///
    /// - Returns: Whether it may also answer identical requests.
    private func keep(
        _ updated: StoredResponse,
        _ newer: WebResponse,
        _ exchange: Exchange,
        _ response: inout WebResponse
    ) async -> Bool {
        var updated = updated
        if newer.headerFields[.vary] != nil {
            // The variant is selected by the fields of the latest request.
            updated.varyingFields = VaryingFields.of(exchange.request, updated.headerFields)
        }
        guard let refusal = CacheDecision.refusalToUpdate(exchange.request, newer) else {
            await write(updated, exchange, for: &response)
            return true
        }
        guard refusal == .noStore else { return false }
        if CacheDecision.mayKeepForOfflineUse(exchange.request, newer, refusal) {
            updated.isKeptForOfflineUse = true
            await write(updated, exchange, for: &response)
        } else {
            await forget(exchange, refusal, &response)
        }
        return false
    }

    // MARK: - HEAD

    /// Answers a HEAD, and updates the stored response by what it says.
    private func take(
        _ answer: WebResponse,
        _ exchange: Exchange,
        _ requestTime: Timestamp
    ) async -> WebResponse {
        var response = answer
        response.cacheVerdict = exchange.verdict
        guard let stored = exchange.stored, exchange.request.storesResponse else { return response }
        switch CacheDecision.finding(of: answer, exchange.request, about: stored) {
        case .none: break
        case .holds:
            var updated = CacheDecision.updated(
                stored,
                by: answer,
                requestTime: requestTime,
                responseTime: now()
            )
            updated.remoteAddress = stored.address(with: answer.originAddress)
            _ = await keep(updated, answer, exchange, &response)
        case .changed:
            var outdated = stored
            outdated.isOutdated = true
            await write(outdated, exchange, for: &response)
        }
        return response
    }
}

extension FetchError {
    /// Whether the server was not reached, or sent no response.
    fileprivate var isDisconnection: Bool {
        switch code {
        case .nameResolution, .connection, .connectionLost, .timeout, .connectTimeout, .totalTimeout: true
        default: false
        }
    }
}
