import ArgumentParser
import Glibc
import WebLoader

/// `webinspect serve`: a web page, on this machine and for this user alone, to look at all that is kept.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Look at kept pages, rules and jobs in a browser.",
        discussion: """
            The first line on standard output is the address, with the secret of this run in it; Ctrl-C ends it. It is answered on \
            this machine only. Kept pages are shown from their copies: nothing is loaded, and no script of theirs runs. Lists, saved \
            recipes and jobs are in the cache's folder, in serve.sqlite and serve-jobs.

            Examples:
              webinspect serve
              webinspect serve --open
              webinspect serve --port 8099 --cache-dir site-cache
            """
    )

    @Option(help: ArgumentHelp("The port; 0 for any that is free.", valueName: "n"))
    var port = "0"

    @Flag(help: "Open the page in the browser.")
    var open = false

    @Option(help: ArgumentHelp("The directory of the cache.", valueName: "dir"))
    var cacheDir: String?

    func run() throws {
        guard let number = Int(inBounds: port), (0...65_535).contains(number) else {
            throw Failure(usage: "--port \(port)", "not a number from 0 to 65535")
        }
        guard let directory = cacheDir ?? CacheDirectory.standard(named: "webinspect") else {
            throw Failure(usage: "--cache-dir", "is missing, and neither $XDG_CACHE_HOME nor $HOME is set")
        }
        guard let program = InstalledProgram.own, let server = InstalledProgram.path(of: Self.server) else {
            throw Self.unavailable("is neither beside webinspect nor in its ../libexec")
        }
        var arguments = [
            server, "--port", "\(number)", "--cache-dir", directory, "--program", program,
        ]
        if open { arguments.append("--open") }
        var pointers: [UnsafeMutablePointer<CChar>?] = unsafe arguments.map { unsafe strdup($0) }
        unsafe pointers.append(nil)
        _ = unsafe execv(server, pointers)
        throw Self.unavailable("cannot be started: \(File.Failure(errno: errno).text)")
    }

    private static let server = "webinspect-server"

    private static func unavailable(_ reason: String) -> Failure {
        Failure(subject: server, reason, code: "serve.unavailable", status: .fault)
    }
}
