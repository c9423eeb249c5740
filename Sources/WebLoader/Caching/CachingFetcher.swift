import HTTPTypes

/// A fetcher with a cache before it: asks the store first where the policy says so, and keeps what may be kept.
///
/// What is decided, ``CacheDecision`` decides; here it is done.
struct CachingFetcher: Fetcher {
    let store: any CacheStore
    let upstream: any Fetcher
    let blockingWork: BlockingWork
    let now: @Sendable () -> Timestamp

    /// Where what is served may have come from, whoever stored it: where upstream may connect to.
    var allowedAddresses = AllowedAddresses.all

    /// The fetches that are under way, for others to wait for.
    let flights = RequestFlights()

    /// What goes on after a load has its answer.
    let background = BackgroundWork()

    /// A request on its way, with what the store has for it.
    struct Exchange {
        let request: WebRequest
        let key: String
        /// The limits as they were given, of which the time is counted from `started`.
        let limits: LoadLimits
        let receiver: (any BodyReceiver)?
        let started: Double
        var stored: StoredResponse?
        var damage: String?
        /// Why the server is asked.
        var reason = CacheDecision.Reason.notStored
        /// Whether it is asked if what is stored still holds.
        var validates = false
        /// Whether the same request of somebody else's has been waited for already.
        var hasWaited = false

        /// The limits with the time that is left now.
        var limitsLeft: LoadLimits {
            var left = limits
            left.maximumTime = limits.maximumTime.map { max(0.001, $0 - (MonotonicClock.now - started)) }
            return left
        }
    }

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        var exchange = Exchange(
            request: request,
            key: StoredResponse.key(for: request.url),
            limits: limits,
            receiver: receiver,
            started: MonotonicClock.now
        )
        while true {
            if let response = try await answer(&exchange) { return response }
        }
    }

    /// Answers from the store or from upstream; nil where the store is to be looked at again.
    private func answer(_ exchange: inout Exchange) async throws(FetchError) -> WebResponse? {
        let request = exchange.request
        let key = exchange.key
        var missed: CacheDecision.Reason?
        exchange.stored = nil
        switch await blockingWork.run({ [store] in store.lookUp(key, for: request) }) {
        case .found(let response):
            if !allowedAddresses.allows(response.remoteAddress) {
                missed = .addressRefused
            } else if let damage = try await damage(response, exchange) {
                exchange.damage = damage
                missed = .damaged
            } else {
                exchange.stored = response
            }
        case .absent: break
        case .notKept(let refusal):
            missed = refusal.isServersWish ? .notKept : nil
        case .damaged(let reason):
            exchange.damage = reason
            missed = .damaged
        }
        let time = now()
        let decision = CacheDecision.decide(request, stored: exchange.stored, now: time)
        switch (decision, exchange.stored) {
        case (.use(let isFresh, let reason), let stored?):
            if reason == .staleWhileRevalidate { validateMeanwhile(exchange) }
            let outcome: CacheVerdict.Outcome = isFresh ? .hit : .staleHit
            return try await serve(stored, exchange, .cache, outcome, reason, decided: time)
        case (.miss(let reason), _):
            throw miss(reason == .notStored ? missed ?? reason : reason, exchange)
        case (.validate(let reason), .some):
            exchange.validates = true
            exchange.reason = reason
        case (.use(_, let reason), nil), (.validate(let reason), nil), (.fetch(let reason), _):
            exchange.validates = false
            exchange.reason = reason == .notStored && missed != .notKept ? missed ?? reason : reason
        }
        return try await ask(&exchange)
    }

    /// The error of a request that the cache cannot answer, and that may not go further.
    private func miss(_ reason: CacheDecision.Reason, _ exchange: Exchange) -> FetchError {
        let detail =
            switch reason {
            case .notStored: "; it was never loaded, or has been removed"
            case .damaged: exchange.damage.map { " (\($0))" } ?? ""
            default: ""
            }
        var error = FetchError(.cacheMiss, "not in the cache: \(reason.explanation)\(detail)")
        if exchange.request.cachePolicy.mayLoad { error.generatedStatus = 504 }
        return error
    }

    // MARK: - Under way

    /// Asks upstream, or waits for somebody who asks it the same.
    private func ask(_ exchange: inout Exchange) async throws(FetchError) -> WebResponse? {
        guard !exchange.hasWaited, exchange.request.httpMethod == "GET", exchange.request.httpBody == nil
        else {
            return try await load(exchange).response
        }
        let flight = RequestFlights.Key(exchange.request, exchange.limits)
        switch await flights.join(flight, within: exchange.limitsLeft.maximumTime) {
        case .first:
            do throws(FetchError) {
                let (response, isShared) = try await load(exchange)
                let collects = exchange.receiver?.collectsBody ?? true
                flights.land(flight, isShared ? collects ? .response(response) : .stored : .nothing)
                return response
            } catch {
                flights.land(flight, error.isForAll ? .failed(error) : .again)
                throw error
            }
        case .landed(.response(var response)):
            response.url = exchange.request.url
            response.timing.total = MonotonicClock.now - exchange.started
            response.cacheVerdict?.outcome = .shared
            guard let receiver = exchange.receiver else { return response }
            return try receiver.receive(whole: response)
        case .landed(.failed(let error)): throw error
        case .landed(.again): break
        case .landed(.stored), .landed(.nothing): exchange.hasWaited = true
        case .cancelled: throw .cancelled
        case .expired: throw .tookTooLong(exchange.limits.maximumTime ?? 0)
        }
        return nil
    }

    /// Asks upstream whether a response still holds that has been used already.
    private func validateMeanwhile(_ exchange: Exchange) {
        var request = exchange.request
        // The caller's conditions and ranges were answered; what is stored is to be brought up to date as a whole.
        for name in [HTTPField.Name.ifNoneMatch, .ifModifiedSince, .ifRange, .range] {
            request.headerFields[name] = nil
        }
        request.httpMethod = "GET"
        guard exchange.stored?.status != 206 else { return }
        var meanwhile = Exchange(
            request: request,
            key: exchange.key,
            limits: exchange.limits,
            receiver: BodyDiscarder(),
            started: MonotonicClock.now,
            stored: exchange.stored
        )
        meanwhile.reason = .staleWhileRevalidate
        meanwhile.validates = exchange.stored?.hasValidator ?? false
        background.start("validate \(exchange.key)") { [self, meanwhile] in
            // Nobody waits for it; what is stored stays as it is, and the next load asks again.
            _ = try? await load(meanwhile)
        }
    }
}

extension FetchError {
    /// Whether whoever asks the same, at the same time, comes to the same; not what was the matter with the one who asked.
    fileprivate var isForAll: Bool {
        switch code {
        case .cancelled, .refused, .totalTimeout, .cacheMiss: false
        case .invalidRequest, .unsupportedURL, .unsupportedRedirect, .nameResolution, .connection,
            .connectionLost, .timeout, .connectTimeout, .tls, .certificate, .certificateHost,
            .certificateExpired, .certificateNotYetValid, .certificateUnknownRoot, .addressRefused,
            .malformedResponse, .contentDecoding, .tooManyRedirects, .bodyTooLarge, .headersTooLarge,
            .tooManyFields, .tooManyInterimResponses, .unavailable:
            true
        }
    }
}

/// Takes a body that nobody wants: what is stored meanwhile.
private struct BodyDiscarder: BodyReceiver {
    var collectsBody: Bool { false }
    func receive(head: WebResponse) {}
    func receive(_ bytes: Span<UInt8>) {}
}
