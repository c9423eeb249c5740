import Glibc
import Synchronization

/// The worker processes of a loader: where their program is, and those that wait for a page.
final class WorkerPool: Sendable {
    private let configuration: RuleWorkers
    private let idle = Mutex<[WorkerProcess]>([])

    /// How many wait at most.
    private static var maximumIdle: Int { 64 }

    init(_ configuration: RuleWorkers) {
        self.configuration = configuration
    }

    /// A worker that nobody else has.
    func take() throws(RuleError) -> WorkerProcess {
        if let worker = idle.withLock({ $0.popLast() }) { return worker }
        return try WorkerProcess(path: try path())
    }

    /// Starts a worker that the next ``take()`` finds, so that it starts while its page is being loaded.
    func prepare() {
        // What fails here fails in take() again, and is said there.
        guard let worker = try? take() else { return }
        idle.withLock { $0.append(worker) }
    }

    /// Takes a worker back after a run; false for one that has served its pages, and is to be ended.
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
            "there is no \(Self.name) beside the program (\(folder)) or in its ../libexec; say where it is in "
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

    /// How many pages a worker serves before another takes its place; 1 unless said otherwise.
    ///
    /// More save the milliseconds of starting one. Each page has a script engine of its own all the same.
    public var pagesPerWorker = 1 { didSet { pagesPerWorker.boundCount() } }

    /// One page a worker, which stands beside this program.
    public init() {}
}

/// Where rules are evaluated.
public enum RuleIsolation: Sendable {
    /// In a process of its own, which is held to the budget and can reach nothing.
    case worker
    /// In this process: for rules and pages that you trust.
    ///
    /// Of the budget, the bounds of output, log, pages and depth hold, and those of time and memory within scripts, if
    /// no single function of theirs takes long. Nothing ends a selector, an expression or a pattern that does.
    case none
}
