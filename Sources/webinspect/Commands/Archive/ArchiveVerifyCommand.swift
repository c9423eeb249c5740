import ArgumentParser
import WebLoader

/// `webinspect archive verify FILE…`: what is wrong with archives.
struct ArchiveVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check archives: digests, lengths, compression, revisits, index and manifest.",
        discussion: """
            Each finding is a line: its code, where it is, and what is wrong. Exit status 1: there is one; 7: a file is no archive.

            Examples:
              webinspect archive verify site.warc.gz
              webinspect archive verify *.wacz --jsonl
            """
    )

    @Argument(help: ArgumentHelp("The archives.", valueName: "file"))
    var files: [String]

    @Flag(help: "Write one JSON document per line for each finding.")
    var jsonl = false

    func run() async throws {
        var status = ExitStatus.done
        for path in files {
            do throws(Failure) {
                if try verify(path), status == .done { status = .no }
            } catch {
                // The other files are to be checked all the same.
                guard files.count > 1 else { throw error }
                Output.message(error.line)
                if status == .done || status == .no { status = error.status }
            }
        }
        if status != .done { throw ExitCode(status.rawValue) }
    }

    /// Checks an archive; returns whether there is a finding.
    private func verify(_ path: String) throws(Failure) -> Bool {
        let isOneOfSeveral = files.count > 1
        var hasFinding = false
        var failure: Failure?
        do throws(ArchiveError) {
            try ArchiveCommand.archive(path).contents.verify { finding in
                hasFinding = true
                let line =
                    jsonl
                    ? ArchiveReport.json(finding, archive: isOneOfSeveral ? path : nil).lineInOrder
                    : Array("\(ArchiveReport.line(finding, isOneOfSeveral ? path : nil))\n".utf8)
                do throws(Failure) {
                    if failure == nil { try Output.write(line) }
                } catch {
                    failure = error
                }
            }
        } catch {
            throw Failure(error, archive: path)
        }
        if let failure { throw failure }
        return hasFinding
    }
}
