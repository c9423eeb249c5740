package import WebDatabase
import Glibc
import WebStandards

/// Rewriting of an output without the entries of failed URLs, so that each URL that is retried is in it once.
extension Frontier {
    /// Puts failed URLs back into the queue, and removes their entries from an output.
    ///
    /// The rest of the output is written to a new file, which is synced to the disk before the transaction that refers
    /// to it; it replaces the old one afterwards, here or when the job is opened again. The disk needs room for both.
    ///
    /// - Parameters:
    ///   - output: The number of the output; it must be the first one, whose entries have their places in the rows.
    ///   - now: The current time.
    /// - Throws: ``StateError``; the job and its output are then either unchanged or completely changed.
    package func retryFailed(rewriting output: Int = 0, now: Moment) throws(StateError) {
        guard outputs.indices.contains(output), counter.count(.failed) > 0 else { return }
        try commit()
        let gaps = try OutputGaps(of: .failed, in: database)
        guard !gaps.isEmpty else {
            try retryFailed(now: now)
            return
        }
        let path = outputs[output].path
        try claimNewFile(of: output, now: now)
        let mark = try guarded { () throws(StateError) in
            try gaps.copy(path, length: committed[output].length, to: Self.newPath(path), hash)
        }
        try change(now: now) { () throws(StateError) in
            try gaps.movePlaces(in: database)
            try statements.output.bind(1, Int64(output)).bind(2, Int64(mark.length)).bind(3, mark.tail).run()
            try statements.insertNote.bind(1, Self.note(output)).bind(2, "written").run()
        }
        // The same transaction, which this commits.
        try retryFailed(now: now)
        try guarded { () throws(StateError) in
            try finishRewriting()
            outputs[output] = try OutputLog(path, committed: mark, hash: hash)
            committed[output] = mark
        }
    }

    private static func newPath(_ path: String) -> String { path + ".new" }

    private static func note(_ output: Int) -> String { "note.rewritten.\(output)" }

    private static func claim(_ output: Int) -> String { "note.rewriting.\(output)" }

    /// Notes that the new file of an output belongs to the job, before it is created; throws if another file exists at
    /// its path.
    private func claimNewFile(of output: Int, now: Moment) throws(StateError) {
        let isClaimed = try statements.note.bind(1, Self.claim(output)).step()
        if isClaimed { return statements.note.reset() }
        let new = Self.newPath(outputs[output].path)
        guard FileStatus(new, followsLinks: false) == nil else {
            throw .unwritable(new, File.Failure(errno: EEXIST))
        }
        try change(now: now) { () throws(StateError) in
            try statements.insertNote.bind(1, Self.claim(output)).bind(2, "begun").run()
        }
        try commit()
    }

    /// Replaces an output by its rewritten file.
    func finishRewriting() throws(StateError) {
        for (number, path) in options.outputs.enumerated()
        where try statements.note.bind(1, Self.note(number)).step() {
            statements.note.reset()
            // Otherwise it was already replaced.
            if unsafe access(Self.newPath(path), F_OK) == 0 {
                guard unsafe rename(Self.newPath(path), path) == 0 else {
                    throw .unwritable(path, File.Failure(errno: errno))
                }
            }
            try database.execute(
                "DELETE FROM job WHERE name IN ('\(Self.note(number))', '\(Self.claim(number))')"
            )
        }
    }
}

/// The parts of an output to remove: the entries of rows in a state.
private struct OutputGaps {
    /// The gaps in order, without overlaps.
    private var gaps: [(range: Range<Int>, before: Int)] = []

    /// The number of rows that are updated at a time.
    private static let batchSize = 10_000

    init(of state: URLState, in database: Database) throws(StateError) {
        let select = try database.prepare(
            "SELECT place, size FROM urls WHERE state = ?1 AND place IS NOT NULL ORDER BY place"
        )
        try select.bind(1, Int64(state.rawValue))
        var removed = 0
        var end = 0
        while try select.step() {
            let start = max(end, Int(bounded: select.number(0)))
            let next = max(start, Int(bounded: select.number(0)) +| max(0, Int(bounded: select.number(1))))
            guard next > start else { continue }
            gaps.append((start..<next, removed))
            removed = removed +| (next - start)
            end = next
        }
    }

    var isEmpty: Bool { gaps.isEmpty }

    /// Copies an output without the gaps, and syncs the copy to the disk.
    func copy(
        _ path: String,
        length: Int,
        to new: String,
        _ hash: KeyHash
    ) throws(StateError) -> OutputLog.Mark {
        // Removes the file of an earlier, unfinished attempt.
        _ = unsafe unlink(new)
        do throws(StateError) {
            let target = try OutputLog(new, committed: nil, hash: hash)
            let source: File
            do throws(File.Failure) {
                source = try File(reading: path)
            } catch {
                throw StateError(.unreadable, "\(path): \(error.text)")
            }
            var position = 0
            for gap in gaps {
                try Self.copy(
                    position..<max(position, min(gap.range.lowerBound, length)),
                    source,
                    path,
                    target
                )
                position = gap.range.upperBound
            }
            try Self.copy(position..<max(position, length), source, path, target)
            target.mark()
            return try target.commit(isSynced: true)
        } catch {
            _ = unsafe unlink(new)
            throw error
        }
    }

    private static func copy(
        _ range: Range<Int>,
        _ source: borrowing File,
        _ path: String,
        _ target: OutputLog
    ) throws(StateError) {
        var position = range.lowerBound
        while position < range.upperBound {
            let bytes: [UInt8]
            do throws(File.Failure) {
                bytes = try source.read(min(1 << 18, range.upperBound - position), at: position)
            } catch {
                throw StateError(.unreadable, "\(path): \(error.text)")
            }
            guard !bytes.isEmpty else { throw .damaged(path, "it is shorter than it was") }
            try target.append(bytes)
            position += bytes.count
        }
    }

    /// Updates the places of the remaining entries.
    func movePlaces(in database: Database) throws(StateError) {
        let select = try database.prepare(
            "SELECT id, place FROM urls WHERE id > ?1 AND place > ?2 ORDER BY id LIMIT \(Self.batchSize)"
        )
        let update = try database.prepare("UPDATE urls SET place = ?2 WHERE id = ?1")
        let first = Int64(gaps.first?.range.lowerBound ?? 0)
        var last: Int64 = 0
        while true {
            var rows: [(id: Int64, place: Int)] = []
            try select.bind(1, last).bind(2, first)
            while try select.step() { rows.append((select.number(0), Int(bounded: select.number(1)))) }
            guard let end = rows.last?.id else { return }
            for row in rows {
                try update.bind(1, row.id).bind(2, Int64(row.place - removed(before: row.place))).run()
            }
            last = end
        }
    }

    /// Returns the number of bytes that are removed before a place.
    private func removed(before place: Int) -> Int {
        var low = 0
        var high = gaps.count
        while low < high {
            let middle = (low + high) / 2
            if gaps[middle].range.lowerBound < place { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        return gaps[low - 1].before + min(gaps[low - 1].range.count, place - gaps[low - 1].range.lowerBound)
    }
}
