import ArgumentParser
import WebLoader

/// `webinspect archive extract FILE… -o FOLDER`: bodies as files.
struct ArchiveExtractCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "extract",
        abstract: "Write the bodies of archives as files of a new folder, with a list.",
        discussion: """
            The files' names are made of the URLs, and are safe whatever these are. list.jsonl in the folder has a line for \
            each: its file, URL, date, status, type and size. The folder must not be there, or be empty. Exit status 1: a body \
            is damaged or missing.

            Examples:
              webinspect archive extract site.wacz -o bodies
            """
    )

    @Argument(help: ArgumentHelp("The archives.", valueName: "file"))
    var files: [String]

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("The folder.", valueName: "folder")
    )
    var output: String

    @Option(help: ArgumentHelp("Maximum bytes of all files (10G).", valueName: "bytes"))
    var maxSize: String?

    func run() async throws {
        var maximumSize = 10 << 30
        if let maxSize { maximumSize = try LoadingOptions.size(maxSize, of: "--max-size") }
        let archives = ArchiveCollection(try ArchiveCommand.open(files))
        var status = ExitStatus.done
        do throws(ArchiveError) {
            var unpacker = try ArchiveUnpacker(output, maximumSize: maximumSize)
            for archive in archives.members {
                let reader = try archive.contents.records()
                while let record = try reader.next() {
                    note(reader, archive, &status)
                    guard ArchiveCollection.isCapture(record) else { continue }
                    let item: ArchiveUnpacker.Item
                    do throws(ArchiveError) {
                        let found = try archives.response(of: record, reader, in: archive, within: .none)
                        item = try unpacker.unpack(record, found)
                    } catch {
                        guard error.code == .bodyMissing else { throw error }
                        item = ArchiveUnpacker.Item(record: record, name: nil, size: 0, error: error)
                    }
                    try unpacker.note(ArchiveReport.json(item).lineInOrder)
                    guard let error = item.error else { continue }
                    if status == .done || error.code == .limit {
                        status = error.code == .limit ? .limit : .no
                    }
                    Output.message(Failure(error, archive: record.url ?? archive.path).line)
                    if error.code == .limit { throw error }
                }
                note(reader, archive, &status)
            }
        } catch {
            throw Failure(error, archive: output)
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Says what is wrong with the archive so far.
    private func note(_ reader: any RecordReader, _ archive: Archive, _ status: inout ExitStatus) {
        for finding in reader.takeFindings() {
            if status == .done { status = .no }
            Output.message("webinspect: warning: \(ArchiveReport.line(finding, archive.path))")
        }
    }
}
