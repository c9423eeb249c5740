import Synchronization

/// The error for an event or a state that did not come in time, or before the test was cancelled.
public struct DidNotCome: Error, CustomStringConvertible {
    /// The event or state, and how long the test waited for it.
    public let description: String

    init(_ what: String, within limit: Duration) {
        description = "did not come within \(limit): \(what)"
    }
}

/// The limit of a wait that ends by itself on a busy machine: less than a run of tests may be silent.
public let patience = Duration.seconds(240)

/// Something that happens in a test, once or more often, and is waited for without holding a thread.
public final class Event: Sendable {
    private struct Waiter {
        let id: Int
        let count: Int
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var count = 0
        var lastID = 0
        var waiters: [Waiter] = []
        /// Those whose time was over before they were in the list.
        var late: Set<Int> = []
    }

    private let name: String
    private let state = Mutex(State())

    /// An event that has not happened yet.
    ///
    /// - Parameter name: The name of the event, for the error of a test that waits in vain.
    public init(_ name: String) {
        self.name = name
    }

    /// How often it has happened.
    public var count: Int { state.withLock(\.count) }

    /// Says that it happens, once more if it has before.
    public func happen() {
        let due = state.withLock { state in
            state.count += 1
            let count = state.count
            defer { state.waiters.removeAll { $0.count <= count } }
            return state.waiters.filter { $0.count <= count }
        }
        for waiter in due { waiter.continuation.resume(returning: true) }
    }

    /// Waits until it has happened so often, from its start on.
    ///
    /// - Throws: ``DidNotCome`` if it has not within the limit, or until the task is cancelled.
    public func wait(times count: Int = 1, within limit: Duration = patience) async throws {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            giveUp(id)
        }
        defer { timer.cancel() }
        let hasCome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer = state.withLock { state -> Bool? in
                    if state.count >= count { return true }
                    if state.late.remove(id) != nil { return false }
                    state.waiters.append(Waiter(id: id, count: count, continuation: continuation))
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            giveUp(id)
        }
        guard hasCome else { throw DidNotCome("\(name), \(self.count) of \(count)", within: limit) }
    }

    private func giveUp(_ id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiters.firstIndex(where: { $0.id == id }) else {
                state.late.insert(id)
                return nil
            }
            return state.waiters.remove(at: index)
        }
        waiter?.continuation.resume(returning: false)
    }
}

/// Waits for a state that does not notify anybody when it comes: that of another process, or of a file.
///
/// The state is checked every few milliseconds, and no thread is held meanwhile. For a state that can notify a test,
/// use an ``Event``.
///
/// - Throws: ``DidNotCome`` if it has not come within the limit, or the error of the check.
public func eventually(
    _ what: String,
    within limit: Duration = patience,
    _ isSo: () async throws -> Bool
) async throws {
    let end = ContinuousClock.now + limit
    while !(try await isSo()) {
        guard ContinuousClock.now < end else { throw DidNotCome(what, within: limit) }
        try await Task.sleep(for: .milliseconds(5))
    }
}

/// Waits until the task is cancelled, or for as long as a test may take.
public func untilCancelled() async {
    try? await Task.sleep(for: .seconds(1200))
}
