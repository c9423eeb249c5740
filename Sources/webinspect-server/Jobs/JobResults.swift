import Glibc
import Synchronization
import WebStandards

/// The results of a job: the lines of a file that its command appends to.
final class JobResults: Sendable {
    private struct State {
        var all = LineIndex()
        /// The lines of one result, which were asked for last.
        var some = (result: "", index: LineIndex())
    }

    private let folder: JobFolder
    private let state = Mutex(State())

    init(_ folder: JobFolder) {
        self.folder = folder
    }

    /// How many lines there are; blocks.
    func count() throws(ServeError) -> Int {
        try lines(from: 0, count: 0).total
    }

    /// Some lines; blocks.
    ///
    /// - Parameters:
    ///   - from: Which is the first.
    ///   - count: How many at most.
    ///   - result: The only value of their member `result` that counts; nil for all lines.
    /// - Returns: How many lines count, and those; a line that is too long ends early.
    /// - Throws: ``ServeError``.
    func lines(
        from: Int,
        count: Int,
        result: String? = nil
    ) throws(ServeError) -> (total: Int, lines: [String]) {
        // All together stay below 4 MiB.
        let longest = count > 100 ? 4 << 10 : count > 3 ? 40 << 10 : 64 << 10
        do throws(File.Failure) {
            let own = try folder.results()
            return try state.withLock { state throws(File.Failure) in
                guard let result else {
                    return try Self.lines(&state.all, own, from: from, count: count, longest)
                }
                if state.some.result != result {
                    // Within a string of JSON there is a backslash before each quote.
                    state.some = (result, LineIndex(Needle("\"result\":\"\(result)\"")))
                }
                return try Self.lines(&state.some.index, own, from: from, count: count, longest)
            }
        } catch {
            // What has found nothing yet has no file.
            if error.errno == ENOENT { return (0, []) }
            throw ServeError(500, "file.unreadable", "the results cannot be read: \(error.text)")
        }
    }

    private static func lines(
        _ index: inout LineIndex,
        _ own: borrowing OwnFile,
        from: Int,
        count: Int,
        _ longest: Int
    ) throws(File.Failure) -> (total: Int, lines: [String]) {
        try index.extend(own.file, size: own.size)
        return (index.count, try index.lines(own.file, from: from, count: count, longest: longest))
    }
}
