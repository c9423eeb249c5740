import CBrowser
import Glibc

/// A browser that runs, with all its processes, in a folder of its own.
///
/// However this process ends, nothing is left of the browser: a guard ensures that, a process that this one has forked.
/// It shares the memory of this one, which the system copies only when one of both writes: a process of 500 MB starts
/// it in 70 ms, one of 3 MB in 3 to 15. The browser's first answer takes 0.6 to 0.9 s. Nobody else may wait for the
/// guard.
final class BrowserProcess: Sendable {
    /// The descriptor for writing to the browser's descriptor 3: a socket, so that `send` need not signal.
    ///
    /// Its user closes it: this object does not.
    let input: Int32
    /// The descriptor for reading from the browser's descriptor 4, until none of its processes is left: a pipe.
    ///
    /// Its user closes it: this object does not.
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

    /// The process ID of the guard, a child of this process; the browser's processes are its descendants.
    var pid: pid_t { guardian.id }

    // MARK: - Starting

    /// Starts a browser in a new folder, which others cannot read, after removing those that killed guards have left.
    ///
    /// - Parameters:
    ///   - program: The program.
    ///   - flags: Its arguments, except for those of its folder and its sandbox: it has its own, unless it runs as
    ///     root, which it would refuse.
    ///   - place: The folder in which the browser's is created.
    /// - Returns: The browser, which need not answer yet.
    /// - Throws: ``/WebLoader/RenderingError`` of code `render.unavailable`, if the system does not start it. A browser
    ///   that ends at once has started; ``failure()`` returns the reason for its end.
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
        // Chromium has no sandbox for root, and refuses to start. All other users have it.
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

    /// Calls `body` with a list of C strings that ends with nil; a string is cut off at a NUL, as in C.
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
    /// They are complete once it has ``ended()``.
    var lastWords: String { Self.text(guardian.words) }

    /// Ends the browser, and returns the reason for which it ended before, if it did: of code `render.unavailable` if
    /// it has no sandbox, without which it does not run, `render.ended` otherwise.
    func failure() async -> RenderingError {
        // This does not change the status of a browser that has ended by itself.
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

    /// The status for a message, as in " with status 1".
    private var ending: String {
        guard let status = guardian.status else { return "" }
        return status & 0x7F == 0 ? " with status \(status >> 8 & 0xFF)" : " by signal \(status & 0x7F)"
    }

    /// The messages of Chromium where it has no sandbox.
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

    /// Returns the line with the reason for the end, else the last lines: 500 Unicode scalars at most.
    private static func excerpt(of words: String) -> String {
        // It has no D-Bus, and reports that again and again.
        let lines = words.split(separator: "\n").filter { !$0.contains("ERROR:dbus/") }
        let fatal = lines.last { $0.contains(":FATAL:") }
        return (fatal.map(String.init) ?? lines.suffix(3).joined(separator: "; ")).prefix(scalars: 500)
    }
}
