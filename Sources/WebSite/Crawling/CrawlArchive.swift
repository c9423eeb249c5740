import WebArchive
import WebDatabase
import WebStandards

/// The WARC files of a crawl; appended records are committed together with the job's state.
///
/// Only one thread at a time uses it: the job's writer.
final class CrawlArchive {
    let path: String
    private let form: WARCForm
    private let recorder: CrawlRecorder
    /// Composes the records that are made here: the heads of files, and revisits.
    private let composer: RecordComposer
    private let maximumSize: Int?
    private let information: [(name: String, value: String)]

    /// The prefix of the notes that store payloads in the job.
    private static let payloadNote = "payload."

    /// Creates the archive of a job.
    ///
    /// - Parameters:
    ///   - path: The first file.
    ///   - form: The form of the file.
    ///   - recorder: Makes the records.
    ///   - level: The compression level.
    ///   - maximumSize: The number of bytes after which another file is begun; `nil` for one file.
    ///   - information: Further lines of each file's `warcinfo`.
    /// - Throws: ``ArchiveError/Code/unavailable`` if the compression library is missing.
    init(
        _ path: String,
        _ form: WARCForm,
        _ recorder: CrawlRecorder,
        level: Int?,
        maximumSize: Int?,
        information: [(name: String, value: String)]
    ) throws(ArchiveError) {
        self.path = path
        self.form = form
        self.recorder = recorder
        self.maximumSize = maximumSize
        self.information = information
        composer = try RecordComposer(form, level: level)
    }

    // MARK: - Names

    /// Returns the path of the file with a number: `NAME-00001.warc.gz` after `NAME.warc.gz`.
    static func path(_ path: String, number: Int) -> String {
        guard number > 0, let form = WARCForm(path: path) else { return path }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 5 - digits.utf8.count))
        let length = form.suffix.utf8.count
        // The suffix as spelled in the path.
        let suffix = String(decoding: path.utf8.suffix(length), as: UTF8.self)
        let stem = String(decoding: path.utf8.dropLast(length), as: UTF8.self)
        return "\(stem)-\(zeros)\(digits)\(suffix)"
    }

    // MARK: - Writing

    /// Appends the records of a URL that is finished next.
    ///
    /// - Parameters:
    ///   - records: The records.
    ///   - frontier: The job.
    ///   - now: The current time.
    /// - Throws: ``StateError``.
    func append(_ records: CrawlRecords, to frontier: Frontier, now: Moment) throws(StateError) {
        let output = try output(of: frontier)
        try begin(output, frontier)
        let id = try append(records, to: output, of: frontier, now: now)
        guard let (type, markup) = records.scripted else { return }
        let bytes = try composed { () throws(ArchiveError) in
            try composer.conversion(of: records.exchange, original: id, type: type, markup)
        }
        try frontier.append(bytes, to: output)
    }

    /// Appends the records of an exchange; returns the ID of the record with the payload, `nil` if it is unknown.
    private func append(
        _ records: CrawlRecords,
        to output: Int,
        of frontier: Frontier,
        now: Moment
    ) throws(StateError) -> String? {
        guard let (digest, entry) = records.payload else {
            try append(records.pieces, to: output, of: frontier)
            return nil
        }
        if let known = try payload(digest, frontier) {
            // Another visit recorded this payload first, perhaps in an earlier run.
            let composition = try composed { () throws(ArchiveError) in
                try composer.compose(records.exchange, payload: digest) { _ in known }
            }
            for case .members(let bytes) in composition.pieces { try frontier.append(bytes, to: output) }
            recorder.remember(digest, known)
            return known.id
        }
        try append(records.pieces, to: output, of: frontier)
        let note = "\(entry.id) \(entry.date.millisecondsSince1970) \(entry.target)"
        try frontier.setNote(Self.payloadNote + digest, note, now: now)
        recorder.remember(digest, entry)
        return entry.id
    }

    private func append(
        _ pieces: [CrawlRecords.Piece],
        to output: Int,
        of frontier: Frontier
    ) throws(StateError) {
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): try frontier.append(bytes, to: output)
            case .file(let file):
                try file.forEachPiece { bytes throws(StateError) in try frontier.append(bytes, to: output) }
            }
        }
    }

    /// Returns the current output, after beginning another one if the last is full.
    private func output(of frontier: Frontier) throws(StateError) -> Int {
        let last = max(0, frontier.outputCount - 1)
        guard let maximumSize, frontier.length(ofOutput: last) >= max(1, maximumSize) else { return last }
        try frontier.beginOutput(Self.path(path, number: last + 1))
        return last + 1
    }

    /// Writes the `warcinfo` record of a file, if the file is new.
    private func begin(_ output: Int, _ frontier: Frontier) throws(StateError) {
        guard frontier.length(ofOutput: output) == 0 else { return }
        let name = Directory.split(Self.path(path, number: output)).name
        let bytes = try composed { () throws(ArchiveError) in try composer.information(of: name, information)
        }
        try frontier.append(bytes, to: output)
    }

    /// Returns the record that already stores a payload; `nil` if there is none yet.
    private func payload(_ digest: String, _ frontier: Frontier) throws(StateError) -> PayloadMemory.Entry? {
        guard let note = try frontier.note(Self.payloadNote + digest) else { return nil }
        let parts = note.split(separator: " ", maxSplits: 2)
        guard parts.count == 3, let date = Int(inBounds: parts[1]) else { return nil }
        return PayloadMemory.Entry(
            id: String(parts[0]),
            target: String(parts[2]),
            date: Timestamp(millisecondsSince1970: Int64(date))
        )
    }

    private func composed<Value>(
        _ body: () throws(ArchiveError) -> Value
    ) throws(StateError) -> Value {
        do throws(ArchiveError) {
            return try body()
        } catch {
            throw StateError(.unwritable, "\(path): \(error.message)")
        }
    }
}
