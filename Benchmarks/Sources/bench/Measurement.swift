import CAllocationCount
import Glibc

/// How long something takes and what it allocates, an item.
struct Measurement {
    /// Nanoseconds of this thread's processor time an item: the median of the rounds.
    let nanoseconds: Double

    /// Blocks allocated an item, in one round.
    let allocations: Double

    /// Items a second.
    var rate: Double { 1e9 / nanoseconds }

    /// Measures several candidates in turn, so that what else the machine does hits all alike.
    ///
    /// Each handles all items once a call.
    static func compare(items: Int, rounds: Int, _ candidates: [() -> Void]) -> [Measurement] {
        var times = candidates.map { _ in [Double]() }
        var allocations = candidates.map { _ in 0.0 }
        for round in -1..<rounds {
            for (index, candidate) in candidates.enumerated() {
                let count = allocation_count()
                let start = processorTime()
                candidate()
                let time = processorTime() - start
                allocations[index] = Double(allocation_count() - count) / Double(items)
                // The first round warms the caches.
                if round >= 0 { times[index].append(time / Double(items)) }
            }
        }
        return candidates.indices.map { index in
            Measurement(nanoseconds: times[index].sorted()[rounds / 2], allocations: allocations[index])
        }
    }

    private static func processorTime() -> Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1e9 + Double(time.tv_nsec)
    }
}
