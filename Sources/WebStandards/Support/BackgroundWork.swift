import Synchronization

/// Work that continues after its caller has been answered; each has a name and runs once at a time.
package final class BackgroundWork: Sendable {
    private struct Work {
        let name: String
        let task: Task<Void, Never>
    }

    private let works = Mutex<[Work]>([])

    /// Starts work, unless work of that name is running.
    package init() {}

    package func start(_ name: String, _ operation: @escaping @Sendable () async -> Void) {
        works.withLock { works in
            guard !works.contains(where: { $0.name == name }) else { return }
            let task = Task { [weak self] in
                await operation()
                self?.end(name)
            }
            works.append(Work(name: name, task: task))
        }
    }

    private func end(_ name: String) {
        works.withLock { $0.removeAll { $0.name == name } }
    }

    /// Waits for the running work, and cancels it after `seconds`.
    package func finish(within seconds: Double) async {
        let tasks = works.withLock { $0.map(\.task) }
        guard !tasks.isEmpty else { return }
        let timer = Task {
            // If the timer was cancelled, there is nothing to do.
            guard (try? await Task.sleep(for: Duration(boundedSeconds: seconds))) != nil else { return }
            for task in tasks { task.cancel() }
        }
        for task in tasks { await task.value }
        timer.cancel()
    }
}
