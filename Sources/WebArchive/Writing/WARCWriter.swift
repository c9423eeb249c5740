import WebStandards
import Synchronization

/// Writes exchanges to the end of a WARC 1.1, with a record each for the response, the request and their metadata.
///
/// The extension of the file's name selects its form. The file is created, with a `warcinfo`, or continued;
/// ``AppendedFile`` describes how several writers share it, and how the leftovers of a killed writer are removed. Its
/// calls block.
///
/// A payload that this writer has written before is not written again, but referred to by a `revisit`.
///
/// [WARC 1.1](https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1-annotated/)
package final class WARCWriter: Sendable {
    /// How a WARC is written.
    package struct Options: Sendable {
        /// The compression's level, by its library's own scale; nil for its default: 6 of gzip's 9, 3 of Zstandard's 19.
        package var level: Int?

        /// Bytes after which another file is begun, `NAME-00001.warc.gz` after `NAME.warc.gz`; nil for one file.
        ///
        /// A file may become larger by one exchange.
        package var maximumFileSize: Int?

        /// Whether payloads that were written before are referred to.
        package var writesRevisits = true

        /// The form; nil for the one that the file's name says.
        package var form: WARCForm?

        /// Further lines of the `warcinfo`, names and values.
        package var information: [(name: String, value: String)] = []

        package init() {}
    }

    private struct State: ~Copyable {
        var file: AppendedFile
        let records: RecordComposer
        var number: Int
        var memory = PayloadMemory()
        var hasWritten = false
    }

    private let path: String
    private let form: WARCForm
    private let options: Options
    private let state: Mutex<State>

    /// Opens a WARC, and looks whether it can be continued.
    ///
    /// - Parameters:
    ///   - path: Its path, which ends in `.warc`, `.warc.gz` or `.warc.zst` unless the options have a form.
    ///   - options: How it is written.
    /// - Throws: ``ArchiveError``: ``ArchiveError/Code/notAnArchive`` if the file there is no WARC of that form, or is damaged;
    ///   ``ArchiveError/Code/unwritable``; ``ArchiveError/Code/unavailable`` if the compression's library is not there.
    package init(path: String, options: Options = Options()) throws(ArchiveError) {
        guard let form = options.form ?? WARCForm(path: path) else {
            throw ArchiveError(
                .unwritable,
                "\(path): the name of a WARC ends in .warc, .warc.gz or .warc.zst"
            )
        }
        self.path = path
        self.form = form
        self.options = options
        let records = try RecordComposer(form, level: options.level)
        let number = options.maximumFileSize == nil ? 0 : Self.lastNumber(path, form)
        let file = try AppendedFile(Self.path(path, form, number), form)
        state = Mutex(State(file: file, records: records, number: number))
        // Problems of the file should be reported before anything is loaded.
        try write([])
    }

    /// The folder of its file.
    package var folder: String { Directory.split(path).folder }

    /// Appends an exchange: its response or a `revisit`, its request if it is known, and what else is known.
    ///
    /// - Throws: ``ArchiveError`` if it could not be written; then nothing of it is in the file.
    package func append(_ exchange: ArchivedExchange) throws(ArchiveError) {
        try state.withLock { state throws(ArchiveError) in
            let composition = try state.records.compose(exchange, options.writesRevisits ? state.memory : nil)
            try write(composition.pieces, &state)
            if let (digest, entry) = composition.payload { state.memory.add(entry, digest: digest) }
        }
    }

    /// Appends a file without a head of HTTP.
    ///
    /// - Throws: ``ArchiveError`` if it could not be written; then nothing of it is in the file.
    package func append(_ resource: ArchivedResource) throws(ArchiveError) {
        try state.withLock { state throws(ArchiveError) in
            try write(state.records.compose(resource).pieces, &state)
        }
    }

    /// Waits until all that was written is on the disk.
    package func finish() throws(ArchiveError) {
        try state.withLock { state throws(ArchiveError) in
            if state.hasWritten { try state.file.sync() }
            state.hasWritten = false
        }
    }

    private func write(_ pieces: [RecordComposer.Composition.Piece]) throws(ArchiveError) {
        try state.withLock { state throws(ArchiveError) in try write(pieces, &state) }
    }

    /// Writes all pieces, or nothing of them.
    private func write(
        _ pieces: [RecordComposer.Composition.Piece],
        _ state: inout State
    ) throws(ArchiveError) {
        try state.file.begin()
        if let maximum = options.maximumFileSize {
            // Another writer may have begun the next file, or have filled it.
            while state.file.end >= max(1, maximum) {
                state.file.commit()
                if state.hasWritten { try state.file.sync() }
                state.number += 1
                state.file = try AppendedFile(Self.path(path, form, state.number), form)
                try state.file.begin()
            }
        }
        do throws(ArchiveError) {
            if state.file.end == 0 {
                let name = Directory.split(Self.path(path, form, state.number)).name
                try state.file.write(state.records.information(of: name, options.information))
            }
            for piece in pieces {
                switch piece {
                case .members(let bytes): try state.file.write(bytes)
                case .large(let start, let body):
                    let records = state.records
                    try records.write(start, body) { bytes throws(ArchiveError) in try state.file.write(bytes)
                    }
                }
            }
        } catch {
            state.file.rollBack()
            throw error
        }
        state.file.commit()
        state.hasWritten = true
    }

    // MARK: - Names

    /// The path of the file of a number; that of number 0 has none.
    private static func path(_ path: String, _ form: WARCForm, _ number: Int) -> String {
        guard number > 0 else { return path }
        let digits = String(number)
        let zeros = String(repeating: "0", count: max(0, 5 - digits.utf8.count))
        let length = form.suffix.utf8.count
        // As the name was found to end.
        let suffix = String(decoding: path.utf8.suffix(length), as: UTF8.self)
        let stem = String(decoding: path.utf8.dropLast(length), as: UTF8.self)
        return "\(stem)-\(zeros)\(digits)\(suffix)"
    }

    /// The number of the last file that is there.
    private static func lastNumber(_ path: String, _ form: WARCForm) -> Int {
        var number = 0
        while FileStatus(Self.path(path, form, number + 1), followsLinks: false) != nil { number += 1 }
        return number
    }
}
