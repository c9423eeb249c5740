import Glibc
import Synchronization
import WebLoader

/// The lines of standard input, as many at a time as are there.
///
/// It is used by one task at a time.
final class StandardInputLines: Sendable {
    private struct State {
        var splitter: LineSplitter
        var isAtEnd = false
    }

    private let state: Mutex<State>

    /// - Parameter maximumLength: The most bytes of a line that are kept.
    init(maximumLength: Int = LineSplitter.maximumLength) {
        state = Mutex(State(splitter: LineSplitter(maximumLength: maximumLength)))
    }

    /// The next lines; nil at the end.
    ///
    /// It waits, on a thread of its own, until there is one.
    func next() async throws(Failure) -> [LineSplitter.Numbered]? {
        try await BlockingWork.threads.run { () throws(Failure) in
            while true {
                guard let bytes = try Self.read() else {
                    return self.state.withLock { state in
                        guard !state.isAtEnd else { return nil }
                        state.isAtEnd = true
                        return state.splitter.end().map { [$0] }
                    }
                }
                let lines = self.state.withLock { $0.splitter.add(bytes) }
                if !lines.isEmpty { return lines }
            }
        }
    }

    /// Returns the available bytes, at least one; `nil` at the end.
    private static func read() throws(Failure) -> [UInt8]? {
        while true {
            var failure: Int32 = 0
            let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
                let count = unsafe Glibc.read(0, buffer.baseAddress, buffer.count)
                filled = max(0, count)
                if count < 0 { failure = errno }
            }
            switch failure {
            case 0: return bytes.isEmpty ? nil : bytes
            case EINTR: continue
            // Somebody has made the stream one that does not block.
            case EAGAIN: Output.wait(for: POLLIN, 0)
            default:
                let reason = unsafe strerror(failure).map { unsafe String(cString: $0) } ?? "error \(failure)"
                throw Failure(subject: "standard input", reason, code: "file.unreadable", status: .file)
            }
        }
    }
}
