import CWorkerGuard
import WebRules

/// The guard of this process, which is written in C: it runs in signal handlers and inside malloc.
struct ProcessGuard: WorkerGuard {
    func withNextRequest<Value>(_ body: (UnsafeRawBufferPointer) -> Value) -> Value? {
        var length = 0
        guard let request = unsafe webl_guard_next_request(&length) else { return nil }
        defer { unsafe webl_guard_release_request(request, length) }
        return unsafe body(UnsafeRawBufferPointer(start: request, count: length))
    }

    func write(_ bytes: [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe webl_guard_write($0.baseAddress, $0.count) }
    }

    func begin(time nanoseconds: UInt64, used: UInt64, memory bytes: UInt64) {
        webl_guard_begin(nanoseconds, used, bytes)
    }

    func pause() -> UInt64 { webl_guard_pause() }

    func resume(_ live: UInt64) -> UInt64 { webl_guard_resume(live) }

    func uncount(_ bytes: UInt64) { webl_guard_uncount(bytes) }

    func end() { webl_guard_end() }

    func begin(rule index: Int) { webl_guard_set_rule(UInt32(clamping: index + 1)) }

    var usedTime: UInt64 { webl_guard_used_nanoseconds() }

    var peakMemory: Int? {
        webl_guard_counts_memory() != 0 ? Int(bounded: webl_guard_peak_memory()) : nil
    }

    var headroom: @convention(c) () -> Int { webl_guard_headroom }

    var busy: UnsafeMutablePointer<Int32> { unsafe webl_guard_busy() }

    func setReclaim(
        _ reclaim: (@convention(c) (UnsafeMutableRawPointer?) -> Void)?,
        _ context: UnsafeMutableRawPointer?
    ) {
        unsafe webl_guard_set_reclaim(reclaim, context)
    }
}
