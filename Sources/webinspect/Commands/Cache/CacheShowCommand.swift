import ArgumentParser
import WebLoader

/// `webinspect cache show URL`: one entry, and whether it would be used now.
struct CacheShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show what is stored for a URL, and whether and why it would be used now.",
        discussion: """
            Exit status 5: nothing is stored.

            Examples:
              webinspect cache show https://example.com/
              webinspect cache show https://example.com/ --body > page.html
            """
    )

    @Argument(help: ArgumentHelp("The URL.", valueName: "url"))
    var url: String

    @Flag(help: "Write the stored body, and nothing else.")
    var body = false

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        let url = try Source.parse(self.url)
        switch try cache.browser().lookUp(url) {
        case .entry(let entry):
            if body {
                guard !cache.json else { throw Failure(usage: "--body", "not together with --json") }
                var whole: [UInt8] = []
                try entry.forEachPieceOfBody { (piece) throws(Failure) in
                    // A terminal gets the body in one piece, since pieces may split characters.
                    if Output.isTerminal { whole += piece } else { try Output.write(piece) }
                }
                if Output.isTerminal { try Output.write(whole) }
            } else {
                let now = Timestamp.now
                try cache.write(CacheReport.details(entry, url, now), text: CacheReport.text(entry, url, now))
            }
        case .absent: throw Failure(notCached: url.description, "nothing is stored for this URL")
        case .notKept(let reason):
            throw Failure(notCached: url.description, "it was loaded and not stored: \(reason); see --keep")
        case .damaged(let damage): throw Failure(notCached: url.description, "damaged: \(damage.message)")
        }
    }
}
