import ArgumentParser
import WebLoader

/// `webinspect cache verify`: checks every checksum.
struct CacheVerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Read everything that is stored and check it against its checksums.",
        discussion: """
            Exit status 1: something is damaged. Its next load replaces it.

            Examples:
              webinspect cache verify
              webinspect cache verify --json
            """
    )

    @OptionGroup var cache: CacheArguments

    func run() async throws {
        var whole = 0
        var damages: [String] = []
        let browser = try cache.browser()
        do throws(CacheBrowser.Failure) {
            try browser.forEach(matching: nil, verifiesBodies: true) { finding in
                switch finding {
                case .entry, .version, .note: whole += 1
                case .damage(let damage): damages.append(damage.message)
                }
            }
        } catch {
            throw Failure(error)
        }
        damages.sort()
        let document: JSONValue = [
            "schema": .integer(CacheReport.schema), "whole": .integer(Int64(whole)),
            "damaged": .array(damages.map { .string($0) }),
        ]
        let lines = damages.map { "\(TerminalText.visible($0))\n" }.joined()
        try cache.write(document, text: lines + "\(whole) whole, \(damages.count) damaged\n")
        if !damages.isEmpty { throw ExitCode(ExitStatus.no.rawValue) }
    }
}
