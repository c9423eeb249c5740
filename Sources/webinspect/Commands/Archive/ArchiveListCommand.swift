import ArgumentParser
import WebLoader

/// `webinspect archive ls FILE…`: lists records.
struct ArchiveListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ls",
        abstract: "List the records of archives, in the order of the file.",
        discussion: """
            As text a line has the date, the type, the status, the MIME type, the bytes in the file and the URL. \
            Exit status 1: something is damaged, which "webinspect archive verify" explains.

            Examples:
              webinspect archive ls site.warc.gz
              webinspect archive ls site.warc.gz --jsonl --type response
            """
    )

    @Argument(help: ArgumentHelp("The archives; \"-\" for standard input.", valueName: "file"))
    var files: [String]

    @Flag(help: "Write one JSON document per line for each record.")
    var jsonl = false

    @Option(
        name: .customLong("type"),
        help: ArgumentHelp("Only records of this type; may be repeated.", valueName: "type")
    )
    var types: [String] = []

    func run() async throws {
        var isDamaged = false
        var failure: Failure?
        for file in files {
            do throws(Failure) {
                for archive in try ArchiveCommand.open([file]) { isDamaged = try list(archive) || isDamaged }
            } catch {
                // The other files are to be listed all the same.
                guard files.count > 1, error.code != FileError.Code.unwritable.rawValue else { throw error }
                Output.message(error.line)
                failure = failure ?? error
            }
        }
        if let failure { throw ExitCode(failure.status.rawValue) }
        if isDamaged { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// Lists an archive; returns whether something is damaged.
    private func list(_ archive: Archive) throws(Failure) -> Bool {
        let reader: any RecordReader
        do throws(ArchiveError) {
            reader = try archive.contents.records()
        } catch {
            throw Failure(error, archive: archive.path)
        }
        var isDamaged = false
        var output: [UInt8] = []
        func noteFindings() {
            for finding in reader.takeFindings() {
                isDamaged = true
                Output.message("webinspect: warning: \(ArchiveReport.line(finding, archive.path))")
            }
        }
        while let (record, payloadLength) = try next(reader, archive) {
            noteFindings()
            guard types.isEmpty || types.contains(record.kind.rawValue) else { continue }
            if jsonl {
                let path = files.count > 1 ? archive.path : nil
                output += ArchiveReport.json(record, payloadLength: payloadLength, archive: path).lineInOrder
            } else {
                output += "\(ArchiveReport.line(record))\n".utf8
            }
            if output.count >= Self.pieceLength {
                try Output.write(output)
                output.removeAll(keepingCapacity: true)
            }
        }
        noteFindings()
        try Output.write(output)
        return isDamaged
    }

    /// The next record with its length, and with `--jsonl` that of its payload; nil at the end.
    private func next(
        _ reader: any RecordReader,
        _ archive: Archive
    ) throws(Failure) -> (record: ArchiveRecord, payloadLength: Int?)? {
        do throws(ArchiveError) {
            guard var record = try reader.next() else { return nil }
            var payloadLength: Int?
            if jsonl { payloadLength = try Self.payloadLength(reader) }
            record.length = try reader.currentLength()
            return (record, payloadLength)
        } catch {
            throw Failure(error, archive: archive.path)
        }
    }

    /// Bytes that are gathered before they are written.
    private static let pieceLength = 1 << 16

    /// The bytes of the current record's payload; nil if it cannot be decoded, or is not there.
    private static func payloadLength(_ reader: any RecordReader) throws(ArchiveError) -> Int? {
        var count = 0
        do throws(ArchiveError) {
            try unsafe reader.readPayload { piece throws(ArchiveError) in
                count += piece.count
                return true
            }
            return count
        } catch {
            guard error.code == .body || error.code == .bodyMissing || error.code == .limit else {
                throw error
            }
            return nil
        }
    }
}
