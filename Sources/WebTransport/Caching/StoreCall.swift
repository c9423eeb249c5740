import Glibc
import Synchronization

/// A call of a program's store, which may take too long, never end, or throw anything.
package final class StoreCall<Value: Sendable>: Sendable {
    private struct State {
        var outcome: Result<Value, CacheStoreError>?
        var waiter: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Makes a call, and waits for it for some seconds; then, and when the task is cancelled, it is cancelled and left
    /// alone.
    package static func made(
        within seconds: Double,
        _ operation: @escaping @Sendable () async throws -> Value
    ) async throws(CacheStoreError) -> Value {
        let call = StoreCall()
        let work = Task {
            do {
                call.end(.success(try await operation()))
            } catch {
                // The description of a program's error may be long.
                let text = "the cache store: \(error)".prefix(maximumMessage)
                call.end(.failure(CacheStoreError(message: String(text), errno: EIO)))
            }
        }
        let timer = Task {
            // If the timer was cancelled, there is nothing to do.
            guard (try? await Task.sleep(for: Duration(boundedSeconds: seconds))) != nil else { return }
            let message = "the cache store has not answered in time"
            call.end(.failure(CacheStoreError(message: message, errno: ETIMEDOUT)))
            work.cancel()
        }
        defer { timer.cancel() }
        await withTaskCancellationHandler {
            await call.wait()
        } onCancel: {
            call.end(.failure(CacheStoreError(message: "the load was cancelled", errno: ECANCELED)))
            work.cancel()
        }
        return try call.result.get()
    }

    /// The characters of an error that are passed on.
    private static var maximumMessage: Int { 300 }

    /// How it ended, once it has.
    private var result: Result<Value, CacheStoreError> {
        state.withLock(\.outcome) ?? .failure(CacheStoreError(message: "the cache store", errno: EIO))
    }

    /// Ends it, unless it has ended.
    private func end(_ outcome: Result<Value, CacheStoreError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.outcome == nil else { return nil }
            state.outcome = outcome
            return state.waiter.take()
        }
        waiter?.resume()
    }

    /// Waits until it has ended.
    private func wait() async {
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if state.outcome == nil { state.waiter = continuation }
                return state.outcome != nil
            }
            if hasEnded { continuation.resume() }
        }
    }
}
