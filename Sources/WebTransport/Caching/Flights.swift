import Synchronization

/// The key of identical requests: all of the request except the fragment, and all limits except the time.
struct RequestKey: Hashable {
    private let request: WebRequest
    private let limits: LoadLimits

    init(_ request: WebRequest, _ limits: LoadLimits) {
        var request = request
        request.url = request.url.withoutFragment
        var limits = limits
        limits.maximumSeconds = nil
        self.request = request
        self.limits = limits
    }
}

/// The operations in progress: an identical request, or an operation that must not run concurrently, waits for the
/// first one.
///
/// [RFC 9111, section 4](https://www.rfc-editor.org/rfc/rfc9111#section-4): "collapsed requests".
final class Flights<Key: Hashable & Sendable>: Sendable {
    /// How the first request ended.
    enum Landing: Sendable {
        /// With a response that may answer the others too.
        case response(WebResponse)
        /// With a response that is in the store now.
        case stored
        /// With a response for the first request only: each other one asks for itself.
        case nothing
        /// With an error that each would have had.
        case failed(FetchError)
        /// Too early: another request becomes the first one.
        case again
    }

    /// The result of joining.
    enum Joined: Sendable {
        /// This request is the first; it must call ``land(_:_:)``.
        case first
        case landed(Landing)
        /// The task was cancelled while it waited.
        case cancelled
        /// The time limit has passed.
        case expired
    }

    private struct Waiter {
        let id: Int
        let answer: Handover<Joined>
        let continuation: CheckedContinuation<Void, Never>

        func resume(_ how: Joined) {
            answer.put(how)
            continuation.resume()
        }
    }

    private struct State {
        var flights: [Key: [Waiter]] = [:]
        /// The results of waits that ended before they began, by the waiter's number.
        var ended: [Int: Joined] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    /// How many requests wait for another one.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.count } } }

    /// Becomes the first request of a key, or waits for the first one.
    ///
    /// - Parameters:
    ///   - key: The request.
    ///   - seconds: How long to wait at most; nil is no limit.
    /// - Returns: Whether this is the first request, or how the first one ended.
    func join(_ key: Key, within seconds: Double?) async -> Joined {
        let id: Int? = state.withLock { state in
            guard state.flights[key] != nil else {
                state.flights[key] = []
                return nil
            }
            state.nextID += 1
            return state.nextID
        }
        guard let id else { return .first }
        let timer = seconds.map { seconds in
            Task { [weak self] in
                // If the timer was cancelled, there is nothing to do.
                guard (try? await Task.sleep(for: Duration(boundedSeconds: seconds))) != nil else { return }
                self?.end(key, id, .expired)
            }
        }
        defer {
            timer?.cancel()
            // Removes a result that came after the landing.
            state.withLock { $0.ended[id] = nil }
        }
        let answer = Handover<Joined>()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(id: id, answer: answer, continuation: continuation)
                let now: Joined? = state.withLock { state in
                    if let how = state.ended.removeValue(forKey: id) { return how }
                    // The first request ended between the two checks.
                    guard state.flights[key] != nil else { return .landed(.again) }
                    state.flights[key]?.append(waiter)
                    return nil
                }
                if let now { waiter.resume(now) }
            }
        } onCancel: {
            end(key, id, .cancelled)
        }
        // The answer has been put: nothing else ends the wait.
        return answer.take() ?? .cancelled
    }

    /// Ends a flight, and resumes those who wait for it.
    func land(_ key: Key, _ landing: Landing) {
        let waiters = state.withLock { $0.flights.removeValue(forKey: key) } ?? []
        for waiter in waiters { waiter.resume(.landed(landing)) }
    }

    /// Ends one waiter's wait.
    private func end(_ key: Key, _ id: Int, _ how: Joined) {
        let waiter: Waiter? = state.withLock { state in
            if let index = state.flights[key]?.firstIndex(where: { $0.id == id }) {
                return state.flights[key]?.remove(at: index)
            }
            state.ended[id] = how
            return nil
        }
        waiter?.resume(how)
    }
}
