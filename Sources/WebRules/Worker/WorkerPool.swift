import Glibc
import Synchronization

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
        let folder = Self.programFolder
        let places = [
            "\(folder)/\(Self.name)", "\(folder)/../libexec/\(Self.name)",
            "\(folder)/../libexec/webinspect/\(Self.name)",
        ]
        for place in places where unsafe access(place, X_OK) == 0 { return place }
        throw RuleError(
            .unavailable,
            "\(Self.name) was not found beside the program (\(folder)) or in its ../libexec; set its path in "
                + "RuleWorkers.path"
        )
    }

    private static var name: String { "webinspect-worker" }

    /// The folder that this program is in; empty where the system does not say.
    private static let programFolder: String = {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { buffer in
            guard let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return 0 }
            return unsafe readlink("/proc/self/exe", start, buffer.count)
        }
        let path = buffer[..<max(0, count)]
        return String(decoding: path[..<(path.lastIndex(of: UInt8(ascii: "/")) ?? 0)], as: UTF8.self)
    }()
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
