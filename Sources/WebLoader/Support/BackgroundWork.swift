import Synchronization

/// What goes on after its caller has been answered, each thing by a name and once at a time.
final class BackgroundWork: Sendable {
    private struct Work {
        let name: String
        let task: Task<Void, Never>
    }

    private let works = Mutex<[Work]>([])

    /// Starts work, unless work of that name is under way.
    func start(_ name: String, _ operation: @escaping @Sendable () async -> Void) {
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

    /// Waits for what is under way, and cancels what takes longer than so many seconds.
    func finish(within seconds: Double) async {
        let tasks = works.withLock { $0.map(\.task) }
        guard !tasks.isEmpty else { return }
        let timer = Task {
            // Cancelled, it has nothing to do.
            guard (try? await Task.sleep(for: Duration(boundedSeconds: seconds))) != nil else { return }
            for task in tasks { task.cancel() }
        }
        for task in tasks { await task.value }
        timer.cancel()
    }
}
