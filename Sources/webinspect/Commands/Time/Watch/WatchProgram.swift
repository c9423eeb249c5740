import CTerminal
import Glibc
import WebLoader
import WebSite

/// A program of the user's that is notified of events: the event is on its standard input, the page's name
/// and URL in its environment.
///
/// No content of a page is in its command line or its environment.
enum WatchProgram {
    /// How long it may take, in seconds.
    private static let maximumSeconds = 60

    /// Passes an event to the program; returns the reason if that failed.
    static func send(
        _ words: [String],
        _ entry: WatchEntry,
        _ event: JSONValue,
        _ stop: StopRequest
    ) async -> String? {
        let additions = [
            "WEBINSPECT_EVENT=\(event["result"]?.string ?? "")", "WEBINSPECT_NAME=\(entry.name)",
            "WEBINSPECT_URL=\(entry.url.withoutCredentials.href)",
        ]
        return await BlockingWork.threads.run { run(words, additions, event.lineInOrder, stop) }
    }

    private static func run(
        _ words: [String],
        _ additions: [String],
        _ input: [UInt8],
        _ stop: StopRequest
    ) -> String? {
        let program = words.first ?? ""
        var (pipe, process): (Int32, pid_t) = (-1, 0)
        let code = unsafe webl_start_program(
            packed(words),
            words.count,
            packed(additions),
            additions.count,
            &pipe,
            &process
        )
        guard code == 0 else { return "\(program) could not be started: \(File.Failure(errno: code).text)" }
        defer { if pipe >= 0 { close(pipe) } }
        var rest = input[...]
        let deadline = MonotonicClock.now + Double(maximumSeconds)
        while true {
            write(&rest, to: &pipe)
            var status: Int32 = 0
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return failure(program, status) }
            guard ended == 0 || errno == EINTR else { return "\(program): it cannot be waited for" }
            if stop.level == .now || MonotonicClock.now >= deadline {
                // With all that it has started.
                killpg(process, SIGKILL)
                _ = unsafe waitpid(process, &status, 0)
                let reason = stop.level == .now ? "was ended" : "took more than \(maximumSeconds) s"
                return "\(program) \(reason)"
            }
            wait(pipe)
        }
    }

    /// Writes what the pipe takes, and closes it behind the last byte.
    private static func write(_ rest: inout ArraySlice<UInt8>, to pipe: inout Int32) {
        guard pipe >= 0 else { return }
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(pipe, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                return
            } else if count < 0, errno == EINTR {
                continue
            } else {
                // It reads no more: how it ends says what that means.
                break
            }
        }
        close(pipe)
        pipe = -1
    }

    /// Waits for room in the pipe, or a little for the end of the program.
    private static func wait(_ pipe: Int32) {
        var stream = pollfd(fd: pipe, events: Int16(truncatingIfNeeded: POLLOUT), revents: 0)
        _ = unsafe poll(&stream, 1, 10)
    }

    private static func failure(_ program: String, _ status: Int32) -> String? {
        if status == 0 { return nil }
        if status & 0x7F != 0 { return "\(program) was ended by signal \(status & 0x7F)" }
        return "\(program) ended with status \((status >> 8) & 0xFF)"
    }

    /// Strings one behind the other, each with its end.
    private static func packed(_ strings: [String]) -> [CChar] {
        strings.flatMap { Array($0.utf8CString.prefix { $0 != 0 }) + [0] }
    }
}
