import Synchronization

/// The number of pages that may still be loaded; URLs being loaded count until they turn out not to be pages.
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
    ///   - maximum: The maximum number of pages; `nil` for no limit.
    ///   - completed: The number of pages that were already loaded.
    init(_ maximum: Int?, completed: Int) {
        self.maximum = maximum
        state = Mutex(State(reserved: completed, completed: completed))
    }

    /// Whether no more pages may be loaded.
    var isSpent: Bool { state.withLock { isSpent($0) } }

    private func isSpent(_ state: borrowing State) -> Bool {
        guard let maximum else { return state.isClosed }
        return state.isClosed || state.completed >= maximum
    }

    /// Reserves a page; if the budget is reserved, waits for URLs being loaded, which may turn out not to be pages.
    ///
    /// - Returns: Whether the page may be loaded.
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

    /// Reports whether a reserved URL was a page.
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

    /// Closes the budget, so that no more pages may be loaded.
    func close() {
        let waiting = state.withLock { state in
            state.isClosed = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: false) }
    }
}
