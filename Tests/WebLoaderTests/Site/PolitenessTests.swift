import TestSupport
import Testing
import WebSite

extension Politeness {
    /// No interval, and as many loads at once from the beginning.
    static func quick(_ concurrency: Int) -> Politeness {
        var politeness = Politeness()
        politeness.concurrency = concurrency
        politeness.interval = 0
        politeness.startsAlone = false
        return politeness
    }
}

/// Which host is asked next, and when: without a clock, a database or a network.
struct PolitenessTests {
    private func politeness(_ change: (inout Politeness) -> Void = { _ in }) -> Politeness {
        var politeness = Politeness()
        politeness.concurrency = 1
        change(&politeness)
        return politeness
    }

    /// Lets loads run that take no time, and returns which hosts were asked, and when.
    private func run(
        _ queue: inout HostQueue,
        from start: Double = 0,
        until end: Double,
        signal: (Int64, Double) -> HostSignal = { _, _ in .answered }
    ) -> [(host: Int64, at: Double)] {
        var now = start
        var asked: [(Int64, Double)] = []
        while now < end, asked.count < 1000 {
            switch queue.next(now: now) {
            case .host(let host):
                asked.append((host, now))
                queue.started(host, now: now)
                _ = queue.finished(host, signal(host, now), now: now, draw: 0.5)
            case .wait(let until): now = until
            case .nothing: return asked
            }
        }
        return asked
    }

    @Test func interleavesHosts() {
        var queue = HostQueue(politeness())
        for host in 1...3 as ClosedRange<Int64> { queue.add(host) }
        let asked = run(&queue, until: 3)
        #expect(asked.map(\.host) == [1, 2, 3, 1, 2, 3, 1, 2, 3])
        #expect(asked.map(\.at) == [0, 0, 0, 1, 1, 1, 2, 2, 2])
    }

    @Test func `what needs no request takes no turn, and shortens no wait`() {
        var queue = HostQueue(politeness())
        queue.add(1)
        let asked = run(&queue, until: 3) { _, now in now < 2 ? .answered : .unneeded }
        #expect(asked.prefix(3).map(\.at) == [0, 1, 2])
        #expect(asked.count == 1000)
        queue = HostQueue(politeness())
        queue.add(1)
        queue.started(1, now: 0)
        _ = queue.finished(1, .throttled(retryAfter: 10), now: 0, draw: 0)
        queue.started(1, now: 10)
        _ = queue.finished(1, .unneeded, now: 10, draw: 0)
        #expect(queue.next(now: 10) == .wait(until: 11))
        queue = HostQueue(politeness())
        queue.add(1)
        let unasked = run(&queue, until: 3) { _, _ in .unasked }
        #expect(unasked.map(\.at) == [0, 1, 2])
    }

    @Test func interleavesHostsWithoutAnInterval() {
        var queue = HostQueue(.quick(1))
        for host in 1...3 as ClosedRange<Int64> { queue.add(host) }
        var asked: [Int64] = []
        while asked.count < 9, case .host(let host) = queue.next(now: 5) {
            asked.append(host)
            queue.started(host, now: 5)
            _ = queue.finished(host, .answered, now: 5, draw: 0)
            // More work keeps nobody's turn.
            queue.addWork(of: 1)
        }
        #expect(asked == [1, 2, 3, 1, 2, 3, 1, 2, 3])
    }

    @Test(arguments: [1, 2, 5]) func hasOnlySoManyLoadsOfAHost(_ concurrency: Int) {
        var queue = HostQueue(.quick(concurrency))
        queue.add(7)
        for _ in 0..<concurrency {
            #expect(queue.next(now: 0) == .host(7))
            queue.started(7, now: 0)
        }
        #expect(queue.next(now: 0) == .nothing)
        queue.addWork(of: 7)
        #expect(queue.next(now: 0) == .nothing)
        _ = queue.finished(7, .answered, now: 0, draw: 0)
        #expect(queue.next(now: 0) == .host(7))
    }

    @Test func aSlowHostHoldsNoOther() {
        var queue = HostQueue(politeness())
        queue.add(1)
        queue.add(2)
        queue.setInterval(30, of: 1)
        let asked = run(&queue, until: 20)
        #expect(asked.filter { $0.host == 1 }.count == 1)
        #expect(asked.filter { $0.host == 2 }.count == 20)
    }

    @Test(
        arguments: [
            (nil, 1), (0.2, 1), (5, 5), (3600, 60), (.infinity, 60), (-.infinity, 1), (.nan, 1),
        ] as [(Double?, Double)]
    )
    func boundsWhatAHostAsksFor(_ asked: Double?, _ interval: Double) {
        #expect(politeness().interval(asked: asked) == interval)
    }

    @Test(arguments: [(5, 5), (120, 120), (3600, 0.5), (0, 0), (-4, 0), (.nan, 0)] as [(Double, Double)])
    func waitsAsLongAsRetryAfterSays(_ asked: Double, _ wait: Double) {
        var queue = HostQueue(.quick(2))
        queue.add(1)
        queue.started(1, now: 100)
        let change = queue.finished(1, .throttled(retryAfter: asked), now: 100, draw: 0)
        #expect(change == .waits(until: 100 + wait))
        if wait > 0 { #expect(queue.next(now: 100) == .wait(until: 100 + wait)) }
        #expect(queue.next(now: 100 + wait) == .host(1))
    }

    @Test func aLoadThatEndsLaterTakesNoWaitBack() {
        var queue = HostQueue(.quick(2))
        queue.add(1)
        queue.started(1, now: 0)
        queue.started(1, now: 0)
        _ = queue.finished(1, .throttled(retryAfter: 10), now: 1, draw: 0)
        _ = queue.finished(1, .answered, now: 2, draw: 0)
        #expect(queue.next(now: 2) == .wait(until: 11))
    }

    @Test func backsOffWithJitter() {
        let politeness = politeness()
        #expect((1...8).map { politeness.backOff(failures: $0, draw: 1) } == [1, 2, 4, 8, 16, 32, 60, 60])
        #expect((1...8).map { politeness.backOff(failures: $0, draw: 0) } == [0.5, 1, 2, 4, 8, 16, 30, 30])
        for failures in [Int.min, -1, 0, 63, 64, Int.max] {
            for draw in [-.infinity, -1, 0, 1, 2, .infinity, .nan] as [Double] {
                #expect((0...60).contains(politeness.backOff(failures: failures, draw: draw)))
            }
        }
    }

    @Test func parksAHostAndThenGivesItUp() {
        var queue = HostQueue(
            politeness {
                $0.failuresUntilParked = 3; $0.probesUntilDead = 2
            }
        )
        queue.add(1)
        let changes = (0..<5).map { number in
            queue.started(1, now: Double(number) * 10_000)
            return queue.finished(1, .unreachable, now: Double(number) * 10_000, draw: 1)
        }
        #expect(
            changes == [
                .waits(until: 1), .waits(until: 10_002), .parked(until: 20_600), .parked(until: 30_600),
                .dead,
            ]
        )
        #expect(queue.isDead(1))
        // The dead host's queued URLs are processed as fast as possible.
        for _ in 0..<10 {
            #expect(queue.next(now: 40_000) == .host(1))
            queue.started(1, now: 40_000)
        }
    }

    @Test func aParkedHostThatAnswersIsAsBefore() {
        var queue = HostQueue(
            politeness {
                $0.failuresUntilParked = 1; $0.concurrency = 3
            }
        )
        queue.add(1)
        queue.started(1, now: 0)
        #expect(queue.finished(1, .unreachable, now: 0, draw: 1) == .parked(until: 600))
        #expect(queue.next(now: 1) == .wait(until: 600))
        #expect(queue.next(now: 600) == .host(1))
        queue.started(1, now: 600)
        // One load finds out.
        #expect(queue.next(now: 700) == .nothing)
        #expect(queue.finished(1, .answered, now: 700, draw: 1) == .recovered)
        #expect(queue.next(now: 700) == .wait(until: 701))
        #expect(queue[1]?.failures == 0)
    }

    @Test func whatFailedWaitsBehindNewWork() {
        var queue = HostQueue(.quick(1))
        queue.add(1)
        #expect(queue.next(now: 0) == .host(1))
        queue.started(1, now: 0)
        _ = queue.finished(1, .answered, isAgain: true, tries: 2, now: 0, draw: 1)
        #expect(queue.next(now: 0) == .host(1))
        // There is only what failed.
        let isDelayed = queue.delayed(1, now: 0)
        #expect(isDelayed)
        #expect(queue.next(now: 0) == .wait(until: 2))
        queue.addWork(of: 1)
        #expect(queue.next(now: 0.5) == .host(1))
        queue.started(1, now: 0.5)
        _ = queue.finished(1, .answered, now: 0.5, draw: 1)
        #expect(queue.next(now: 2) == .host(1))
        let isDelayedStill = queue.delayed(1, now: 2)
        #expect(!isDelayedStill)
    }

    @Test func keepsOnlySoManyHosts() {
        var queue = HostQueue(politeness(), capacity: 32)
        for host in 1...32 as ClosedRange<Int64> { queue.add(host) }
        #expect(!queue.hasRoom)
        #expect(queue.makeRoom(now: 0).count == 0)
        #expect(!queue.hasRoom)
        // Those that nothing is left of go first.
        #expect(queue.next(now: 0) == .host(1))
        queue.exhausted(1)
        #expect(queue.makeRoom(now: 0).count == 0)
        #expect(queue.count == 31)
        queue.add(33)
        // Then those that wait longest.
        for host in [2, 3] as [Int64] {
            #expect(queue.next(now: 0) == .host(host))
            queue.started(host, now: 0)
            _ = queue.finished(host, .throttled(retryAfter: Double(host) * 40), now: 0, draw: 0)
        }
        let removed = queue.makeRoom(now: 0)
        #expect(removed.map(\.host) == [3, 2])
        #expect(removed.map(\.waits) == [120, 80])
    }

    @Test func anIdleHostIsForgottenOnlyWhenItMayBeAskedAgain() {
        var queue = HostQueue(politeness(), capacity: 1)
        queue.add(1)
        queue.started(1, now: 0)
        _ = queue.finished(1, .answered, now: 0, draw: 0)
        queue.exhausted(1)
        _ = queue.makeRoom(now: 0.5)
        #expect(queue.count == 1)
        _ = queue.makeRoom(now: 1)
        #expect(queue.count == 0)
    }

    /// In any order of events: never too many loads, never too soon, and no host is forgotten.
    @Test(arguments: 1...20) func keepsItsRules(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var queue = HostQueue(
            politeness {
                $0.concurrency = 3; $0.interval = 0.5; $0.parkedTime = 20
            }
        )
        var loads: [Int64: Int] = [:]
        var last: [Int64: Double] = [:]
        var asked: Set<Int64> = []
        var now = 0.0
        for host in 1...8 as ClosedRange<Int64> { queue.add(host) }
        for _ in 0..<4000 {
            let running = loads.filter { $0.value > 0 }.keys.sorted()
            if Bool.random(using: &random), let host = running.randomElement(using: &random) {
                let signal: HostSignal =
                    switch Int.random(in: 0..<12, using: &random) {
                    case 0: .unreachable
                    case 1: .throttled(retryAfter: Bool.random(using: &random) ? nil : 3)
                    default: .answered
                    }
                loads[host, default: 0] -= 1
                let isAgain = Int.random(in: 0..<5, using: &random) == 0
                _ = queue.finished(
                    host,
                    signal,
                    isAgain: isAgain,
                    now: now,
                    draw: Double.random(in: 0..<1, using: &random)
                )
                continue
            }
            switch queue.next(now: now) {
            case .host(let host):
                asked.insert(host)
                loads[host, default: 0] += 1
                #expect(loads[host, default: 0] <= 3 || queue.isDead(host))
                #expect(now - (last[host] ?? -1) > 0.499_999 || queue.isDead(host))
                last[host] = now
                queue.started(host, now: now)
            case .wait(let until):
                #expect(until > now)
                now += Bool.random(using: &random) ? until - now : 0.01
            case .nothing: #expect(!running.isEmpty)
            }
        }
        #expect(asked.count == 8)
    }

    @Test func aClockThatJumpsEndsNothing() {
        var queue = HostQueue(politeness())
        queue.add(1)
        queue.add(2)
        for now in [1000, 0, -1e300, 1e300, 5, .infinity, -.infinity, .nan] as [Double] {
            if case .host(let host) = queue.next(now: now) {
                queue.started(host, now: now)
                _ = queue.finished(host, .unreachable, now: now, draw: 1)
            }
        }
        #expect(queue.count == 2)
    }
}
