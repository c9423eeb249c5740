import CBrowser
import Glibc

/// A browser that runs, with all its processes, in a folder of its own.
///
/// However this process ends, nothing is left of it: a guard sees to that, which is a process that this one has forked. It has a
/// copy of this one's memory, of which the system makes none until one of both writes: a process of 500 MB starts it in 70 ms,
/// one of 3 MB in 3 to 15. The browser's first answer takes 0.6 to 0.9 s. Nobody else may wait for the guard.
final class BrowserProcess: Sendable {
    /// What is written here the browser can read as its descriptor 3: a socket, so that `send` need not signal.
    ///
    /// Whoever takes it closes it: this object does not.
    let input: Int32
    /// What the browser writes to its descriptor 4 can be read here, to its end once none of its processes is left: a pipe.
    ///
    /// Whoever takes it closes it: this object does not.
    let output: Int32

    private let program: BrowserProgram
    private let guardian: BrowserGuard

    private init(_ program: BrowserProgram, _ browser: webl_browser) {
        self.program = program
        unsafe (input, output) = (browser.requests, browser.answers)
        guardian = unsafe BrowserGuard(browser)
    }

    deinit {
        guardian.end()
    }

    /// The number of the guard's process, a child of this one; the browser's are its children, and theirs.
    var pid: pid_t { guardian.id }

    // MARK: - Starting

    /// Starts a browser in a new folder, which others cannot read, after removing those that killed guards have left.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - flags: Its arguments, except for where its folder is, and for the sandbox: it has its own, unless it runs as root, which
    ///     it refuses then.
    ///   - place: The folder that the browser's is made in.
    /// - Returns: The browser, which need not answer yet.
    /// - Throws: ``/WebLoader/RenderingError`` of code `render.unavailable`, if the system does not start it. One that ends at
    ///   once is started; ``failure()`` says why it has ended.
    static func start(
        _ program: BrowserProgram,
        _ flags: [String],
        in place: String = BrowserEnvironment.place
    ) async throws(RenderingError) -> BrowserProcess {
        try await BlockingWork.threads.run { () throws(RenderingError) in
            let browser = unsafe try launch(program, flags, in: place)
            return unsafe BrowserProcess(program, browser)
        }
    }

    private static func launch(
        _ program: BrowserProgram,
        _ flags: [String],
        in place: String
    ) throws(RenderingError) -> webl_browser {
        func failure(_ code: Int32, _ what: String) -> RenderingError {
            RenderingError(.unavailable, "\(what): \(File.Failure(errno: code).text)")
        }
        unsafe webl_browser_sweep(place)
        var folder = webl_browser_folder()
        var code = unsafe webl_browser_folder_make(place, &folder)
        guard code == 0 else { throw failure(code, "\(place): no folder for a browser can be made") }
        let path = "\(place)/\(name(of: folder))"
        var arguments = [program.path, "--user-data-dir=\(path)"]
        // Chromium has no sandbox for root, and says so. Nobody else is without.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        var browser = unsafe webl_browser()
        code = unsafe withStrings(arguments + flags) { arguments in
            unsafe withStrings(BrowserEnvironment.variables(folder: path)) { variables in
                unsafe webl_browser_start(arguments, variables, &folder, &browser)
            }
        }
        guard code == 0 else { throw failure(code, "\(program.path) cannot be started") }
        return unsafe browser
    }

    private static func name(of folder: webl_browser_folder) -> String {
        unsafe withUnsafeBytes(of: folder.name) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }

    /// Calls `body` with a list of C strings that ends with nil; a string is cut off at a NUL, as C has it.
    private static func withStrings<Value>(
        _ strings: [String],
        _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
    ) -> Value {
        let copies = unsafe strings.map { unsafe strdup($0) }
        defer { unsafe copies.forEach { unsafe free($0) } }
        let words = unsafe copies.map { unsafe UnsafePointer($0) } + [nil]
        return unsafe words.withUnsafeBufferPointer { unsafe body($0.baseAddress) }
    }

    // MARK: - Running

    /// The bytes of memory that its processes have written to or share; 0 once it has ended.
    ///
    /// This takes a millisecond or two.
    func memory() -> Int { guardian.memory }

    // MARK: - The end

    /// Ends the browser with all its processes, and removes its folder.
    ///
    /// This does not wait for that; ``ended()`` does. It may be called any number of times.
    func end() { guardian.end() }

    /// Ends the browser, and waits until none of its processes is left and its folder is gone: for 14 seconds at most.
    func ended() async { await guardian.ended() }

    /// The last 64 KiB at most that it has written to its standard error, without control characters but line feeds.
    ///
    /// They are all there once it has ``ended()``.
    var lastWords: String { Self.text(guardian.words) }

    /// Ends the browser, and says what it has died of, if it has ended before: of code `render.unavailable` where it has no sandbox
    /// and does without none, `render.ended` otherwise.
    func failure() async -> RenderingError {
        // What has ended by itself has, whoever asks for it then.
        await ended()
        let words = lastWords
        if Self.sandboxWords.contains(where: { words.contains($0) }) {
            return RenderingError(
                .unavailable,
                "\(program.path) has no sandbox here: it needs user namespaces, which this system keeps from users; allow them "
                    + "(sysctl kernel.unprivileged_userns_clone=1, or on Ubuntu kernel.apparmor_restrict_unprivileged_userns=0; "
                    + "in a container, by its settings)"
            )
        }
        let said = Self.excerpt(of: words)
        return RenderingError(.ended, "\(program.path) has ended\(ending)\(said.isEmpty ? "" : ": \(said)")")
    }

    /// As in " with status 1".
    private var ending: String {
        guard let status = guardian.status else { return "" }
        return status & 0x7F == 0 ? " with status \(status >> 8 & 0xFF)" : " by signal \(status & 0x7F)"
    }

    /// What Chromium says where it has no sandbox.
    private static let sandboxWords = [
        "No usable sandbox", "The setuid sandbox is not running as root", "Failed to move to new namespace",
    ]

    // MARK: - Words

    private static func text(_ bytes: [UInt8]) -> String {
        var kept: [UInt8] = []
        kept.reserveCapacity(bytes.count)
        var index = 0
        while index < bytes.count {
            let length = ControlCharacter.length(bytes[index...])
            if length > 0 {
                index += length
                continue
            }
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") || byte >= 0x20 && byte != 0x7F { kept.append(byte) }
            index += 1
        }
        return String(decoding: kept, as: UTF8.self)
    }

    /// The line that says why it has ended, else the last ones: 500 Unicode scalars at most.
    private static func excerpt(of words: String) -> String {
        // There is no bus for it, of which it complains again and again.
        let lines = words.split(separator: "\n").filter { !$0.contains("ERROR:dbus/") }
        let fatal = lines.last { $0.contains(":FATAL:") }
        return (fatal.map(String.init) ?? lines.suffix(3).joined(separator: "; ")).prefix(scalars: 500)
    }
}
