import Synchronization

/// Tracks the time limit and the cancellation of a load, for its parsers, which cannot check its task.
final class LoadWatch: Sendable {
    private let isCancelled = Atomic(false)
    private let deadline: Double

    /// Starts watching a load that begins now.
    init(_ limits: LoadLimits) {
        deadline = limits.maximumSeconds.map { MonotonicClock.now + $0 } ?? .infinity
    }

    /// Why the load must end; nil if it may continue.
    var interruption: ParsingSettings.Interruption? {
        if isCancelled.load(ordering: .relaxed) { return .cancelled }
        return MonotonicClock.now >= deadline ? .time : nil
    }

    /// Seconds that the load has left; nil for any number.
    var remainingSeconds: Double? { deadline.isFinite ? max(0, deadline - MonotonicClock.now) : nil }

    /// The deadline and the cancellation, for reading files and pipes.
    var waitLimit: WaitLimit {
        WaitLimit(deadline: deadline) { [self] in isCancelled.load(ordering: .relaxed) }
    }

    /// Runs the load, whose task may be cancelled, without leaving the caller's executor: a command's threads would
    /// take a millisecond to start, and a `Result` makes the runtime search all protocol conformances
    /// (docs/decisions/0001-start-up.md).
    func watching<Value: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws(LoadError) -> Value
    ) async throws(LoadError) -> Value {
        var value: Value?
        let failure: LoadError? = await withTaskCancellationHandler {
            _ = isolation
            do throws(LoadError) {
                value = try await body()
                return nil
            } catch {
                return error
            }
        } onCancel: {
            isCancelled.store(true, ordering: .relaxed)
        }
        guard let value else { throw failure ?? LoadError(.cancelled, url: nil) }
        return value
    }
}
