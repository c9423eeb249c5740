import ArgumentParser
import WebLoader

/// `webinspect archive index FILE… [-o OUT]`: a CDXJ index.
struct ArchiveIndexCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "index",
        abstract: "Make a sorted CDXJ index of archives, or look a URL up in one.",
        discussion: """
            The keys are SURTs, the lines in the order of their bytes. With --url FILE is an index, and the lines of that URL are \
            written, oldest first. Exit status 1: no line.

            Examples:
              webinspect archive index *.warc.gz -o index.cdxj
              webinspect archive index index.cdxj --url https://example.com/
            """
    )

    @Argument(help: ArgumentHelp("The archives; with --url an index.", valueName: "file"))
    var files: [String]

    @Option(
        name: [.customLong("output"), .customShort("o")],
        help: ArgumentHelp("Write to a file.", valueName: "out")
    )
    var output: String?

    @Option(help: ArgumentHelp("Look this URL up.", valueName: "url"))
    var url: String?

    @Flag(help: "Give POST, PUT and other methods than GET keys with what was sent.")
    var postKeys = false

    func run() async throws {
        let count: Int
        do throws(ArchiveError) {
            try checkOutput()
            count = if let url { try lookUp(url) } else { try make() }
        } catch {
            throw Failure(error, archive: files.joined(separator: " "))
        }
        if count == 0 { throw ExitCode(ExitStatus.no.rawValue) }
    }

    /// Throws if the output would take the place of a file that is read.
    private func checkOutput() throws(ArchiveError) {
        guard let output, output != "-" else { return }
        do throws(File.Failure) {
            try FilesInUse.check(output, against: files)
        } catch {
            throw ArchiveError(.unwritable, "\(output): \(error.text)")
        }
    }

    /// Writes the lines of a URL; returns how many.
    private func lookUp(_ url: String) throws(ArchiveError) -> Int {
        var lines: [CDXJLine] = []
        for file in files {
            lines += try CDXJFile(try ArchiveFile(path: file)).lines(ofKey: SURT.key(of: url))
        }
        let file = try outputFile()
        for line in lines { try write(line.bytes, to: file) }
        try file?.finish()
        return lines.count
    }

    /// Writes the index of the archives; returns how many lines.
    private func make() throws(ArchiveError) -> Int {
        var writer = CDXJWriter()
        var count = 0
        for file in files {
            let reader = try Archive(file).contents.records()
            let name = file.split(separator: "/").last.map(String.init)
            count += try writer.append(reader, filename: name, hasBodies: postKeys)
            for finding in reader.takeFindings() {
                Output.message("webinspect: warning: \(ArchiveReport.line(finding, file))")
            }
        }
        let file = try outputFile()
        try writer.finish { line throws(ArchiveError) in try write(line, to: file) }
        try file?.finish()
        return count
    }

    /// The file that is written; nil for standard output.
    private func outputFile() throws(ArchiveError) -> AtomicOutput? {
        guard let output, output != "-" else { return nil }
        return try AtomicOutput(output)
    }

    private func write(_ line: [UInt8], to file: AtomicOutput?) throws(ArchiveError) {
        if let file { return try file.append(line) }
        do throws(Failure) {
            try Output.write(line)
        } catch {
            throw ArchiveError(.unwritable, error.message)
        }
    }
}
