import CTerminal
import Glibc
import WebLoader

/// A reader of lines at a terminal, where they are edited, completed at a Tab, and recalled by the arrow keys.
///
/// It blocks, and is for one thread at a time. If a signal ends the process meanwhile, the terminal is
/// restored.
@safe final class LineEditor: @unchecked Sendable {
    /// The result of reading a line.
    enum Line: Equatable {
        /// A line without its end, with no end of a line and no NUL in it; 1 MiB at most.
        case line(String)
        /// Control-C, or a line that is too long, which has been said.
        case interrupted
        /// Control-D on an empty line, or nothing is at the other end any more.
        case end
    }

    private var lines: OpaquePointer?
    private let history: LineHistory?
    private let complete: @Sendable (String) -> [String]

    /// Whether the library is there that edits lines.
    static var isAvailable: Bool { webl_lines_are_available() != 0 }

    /// Creates an editor with the lines of earlier times; `nil` if the library is missing, or lines cannot be
    /// edited on the standard streams.
    ///
    /// - Parameters:
    ///   - prompt: The text before a line.
    ///   - historyFile: The file that lines are stored in; `nil` stores none. An unusable file is ignored.
    ///   - complete: Receives a line up to the cursor, and returns the candidates for its last word; those
    ///     that do not begin with that word are ignored.
    init?(
        prompt: String,
        historyFile: String?,
        complete: @escaping @Sendable (String) -> [String]
    ) {
        let opened = unsafe webl_lines_open(prompt) { context, line, length, insertion, listing in
            guard let context = unsafe context, let line = unsafe line else { return }
            let editor = unsafe Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
            let completion = editor.completion(unsafe LineEditor.text(line, length))
            unsafe insertion?.pointee = strdup(completion.insertion)
            unsafe listing?.pointee = strdup(completion.listing)
        }
        guard let opened = unsafe opened else { return nil }
        unsafe lines = opened
        history = historyFile.map(LineHistory.init)
        self.complete = complete
        for line in history?.lines() ?? [] { remember(line) }
    }

    deinit { close() }

    /// Ends it: it reads no more lines.
    func close() {
        unsafe webl_lines_close(lines)
        unsafe lines = nil
    }

    /// Shows the prompt and waits for a line.
    func readLine() -> Line {
        guard let lines = unsafe lines else { return .end }
        var line: UnsafePointer<CChar>?
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        let length = unsafe webl_lines_read(lines, context, &line)
        switch length {
        case WEBL_LINES_INTERRUPTED: return .interrupted
        case WEBL_LINES_TOO_LONG:
            Output.message("webinspect: the line is longer than 262144 characters")
            return .interrupted
        default:
            guard length >= 0, let line = unsafe line else { return .end }
            return unsafe .line(Self.text(line, length))
        }
    }

    /// Has the arrow keys bring a line back, at later times too; an empty one is not kept.
    func add(toHistory line: String) {
        guard line.utf8.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { return }
        remember(line)
        history?.add(line)
    }

    private func remember(_ line: String) {
        guard let lines = unsafe lines else { return }
        unsafe webl_lines_remember(lines, line, line.utf8.count)
    }

    private func completion(_ line: String) -> LineCompletion {
        // Columns of the terminal, where it says how many it has.
        LineCompletion(line: line, candidates: complete(line), width: Terminal.at(1).width ?? 80)
    }

    private static func text(_ bytes: UnsafePointer<CChar>, _ length: Int) -> String {
        let buffer = unsafe UnsafeRawBufferPointer(start: bytes, count: length)
        return unsafe String(decoding: buffer, as: UTF8.self)
    }
}
