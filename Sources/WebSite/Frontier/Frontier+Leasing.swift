package import WebDatabase
import WebStandards

extension Frontier {
    /// The number of hosts per scan, and the maximum number of scans per call.
    private static let scanSize = 256
    private static let scanLimit = 8

    /// Leases URLs whose hosts may be contacted now, those of the hosts that have waited longest first.
    ///
    /// If fewer than the limit are returned, ``nextLease`` says when to call again.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of URLs.
    ///   - now: The current time.
    /// - Returns: The leases, each of which has to be finished.
    /// - Throws: ``StateError``.
    package func lease(_ limit: Int, now: Moment) throws(StateError) -> [Lease] {
        try commitIfDue(now: now)
        let limit = try limitRepeats(limit)
        var leases: [Lease] = []
        var scans = 0
        while leases.count < limit {
            switch queue.next(now: now.monotonic) {
            case .host(let host):
                guard let lease = try guarded({ () throws(StateError) in try nextLease(of: host, now: now) })
                else { continue }
                leases.append(lease)
            case .wait, .nothing:
                guard isQueuePartial, scans < Self.scanLimit else {
                    nextLease = waiting(now: now)
                    return leases
                }
                scans += 1
                try guarded { () throws(StateError) in try fillQueue(now: now) }
            }
        }
        nextLease = now.monotonic
        return leases
    }

    private func waiting(now: Moment) -> Double? {
        // Hosts that are not in memory are scanned for repeatedly.
        let scan = isQueuePartial ? now.monotonic + 1 : nil
        guard case .wait(let until) = queue.next(now: now.monotonic) else { return scan }
        return min(until, scan ?? until)
    }

    /// Leases the next URL of a host; `nil` if it has none at present.
    private func nextLease(of host: Int64, now: Moment) throws(StateError) -> Lease? {
        let queued = mark == 0 ? statements.queued : statements.queuedMarked
        try queued.bind(1, host)
        if mark != 0 { try queued.bind(2, mark) }
        var found: (id: Int64, turn: Int64)?
        while found == nil, try queued.step() {
            // Leased rows come first; there are never more of them than the host has loads.
            if held[queued.number(0)] == nil { found = (queued.number(0), queued.number(1)) }
        }
        queued.reset()
        guard let found else {
            queue.exhausted(host)
            return nil
        }
        if found.turn > 0, queue.delayed(host, now: now.monotonic) { return nil }
        let url = statements.url
        guard try url.bind(1, found.id).step() else {
            throw .damaged(database.path, "row \(found.id) is queued, and missing")
        }
        let name = url.text(0)
        let tries = max(0, Int(bounded: url.number(5)))
        let lease = Lease(
            id: found.id,
            url: FrontierURL.url(url.text(1), host: name),
            identity: url.optionalText(2),
            host: name,
            hostID: host,
            depth: Int(bounded: url.number(3)),
            parent: url.optionalNumber(4),
            tries: tries,
            interruptions: max(0, Int(bounded: url.number(6)) - tries),
            progress: url.optionalBytes(7),
            isHostDead: queue.isDead(host)
        )
        url.reset()
        try change(now: now) { () throws(StateError) in try statements.insertLease.bind(1, found.id).run() }
        held[found.id] = lease
        queue.started(host, now: now.monotonic)
        return lease
    }

    /// Whether a URL whose depth has one of these bits is queued or leased.
    ///
    /// - Complexity: O(n) in the URLs that were found after the last such URL.
    package func hasWork(marked mark: Int64) throws(StateError) -> Bool {
        try guarded { () throws(StateError) in
            defer { statements.anyMarked.reset() }
            return try statements.anyMarked.bind(1, mark).step()
        }
    }

    // MARK: - Hosts

    /// Notes that a host has queued URLs.
    func addWork(of host: Int64, now: Moment) throws(StateError) {
        guard queue[host] == nil else { return queue.addWork(of: host) }
        guard queue.hasRoom else {
            isQueuePartial = true
            return
        }
        try addHost(host, now: now)
    }

    /// Adds a host to the queue, with its state from the database.
    private func addHost(_ host: Int64, now: Moment) throws(StateError) {
        let state = try hostState(host, now: now)
        queue.add(
            host,
            failures: state.failures,
            interval: state.interval,
            readyAt: state.wait > 0 ? now.monotonic + state.wait : nil,
            isLocal: state.isLocal
        )
    }

    private func hostState(
        _ host: Int64,
        now: Moment
    ) throws(StateError) -> (interval: Double?, wait: Double, failures: Int, isLocal: Bool) {
        let state = statements.hostState
        guard try state.bind(1, host).step() else { return (nil, 0, 0, false) }
        defer { state.reset() }
        let interval = state.optionalNumber(0).map { Double(Int(bounded: $0)) / 1000 }
        // The system's clock may have been set: no wait is longer than it was at first.
        let left = state.number(1) -| now.wall.millisecondsSince1970
        let wait = max(0, min(Int(bounded: left), Int(bounded: state.number(2))))
        var failures = max(0, Int(bounded: state.number(3)))
        let isLocal = Self.isLocal(state.text(4))
        let politeness = isLocal ? options.localPoliteness : options.politeness
        // A dead host gets another chance after its wait.
        if wait == 0 { failures = min(failures, politeness.failuresUntilParked) }
        return (interval, Double(wait) / 1000, failures, isLocal)
    }

    /// Whether a host is local: a loopback address, "localhost", or no host at all, as for files.
    package static func isLocal(_ host: String) -> Bool {
        guard !host.isEmpty else { return true }
        var name = host[...]
        if let colon = name.lastIndex(of: ":"), !name.hasSuffix("]") { name = name[..<colon] }
        if name == "localhost" || name.hasSuffix(".localhost") || name == "[::1]" { return true }
        // The URL standard serializes every IPv4 address as four numbers.
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127" && parts.allSatisfy { UInt8($0) != nil }
    }

    /// Scans for hosts with queued URLs that are not in the queue.
    private func fillQueue(now: Moment) throws(StateError) {
        if !queue.hasRoom {
            for removed in queue.makeRoom(now: now.monotonic) {
                try change(now: now) { () throws(StateError) in
                    try keepWait(removed.waits, removed.failures, of: removed.host, now: now)
                }
            }
        }
        if scannedHost == 0 { isQueuePartial = false }
        for _ in 0..<Self.scanSize {
            guard queue.hasRoom else {
                isQueuePartial = true
                return
            }
            guard try statements.nextHost.bind(1, scannedHost).step() else {
                // All hosts were scanned since the flag was cleared.
                scannedHost = 0
                return
            }
            scannedHost = statements.nextHost.number(0)
            statements.nextHost.reset()
            guard queue[scannedHost] == nil else { continue }
            try addHost(scannedHost, now: now)
        }
        isQueuePartial = true
    }

    /// Sets the interval that a host asks for (Crawl-delay), in seconds, which is bounded.
    ///
    /// - Parameters:
    ///   - interval: The interval; `nil` for this program's own.
    ///   - lease: A URL of the host.
    ///   - now: The current time.
    /// - Returns: The interval that is used.
    /// - Throws: ``StateError``.
    @discardableResult
    package func setInterval(_ interval: Double?, of lease: Lease, now: Moment) throws(StateError) -> Double {
        queue.setInterval(interval, of: lease.hostID, now: now.monotonic)
        let milliseconds = interval.map { Int64(Int(bounded: $0.boundedSeconds * 1000)) }
        try change(now: now) { () throws(StateError) in
            try statements.hostDelay.bind(1, lease.hostID).bind(2, milliseconds).run()
        }
        return queue.interval(of: lease.hostID)
    }
}
