import Synchronization

/// How many more pages may be loaded: those that are being loaded count until they turn out to be none.
final class PageBudget: Sendable {
    private struct State {
        var reserved: Int
        var completed: Int
        var isClosed = false
        var waiting: [CheckedContinuation<Bool, Never>] = []
    }

    private let maximum: Int?
    private let state: Mutex<State>

    /// Creates a budget.
    ///
    /// - Parameters:
    ///   - maximum: How many pages; nil for any number.
    ///   - completed: How many were loaded already.
    init(_ maximum: Int?, completed: Int) {
        self.maximum = maximum
        state = Mutex(State(reserved: completed, completed: completed))
    }

    /// Whether no page may be loaded any more.
    var isSpent: Bool { state.withLock { isSpent($0) } }

    private func isSpent(_ state: borrowing State) -> Bool {
        guard let maximum else { return state.isClosed }
        return state.isClosed || state.completed >= maximum
    }

    /// Reserves a page, waiting for those that are being loaded where they may turn out to be none.
    ///
    /// - Returns: Whether it may be loaded.
    func reserve() async -> Bool {
        guard let maximum else { return true }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let answer: Bool? = state.withLock { state in
                    if isSpent(state) || Task.isCancelled { return false }
                    guard state.reserved >= maximum else {
                        state.reserved += 1
                        return true
                    }
                    state.waiting.append(continuation)
                    return nil
                }
                if let answer { continuation.resume(returning: answer) }
            }
        } onCancel: {
            close()
        }
    }

    /// Says what became of a reserved page.
    func end(isPage: Bool) {
        guard maximum != nil else { return }
        let (waiting, answer) = state.withLock { state -> ([CheckedContinuation<Bool, Never>], Bool) in
            if isPage {
                state.completed += 1
                guard isSpent(state) else { return ([], false) }
                defer { state.waiting = [] }
                return (state.waiting, false)
            }
            guard let next = state.waiting.popLast() else {
                state.reserved -= 1
                return ([], false)
            }
            return ([next], true)
        }
        for continuation in waiting { continuation.resume(returning: answer) }
    }

    /// Lets nobody have a page any more.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: false) }
    }
}
