import Glibc
import Synchronization
import WebStandards

/// What readers may take.
struct ReaderLimits: Sendable {
    /// The bytes of memory that one may have at work, and when it waits for the next request.
    var memory = 1536 << 20
    var idleMemory = 300 << 20
    /// Seconds after which one ends that nothing is asked of.
    var idleTime = 30.0
    /// The requests that wait for one, in each lane.
    var waiting = 64
}

/// A process that answers what is asked of kept pages, one request after the other.
///
/// What it parses may be hostile: it is killed where it takes too much time or memory, and trusted with nothing.
final class ReaderProcess: Sendable {
    /// What is asked.
    struct Request: Sendable {
        /// Its number, higher than all before it.
        let id: Int
        /// The line that the reader gets.
        let line: [UInt8]
        /// How long the answer may take.
        let seconds: Double
        /// Gets what the reader says before it answers; on a thread that may be blocked for a moment.
        let onEvent: (@Sendable ([UInt8]) -> Void)?
    }

    private struct State {
        /// The number of the request in hand.
        var current: Int?
        /// Why it was killed.
        var reason: ServeError?
        var isFit = true
    }

    /// Seconds that it has to end by itself.
    static let endTime = 0.2

    private let limits: ReaderLimits
    private let child: ChildProcess
    /// Used on the thread alone.
    private let pipes: Mutex<ReaderPipes>
    private let state = Mutex(State())
    /// A thread of its own while there is something to do.
    private let thread = BlockingWork.serial("webinspect-server.reader")

    private init(_ child: ChildProcess, _ pipes: ReaderPipes, _ limits: ReaderLimits) {
        self.child = child
        self.pipes = Mutex(pipes)
        self.limits = limits
    }

    deinit {
        _ = child.end(within: 0)
        pipes.withLock { $0.close() }
    }

    /// Starts one.
    ///
    /// - Parameters:
    ///   - program: The path of `webinspect`.
    ///   - cache: The directory of the cache.
    ///   - limits: What it may take.
    /// - Returns: The reader, which may not be able to answer yet.
    /// - Throws: ``ServeError`` if the system does not start it.
    static func start(
        _ program: String,
        cache: String,
        _ limits: ReaderLimits
    ) async throws(ServeError) -> ReaderProcess {
        var (own, other) = try ReaderPipes.make()
        defer { other.close() }
        do throws(ServeError) {
            let id = try await ChildStarter.shared.start(
                [program, "serve-reader", "--cache-dir", cache],
                input: other.input,
                output: other.output,
                error: other.error,
                deathSignal: SIGKILL
            )
            return ReaderProcess(ChildProcess(id), own, limits)
        } catch {
            own.close()
            throw error
        }
    }

    /// Whether another request may be made of it.
    var isFit: Bool { state.withLock { $0.isFit } && !child.hasEnded }

    // MARK: - Asking

    /// Has it answer a request; after the one before.
    ///
    /// If the task is cancelled, or anything is wrong but the request, it has ended when this returns.
    func answer(_ request: Request) async -> Result<ReaderAnswer, ServeError> {
        state.withLock { $0.current = request.id }
        return await withTaskCancellationHandler {
            await thread.run { self.exchange(request) }
        } onCancel: {
            self.stop(request.id, .cancelled)
        }
    }

    private func exchange(_ request: Request) -> Result<ReaderAnswer, ServeError> {
        pipes.withLock { pipes in
            guard state.withLock({ $0.isFit }) else { return .failure(.ending) }
            var conversation = ReaderConversation(request, child, limits)
            do throws(ServeError) {
                let frame = try conversation.answer(&pipes)
                if let reason = release() { throw reason }
                let isFit = conversation.isOver && child.memory <= limits.idleMemory
                state.withLock { $0.isFit = isFit }
                guard frame.kind == .answer else { return .failure(ServeError(reader: frame.content)) }
                return .success(ReaderAnswer(bytes: frame.content))
            } catch {
                let reason = release()
                end(&pipes, within: 0)
                return .failure(reason ?? error)
            }
        }
    }

    /// Notes that it cannot be stopped any more; returns why it was.
    private func release() -> ServeError? {
        state.withLock { state in
            state.current = nil
            return state.reason
        }
    }

    // MARK: - The end

    /// Has it end, with what it has started, and waits for that; after the request in hand.
    func end(within seconds: Double) async {
        await thread.run { self.pipes.withLock { self.end(&$0, within: seconds) } }
    }

    /// Has it end, a request in hand or not, and waits for that.
    func shutDown() async {
        let timer = Task {
            guard (try? await Task.sleep(for: Duration(boundedSeconds: Self.endTime))) != nil else {
                return
            }
            stop(nil, .ending)
        }
        await end(within: Self.endTime)
        timer.cancel()
    }

    /// Kills it if it is at work for a request, or for any.
    private func stop(_ id: Int?, _ reason: ServeError) {
        state.withLock { state in
            guard let current = state.current, id == nil || id == current else { return }
            if state.reason == nil { state.reason = reason }
            child.kill()
        }
    }

    private func end(_ pipes: inout ReaderPipes, within seconds: Double) {
        state.withLock { $0.isFit = false }
        pipes.closeInput()
        _ = child.end(within: seconds)
        pipes.close()
    }
}
