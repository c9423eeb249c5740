import HTTPTypes

/// A fetcher with a cache: asks the store first if the policy says so, and stores what may be stored.
///
/// ``CacheDecision`` makes the decisions; this type carries them out.
package struct CachingFetcher: Fetcher {
    let store: CacheAccess
    let upstream: any Fetcher
    let blockingWork: BlockingWork
    let now: @Sendable () -> Timestamp

    package init(
        store: CacheAccess,
        upstream: any Fetcher,
        blockingWork: BlockingWork,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.store = store
        self.upstream = upstream
        self.blockingWork = blockingWork
        self.now = now
        if case .keyed(let store) = store {
            background = store.background
        } else {
            background = BackgroundWork()
        }
    }

    package init(
        store: any ResponseStore,
        upstream: any Fetcher,
        blockingWork: BlockingWork,
        now: @escaping @Sendable () -> Timestamp
    ) {
        self.init(
            store: .blocking(store, blockingWork),
            upstream: upstream,
            blockingWork: blockingWork,
            now: now
        )
    }

    /// The addresses that served responses may come from, whoever stored them: those that upstream may use.
    package var allowedAddresses = AllowedAddresses.all

    /// Whether each different version of a response is stored beside the newest.
    package var keepsHistory = false

    /// The date of the versions that are returned, in place of the newest and of the server's; `nil` for no such date.
    package var versionDate: Timestamp?

    /// The fetches in progress, for identical requests to wait for.
    let flights = Flights<RequestKey>()

    /// Work that continues after a load has its answer.
    package let background: BackgroundWork

    /// A request in progress, with what the store has for it.
    struct Exchange {
        let request: WebRequest
        let key: String
        /// The limits as given; the time limit counts from `started`.
        let limits: LoadLimits
        let receiver: (any BodyReceiver)?
        let started: Double
        var stored: StoredResponse?
        var damage: String?
        /// Why the server is asked.
        var reason = CacheDecision.Reason.notStored
        /// Whether the stored response is revalidated.
        var validates = false
        /// Whether it has already waited for an identical request.
        var hasWaited = false

        /// The names of bodies that were found, and gone when they were to be read.
        var lostBodies: [String] = []

        /// Notes that a body is gone.
        ///
        /// - Returns: Whether another response may have taken its place, so that the store is to be asked again.
        mutating func mayLookAgain(for body: StoredBody) -> Bool {
            guard let name = body.pieces?.holder.name, !lostBodies.contains(name), lostBodies.count < 8 else {
                return false
            }
            lostBodies.append(name)
            return true
        }

        /// The same without what is stored, of which the body can no longer be read.
        func withoutStored() -> Exchange {
            var exchange = self
            exchange.validates = false
            exchange.stored = nil
            exchange.damage = CachingFetcher.lostBody
            exchange.reason = .damaged
            return exchange
        }

        /// The limits with the time that is left now.
        var limitsLeft: LoadLimits {
            var left = limits
            left.maximumSeconds = limits.maximumSeconds.map {
                max(0.001, $0 - (MonotonicClock.now - started))
            }
            return left
        }

        /// When a program's store must have answered, by the monotonic clock.
        ///
        /// That is after half of the time that is left, so that the load does not fail by it. A reader's pace takes no
        /// time of the load.
        var storeDeadline: Double {
            guard receiver?.isPaced != true, let seconds = limitsLeft.maximumSeconds else { return .infinity }
            return MonotonicClock.now + seconds / 2
        }

        /// The verdict on an answer of the server.
        var verdict: CacheVerdict {
            var verdict = CacheVerdict(
                outcome: reason.isBypass ? .bypass : .miss,
                reason: reason.rawValue,
                explanation: reason.explanation
            )
            verdict.damage = damage
            return verdict
        }
    }

    package func fetch(
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
        if let versionDate { return try await version(at: versionDate, exchange) }
        while true {
            if let response = try await answer(&exchange) { return response }
        }
    }

    /// Answers from the store or from upstream; nil if the store must be asked again.
    private func answer(_ exchange: inout Exchange) async throws(FetchError) -> WebResponse? {
        let request = exchange.request
        var missed: CacheDecision.Reason?
        exchange.stored = nil
        switch await store.lookUp(exchange.key, for: request, until: exchange.storeDeadline) {
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
            missed = refusal.allowsOfflineUse ? .notKept : nil
        case .damaged(let reason):
            if Task.isCancelled { throw .cancelled }
            exchange.damage = reason
            missed = .damaged
        }
        return try await answer(&exchange, missed)
    }

    /// Answers as is decided; `missed` says why nothing was found.
    private func answer(
        _ exchange: inout Exchange,
        _ missed: CacheDecision.Reason?
    ) async throws(FetchError) -> WebResponse? {
        let request = exchange.request
        let time = now()
        let decision = CacheDecision.decide(request, stored: exchange.stored, now: time)
        switch (decision, exchange.stored) {
        case (.use(let isFresh, let reason), let stored?):
            if reason == .staleWhileRevalidate { validateMeanwhile(exchange) }
            let outcome: CacheVerdict.Outcome = isFresh ? .hit : .staleHit
            if var response = try await serve(stored, exchange, .cache, outcome, reason, decided: time) {
                // It may have been stored when no versions were kept.
                if keepsHistory, request.storesResponse { await keepVersion(stored, for: &response) }
                return response
            }
            exchange.stored = nil
            if exchange.mayLookAgain(for: stored.body) { return nil }
            exchange.damage = Self.lostBody
            return try await answer(&exchange, .damaged)
        case (.miss(let reason), _):
            throw miss(reason == .notStored ? missed ?? reason : reason, exchange)
        case (.validate(let reason), .some):
            exchange.validates = true
            exchange.reason = reason
        case (.use(_, let reason), nil), (.validate(let reason), nil), (.fetch(let reason), _):
            exchange.validates = false
            exchange.reason = reason == .notStored && missed != .notKept ? missed ?? reason : reason
        }
        return try await loadOrJoin(&exchange)
    }

    /// The damage of a response whose body was there when it was looked up, and then not.
    static let lostBody = "the cache store no longer has the body, or has another one in its place"

    /// The error of a request that the cache cannot answer, and that may not use the network.
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

    // MARK: - Asking upstream

    /// Asks upstream, or waits for an identical request in progress.
    private func loadOrJoin(_ exchange: inout Exchange) async throws(FetchError) -> WebResponse? {
        // Others would wait for the reader of a paced body too.
        guard !exchange.hasWaited, exchange.request.httpMethod == "GET", exchange.request.httpBody == nil,
            exchange.receiver?.isPaced != true
        else {
            return try await load(exchange).response
        }
        let flight = RequestKey(exchange.request, exchange.limits)
        switch await flights.join(flight, within: exchange.limitsLeft.maximumSeconds) {
        case .first:
            do throws(FetchError) {
                let (response, isShared) = try await load(exchange)
                let collects = exchange.receiver?.collectsBody ?? true
                flights.land(flight, isShared ? collects ? .response(response) : .stored : .nothing)
                return response
            } catch {
                flights.land(flight, error.isShareable ? .failed(error) : .again)
                throw error
            }
        case .landed(.response(var response)):
            response.url = exchange.request.url
            response.timing.total = Duration(boundedSeconds: MonotonicClock.now - exchange.started)
            response.cacheVerdict?.outcome = .shared
            guard let receiver = exchange.receiver else { return response }
            return try receiver.receive(whole: response)
        case .landed(.failed(let error)): throw error
        case .landed(.again): break
        case .landed(.stored), .landed(.nothing): exchange.hasWaited = true
        case .cancelled: throw .cancelled
        case .expired: throw .tookTooLong(exchange.limits.maximumSeconds ?? 0)
        }
        return nil
    }

    /// Revalidates a response in the background that has been served already.
    private func validateMeanwhile(_ exchange: Exchange) {
        var request = exchange.request
        // The caller's conditions and ranges were answered; now the whole stored response is updated.
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
            // A failure is ignored: nobody waits for it, and the next load asks again.
            _ = try? await load(meanwhile)
        }
    }
}

extension FetchError {
    /// Whether an identical request at the same time would fail the same way; not for failures of one caller
    /// only.
    fileprivate var isShareable: Bool {
        ![.cancelled, .refused, .totalTimeout, .cacheMiss].contains(code)
    }
}

/// Discards a body that is only stored.
private struct BodyDiscarder: BodyReceiver {
    var collectsBody: Bool { false }
    func receive(head: WebResponse) {}
    func receive(_ bytes: Span<UInt8>) {}
}
