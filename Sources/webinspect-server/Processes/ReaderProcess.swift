import Glibc
import Synchronization
import WebStandards

/// The limits of readers.
struct ReaderLimits: Sendable {
    /// The maximum bytes of memory of a reader at work, and of an idle one.
    var memory = 1536 << 20
    var idleMemory = 300 << 20
    /// Seconds after which an idle reader ends.
    var idleTime = 30.0
    /// The maximum number of waiting requests in each lane.
    var waiting = 64
}

/// A process that answers requests about stored pages, one after the other.
///
/// The pages that it parses may be hostile: it is killed if it takes too much time or memory, and is trusted with
/// nothing.
final class ReaderProcess: Sendable {
    /// A request to a reader.
    struct Request: Sendable {
        /// Its number, higher than all before it.
        let id: Int
        /// The line that is sent to the reader.
        let line: [UInt8]
        /// How long the answer may take.
        let seconds: Double
        /// Receives the events that the reader sends before its answer; on a thread that may be blocked for a moment.
        let onEvent: (@Sendable ([UInt8]) -> Void)?
    }

    private struct State {
        /// The number of the request in hand.
        var current: Int?
        /// Why it was killed.
        var reason: ServeError?
        var isFit = true
    }

    /// The seconds that it has to end by itself.
    static let endTime = 0.2

    private let limits: ReaderLimits
    private let child: ChildProcess
    /// Used only on the thread.
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

    /// Starts a reader.
    ///
    /// - Parameters:
    ///   - program: The path of `webinspect`.
    ///   - cache: The directory of the cache.
    ///   - limits: Its limits.
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

    /// Whether another request may be sent to it.
    var isFit: Bool { state.withLock { $0.isFit } && !child.hasEnded }

    // MARK: - Asking

    /// Sends a request and returns the answer; after the previous request.
    ///
    /// If the task is cancelled, or anything but the request is wrong, the reader has ended when this returns.
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

    /// Notes that the request cannot be stopped any more; returns why it was stopped.
    private func release() -> ServeError? {
        state.withLock { state in
            state.current = nil
            return state.reason
        }
    }

    // MARK: - The end

    /// Ends it, with the processes that it has started, after the current request; waits for the end.
    func end(within seconds: Double) async {
        await thread.run { self.pipes.withLock { self.end(&$0, within: seconds) } }
    }

    /// Ends it, even during a request, and waits for the end.
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

    /// Kills it if it works on the given request, or on any if `id` is `nil`.
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
