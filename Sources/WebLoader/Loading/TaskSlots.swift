import Synchronization

/// A semaphore for tasks: limits how many are inside at once; the others wait in turn, without a thread.
package final class TaskSlots: Sendable {
    private struct State {
        var free: Int
        var waiting = Queue<CheckedContinuation<Void, Never>>()
    }

    private let state: Mutex<State>

    /// Creates it with this many slots.
    package init(_ count: Int) {
        state = Mutex(State(free: count))
    }

    /// Waits for a slot; a cancelled task too, which does not keep it for long.
    package func enter() async {
        let hasSlot = state.withLock { state in
            guard state.free > 0 else { return false }
            state.free -= 1
            return true
        }
        if hasSlot { return }
        await withCheckedContinuation { continuation in
            let hasSlot = state.withLock { state in
                if state.free > 0 {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if hasSlot { continuation.resume() }
        }
    }

    /// Frees the slot, or passes it to the task that has waited longest.
    package func leave() {
        let next = state.withLock { state in
            let next = state.waiting.popFirst()
            if next == nil { state.free += 1 }
            return next
        }
        next?.resume()
    }
}
