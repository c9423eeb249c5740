import ArgumentParser
import CScarcity
import Glibc
import WebLoader

/// Where the command starts: reads the line, runs it, and turns errors into a line and an exit status.
///
/// It ends by `_exit`: all output is written by then, and libraries' clean-up would race with the fetching thread.
@main
enum Main {
    static func main() async {
        TimeBudget.noteStart()
        Output.openClosedStreams()
        // A reader that goes away shows as an error of write(2), for ``Output`` to judge.
        signal(SIGPIPE, SIG_IGN)
        // A file that may not grow further (`ulimit -f`) is to fail to be written, the cache's without harm.
        signal(SIGXFSZ, SIG_IGN)
        let line = Array(CommandLine.arguments.dropFirst())
        var origins: [String: String] = [:]
        do {
            try checkDescriptors(descriptorCount)
            if line == ["--version"] {
                try Output.write(Array(version.utf8))
                _exit(ExitStatus.done.rawValue)
            }
            if let text = try RootHelp.text(for: line) {
                try Output.write(Array("\(text)\n".utf8))
                _exit(ExitStatus.done.rawValue)
            }
            let arguments = try Configuration.applied(to: line, origins: &origins)
            if let (command, line) = try HotArguments.read(arguments) {
                _exit(try await command.run(line).rawValue)
            }
            try await parse(arguments)
        } catch let failure as Failure {
            end(failure.naming(origins), line)
        } catch {
            end(Failure(subject: "internal", "\(error)", code: "internal", status: .fault), line)
        }
        _exit(ExitStatus.done.rawValue)
    }

    /// Descriptors that have to be free: Dispatch traps where it gets none, and its timers never fire.
    private static let descriptorCount: Int32 = 8

    /// Throws unless this many descriptors are free, 64 at most.
    static func checkDescriptors(_ count: Int32) throws(Failure) {
        guard webl_has_descriptors(count) == 0 else { return }
        throw Failure(
            subject: "file descriptors",
            "fewer than \(count) are free; see ulimit -n",
            code: "system.descriptors",
            status: .scarcity
        )
    }

    /// The version, and those of the libraries.
    private static var version: String {
        let libraries = LibraryVersion.all.map { "\($0.name) \($0.version)\n" }
        return "webinspect \(WebLoaderVersion.current)\n\(libraries.joined())"
    }

    private static func parse(_ arguments: [String]) async throws {
        var command: any ParsableCommand
        do {
            command = try RootCommand.parseAsRoot(CheckCommand.withOptionalValues(arguments))
        } catch {
            throw try usage(error, arguments)
        }
        if let quick = command as? any QuickCommand {
            _exit(try await type(of: quick).run(try quick.line()).rawValue)
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let failure as Failure {
            throw failure
        } catch let code as ExitCode {
            // The answer is no, and all that there is to say has been said.
            _exit(code.rawValue)
        } catch {
            throw try usage(error, arguments)
        }
    }

    /// Writes the help and exits if ArgumentParser's error is help; otherwise returns the mistake on the line.
    private static func usage(_ error: any Error, _ arguments: [String]) throws(Failure) -> Failure {
        guard RootCommand.exitCode(for: error).isSuccess else {
            return Failure(usage: "usage", "\(RootCommand.message(for: error)); see \(help(for: arguments))")
        }
        let whole = arguments.contains("--help") || !arguments.contains("-h") ? nil : help(for: arguments)
        let text = HelpText(RootCommand.fullMessage(for: error), unlessWholeBy: whole).text
        try Output.write(Array("\(text)\n".utf8))
        _exit(ExitStatus.done.rawValue)
    }

    /// The line that shows the help of the command that a line is of.
    private static func help(for arguments: [String]) -> String {
        var words = ["webinspect"]
        var commands = RootCommand.configuration.subcommands
        for word in arguments {
            guard let command = commands.first(where: { $0.configuration.commandName == word }) else { break }
            words.append(word)
            commands = command.configuration.subcommands
        }
        // The flags of a line without a command are those of the default one.
        if words.count == 1 { words.append("url") }
        return "\(words.joined(separator: " ")) --help"
    }

    private static func end(_ failure: Failure, _ arguments: some Collection<String>) -> Never {
        Output.message(failure.line)
        if arguments.contains("--json"), !failure.isReported {
            // If stdout is gone too, the line on stderr has said all there is.
            try? Output.write(failure.json.line)
        }
        _exit(failure.status.rawValue)
    }
}
