import Synchronization

/// A fetcher that retries failed requests according to a policy.
package struct RetryingFetcher: Fetcher {
    let policy: RetryPolicy
    let upstream: any Fetcher
    let random: @Sendable () -> Double
    let wait: @Sendable (Double) async throws -> Void
    /// Called before each wait, with its seconds; `nil` for no notification.
    package var willRetry: (@Sendable (Double) -> Void)?

    package init(
        policy: RetryPolicy,
        upstream: any Fetcher,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0...1) },
        wait: @escaping @Sendable (Double) async throws -> Void = {
            try await Task.sleep(for: Duration(boundedSeconds: $0))
        }
    ) {
        self.policy = policy
        self.upstream = upstream
        self.random = random
        self.wait = wait
    }

    package func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        guard RetryPolicy.mayRepeat(request) else {
            return try await upstream.fetch(request, limits: limits, receiver: receiver)
        }
        let started = MonotonicClock.now
        var retries = 0
        while true {
            var left = limits
            if let maximum = limits.maximumSeconds {
                left.maximumSeconds = max(0.001, maximum - (MonotonicClock.now - started))
            }
            let attempt = Attempt(self, retries, started, limits)
            let tries = retries
            let filtered = receiver.map { receiver in
                FilteredReceiver(receiver) { head in
                    guard attempt.delay(after: head) == nil else { return nil }
                    var head = head
                    head.retries = tries
                    return head
                }
            }
            let delay: Double
            do throws(FetchError) {
                var response = try await upstream.fetch(request, limits: left, receiver: filtered)
                guard let wanted = attempt.delay(after: response) else {
                    response.retries = retries
                    return response
                }
                delay = wanted
            } catch {
                guard error.isTemporary, filtered?.isCommitted != true,
                    let wanted = attempt.delay(retryAfter: nil)
                else { throw error }
                delay = wanted
            }
            willRetry?(delay)
            do {
                try await wait(delay)
            } catch {
                throw .cancelled
            }
            retries += 1
        }
    }

    /// One attempt; whether another follows is decided once, since a receiver must know it before the body.
    private final class Attempt: Sendable {
        private let fetcher: RetryingFetcher
        private let retries: Int
        private let started: Double
        private let limits: LoadLimits
        private let decision = Mutex<Double??>(nil)

        init(_ fetcher: RetryingFetcher, _ retries: Int, _ started: Double, _ limits: LoadLimits) {
            self.fetcher = fetcher
            self.retries = retries
            self.started = started
            self.limits = limits
        }

        /// Seconds to wait before the next try; nil if the response is the answer.
        func delay(after response: WebResponse) -> Double? {
            decision.withLock { decision in
                if let decision { return decision }
                let delay =
                    response.isTemporaryFailure ? self.delay(retryAfter: response.retryAfter(now: .now)) : nil
                decision = .some(delay)
                return delay
            }
        }

        func delay(retryAfter: Double?) -> Double? {
            fetcher.policy.delay(
                retries: retries,
                retryAfter: retryAfter,
                elapsed: MonotonicClock.now - started,
                limit: limits.maximumSeconds,
                random: fetcher.random()
            )
        }
    }
}
