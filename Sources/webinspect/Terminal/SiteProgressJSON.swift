import Synchronization
import WebLoader
import WebSite

/// Lines of JSON on stderr that say how far a job is, for programs: one a second at most, and one at its end.
enum SiteProgressJSON {
    private struct State {
        var bytes = 0
        /// When the next line may be written, in seconds.
        var next = 0.0
    }

    private static let state = Mutex(State())
    /// The maximum length of a URL, in Unicode scalars.
    private static let longestText = 2000

    /// Counts bytes that have arrived.
    static func add(_ progress: FetchProgress) {
        state.withLock { $0.bytes +|= progress.newBytes }
    }

    /// Writes a line, if it is time for one.
    static func send(_ progress: SiteProgress) {
        let now = MonotonicClock.now
        let bytes: Int? = state.withLock { state in
            guard progress.isLast || now >= state.next else { return nil }
            state.next = now + 1
            return state.bytes
        }
        guard let bytes else { return }
        let line: JSONValue = ["progress": json(progress, bytes: bytes)]
        Output.message(String(decoding: line.serialized(sortingNames: false), as: UTF8.self))
    }

    private static func json(_ progress: SiteProgress, bytes: Int) -> JSONValue {
        let counts = progress.counts
        return [
            "done": JSONValue(counts.done), "waiting": JSONValue(counts.queued +| counts.leased),
            "failed": JSONValue(counts.failed), "bytes": JSONValue(bytes),
            "elapsed_ms": JSONValue(Int(bounded: progress.seconds * 1000)),
            "current": JSONValue(progress.current?.prefix(scalars: longestText)),
            "note": .string(SiteProgressLine.text(progress)),
        ]
    }
}
