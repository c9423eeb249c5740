import WebStandards

/// Decides which host is asked next, and when: a value that touches no clock, no database and no network.
///
/// It has the hosts that there is work for, up to a number; who has more of them adds others as room is made. Moments are seconds
/// of a clock that is never set; one that goes back nevertheless makes hosts wait longer, at most by what it went back.
///
/// A host is in a heap by the moment from which it may be asked, and by its turn among those of the same moment: whoever was asked
/// goes to the end, so that hosts are interleaved. A host that has as many loads as it may have is not in the heap.
package struct HostQueue {
    /// A host's ID in the database.
    package typealias ID = Int64

    /// What to do now.
    package enum Next: Equatable {
        /// To look for work of a host; then one of `started`, `delayed` and `exhausted` is called.
        case host(ID)
        /// Nothing before that moment.
        case wait(until: Double)
        /// Nothing, until a load ends or work is added.
        case nothing
    }

    /// What is known of a host.
    package struct Host: Equatable {
        /// The loads that run.
        package fileprivate(set) var loads = 0
        /// The moment from which it may be asked.
        package fileprivate(set) var readyAt = -Double.infinity
        /// How far the load that began last has put that off.
        fileprivate var turnLength = 0.0
        /// The moment from which it may be asked what failed before.
        fileprivate var retryAt = -Double.infinity
        /// How often it was not reached, in a row.
        package fileprivate(set) var failures = 0
        /// How often it asked for fewer loads, in a row.
        fileprivate var refusals = 0
        /// The interval it asked for itself.
        package fileprivate(set) var askedInterval: Double?
        fileprivate var hasWork = false
        /// Whether it is one of one's own, which need not be spared.
        fileprivate var isLocal = false
        /// Whether a load of it has ended.
        fileprivate var isKnown = false
        /// The turn of its entry in the heap; 0 if it has none.
        fileprivate var turn: UInt64 = 0
        /// The moment of its entry in the heap.
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
    /// The politeness to hosts of one's own.
    package let localPoliteness: Politeness
    /// How many hosts there may be.
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

    /// How many hosts there are.
    package var count: Int { hosts.count }

    /// Whether another host may be added.
    package var hasRoom: Bool { hosts.count < capacity }

    /// What is known of a host; nil if it is not there.
    package subscript(host: ID) -> Host? { hosts[host] }

    /// Adds a host that there is work for.
    ///
    /// - Parameters:
    ///   - host: Its ID.
    ///   - failures: How often it was not reached, in a row.
    ///   - interval: The interval it asked for.
    ///   - readyAt: The moment from which it may be asked, nil for at once.
    ///   - isLocal: Whether it is one of one's own.
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

    /// Says that there is work for a host, of which there may have been none.
    package mutating func addWork(of host: ID) {
        guard var found = hosts[host] else { return }
        found.hasWork = true
        // One that waits for what failed before may have new work, which need not wait.
        place(host, &found, isDead: isDead(host))
        hosts[host] = found
    }

    /// Sets the interval that a host asks for, which is bounded.
    ///
    /// What was begun before it was known counts as begun now.
    package mutating func setInterval(_ asked: Double?, of host: ID, now: Double = -.infinity) {
        guard var found = hosts[host], found.askedInterval != asked else { return }
        found.askedInterval = asked
        found.readyAt = max(found.readyAt, now + interval(found))
        hosts[host] = found
    }

    /// Whether nothing of a host is to be loaded any more.
    package func isDead(_ host: ID) -> Bool {
        guard let found = hosts[host] else { return false }
        let politeness = politeness(found)
        return found.failures >= politeness.failuresUntilParked +| politeness.probesUntilDead
    }

    /// Removes hosts that nothing keeps, or else those that wait longest, if for more than a few seconds.
    ///
    /// - Returns: Those that are removed though they wait, to be remembered elsewhere.
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

    /// A wait that is not worth forgetting a host for, or remembering elsewhere.
    package static let shortWait = 5.0

    /// The interval that is kept for a host, in seconds.
    package func interval(of host: ID) -> Double {
        guard let found = hosts[host] else { return politeness.interval(asked: nil) }
        return interval(found)
    }

    private func interval(_ host: Host) -> Double {
        politeness(host).interval(asked: host.askedInterval)
    }

    private func politeness(_ host: Host) -> Politeness { host.isLocal ? localPoliteness : politeness }

    /// How many hosts with work must not be asked yet.
    package func waitingCount(now: Double) -> Int {
        hosts.values.count { $0.hasWork && $0.readyAt > now }
    }

    // MARK: - Turns

    /// Whose turn it is.
    package mutating func next(now: Double) -> Next {
        while let first = heap.first {
            guard hosts[first.host]?.turn == first.turn else {
                // Left over from before the host got another place.
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

    /// A load of the host begins.
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

    /// There is nothing for the host to do but what failed before, for which it is too early.
    ///
    /// - Returns: Whether it is too early.
    package mutating func delayed(_ host: ID, now: Double) -> Bool {
        guard var found = hosts[host], found.retryAt > now, !isDead(host) else { return false }
        push(host, &found, at: max(found.readyAt, found.retryAt))
        hosts[host] = found
        return true
    }

    /// There is nothing for the host to do.
    package mutating func exhausted(_ host: ID) {
        hosts[host]?.hasWork = false
        hosts[host]?.turn = 0
    }

    /// A load of the host has ended.
    ///
    /// - Parameters:
    ///   - host: Its ID.
    ///   - signal: What it says of the host.
    ///   - isAgain: Whether it is to be tried again, later.
    ///   - tries: How often it was tried.
    ///   - now: The moment.
    ///   - draw: A random number from 0 to 1.
    /// - Returns: What became of the host.
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
            // Unless the host wants to be left alone.
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
            // Jitter comes on top of what was asked for: never sooner.
            // Who asks for an hour is not asked again for that URL; the others go on.
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

    /// Puts a host into the heap if it may have another load, and takes it out otherwise.
    private mutating func place(_ host: ID, _ found: inout Host, isDead: Bool) {
        // One load finds out whether a parked host answers again, and what a new one asks for.
        let politeness = politeness(found)
        let isAlone =
            found.failures >= politeness.failuresUntilParked || politeness.startsAlone && !found.isKnown
        let most = isDead ? Int.largestBounded : isAlone ? 1 : max(1, politeness.concurrency)
        guard found.hasWork, found.loads < most else {
            found.turn = 0
            return
        }
        // Who stands there already keeps its turn.
        guard found.turn == 0 || found.queuedAt != found.readyAt else { return }
        push(host, &found, at: found.readyAt)
    }

    private mutating func push(_ host: ID, _ found: inout Host, at moment: Double) {
        turn &+= 1
        found.turn = turn
        found.queuedAt = moment
        heap.append(Entry(moment: moment, turn: turn, host: host))
        if heap.count > 2 * hosts.count + 64 {
            // What is left over from earlier places is more than the half of it.
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
