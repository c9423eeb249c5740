import Glibc
// Which module `timespec` is of depends on what the compiler has loaded before.
import SwiftOverlayShims
import Synchronization
import WebLoader

/// A line on stderr that says how much has been loaded, while it is being loaded: on a terminal only, after half a
/// second, and gone when anything else is written.
enum ProgressLine {
    private struct State {
        var pages = 0
        var bytes = 0
        /// When the next line is drawn, in seconds; nil before the first byte.
        var next: Double?
        var isShown = false
    }

    private static let state = Mutex(State())

    /// Whether somebody looks at stderr.
    static var isWanted: Bool { isatty(2) == 1 }

    /// Counts bytes, and draws the line anew if it is time.
    static func add(_ progress: FetchProgress) {
        let now = seconds
        let line: String? = state.withLock { state in
            if progress.isFirst { state.pages += 1 }
            state.bytes += progress.newBytes
            guard let next = state.next else {
                state.next = now + 0.5
                return nil
            }
            guard now >= next else { return nil }
            state.next = now + 0.1
            state.isShown = true
            let pages = state.pages > 1 ? "\(state.pages) pages, " : ""
            return "\r\u{1B}[K\(pages)\(TerminalText.bytes(state.bytes)) …"
        }
        if let line { write(line) }
    }

    /// Shows a line in place of what stands there.
    static func show(_ line: String) {
        state.withLock { $0.isShown = true }
        write("\r\u{1B}[K\(line)")
    }

    /// Takes the line away, if it is there.
    static func clear() {
        let wasShown = state.withLock { state in
            defer { state.isShown = false }
            return state.isShown
        }
        if wasShown { write("\r\u{1B}[K") }
    }

    // Errors are ignored: the line is dispensable.
    private static func write(_ text: String) {
        var text = text
        text.withUTF8 { _ = unsafe Glibc.write(2, $0.baseAddress, $0.count) }
    }

    private static var seconds: Double {
        var now = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }
}
