import Glibc
import Synchronization
import WebBrowsing

/// Runs the commands that somebody types at a terminal.
struct SessionPrompt {
    private static let prompt = "webinspect> "

    private let commands: SessionCommands

    init(_ commands: SessionCommands) {
        self.commands = commands
    }

    /// Runs commands until there are no more, or one says so.
    ///
    /// - Throws: ``Failure`` if standard input cannot be read.
    func run() async throws(Failure) {
        let words = SessionWords()
        let editor = LineEditor(prompt: Self.prompt, historyFile: Self.historyFile) { words.candidates($0) }
        guard let editor else { return try await runPlain() }
        defer { editor.close() }
        let running = RunningLine()
        // The running line ends with "load.cancelled", and the prompt appears again.
        Interruptions.forEach { running.cancel() }
        while true {
            let line = await BlockingWork.threads.run { editor.readLine() }
            switch line {
            case .end: return
            case .interrupted: continue
            case .line(let text):
                if await !commands.isSecret(text) { editor.add(toHistory: text) }
                guard await running.run({ await run(text) }) else { return }
                words.set(await commands.words())
            }
        }
    }

    /// The same where lines cannot be edited.
    private func runPlain() async throws(Failure) {
        var reader = LineReader()
        Output.prompt(Self.prompt)
        while let lines = try reader.next() {
            for bytes in lines {
                guard await run(String(decoding: bytes, as: UTF8.self)) else { return }
            }
            Output.prompt(Self.prompt)
        }
    }

    /// Runs a line, and says what is wrong with it; false for the last one.
    private func run(_ text: String) async -> Bool {
        do throws(Failure) {
            return try await commands.run(text)
        } catch {
            Output.message(error.line)
            return true
        }
    }

    /// The file that lines are kept in, by the XDG base directory specification.
    private static var historyFile: String? {
        func variable(_ name: String) -> String? {
            guard let value = unsafe getenv(name) else { return nil }
            let path = unsafe String(cString: value)
            return path.hasPrefix("/") ? path : nil
        }
        let folder = variable("XDG_STATE_HOME") ?? variable("HOME").map { "\($0)/.local/state" }
        return folder.map { "\($0)/webinspect/session-history" }
    }
}

/// The completions of the words of a line.
private final class SessionWords: Sendable {
    /// The words that may stand behind a command.
    private let operands = Mutex<[SessionVerb: [String]]>([:])

    func set(_ words: [SessionVerb: [String]]) { operands.withLock { $0 = words } }

    /// Returns the candidates for the last word of a line: commands, or the operands of one.
    func candidates(_ line: String) -> [String] {
        let words = line.split(separator: " ", omittingEmptySubsequences: false)
        guard let first = words.first, words.count > 1 else { return SessionVerb.allCases.map(\.rawValue) }
        guard words.count == 2, let verb = SessionVerb(rawValue: String(first)) else { return [] }
        return operands.withLock { $0[verb] ?? [] }
    }
}

/// The line that runs, which may be cancelled from another thread.
private final class RunningLine: Sendable {
    private let task = Mutex<Task<Bool, Never>?>(nil)

    /// Runs a line to its end.
    func run(_ body: @escaping @Sendable () async -> Bool) async -> Bool {
        let line = Task { await body() }
        task.withLock { $0 = line }
        defer { task.withLock { $0 = nil } }
        return await line.value
    }

    func cancel() { task.withLock { $0?.cancel() } }
}
