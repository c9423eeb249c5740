import Foundation
import Glibc

/// Chromium, headless, from Debian's package, with pages that are clicked on and typed into as a person does.
///
/// It is asked for all that by its debugger's pipe, and ends with that pipe: also where the tests are killed.
public final class DebuggedBrowser: Sendable {
    private let pipe: DebuggingPipe
    private let program: StartedProgram
    /// The file that its standard error is written to.
    private let log: URL

    /// So many at once: each has some hundred megabytes.
    fileprivate static let turns = Turns(3)

    /// Starts it, with nothing that was kept before.
    ///
    /// - Parameter folder: An empty folder for its profile.
    /// - Throws: An error, if it does not start or says nothing.
    fileprivate init(in folder: URL) async throws {
        var arguments = [
            "--headless=new", "--remote-debugging-pipe", "--disable-gpu", "--no-first-run",
            "--disable-extensions", "--disable-background-networking", "--disable-component-update",
            "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
        ]
        // As root, as in a container, it has no sandbox.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        log = folder.appendingPathComponent("browser.log")
        let nowhere = unsafe open("/dev/null", O_RDWR | O_CLOEXEC)
        let errors = unsafe open(log.path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        let (requests, answers) = (try PipeEnds(), try PipeEnds())
        defer { [nowhere, errors, requests.reading, answers.writing].forEach { close($0) } }
        // A browser that has ended is no reason for the tests to end.
        signal(SIGPIPE, SIG_IGN)
        program = try StartedProgram(
            "/usr/bin/chromium",
            arguments,
            descriptors: [nowhere, nowhere, errors, requests.reading, answers.writing],
            environment: ["HOME": folder.path]
        )
        pipe = DebuggingPipe(input: requests.writing, output: answers.reading)
        do {
            _ = try await pipe.send("Browser.getVersion", seconds: 300)
        } catch {
            let said = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            await end()
            throw TestServerError(message: "Chromium does not start: \(error) \(said.suffix(2000))")
        }
    }

    /// Opens an empty page with a window of this size.
    public func page(width: Int = 1440, height: Int = 900) async throws -> DebuggedPage {
        let target = try await pipe.send("Target.createTarget", ["url": "about:blank"])["targetId"]
        let attached = try await pipe.send("Target.attachToTarget", ["targetId": target, "flatten": true])
        guard let session = attached["sessionId"].text else {
            throw TestServerError(message: "a page has no session: \(attached.json)")
        }
        let page = DebuggedPage(pipe, target: target, session: session)
        try await page.begin()
        try await page.resize(width: width, height: height)
        return page
    }

    /// Ends it, with all that it has started.
    fileprivate func end() async {
        pipe.close()
        // It writes down what it has, and goes; if not, it is ended.
        _ = try? await program.end(within: 20)
        await program.endGroup()
    }
}

/// Runs a browser for as long as `body` takes.
public func withDebuggedBrowser<Value>(_ body: (DebuggedBrowser) async throws -> Value) async throws -> Value
{
    await DebuggedBrowser.turns.begin()
    defer { DebuggedBrowser.turns.end() }
    return try await withTemporaryFolder { (folder) async throws in
        let browser = try await DebuggedBrowser(in: folder)
        return try await ending(browser.end) { try await body(browser) }
    }
}
