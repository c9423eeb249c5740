import WebStandards

/// Decides which host is contacted next, and when: a value without access to a clock, a database or the network.
///
/// It has the hosts with work, up to a capacity; the caller stores the others and adds them as there is room. Times are
/// seconds of a monotonic clock; a clock that goes back nevertheless makes hosts wait longer, at most by the
/// difference.
///
/// Hosts are in a heap by the time from which they may be contacted, and then by their turn: a host that was contacted
/// goes to the end, so that hosts are interleaved. A host with its maximum number of loads is not in the heap.
package struct HostQueue {
    /// A host's ID in the database.
    package typealias ID = Int64

    /// The next action of the caller.
    package enum Next: Equatable {
        /// Look for work of a host, and then call `started`, `delayed` or `exhausted`.
        case host(ID)
        /// Wait until that time.
        case wait(until: Double)
        /// Wait until a load ends or work is added.
        case nothing
    }

    /// The state of a host.
    package struct Host: Equatable {
        /// The number of running loads.
        package fileprivate(set) var loads = 0
        /// The time from which it may be contacted.
        package fileprivate(set) var readyAt = -Double.infinity
        /// The interval that the last load to begin has added to that time.
        fileprivate var turnLength = 0.0
        /// The time from which failed URLs of it may be retried.
        fileprivate var retryAt = -Double.infinity
        /// The number of failures to reach it, in a row.
        package fileprivate(set) var failures = 0
        /// The number of times in a row that it asked for fewer loads.
        fileprivate var refusals = 0
        /// The interval that it asked for itself.
        package fileprivate(set) var askedInterval: Double?
        fileprivate var hasWork = false
        /// Whether it is a local host, to which `localPoliteness` applies.
        fileprivate var isLocal = false
        /// Whether a load of it has ended.
        fileprivate var isKnown = false
        /// The turn of its entry in the heap; 0 if it has none.
        fileprivate var turn: UInt64 = 0
        /// The time of its entry in the heap.
        fileprivate var queuedAt = 0.0
    }

    private struct Entry {
        let moment: Double
        let turn: UInt64
        let host: ID

        func isBefore(_ other: Entry) -> Bool {
            moment == other.moment ? turn < other.turn : moment < other.moment
        }
    }

    package let politeness: Politeness
    /// The politeness to local hosts.
    package let localPoliteness: Politeness
    /// The maximum number of hosts.
    package let capacity: Int
    private var hosts: [ID: Host] = [:]
    private var heap: [Entry] = []
    private var turn: UInt64 = 0

    package init(_ politeness: Politeness, local: Politeness? = nil, capacity: Int = 4096) {
        self.politeness = politeness
        localPoliteness = local ?? politeness
        self.capacity = max(1, capacity)
    }

    // MARK: - Hosts

    /// The number of hosts.
    package var count: Int { hosts.count }

    /// Whether another host may be added.
    package var hasRoom: Bool { hosts.count < capacity }

    /// Returns the state of a host; `nil` if it is not in the queue.
    package subscript(host: ID) -> Host? { hosts[host] }

    /// Adds a host with work.
    ///
    /// - Parameters:
    ///   - host: The ID of the host.
    ///   - failures: The number of failures to reach it, in a row.
    ///   - interval: The interval that it asked for.
    ///   - readyAt: The time from which it may be contacted, `nil` for at once.
    ///   - isLocal: Whether it is a local host.
    package mutating func add(
        _ host: ID,
        failures: Int = 0,
        interval: Double? = nil,
        readyAt: Double? = nil,
        isLocal: Bool = false
    ) {
        guard hosts[host] == nil else { return addWork(of: host) }
        var new = Host()
        new.isLocal = isLocal
        new.failures = max(0, failures)
        new.askedInterval = interval
        if let readyAt { new.readyAt = readyAt }
        hosts[host] = new
        addWork(of: host)
    }

    /// Notes that a host has work.
    package mutating func addWork(of host: ID) {
        guard var found = hosts[host] else { return }
        found.hasWork = true
        // A host that waits to retry failures may have new work, which need not wait.
        place(host, &found, isDead: isDead(host))
        hosts[host] = found
    }

    /// Sets the interval that a host asks for, which is bounded.
    ///
    /// Loads begun before are treated as if they began now.
    package mutating func setInterval(_ asked: Double?, of host: ID, now: Double = -.infinity) {
        guard var found = hosts[host], found.askedInterval != asked else { return }
        found.askedInterval = asked
        found.readyAt = max(found.readyAt, now + interval(found))
        hosts[host] = found
    }

    /// Whether a host is given up, so that nothing of it is loaded any more.
    package func isDead(_ host: ID) -> Bool {
        guard let found = hosts[host] else { return false }
        let politeness = politeness(found)
        return found.failures >= politeness.failuresUntilParked +| politeness.probesUntilDead
    }

    /// Removes idle hosts, or if there are none, those that wait longest, if for more than a few seconds.
    ///
    /// - Returns: The removed hosts whose state has to be stored elsewhere.
    package mutating func makeRoom(now: Double) -> [(host: ID, waits: Double, failures: Int)] {
        let idle = hosts.filter { host in
            !host.value.hasWork && host.value.loads == 0 && host.value.readyAt <= now
        }
        if !idle.isEmpty {
            for host in idle.keys { hosts[host] = nil }
            return idle.filter { $0.value.failures > 0 }.map { ($0.key, 0, $0.value.failures) }
        }
        let waiting = hosts.filter { $0.value.loads == 0 && $0.value.readyAt > now + Self.shortWait }
            .sorted { ($0.value.readyAt, $0.key) > ($1.value.readyAt, $1.key) }
            .prefix(max(1, capacity / 16))
        for host in waiting { hosts[host.key] = nil }
        return waiting.map { ($0.key, ($0.value.readyAt - now).boundedSeconds, $0.value.failures) }
    }

    /// The longest wait, in seconds, for which a host is neither removed nor its wait stored elsewhere.
    package static let shortWait = 5.0

    /// Returns the interval that is used for a host, in seconds.
    package func interval(of host: ID) -> Double {
        guard let found = hosts[host] else { return politeness.interval(asked: nil) }
        return interval(found)
    }

    private func interval(_ host: Host) -> Double {
        politeness(host).interval(asked: host.askedInterval)
    }

    private func politeness(_ host: Host) -> Politeness { host.isLocal ? localPoliteness : politeness }

    /// Returns the number of hosts with work that must not be contacted yet.
    package func waitingCount(now: Double) -> Int {
        hosts.values.count { $0.hasWork && $0.readyAt > now }
    }

    // MARK: - Turns

    /// Returns the next action.
    package mutating func next(now: Double) -> Next {
        while let first = heap.first {
            guard hosts[first.host]?.turn == first.turn else {
                // The entry is outdated, since the host has got another place.
                popFirst()
                continue
            }
            guard first.moment <= now else { return .wait(until: first.moment) }
            popFirst()
            hosts[first.host]?.turn = 0
            return .host(first.host)
        }
        return .nothing
    }

    /// Records that a load of the host begins.
    package mutating func started(_ host: ID, now: Double) {
        guard var found = hosts[host] else { return }
        found.loads += 1
        if !isDead(host) {
            found.turnLength = interval(found)
            found.readyAt = max(found.readyAt, now) + found.turnLength
        }
        place(host, &found, isDead: isDead(host))
        hosts[host] = found
    }

    /// Records that the host has no work but failed URLs, if it is too early to retry these.
    ///
    /// - Returns: Whether it is too early.
    package mutating func delayed(_ host: ID, now: Double) -> Bool {
        guard var found = hosts[host], found.retryAt > now, !isDead(host) else { return false }
        push(host, &found, at: max(found.readyAt, found.retryAt))
        hosts[host] = found
        return true
    }

    /// Records that the host has no work.
    package mutating func exhausted(_ host: ID) {
        hosts[host]?.hasWork = false
        hosts[host]?.turn = 0
    }

    /// Records that a load of the host has ended.
    ///
    /// - Parameters:
    ///   - host: The ID of the host.
    ///   - signal: The signal of the load.
    ///   - isAgain: Whether the URL has to be retried later.
    ///   - tries: How often the URL was tried.
    ///   - now: The current time.
    ///   - draw: A random number from 0 to 1.
    /// - Returns: The change of the host's state.
    package mutating func finished(
        _ host: ID,
        _ signal: HostSignal,
        isAgain: Bool = false,
        tries: Int = 1,
        now: Double,
        draw: Double
    ) -> HostChange {
        guard var found = hosts[host] else { return .none }
        found.loads = max(0, found.loads - 1)
        found.isKnown = true
        let change = apply(signal, to: &found, now: now, draw: draw)
        if isAgain {
            found.hasWork = true
            let wait = politeness(found).backOff(failures: tries, draw: draw)
            found.retryAt = max(found.retryAt, now + wait)
        }
        hosts[host] = found
        place(host, &found, isDead: isDead(host))
        hosts[host] = found
        return change
    }

    private func apply(_ signal: HostSignal, to host: inout Host, now: Double, draw: Double) -> HostChange {
        let politeness = politeness(host)
        switch signal {
        case .unasked:
            return .none
        case .unneeded:
            // Unless the host has failed or refused loads.
            if host.failures == 0, host.refusals == 0 {
                host.readyAt = max(now, host.readyAt - min(host.turnLength, interval(host)))
            }
            return .none
        case .answered:
            let wasParked = host.failures >= politeness.failuresUntilParked
            host.failures = 0
            host.refusals = 0
            if wasParked { host.readyAt = now + interval(host) }
            return wasParked ? .recovered : .none
        case .throttled(let asked):
            host.refusals = min(host.refusals + 1, 1000)
            let backOff = politeness.backOff(failures: host.refusals, draw: draw)
            // Jitter is added to the requested wait, never subtracted. If the host asks for an hour, that URL is not
            // retried; the others continue.
            let wait = asked.map(\.boundedSeconds).flatMap { $0 <= politeness.longestRetryAfter ? $0 : nil }
            host.readyAt = max(host.readyAt, now + (wait ?? backOff))
            return .waits(until: host.readyAt)
        case .unreachable:
            host.failures = min(host.failures + 1, 1_000_000)
            if host.failures >= politeness.failuresUntilParked +| politeness.probesUntilDead {
                host.readyAt = now
                return .dead
            }
            if host.failures >= politeness.failuresUntilParked {
                host.readyAt = max(host.readyAt, now + politeness.parkedTime.boundedSeconds)
                return .parked(until: host.readyAt)
            }
            let wait = politeness.backOff(failures: host.failures, draw: draw)
            host.readyAt = max(host.readyAt, now + wait)
            return .waits(until: host.readyAt)
        }
    }

    // MARK: - The heap

    /// Puts a host into the heap if it may have another load, and removes it otherwise.
    private mutating func place(_ host: ID, _ found: inout Host, isDead: Bool) {
        // A single load finds out whether a parked host answers again, or the interval that a new one asks for.
        let politeness = politeness(found)
        let isAlone =
            found.failures >= politeness.failuresUntilParked || politeness.startsAlone && !found.isKnown
        let most = isDead ? Int.largestBounded : isAlone ? 1 : max(1, politeness.concurrency)
        guard found.hasWork, found.loads < most else {
            found.turn = 0
            return
        }
        // A host that is already in the heap keeps its turn.
        guard found.turn == 0 || found.queuedAt != found.readyAt else { return }
        push(host, &found, at: found.readyAt)
    }

    private mutating func push(_ host: ID, _ found: inout Host, at moment: Double) {
        turn &+= 1
        found.turn = turn
        found.queuedAt = moment
        heap.append(Entry(moment: moment, turn: turn, host: host))
        if heap.count > 2 * hosts.count + 64 {
            // Outdated entries are more than half of the heap.
            let valid = heap.filter { $0.host == host ? $0.turn == turn : hosts[$0.host]?.turn == $0.turn }
            heap = valid.sorted { $0.isBefore($1) }
            return
        }
        var index = heap.count - 1
        while index > 0, heap[index].isBefore(heap[(index - 1) / 2]) {
            heap.swapAt(index, (index - 1) / 2)
            index = (index - 1) / 2
        }
    }

    private mutating func popFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        var index = 0
        while true {
            var least = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].isBefore(heap[least]) {
                least = child
            }
            guard least != index else { return }
            heap.swapAt(index, least)
            index = least
        }
    }
}
