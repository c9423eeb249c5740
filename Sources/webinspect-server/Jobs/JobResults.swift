import Glibc
import Synchronization
import WebStandards

/// The results of a job: the lines of a file that its command appends to.
final class JobResults: Sendable {
    private struct State {
        var all = LineIndex()
        /// The lines of one result, the one requested last.
        var some = (result: "", index: LineIndex())
    }

    private let folder: JobFolder
    private let state = Mutex(State())

    init(_ folder: JobFolder) {
        self.folder = folder
    }

    /// Returns the number of lines; blocks.
    func count() throws(ServeError) -> Int {
        try lines(from: 0, count: 0).total
    }

    /// Returns some lines; blocks.
    ///
    /// - Parameters:
    ///   - from: The index of the first line.
    ///   - count: The maximum number of lines.
    ///   - result: The value of member `result` that lines must have to count; `nil` for all lines.
    /// - Returns: The number of lines that count, and the requested ones; a line that is too long is cut.
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
            // A job without results has no file yet.
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
