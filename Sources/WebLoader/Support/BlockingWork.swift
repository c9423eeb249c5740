import Dispatch

/// Where work that blocks a thread is done: reading and writing files, decoding, parsing.
///
/// A server must not let it onto Swift's cooperative threads, of which there is one a core; a command that does
/// one thing and ends must not pay a millisecond for starting threads it does not need
/// (docs/decisions/0001-start-up.md).
public struct BlockingWork: Sendable {
    private let queue: DispatchQueue?

    /// On the thread that asks: for commands, which have nothing else to do.
    public static let inline = BlockingWork(queue: nil)

    /// On threads that Dispatch makes as needed, 64 at most.
    public static let threads = BlockingWork(
        queue: DispatchQueue(label: "WebLoader.BlockingWork", attributes: .concurrent)
    )

    /// Has `body` run, before this returns or some time after.
    func start(_ body: @escaping @Sendable () -> Void) {
        guard let queue else { return body() }
        queue.async(execute: body)
    }

    /// Has a task of its own do `body`, and waits for it on the thread that asks, which must be none of Swift's
    /// cooperative ones.
    ///
    /// Whoever may have to cancel that task is given it.
    static func waiting<Value: Sendable>(
        _ body: @escaping @Sendable () async -> Value,
        started: (Task<Void, Never>) -> Void
    ) -> Value {
        let answer = Handover<Value>()
        let isThere = DispatchSemaphore(value: 0)
        started(
            Task.detached {
                answer.put(await body())
                isThere.signal()
            }
        )
        while true {
            isThere.wait()
            if let value = answer.take() { return value }
        }
    }

    /// Runs `body` to its end, and returns what it returns or throws what it throws.
    func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        guard let queue else { return try body() }
        return try await Self.run(body, on: queue)
    }

    /// Apart, since the types that it needs are looked for when a function that names them begins, which a command would
    /// pay for in vain (docs/decisions/0001-start-up.md).
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
        // It is there: nothing else resumes the continuation.
        guard let result = answer.take() else { return try body() }
        return try result.get()
    }

    /// Runs `body` for each number below `count`, on as many threads as there are cores, and waits for all.
    static func forEach(below count: Int, _ body: @Sendable (Int) -> Void) {
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}
