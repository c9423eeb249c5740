package import WebDatabase
import Synchronization
import WebStandards

/// Works on the URLs of a job until none is left: one writer, many loads.
///
/// Each lease is the right to make one request. Visits run concurrently; their results are finished one after the
/// other, by the task that has the frontier.
package struct SiteRunner: Sendable {
    /// How a run ended.
    package enum End: Equatable, Sendable {
        /// No URL is left.
        case complete
        /// A limit was reached, with its stable code.
        case limit(String)
        /// The run was asked to drain, and running visits were finished.
        case drained
        /// The run was asked to end at once.
        case stopped
    }

    /// The maximum number of concurrent visits.
    package var width: Int

    /// The request to end the run early.
    package var stop: StopRequest

    /// Receives the progress a few times a second and at the end; `nil` to report nothing.
    package var progress: (@Sendable (SiteProgress) -> Void)?

    /// The number of seconds after which no new visit is begun; `nil` for no limit.
    package var maximumSeconds: Double?

    package init(
        width: Int,
        stop: StopRequest = StopRequest(),
        maximumSeconds: Double? = nil,
        progress: (@Sendable (SiteProgress) -> Void)? = nil
    ) {
        self.width = max(1, width)
        self.stop = stop
        self.maximumSeconds = maximumSeconds
        self.progress = progress
    }

    /// The result of a task of the group.
    private enum Event<Found: Sendable>: Sendable {
        case visited(Lease, Found)
        /// A sleeping task has woken up.
        case tick
        case woken
    }

    /// Seconds between two calls of `progress`.
    private static var progressInterval: Double { 0.2 }

    /// Runs a job.
    ///
    /// - Parameters:
    ///   - frontier: The job.
    ///   - limit: Called before new visits are begun: returns the code of a limit that is reached, `nil` to go on.
    ///   - willCommit: Called before each commit, in order to write what must not be lost by a kill after it.
    ///   - visit: Makes the request of a lease. Called many times concurrently; its task is cancelled if the run has to
    ///     stop.
    ///   - finish: Records the outcome of the lease once, by
    ///     ``Frontier/finish(_:_:signal:result:children:output:now:)``.
    /// - Returns: How the run ended.
    /// - Throws: ``StateError``; the job then has the state of the last commit.
    package func run<Found: Sendable>(
        _ frontier: Frontier,
        limit: (Frontier) throws(StateError) -> String? = { _ throws(StateError) in nil },
        willCommit: @escaping () throws(StateError) -> Void = { () throws(StateError) in },
        visit: @escaping @Sendable (Lease) async -> Found,
        finish: (Frontier, Lease, Found) throws(StateError) -> Void
    ) async throws(StateError) -> End {
        frontier.willCommit = willCommit
        defer { frontier.willCommit = nil }
        let bell = Bell()
        stop.onAsk { bell.ring() }
        defer { stop.onAsk(nil) }
        let result = await withTaskGroup(of: Event<Found>.self, returning: Result<End, StateError>.self) {
            group in
            var state = RunState(began: MonotonicClock.now)
            group.addTask { await bell.wait() }
            do throws(StateError) {
                let end = try await self.loop(frontier, &state, &group, limit, visit, finish, bell)
                self.report(frontier, &state, .now, isLast: true)
                bell.ring()
                group.cancelAll()
                return .success(end)
            } catch {
                bell.ring()
                group.cancelAll()
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The state of a run.
    private struct RunState {
        let began: Double
        var running: [Int64: Lease] = [:]
        var finished = 0
        var nextProgress = 0.0
        /// The URL that was leased last.
        var current: String?
        /// The monotonic time at which the earliest of the sleeping tasks wakes; infinity if no task sleeps.
        var alarm = Double.infinity
        /// Why no new visit is begun.
        var end: End?
    }

    private func loop<Found: Sendable>(
        _ frontier: Frontier,
        _ state: inout RunState,
        _ group: inout TaskGroup<Event<Found>>,
        _ limit: (Frontier) throws(StateError) -> String?,
        _ visit: @escaping @Sendable (Lease) async -> Found,
        _ finish: (Frontier, Lease, Found) throws(StateError) -> Void,
        _ bell: Bell
    ) async throws(StateError) -> End {
        while true {
            let now = Moment.now
            try frontier.commitIfDue(now: now)
            report(frontier, &state, now)
            if stop.level == .now || Task.isCancelled {
                // Gives back the leases of running visits, so that their URLs are requested again.
                for lease in state.running.values { try frontier.giveBack(lease, now: now) }
                try frontier.commit()
                return .stopped
            }
            if state.end == nil { state.end = try endEarly(frontier, state, limit, now) }
            if state.end == nil {
                for lease in try frontier.lease(width - state.running.count, now: now) {
                    state.running[lease.id] = lease
                    state.current = lease.url
                    group.addTask { .visited(lease, await visit(lease)) }
                }
            }
            if state.running.isEmpty {
                if let end = state.end {
                    try frontier.commit()
                    return end
                }
                if frontier.counts.isComplete {
                    try frontier.commit()
                    return .complete
                }
            }
            setAlarm(frontier, &state, &group, now)
            switch await group.next() {
            case .visited(let lease, let found):
                // After a stop, the leases of late visits were already given back.
                guard state.running.removeValue(forKey: lease.id) != nil else { continue }
                state.finished += 1
                try finish(frontier, lease, found)
            case .tick: state.alarm = .infinity
            case .woken: group.addTask { await bell.wait() }
            case nil: break
            }
        }
    }

    private func endEarly(
        _ frontier: Frontier,
        _ state: RunState,
        _ limit: (Frontier) throws(StateError) -> String?,
        _ now: Moment
    ) throws(StateError) -> End? {
        if stop.level == .drain { return .drained }
        if let maximumSeconds, now.monotonic - state.began >= maximumSeconds { return .limit("limit.time") }
        return try limit(frontier).map { .limit($0) }
    }

    /// Wakes the group at the next time that no visit announces.
    private func setAlarm<Found: Sendable>(
        _ frontier: Frontier,
        _ state: inout RunState,
        _ group: inout TaskGroup<Event<Found>>,
        _ now: Moment
    ) {
        var due = frontier.commitDue ?? .infinity
        if state.end == nil {
            if state.running.count < width, let next = frontier.nextLease { due = min(due, next) }
            if let maximumSeconds { due = min(due, state.began + maximumSeconds) }
        }
        if progress != nil { due = min(due, now.monotonic + Self.progressInterval) }
        // A task that already sleeps and wakes in time is enough: waking a little early costs nothing.
        guard due < state.alarm, due.isFinite else { return }
        state.alarm = due
        let wait = max(0.001, due - now.monotonic).boundedSeconds
        group.addTask {
            try? await Task.sleep(for: Duration(boundedSeconds: wait))
            return .tick
        }
    }

    private func report(
        _ frontier: Frontier,
        _ state: inout RunState,
        _ now: Moment,
        isLast: Bool = false
    ) {
        guard let progress, isLast || now.monotonic >= state.nextProgress else { return }
        state.nextProgress = now.monotonic + Self.progressInterval
        progress(
            SiteProgress(
                counts: frontier.counts,
                failures: frontier.reasons(.failed),
                finished: state.finished,
                seconds: now.monotonic - state.began,
                waitingHosts: frontier.queue.waitingCount(now: now.monotonic),
                current: isLast ? nil : state.current,
                isLast: isLast
            )
        )
    }

    /// Wakes the run from outside.
    private final class Bell: Sendable {
        private struct State {
            var isRung = false
            var waiter: CheckedContinuation<Void, Never>?
        }

        private let state = Mutex(State())

        func ring() {
            let waiter = state.withLock { state in
                defer { state.waiter = nil }
                if state.waiter == nil { state.isRung = true }
                return state.waiter
            }
            waiter?.resume()
        }

        func wait<Found>() async -> Event<Found> {
            await withCheckedContinuation { continuation in
                let isRung = state.withLock { state in
                    defer { state.isRung = false }
                    if !state.isRung { state.waiter = continuation }
                    return state.isRung
                }
                if isRung { continuation.resume() }
            }
            return .woken
        }
    }
}
