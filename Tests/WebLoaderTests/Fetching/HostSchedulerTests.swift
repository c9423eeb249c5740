import Testing

@testable import WebTransport

struct HostSchedulerTests {
    private func scheduler(
        _ maximum: Int = 100,
        perHost: Int = 2,
        streams: Int = 4,
        rate: Double? = nil
    ) -> HostScheduler<Int> {
        var configuration = CurlFetcher.Configuration()
        configuration.maximumConnections = maximum
        configuration.maximumConnectionsPerHost = perHost
        configuration.maximumStreamsPerHost = streams
        configuration.requestsPerSecondPerHost = rate
        return HostScheduler(configuration)
    }

    /// All that may start now.
    private func start(_ scheduler: inout HostScheduler<Int>, now: Double = 0) -> [Int] {
        var started: [Int] = []
        while let (element, _) = scheduler.next(now: now) { started.append(element) }
        return started
    }

    @Test func aHostHasSoManyAtOnce() {
        var scheduler = scheduler()
        for element in 0..<5 { scheduler.add(element, host: "a") }
        #expect(start(&scheduler) == [0, 1])
        scheduler.finished(host: "a", isMultiplexed: nil)
        #expect(start(&scheduler) == [2])
        scheduler.finished(host: "a", isMultiplexed: false)
        scheduler.finished(host: "a", isMultiplexed: false)
        #expect(start(&scheduler) == [3, 4])
    }

    @Test func allTogetherHaveSoManyAtOnce() {
        var scheduler = scheduler(3)
        for element in 0..<6 { scheduler.add(element, host: "\(element)") }
        #expect(start(&scheduler) == [0, 1, 2])
        scheduler.finished(host: "1", isMultiplexed: nil)
        #expect(start(&scheduler) == [3])
    }

    @Test func hostsTakeTurns() {
        var scheduler = scheduler(4, perHost: 100)
        for element in 0..<1000 { scheduler.add(element, host: "many") }
        for element in 1000..<1003 { scheduler.add(element, host: "few") }
        #expect(start(&scheduler) == [0, 1000, 1, 1001])
    }

    @Test func whoSharesAConnectionHasMore() {
        var scheduler = scheduler()
        for element in 0..<8 { scheduler.add(element, host: "a") }
        #expect(start(&scheduler) == [0, 1])
        scheduler.finished(host: "a", isMultiplexed: true)
        #expect(start(&scheduler) == [2, 3, 4])
    }

    @Test func requestsAreSpaced() {
        var scheduler = scheduler(perHost: 10, rate: 2)
        for element in 0..<3 { scheduler.add(element, host: "a") }
        scheduler.add(9, host: "b")
        #expect(start(&scheduler, now: 100) == [0, 9])
        #expect(scheduler.nextTime == 100.5)
        #expect(start(&scheduler, now: 100.4) == [])
        #expect(start(&scheduler, now: 100.5) == [1])
        scheduler.finished(host: "a", isMultiplexed: nil)
        scheduler.finished(host: "a", isMultiplexed: nil)
        #expect(start(&scheduler, now: 100.9) == [])
        #expect(start(&scheduler, now: 101) == [2])
        scheduler.finished(host: "a", isMultiplexed: nil)
        scheduler.add(3, host: "a")
        #expect(start(&scheduler, now: 101.1) == [], "the host's time outlasts its work")
        #expect(start(&scheduler, now: 101.5) == [3])
        #expect(scheduler.nextTime == nil)
    }

    @Test func aRateOfNothingStartsOne() {
        var scheduler = scheduler(rate: 0)
        for element in 0..<3 { scheduler.add(element, host: "a") }
        #expect(start(&scheduler) == [0])
        #expect(start(&scheduler, now: 1000) == [])
    }

    @Test(.timeLimit(.minutes(20)))
    func manyHostsCostNoMoreThanFew() {
        var scheduler = scheduler(perHost: 1)
        for element in 0..<200_000 { scheduler.add(element, host: "\(element)") }
        var count = 0
        while let (element, host) = scheduler.next(now: 0) {
            #expect(host == "\(element)")
            scheduler.finished(host: host, isMultiplexed: true)
            count += 1
        }
        #expect(count == 200_000)
    }

    @Test func everyoneWhoWaitsIsKnown() {
        var scheduler = scheduler()
        for element in 0..<5 { scheduler.add(element, host: "a") }
        _ = start(&scheduler)
        var waiting: [Int] = []
        scheduler.forEachWaiting { waiting.append($0) }
        #expect(waiting == [2, 3, 4])
    }
}
