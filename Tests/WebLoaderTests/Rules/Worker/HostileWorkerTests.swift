import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebLoader
@testable import WebRules

/// Workers that a page has taken over, or that do not work: none gets more than a recipe could, or keeps the caller.
@Suite(.timeLimit(.minutes(20)))
struct HostileWorkerTests {
    private static let start = "/usr/bin/head -c 8 <&4 >/dev/null\n"

    /// Lines of shell that say records.
    private static func say(_ records: WorkerRecord...) -> String {
        let bytes = records.flatMap(\.framed).map { byte in
            let digits = String(byte, radix: 8)
            return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return "printf '\(bytes.joined())' >&5\n"
    }

    private static func loader(_ script: String, in folder: URL) throws -> PageLoader {
        let file = folder.appendingPathComponent("worker")
        try ("#!/bin/sh\n" + script).write(to: file, atomically: false, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file.path)
        var configuration = PageLoader.Configuration()
        configuration.workers.path = file.path
        configuration.cacheDirectory = nil
        return PageLoader(configuration: configuration)
    }

    /// Returns a recipe's result on a page of the network, with a script as the worker.
    private static func extract(
        _ script: String,
        _ recipe: String = "version: 1\nfields: {a: title}",
        time: Duration = .milliseconds(300),
        in folder: URL
    ) async throws -> Extraction {
        while true {
            let page = try await loader(script, in: folder)
                .loadHTMLString("<title>T</title>", baseURL: WebURL("http://127.0.0.1:9/"))
            do throws(RuleError) {
                return try await page.extract(try Recipe(recipe), budget: Budget(time: time))
            } catch {
                // Another test's child may hold the file open that was just written, until it runs its own program.
                guard error.message.contains("busy") else { throw error }
            }
        }
    }

    private static let following =
        "version: 1\nfields: {a: {select: a, all: true, follow: {depth: 2, fields: {t: title}}}}"

    @Test(arguments: ["file:///etc/hostname", "data:text/html,x", "ftp://127.0.0.1/"])
    func noPageOfTheNetworkHasItReadOtherThings(url: String) async throws {
        try await withTemporaryFolder { folder in
            let got = folder.appendingPathComponent("got")
            let script =
                Self.start + Self.say(.started, .follow(url, from: 0))
                + "/usr/bin/head -c 8 <&4 >'\(got.path)'\n"
            let extraction = try await Self.extract(script, Self.following, in: folder)
            #expect(extraction.failure?.code == .failed)
            #expect(extraction.failure?.message.contains("sent a") == true)
            // Nobody has written to it, if there was time to open it at all.
            #expect((try? Data(contentsOf: got))?.isEmpty ?? true)
        }
    }

    @Test func aRecipeThatFollowsNothingHasNothingLoaded() async throws {
        try await withTemporaryFolder { folder in
            let script =
                Self.start + Self.say(.started, .follow("http://127.0.0.1:9/", from: 0)) + "exec sleep 600\n"
            let extraction = try await Self.extract(script, in: folder)
            #expect(extraction.failure?.code == .failed)
            #expect(extraction.usage.pages == 0)
        }
    }

    @Test func pagesAreCountedHere() async throws {
        try await withTemporaryFolder { folder in
            let ask = Self.say(.follow("http://127.0.0.1:9/", from: 0)) + Self.start + Self.say(.started)
            let script = Self.start + Self.say(.started) + "while :; do\n\(ask)done\n"
            let extraction = try await Self.extract(script, Self.following, time: .seconds(60), in: folder)
            #expect(extraction.failure?.message.contains("more pages") == true)
        }
    }

    /// It is ended in its time, whatever it does with it.
    @Test(arguments: [
        start + say(.started) + "exec sleep 600", start + say(.started) + "kill -STOP $$; sleep 600",
        start + say(.started) + "while :; do :; done", say(.started) + "exec sleep 600",
        start + say(.started) + "trap '' TERM INT HUP ALRM IO; while :; do echo noise; echo noise >&2; done",
    ])
    func itHasNoMoreTimeThanOthers(script: String) async throws {
        try await withTemporaryFolder { folder in
            let extraction = try await Self.extract(script, in: folder)
            #expect(extraction.exceeded?.code == .time)
            #expect(extraction.exceeded?.allowed == 300)
        }
    }

    /// It is ended when it says a record after the end of the run may have, or nothing that can be read.
    @Test(arguments: [
        start + "cat /dev/zero >&5", start + say(.started) + "cat /dev/zero >&5",
        start + "printf '\\377\\377\\377\\177' >&5; exec cat /dev/zero >&5",
        start + say(.started, .started) + "exec sleep 600",
        start + say(.started) + "while :; do " + say(.log("")) + "done",
        start + say(.started) + "while :; do " + say(.report(RuleError(.failed, "x"))) + "done",
        start + say(.started, .finished(field: "b", value: 1, provenance: [])) + "exec sleep 600",
    ])
    func itHasNoMoreToSayThanOthers(script: String) async throws {
        try await withTemporaryFolder { folder in
            let extraction = try await Self.extract(script, time: .seconds(120), in: folder)
            #expect(extraction.failure?.code == .failed || extraction.exceeded?.code == .log)
        }
    }

    @Test(arguments: [
        "exit 0", "exit 90", "exit 91", "exit 92", "kill -9 $$", start + "exit 90", "exec /nowhere",
    ])
    func oneThatEndsIsAnError(script: String) async throws {
        try await withTemporaryFolder { folder in
            do {
                let extraction = try await Self.extract(script, in: folder)
                #expect(extraction.failure?.code == .crash)
            } catch let error as RuleError {
                #expect(error.code == .unavailable)
            }
        }
    }

    /// The time for all of it ends one that never begins, too.
    @Test func oneThatNeverBeginsEndsWithTheWhole() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("worker")
            try FileManager.default.createSymbolicLink(atPath: file.path, withDestinationPath: "/bin/yes")
            var configuration = PageLoader.Configuration()
            configuration.workers.path = file.path
            configuration.limits.maximumTime = .seconds(0.5)
            let page = try await PageLoader(configuration: configuration)
                .loadHTMLString("<title>T</title>", baseURL: nil)
            let extraction = try await page.extract(try Recipe("version: 1\nfields: {a: title}"))
            #expect(extraction.exceeded?.code == .time)
            #expect(extraction.exceeded?.allowed == 500)
        }
    }

    // MARK: - Leases

    /// A worker that was released may be in use elsewhere by now.
    @Test func aWorkerThatWasGivenBackIsNotEnded() throws {
        var configuration = RuleWorkers()
        configuration.path = try Command.file("webinspect-worker").path
        configuration.pagesPerWorker = 10
        let pool = WorkerPool(configuration)
        let process = try pool.take()
        let lease = WorkerLease(process, of: pool)
        lease.release(isReusable: true)
        lease.kill()
        #expect(try pool.take() === process)
        guard case .timedOut = process.next(until: MonotonicClock.now + 0.2) else {
            Issue.record("it was ended")
            return
        }
        // One that is held is ended, and nobody gets it.
        let other = WorkerLease(process, of: pool)
        other.kill()
        other.release(isReusable: true)
        #expect(try pool.take() !== process)
    }
}
