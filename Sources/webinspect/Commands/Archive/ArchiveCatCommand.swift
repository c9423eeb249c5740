import ArgumentParser
import WebLoader

/// `webinspect archive cat FILE… URL`: a body.
struct ArchiveCatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cat",
        abstract: "Write the body of a copy of a URL, decoded; of a revisit, that which it refers to.",
        discussion: """
            Exit status 5: the URL is not in the archives; 7: its body is not there, or damaged.

            Examples:
              webinspect archive cat site.warc.gz https://example.com/ > page.html
              webinspect archive cat 2023.warc.gz 2024.warc.gz https://example.com/
            """
    )

    @OptionGroup var copy: ArchivedCopy

    func run() async throws {
        let found = try copy.found()
        var failure: Failure?
        do throws(ArchiveError) {
            try unsafe found.reader.readPayload { piece throws(ArchiveError) in
                do throws(Failure) {
                    try Output.write(unsafe Array(piece))
                    return true
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            throw Failure(error, archive: copy.url)
        }
        if let failure { throw failure }
    }
}
