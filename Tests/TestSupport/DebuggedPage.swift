public import Foundation
import Synchronization

/// A page of a browser: its navigations, the results of its scripts, and its problems.
///
/// Content may take a while to appear: a search for it waits until it exists.
public final class DebuggedPage: Sendable {
    /// The events in the page so far.
    private struct Events {
        var problems: [String] = []
        var failures: [String] = []
        var requests: [String] = []
        /// The sessions of frames that have a process of their own, in the order in which they came.
        var frames: [String] = []
    }

    let pipe: DebuggingPipe
    private let target: ScriptValue
    private let session: String
    private let events = Mutex(Events())

    init(_ pipe: DebuggingPipe, target: ScriptValue, session: String) {
        self.pipe = pipe
        self.target = target
        self.session = session
    }

    /// Has the browser tell what happens in the page.
    func begin() async throws {
        pipe.listen(to: session) { [self] in note($0, $1) }
        for domain in ["Page", "Runtime", "Log", "DOM", "Network", "Accessibility"] {
            try await send("\(domain).enable")
        }
        // Each page is as one that a person looks at, however many there are.
        try await send("Emulation.setFocusEmulationEnabled", ["enabled": true])
        try await send(
            "Target.setAutoAttach",
            ["autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true]
        )
    }

    @discardableResult
    func send(_ method: String, _ parameters: ScriptValue = [:]) async throws -> ScriptValue {
        try await pipe.send(method, parameters, session: session)
    }

    // MARK: - Events

    /// Errors and warnings of the console, exceptions, what the policy forbids, dialogs; empty where all is well.
    public var problems: [String] { events.withLock { $0.problems } }

    /// Requests that were answered with an error, or not at all.
    public var failures: [String] { events.withLock { $0.failures } }

    /// The URLs that the page and its frames have asked for.
    public var requestedURLs: [String] { events.withLock { $0.requests } }

    private func note(_ method: String, _ parameters: ScriptValue) {
        switch method {
        case "Runtime.consoleAPICalled":
            let kind = parameters["type"].text ?? ""
            guard ["error", "warning", "assert"].contains(kind) else { return }
            add("console: \(parameters["args"].items.map { $0["value"].text ?? $0["description"].json })")
        case "Runtime.exceptionThrown":
            let details = parameters["exceptionDetails"]
            add("exception: \(details["exception"]["description"].text ?? details["text"].json)")
        case "Log.entryAdded":
            let entry = parameters["entry"]
            guard ["error", "warning"].contains(entry["level"].text ?? "") else { return }
            // Chromium's messages on pages of its own, and its advice, depend on its version.
            let url = entry["url"].text ?? ""
            let isAdvice = ["deprecation", "intervention", "recommendation"].contains(
                entry["source"].text ?? ""
            )
            guard !isAdvice, !url.hasPrefix("chrome"), !url.hasPrefix("devtools:") else { return }
            let text = "\(entry["text"].text ?? "") \(url)"
            if entry["source"] == "network" {
                events.withLock { $0.failures.append(text) }
            } else {
                add(text)
            }
        case "Network.requestWillBeSent":
            if let url = parameters["request"]["url"].text { events.withLock { $0.requests.append(url) } }
        case "Page.javascriptDialogOpening":
            add("dialog: \(parameters["message"].json)")
            Task { try await send("Page.handleJavaScriptDialog", ["accept": true]) }
        case "Inspector.targetCrashed": add("the page has crashed")
        case "Target.attachedToTarget" where parameters["targetInfo"]["type"] == "iframe":
            guard let frame = parameters["sessionId"].text else { return }
            events.withLock { $0.frames.append(frame) }
            pipe.listen(to: frame) { [self] method, parameters in
                if method == "Network.requestWillBeSent" { note(method, parameters) }
            }
            Task { try await pipe.send("Network.enable", session: frame) }
        case "Target.detachedFromTarget":
            events.withLock { events in events.frames.removeAll { $0 == parameters["sessionId"].text } }
        default: break
        }
    }

    private func add(_ problem: String) { events.withLock { $0.problems.append(problem) } }

    // MARK: - Scripts

    /// The value of an expression in the page.
    @discardableResult
    public func evaluate(_ script: String) async throws -> ScriptValue {
        try await evaluate(script, in: session)
    }

    /// The value of an expression in the frame that came last, where the page's own scripts do not run.
    public func evaluateInFrame(_ script: String) async throws -> ScriptValue {
        guard let frame = events.withLock({ $0.frames.last }) else {
            throw TestServerError(message: "the page has no frame")
        }
        return try await evaluate(script, in: frame)
    }

    /// The values of an expression in each of the frames.
    public func evaluateInFrames(_ script: String) async throws -> [ScriptValue] {
        var values: [ScriptValue] = []
        for frame in events.withLock({ $0.frames }) { values.append(try await evaluate(script, in: frame)) }
        return values
    }

    private func evaluate(_ script: String, in session: String) async throws -> ScriptValue {
        let answer = try await pipe.send(
            "Runtime.evaluate",
            [
                "expression": .string(script), "returnByValue": true, "awaitPromise": true,
                "userGesture": true,
            ],
            session: session
        )
        let details = answer["exceptionDetails"]
        guard details == .null else {
            throw TestServerError(
                message: "\(script): \(details["exception"]["description"].text ?? details.json)"
            )
        }
        return answer["result"]["value"]
    }

    /// Waits until an expression is true in the page.
    public func wait(until script: String) async throws {
        try await wait(script) { try await evaluate("!!(\(script))") }
    }

    /// Waits until an expression is true in the frame that came last.
    public func waitInFrame(until script: String) async throws {
        try await wait("in the frame: \(script)") { try await evaluateInFrame("!!(\(script))") }
    }

    /// Waits until an expression has these values in the frames, whatever their order.
    public func waitInFrames(until script: String, are values: Set<ScriptValue>) async throws {
        try await wait("in the frames: \(script)") {
            .bool(Set(try await evaluateInFrames(script)) == values)
        }
    }

    /// Waits until a closure gives true; an error is false, as while a page is left for another.
    func wait(_ what: String, _ isThere: () async throws -> ScriptValue) async throws {
        // The rest of the suite may have all cores.
        let end = ContinuousClock.now + .seconds(180)
        var reason = ""
        repeat {
            do {
                if try await isThere() == true { return }
                reason = ""
            } catch {
                reason = " (\(error))"
            }
            try await Task.sleep(for: .milliseconds(20))
        } while ContinuousClock.now < end
        let shown = try? await evaluate("location.href + ': ' + document.body.innerText.slice(0, 3000)").text
        throw TestServerError(
            message:
                "\(what) is not so\(reason). Problems: \(problems), \(failures). Shown: \(shown ?? "")"
        )
    }

    // MARK: - Going

    /// Goes to a URL, as if it were typed into the browser's address bar.
    public func navigate(_ url: String) async throws {
        let answer = try await send("Page.navigate", ["url": .string(url)])
        if let reason = answer["errorText"].text { throw TestServerError(message: "\(url): \(reason)") }
        try await wait(until: "document.readyState === 'complete'")
    }

    /// Presses the browser's button for that.
    public func reload() async throws {
        try await evaluate("globalThis.isOldPage = true")
        try await send("Page.reload")
        try await wait(until: "!globalThis.isOldPage && document.readyState === 'complete'")
    }

    /// Presses the browser's button for the page before this one.
    public func goBack() async throws { try await go(-1) }

    /// Presses the browser's button for the page after this one.
    public func goForward() async throws { try await go(1) }

    private func go(_ steps: Int) async throws {
        let history = try await send("Page.getNavigationHistory")
        let entry = history["entries"][(history["currentIndex"].int ?? 0) + steps]["id"]
        guard entry != .null else {
            throw TestServerError(message: "there is no page to go to: \(history.json)")
        }
        try await send("Page.navigateToHistoryEntry", ["entryId": entry])
    }

    /// Closes the page.
    public func close() async throws {
        _ = try await pipe.send("Target.closeTarget", ["targetId": target])
        pipe.listen(to: session, nil)
    }

    // MARK: - Looks

    /// Gives the window another size, in CSS pixels.
    public func resize(width: Int, height: Int) async throws {
        try await send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .number(Double(width)), "height": .number(Double(height)), "deviceScaleFactor": 1,
                "mobile": false,
            ]
        )
    }

    /// Has it drawn for another medium, or for a person who prefers something: ["prefers-color-scheme": "dark"].
    public func prefer(_ features: [String: String], medium: String = "") async throws {
        let features = features.map { ["name": .string($0.key), "value": .string($0.value)] as ScriptValue }
        try await send(
            "Emulation.setEmulatedMedia",
            ["media": .string(medium), "features": .array(features)]
        )
    }

    /// Draws the window into a file.
    public func screenshot(_ file: URL) async throws {
        let image = try await send("Page.captureScreenshot", ["format": "png"])["data"].text ?? ""
        try (Data(base64Encoded: image) ?? Data()).write(to: file)
    }

    /// Puts files that are downloaded into a folder.
    public func saveDownloads(in folder: URL) async throws {
        let parameters: ScriptValue = ["behavior": "allow", "downloadPath": .string(folder.path)]
        _ = try await pipe.send("Browser.setDownloadBehavior", parameters)
    }
}
