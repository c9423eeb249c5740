import Synchronization
import WebStandards

/// The worker processes of a loader: finds their program, starts them, and keeps those that are idle.
package final class WorkerPool: Sendable {
    private let configuration: RuleWorkers
    private let idle = Mutex<[WorkerProcess]>([])

    /// The maximum number of idle workers.
    private static var maximumIdle: Int { 64 }

    package init(_ configuration: RuleWorkers) {
        self.configuration = configuration
    }

    /// Takes an idle worker, or starts a new one.
    package func take() throws(RuleError) -> WorkerProcess {
        if let worker = idle.withLock({ $0.popLast() }) { return worker }
        return try WorkerProcess(path: try path())
    }

    /// Starts a worker that the next ``take()`` finds, so that it starts while its page is being loaded.
    package func prepare() {
        // An error here occurs again in take(), which reports it.
        guard let worker = try? take() else { return }
        idle.withLock { $0.append(worker) }
    }

    /// Takes a worker back after a run; false if it has served its number of pages, or the pool is full, so
    /// that it has to be ended.
    func put(back worker: WorkerProcess) -> Bool {
        guard worker.runs < configuration.pagesPerWorker else { return false }
        return idle.withLock { idle in
            guard idle.count < Self.maximumIdle else { return false }
            idle.append(worker)
            return true
        }
    }

    // MARK: - Where the program is

    private func path() throws(RuleError) -> String {
        if let path = configuration.path { return path }
        if let path = InstalledProgram.path(of: Self.name) { return path }
        throw RuleError(
            .unavailable,
            "\(Self.name) was not found beside the program (\(InstalledProgram.folder)) or in its ../libexec; set its path in "
                + "RuleWorkers.path"
        )
    }

    private static var name: String { "webinspect-worker" }
}

/// How a loader runs rules in workers.
public struct RuleWorkers: Hashable, Sendable {
    /// The worker's program; nil for the one beside this program, or in `../libexec` from there.
    public var path: String?

    /// How many pages a worker serves before another takes its place; 1 by default.
    ///
    /// Higher values save the milliseconds of starting a worker. Each page still has its own script engine.
    public var pagesPerWorker = 1 { didSet { pagesPerWorker.boundCount() } }

    /// Creates a configuration with one page per worker, whose program is searched for beside this one.
    public init() {}
}

/// Where rules are evaluated.
public enum RuleIsolation: Sendable {
    /// In a separate process, which is limited to the budget and can reach neither files nor the network.
    case worker
    /// In this process: for rules and pages that you trust.
    ///
    /// The budget's limits of output, log, pages and depth are enforced; those of time and memory within
    /// scripts, too, if no single library function takes long. No timer interrupts a selector, an expression
    /// or a pattern that takes long.
    case none
}
