import CBrowser
import Glibc
import Synchronization

/// The process that guards a browser, a child of this one: it ends the browser and removes its folder, as soon as its
/// lifeline is closed everywhere in this process.
@safe final class BrowserGuard: Sendable {
    private struct State {
        var isEnding = false
        /// Whether it has been waited for: its process ID may then be that of another process.
        var hasEnded = false
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    /// The time in seconds in which it ends a browser, removes its folder, and ends; after that it is killed.
    private static let mostSeconds = 12.0
    /// The time in seconds in which the system ends a process that is killed, unless that hangs in a device.
    private static let lastSeconds = 2.0

    /// Written once; its memory is shared with the guard, and read by functions that know so.
    nonisolated(unsafe) private let browser: webl_browser
    private let state = Mutex(State())

    /// Takes over a browser that has been started, except for the descriptors of its messages.
    init(_ browser: webl_browser) {
        unsafe self.browser = unsafe browser
    }

    /// Closes the descriptors: nobody waits for the guard any more, or ``end()`` was never called.
    deinit {
        unsafe withUnsafePointer(to: browser) { unsafe webl_browser_close($0) }
    }

    /// The process ID of the guard.
    var id: pid_t { unsafe browser.guard }

    /// The memory of the browser, in bytes; 0 once it has ended.
    var memory: Int {
        state.withLock { state in
            state.hasEnded ? 0 : unsafe Int(bounded: webl_browser_memory(browser.guard))
        }
    }

    /// The last bytes that the browser has written to its standard error.
    var words: [UInt8] {
        unsafe withUnsafePointer(to: browser) { browser in
            unsafe [UInt8](unsafeUninitializedCapacity: Int(WEBL_BROWSER_WORDS)) { bytes, count in
                guard let start = bytes.baseAddress else { return }
                count = unsafe webl_browser_words(browser, start)
            }
        }
    }

    /// The status with which the browser's first process has ended, as from `wait`; `nil` if it has not, or the status
    /// is unknown.
    var status: Int32? {
        var status: Int32 = 0
        return unsafe withUnsafePointer(to: browser) { unsafe webl_browser_has_ended($0, &status) } == 0
            ? nil : status
    }

    /// Makes the guard end the browser, without waiting for that.
    func end() {
        let isFirst = state.withLock { state in
            defer { state.isEnding = true }
            return !state.isEnding
        }
        guard isFirst else { return }
        unsafe close(browser.lifeline)
        BlockingWork.threads.start { [self] in finish() }
    }

    /// Makes the guard end the browser, and waits for that, for some seconds at most.
    func ended() async {
        end()
        await withCheckedContinuation { continuation in
            let hasEnded = state.withLock { state in
                if !state.hasEnded { state.waiting.append(continuation) }
                return state.hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    private func finish() {
        unsafe withUnsafePointer(to: browser) { browser in
            if unsafe !Self.wait(for: browser, Self.mostSeconds) {
                unsafe webl_browser_kill(browser)
                _ = unsafe Self.wait(for: browser, Self.lastSeconds)
            }
            let waiting = state.withLock { state in
                unsafe webl_browser_reap(browser)
                state.hasEnded = true
                defer { state.waiting = [] }
                return state.waiting
            }
            for continuation in waiting { continuation.resume() }
        }
    }

    private static func wait(for browser: UnsafePointer<webl_browser>, _ seconds: Double) -> Bool {
        let deadline = MonotonicClock.now + seconds
        while true {
            let left = max(0, deadline - MonotonicClock.now)
            let milliseconds = Int32(clamping: Int(bounded: (left * 1000).rounded(.up)))
            if unsafe webl_browser_wait(browser, milliseconds) != 0 { return true }
            if left == 0 { return false }
        }
    }
}
