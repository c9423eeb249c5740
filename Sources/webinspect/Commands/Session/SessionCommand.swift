import ArgumentParser
import Glibc
import WebBrowsing

/// `webinspect session`: a browser without its window, by commands at a prompt or in a script.
struct SessionCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "session",
        abstract: "Open pages, follow links and send forms, at a prompt or by a script.",
        discussion: """
            Commands are read from standard input, one a line, and answered on standard output; at a terminal there is a prompt, \
            with completion by the Tab key. From a pipe the first error ends the script, with its line, unless --keep-going.

            \(SessionVerb.list)

            NAME is a field's name, its label or a selector, in double quotes if it has spaces; VALUE is the rest of the line. A \
            check box takes its value, or "off"; a select takes an option's value or text; a file takes a path. Lines that are empty \
            or begin with # are passed over.

            With --state, the session is put away in FILE after each command, and goes on from there the next time: history, cookies \
            and, in the folder FILE.pages, the pages. All of them are for their owner only.

            Examples:
              webinspect session
              printf 'open https://example.com/\\ntitle\\nlinks\\n' | webinspect session
              webinspect session --state shop.session < login.txt
            """
    )

    @Option(help: ArgumentHelp("Go on from this file, and put the session away there.", valueName: "file"))
    var state: String?

    @Flag(help: "In a script, go on after an error.")
    var keepGoing = false

    @Flag(help: "Load the images and style sheets of each page as well.")
    var resources = false

    @OptionGroup var shared: PageArguments

    func run() async throws {
        let status = try await session(try shared.options())
        if status != .done { throw ExitCode(status.rawValue) }
    }

    private func session(_ options: LoadingOptions) async throws(Failure) -> ExitStatus {
        guard options.output == nil else {
            throw Failure(usage: "-o", "not with session, which answers on standard output")
        }
        guard !options.json, !options.takesAllPages else {
            throw Failure(usage: options.json ? "--json" : "--all", "not with session")
        }
        var options = options
        let cookies = try options.connection.takeLiteralCookies()
        var configuration = PageSession.Configuration()
        configuration.loader = try options.configuration()
        configuration.loader.notesTags = true
        configuration.overrides = try options.overrides()
        configuration.request = try options.request(for: .aboutBlank)
        configuration.stateFile = state
        configuration.loadsResources = resources
        let session: PageSession
        do throws(StateError) {
            session = try PageSession(configuration: configuration)
        } catch {
            throw Failure(state: error, of: "session")
        }
        let isInteractive = isatty(0) == 1
        let commands = SessionCommands(session, options, cookies, isInteractive: isInteractive)
        let status: ExitStatus
        if isInteractive {
            try await SessionPrompt(commands).run()
            status = .done
        } else {
            status = try await SessionScript(commands, keepsGoing: keepGoing).run()
        }
        try options.connection.save(session.cookieJar)
        if let record = options.record, let writer = configuration.loader.archiveWriter {
            do throws(ArchiveError) {
                try await writer.finish()
            } catch {
                throw Failure(error, archive: record)
            }
        }
        await session.loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        return status
    }
}

extension Failure {
    /// A form that cannot be filled in or sent.
    init(_ error: FormError, subject: String) {
        self.init(subject: subject, error.message, code: error.code.rawValue, status: ExitStatus(error.code))
    }
}
