import CVirtualTime

/// Runs a history and records whether it has ended.
///
/// All of it runs on one thread.
final class HistoryEnd: @unchecked Sendable {
    private var isReached = false

    /// Runs a history by the virtual clock, and then all work that it leaves behind.
    static func run(_ history: @escaping @Sendable () async -> Void) {
        let end = HistoryEnd()
        Task.detached {
            await history()
            end.isReached = true
        }
        var count = 0
        while !end.isReached {
            demand(virtual_time_step(), "a load waits for what never comes")
            count += 1
            demand(count < 1_000_000, "loads go on without end")
        }
        // Run the tasks that still sleep.
        while virtual_time_step() {}
    }
}
