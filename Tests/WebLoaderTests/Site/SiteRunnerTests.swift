import Foundation
import TestSupport
import Testing
import WebStandards

@testable import WebSite

/// That a job is worked on to its end, and can be ended before.
@Suite(.timeLimit(.minutes(20)))
struct SiteRunnerTests {
    private func options(_ outputs: [String] = []) -> Frontier.Options {
        var options = Frontier.Options()
        options.isSynced = false
        options.outputs = outputs
        return options
    }

    private func url(_ text: String, depth: Int = 0) throws -> FrontierURL {
        FrontierURL(try WebURL(text), depth: depth)
    }

    @Test func visitsWhatIsFoundOnTheWay() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Frontier(folder.appendingPathComponent("job").path, options(), now: .now)
            try frontier.add([url("http://localhost/0")], now: .now)
            var seen: [String] = []
            let end = try await SiteRunner(width: 4).run(frontier) { lease in
                lease.url
            } finish: {
                (frontier, lease, found) throws(StateError) in
                seen.append(found)
                let number = Int(bounded: found.split(separator: "/").last.map(String.init) ?? "") ?? 0
                let children = [2 * number + 1, 2 * number + 2].filter { $0 < 200 }.compactMap {
                    (try? WebURL("http://localhost/\($0)")).map { FrontierURL($0, depth: lease.depth + 1) }
                }
                try frontier.finish(lease, .done, signal: .answered, children: children, now: .now)
            }
            #expect(end == .complete)
            #expect(seen.count == 200)
            #expect(Set(seen).count == 200)
            #expect(frontier.counts.done == 200)
        }
    }

    @Test func goesOnwardWithItsProgress() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Frontier(folder.appendingPathComponent("job").path, options(), now: .now)
            try frontier.add([url("http://localhost/a")], now: .now)
            var hosts: [String] = []
            let end = try await SiteRunner(width: 2).run(frontier) { lease in
                lease.progress ?? []
            } finish: {
                (frontier, lease, progress) throws(StateError) in
                hosts.append(lease.host)
                #expect(lease.url == "http://localhost/a")
                guard progress.count < 3 else {
                    try frontier.finish(lease, .done, signal: .answered, result: progress, now: .now)
                    return
                }
                let next = FrontierURL(
                    serialized: "http://127.0.0.\(progress.count + 1)/",
                    host: "127.0.0.\(progress.count + 1)"
                )
                try frontier.finish(
                    lease,
                    .onward(to: next),
                    signal: .answered,
                    result: progress + [7],
                    now: .now
                )
            }
            #expect(end == .complete)
            #expect(hosts == ["localhost", "127.0.0.1", "127.0.0.2", "127.0.0.3"])
            #expect(frontier.counts == FrontierCounts(done: 1))
        }
    }

    @Test(arguments: [(StopRequest.Level.drain, SiteRunner.End.drained), (.now, .stopped)])
    func endsEarlyAndGoesOn(level: StopRequest.Level, expected: SiteRunner.End) async throws {
        try await withTemporaryFolder { folder in
            let path = folder.appendingPathComponent("job").path
            var done = 0
            do {
                let frontier = try Frontier(path, options(), now: .now)
                try frontier.add((0..<50).map { try url("http://localhost/\($0)") }, now: .now)
                let stop = StopRequest()
                let end = try await SiteRunner(width: 3, stop: stop).run(frontier) { _ in
                } finish: {
                    (frontier, lease, _) throws(StateError) in
                    done += 1
                    try frontier.finish(lease, .done, signal: .answered, now: .now)
                    if done == 10 { stop.ask(level) }
                }
                #expect(end == expected)
                #expect(done >= 10 && done < 14)
            }
            let frontier = try Frontier(path, options(), now: .now)
            #expect(frontier.counts.done == done)
            let end = try await SiteRunner(width: 3).run(frontier) { _ in
            } finish: {
                (frontier, lease, _) throws(StateError) in
                done += 1
                try frontier.finish(lease, .done, signal: .answered, now: .now)
            }
            #expect(end == .complete)
            #expect(done == 50)
        }
    }

    @Test func stopsWhileNothingHappens() async throws {
        try await withTemporaryFolder { folder in
            let frontier = try Frontier(folder.appendingPathComponent("job").path, options(), now: .now)
            try frontier.add([url("http://localhost/a")], now: .now)
            let stop = StopRequest()
            let end = try await SiteRunner(width: 1, stop: stop).run(frontier) { _ in
                stop.ask(.now)
                // Ended by its cancellation.
                try? await Task.sleep(for: .seconds(600))
            } finish: { (frontier, lease, _) throws(StateError) in
                Issue.record("nothing was finished")
                try frontier.finish(lease, .done, signal: .answered, now: .now)
            }
            #expect(end == .stopped)
            #expect(frontier.counts.queued == 1)
        }
    }

    @Test func aNewHostIsAskedOneThingAtATime() throws {
        var queue = HostQueue(.local(concurrency: 4))
        queue.add(1)
        #expect(queue.next(now: 0) == .host(1))
        queue.started(1, now: 0)
        #expect(queue.next(now: 0) == .nothing)
        _ = queue.finished(1, .answered, now: 0, draw: 0)
        for _ in 0..<4 {
            #expect(queue.next(now: 0) == .host(1))
            queue.started(1, now: 0)
        }
        #expect(queue.next(now: 0) == .nothing)
    }

    @Test(arguments: [
        ("127.0.0.1:8080", true), ("localhost", true), ("a.localhost:80", true), ("[::1]:81", true),
        ("", true),
        ("127.0.0.1.example", false), ("example.com", false), ("10.0.0.1", false), ("127.0.0", false),
        ("[::2]", false),
    ])
    func knowsOnesOwnHosts(host: String, isLocal: Bool) {
        #expect(Frontier.isLocal(host) == isLocal)
    }
}
