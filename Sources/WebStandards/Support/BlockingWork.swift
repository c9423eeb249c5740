import Dispatch

/// Runs work that blocks a thread: reading and writing files, decoding, parsing.
///
/// A server must not run it on Swift's cooperative threads, of which there is one per core; a command that
/// does one thing and ends must not spend a millisecond on starting threads that it does not need
/// (docs/decisions/0001-start-up.md).
public struct BlockingWork: Sendable {
    private let queue: DispatchQueue?

    /// On the calling thread: for commands, which have nothing else to do.
    public static let inline = BlockingWork(queue: nil)

    /// On threads that Dispatch creates as needed, at most 64.
    public static let threads = BlockingWork(
        queue: DispatchQueue(label: "WebLoader.BlockingWork", attributes: .concurrent)
    )

    /// On one thread, one piece after the other: for what waits for long, which would have others wait on threads that they share.
    package static func serial(_ label: String) -> BlockingWork {
        BlockingWork(queue: DispatchQueue(label: label))
    }

    /// Runs `body`, either before this returns or later on a queue.
    package func start(_ body: @escaping @Sendable () -> Void) {
        guard let queue else { return body() }
        queue.async(execute: body)
    }

    /// Runs `body` in a new task, and blocks the calling thread until it ends; that must not be one of
    /// Swift's cooperative threads.
    ///
    /// `started` gets the task, to be able to cancel it.
    package static func waiting<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value,
        started: (Task<Void, Never>) -> Void
    ) -> Value {
        let answer = Handover<Value>()
        let isStarted = DispatchSemaphore(value: 0)
        started(
            Task.detached {
                answer.put(await body())
                isStarted.signal()
            }
        )
        while true {
            isStarted.wait()
            if let value = answer.take() { return value }
        }
    }

    /// Runs `body` to its end, and returns what it returns or throws what it throws.
    package func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let queue else { return try body() }
        return try await Self.run(body, on: queue)
    }

    /// A separate function, since a function looks up the run-time types that it names when it begins, which
    /// a command would pay for needlessly (docs/decisions/0001-start-up.md).
    @inline(never)
    private static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value,
        on queue: DispatchQueue
    ) async throws(Failure) -> Value {
        let answer = Handover<Result<Value, Failure>>()
        await withCheckedContinuation { continuation in
            queue.async {
                answer.put(Result(catching: body))
                continuation.resume()
            }
        }
        // The answer has been put: nothing else resumes the continuation.
        guard let result = answer.take() else { return try body() }
        return try result.get()
    }

    /// Runs `body` for each number below `count`, on as many threads as there are cores, and waits for all.
    package static func forEach(below count: Int, _ body: @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}
