import ArgumentParser
import WebLoader

/// `webinspect archive`: looks at archives of web pages, checks and converts them.
struct ArchiveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "archive",
        abstract: "List, read, check, convert and unpack WARC, ARC, WACZ, HAR, MHTML.",
        discussion: """
            The format is told by the bytes of a file, never by its name. A damaged record ends nothing: reading goes on at the \
            next one that can be found. Every other command reads archives with --from.

            Examples:
              webinspect archive ls site.warc.gz
              webinspect archive cat site.wacz https://example.com/ --at 2024-05-01
              webinspect archive verify site.wacz --jsonl
              webinspect archive create site.har -o site.warc.gz
              webinspect select title --from site.wacz --all
            """,
        subcommands: [
            ArchiveListCommand.self, ArchiveShowCommand.self, ArchiveCatCommand.self,
            ArchiveVerifyCommand.self,
            ArchiveIndexCommand.self, ArchiveCreateCommand.self, ArchiveExtractCommand.self,
        ]
    )

    /// Opens an archive, a file or "-" for standard input.
    static func archive(_ path: String) throws(ArchiveError) -> Archive {
        try Archive(path == "-" ? "/dev/stdin" : path)
    }

    /// Opens archives.
    static func open(_ paths: [String]) throws(Failure) -> [Archive] {
        var archives: [Archive] = []
        for path in paths {
            do throws(ArchiveError) {
                archives.append(try archive(path))
            } catch {
                throw Failure(error, archive: path)
            }
        }
        return archives
    }
}

/// The copy of a URL that a command is about.
struct ArchivedCopy: ParsableArguments {
    @Argument(help: ArgumentHelp("Archives, and a URL in them.", valueName: "file> … <url"))
    var operands: [String] = []

    @Option(
        help: ArgumentHelp(
            "The copy nearest before this date, else the first after; the newest without it.",
            valueName: "date"
        )
    )
    var at: String?

    /// The URL.
    var url: String { operands.last ?? "" }

    /// Finds the copy.
    func found() throws(Failure) -> ArchivedResponse {
        guard operands.count >= 2 else { throw Failure(usage: "archive", "expects an archive and a URL") }
        var date: Timestamp?
        if let at { date = try LoadingOptions.date(at) }
        let archives = ArchiveCollection(try ArchiveCommand.open(operands.dropLast()))
        do throws(ArchiveError) {
            return try archives.response(to: url, at: date, within: .none)
        } catch {
            throw Failure(error, archive: url)
        }
    }
}
