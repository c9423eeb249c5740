/// A page in a browser: from the first request to the result of its scripts.
///
/// Each has its own cookies and storage, which are removed with it.
struct RenderingTab: Sendable {
    /// The outcome of a rendering.
    struct Outcome: Sendable {
        var page: RenderedPage
        /// Whether the browser answers, and may render another page.
        let isBrowserWell: Bool
    }

    /// The time in seconds that the browser has to return the tree of a page whose time is over.
    private static let lastSeconds = 3.0
    /// The time between two checks of a page.
    private static let pause = Duration.milliseconds(20)
    /// The URL in place of that of a page that has none.
    private static let noURL = "http://page.invalid/"

    let pipe: BrowserPipe
    let page: ServedPage
    let options: RenderingOptions
    let record: RenderingRecord
    /// The page's name in the browser, which its frame has too.
    private let target: String
    private let session: String
    private let context: String
    private let pageURL: WebURL
    private let deadline: Double

    /// Opens an empty page.
    ///
    /// - Throws: ``RenderingError`` if the browser does not answer.
    init(_ page: ServedPage, _ options: RenderingOptions, in pipe: BrowserPipe) async throws(RenderingError) {
        (self.page, self.options, self.pipe) = (page, options, pipe)
        record = RenderingRecord(options)
        var seconds = options.maximumTime.inSeconds
        if let left = page.remainingSeconds { seconds = min(seconds, max(0, left - 2 * Self.lastSeconds)) }
        deadline = MonotonicClock.now + seconds
        let url = page.response.url.withoutFragment.withoutCredentials
        let isNamed = ["http", "https", "file"].contains(url.scheme)
        guard let pageURL = isNamed ? url : try? WebURL(Self.noURL) else {
            throw RenderingError(.ended, "the page has no URL that a browser takes")
        }
        self.pageURL = pageURL
        context = try await pipe.text("browserContextId", of: "Target.createBrowserContext")
        target = try await pipe.text(
            "targetId",
            of: "Target.createTarget",
            ["url": "about:blank", "browserContextId": .string(context)]
        )
        session = try await pipe.text(
            "sessionId",
            of: "Target.attachToTarget",
            ["targetId": .string(target), "flatten": true]
        )
    }

    /// Runs the page, and closes it.
    ///
    /// - Throws: ``RenderingError`` if the task is cancelled.
    func run() async throws(RenderingError) -> Outcome {
        let started = MonotonicClock.now
        let (held, requests) = AsyncStream.makeStream(of: (RequestRelay.Held, isPage: Bool).self)
        let relay = RequestRelay(pipe: pipe, page: page, record: record, pageURL: pageURL)
        let serving = Task {
            await withDiscardingTaskGroup { group in
                for await (held, isPage) in held {
                    group.addTask { await relay.answer(held, isPage: isPage) }
                }
                group.cancelAll()
            }
        }
        defer {
            requests.finish()
            serving.cancel()
        }
        let events = TabEvents(self, requests, frame: target)
        events.listen(to: session)
        var (ending, isWell): (Rendering.Ending, Bool) = (.crash, false)
        var tree: RenderedTree?
        do throws(RenderingError) {
            try await open()
            ending = try await wait()
            tree = await snapshot()
            isWell = tree != nil
            // The page's last seconds are over, or it does not exist any more.
            if !isWell { ending = pipe.failure == nil && !record.hasCrashed ? .time : .crash }
        } catch {
            if error.code == .cancelled || Task.isCancelled { throw RenderingError(.cancelled, "cancelled") }
        }
        var rendering = record.rendering(ending, isOfScripts: tree != nil)
        rendering.isCut = tree?.isCut ?? false
        var made = RenderedPage(html: tree?.html, url: tree?.url ?? page.response.url, rendering: rendering)
        if isWell {
            if let screenshot = options.screenshot { made.screenshot = await picture(screenshot) }
            if options.makesPDF { made.pdf = await pdf() }
        }
        made.rendering.duration = Duration(boundedSeconds: MonotonicClock.now - started)
        events.end()
        pipe.send("Target.disposeBrowserContext", ["browserContextId": .string(context)])
        return Outcome(page: made, isBrowserWell: isWell)
    }

    // MARK: - Its course

    /// Navigates to the page.
    private func open() async throws(RenderingError) {
        for domain in ["Page", "Runtime", "Log"] { send("\(domain).enable") }
        // Once this is answered, the process that the page gets is ready: no events of its beginning are lost.
        try await pipe.ask("Network.enable", session: session)
        send("Target.setAutoAttach", ["autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true])
        send("Network.setCacheDisabled", ["cacheDisabled": true])
        send("Network.setBypassServiceWorker", ["bypass": true])
        send(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(Int64(options.windowWidth)),
                "height": .integer(Int64(options.windowHeight)),
                "deviceScaleFactor": 1, "mobile": false,
            ]
        )
        send("Emulation.setScrollbarsHidden", ["hidden": true])
        if let name = page.request.headerFields[.userAgent] {
            send("Emulation.setUserAgentOverride", ["userAgent": .string(name)])
        }
        pipe.send(
            "Browser.setDownloadBehavior",
            ["behavior": "deny", "browserContextId": .string(context)]
        )
        try await pipe.ask("Fetch.enable", ["patterns": [["urlPattern": "*"]]], session: session)
        // The answer comes once the page has begun, which may take any time.
        send("Page.navigate", ["url": .string(pageURL.href + page.response.url.hash)])
    }

    /// Waits until the page is ready to be captured.
    private func wait() async throws(RenderingError) -> Rendering.Ending {
        let waitEnd = options.waitTime.map { MonotonicClock.now + $0.inSeconds } ?? .infinity
        var nextLook = 0.0
        while true {
            if record.hasCrashed { throw RenderingError(.ended, "the page has crashed") }
            let now = MonotonicClock.now
            if now >= deadline { return .time }
            if now >= waitEnd { return .wait }
            if let selector = options.waitSelector {
                if await matches(selector, until: deadline) { return .selector }
            } else if options.waitTime == nil, record.isQuiet {
                if record.isLoaded {
                    // The page may still have to process its last response, before it evaluates this.
                    _ = try? await evaluate("0", within: 1)
                    if record.isQuiet { return .quiet }
                    continue
                }
                // The browser does not always report the load.
                if now >= nextLook {
                    if await isTrue("document.readyState==='complete'", until: deadline) { return .quiet }
                    nextLook = MonotonicClock.now + 0.2
                }
            }
            do {
                try await Task.sleep(for: Self.pause)
            } catch {
                throw RenderingError(.cancelled, "cancelled")
            }
            if let failure = pipe.failure { throw failure }
        }
    }

    /// Whether something matches a selector.
    private func matches(_ selector: String, until deadline: Double) async -> Bool {
        await isTrue("document.querySelector(\(Self.quoted(selector)))!==null", until: deadline)
    }

    private func isTrue(_ script: String, until deadline: Double) async -> Bool {
        let seconds = max(0.1, min(5, deadline - MonotonicClock.now))
        let value = try? await evaluate(script, within: seconds)
        return value == .bool(true)
    }

    // MARK: - State

    private struct RenderedTree {
        let html: [UInt8]
        let url: WebURL
        let isCut: Bool
    }

    /// Returns the page as it is now; `nil` if the browser does not answer.
    private func snapshot() async -> RenderedTree? {
        if let tree = try? await tree() { return tree }
        // A script that does not end may block the browser.
        send("Runtime.terminateExecution")
        return try? await tree()
    }

    private func tree() async throws(RenderingError) -> RenderedTree {
        _ = try await evaluate(FormState.script, within: Self.lastSeconds)
        let history = try await pipe.ask(
            "Page.getNavigationHistory",
            session: session,
            within: Self.lastSeconds
        )
        let end = max(deadline, MonotonicClock.now + Self.lastSeconds)
        let markup = try await wholeTree(until: end).html(maximumBytes: page.maximumBodySize)
        return RenderedTree(html: markup.html, url: url(history), isCut: markup.isCut)
    }

    /// Returns the browser's tree of the page.
    private func wholeTree(until end: Double) async throws(RenderingError) -> DOMTree {
        let depth = DOMTree.nestingDepth
        // Otherwise text of white space alone is omitted, as between two links.
        send("DOM.enable", ["includeWhitespace": "all"])
        let whole = try await nodes("DOM.getDocument", [], depth: -1, until: end)
        var tree: DOMTree
        if let read = try? DOMTree(of: whole) {
            tree = read
        } else {
            // It is too deep for one answer of the browser: read one part after the other.
            let top = try await nodes("DOM.getDocument", [], depth: depth, until: end)
            do throws(DOMTreeError) {
                tree = try DOMTree(of: top)
            } catch {
                throw RenderingError(.ended, "the browser's tree cannot be read: \(error)")
            }
        }
        // The contents of templates are never sent with the rest.
        while let node = tree.nextIncomplete(), MonotonicClock.now < end {
            let names: [JSONValue.Member] = [.init("backendNodeId", .integer(Int64(node)))]
            let part = try await nodes("DOM.describeNode", names, depth: depth, until: end)
            // A node that does not exist any more has no answer, and no contents.
            try? tree.add(part)
        }
        return tree
    }

    /// Returns the browser's message about nodes to a depth, with the contents of frames and shadow roots.
    private func nodes(
        _ method: String,
        _ which: [JSONValue.Member],
        depth: Int,
        until end: Double
    ) async throws(RenderingError) -> [UInt8] {
        try await pipe.message(
            method,
            .object(which + [.init("depth", .integer(Int64(depth))), .init("pierce", true)]),
            session: session,
            within: max(0.1, end - MonotonicClock.now)
        )
    }

    /// Returns the current URL of the page, from the browser's history.
    private func url(_ history: JSONValue) -> WebURL {
        guard case .array(let entries) = history["entries"] ?? .null,
            case .integer(let index) = history["currentIndex"] ?? .null,
            entries.indices.contains(Int(bounded: index)),
            let url = entries[Int(bounded: index)]["url"]?.string.flatMap({ try? WebURL($0) }),
            url.scheme == page.response.url.scheme || url.scheme == "http" || url.scheme == "https"
        else { return page.response.url }
        return url
    }

    /// Evaluates an expression where the page's scripts cannot see it, nor redefine names.
    private func evaluate(_ script: String, within seconds: Double) async throws(RenderingError) -> JSONValue
    {
        let world = try await pipe.ask(
            "Page.createIsolatedWorld",
            ["frameId": .string(target), "worldName": "webinspect"],
            session: session,
            within: seconds
        )
        let answer = try await pipe.ask(
            "Runtime.evaluate",
            [
                "expression": .string(script), "contextId": world["executionContextId"] ?? .null,
                "returnByValue": true,
            ],
            session: session,
            within: seconds
        )
        return answer["result"]?["value"] ?? .null
    }

    // MARK: - Pictures

    /// Returns a picture as PNG; `nil` if the browser returns none.
    private func picture(_ wish: RenderingOptions.Screenshot) async -> [UInt8]? {
        var parameters: [JSONValue.Member] = [.init("format", "png")]
        if wish.isOfWholePage || wish.selector != nil {
            guard let clip = await clip(wish.selector) else { return nil }
            parameters += [.init("captureBeyondViewport", true), .init("clip", clip)]
        }
        let answer = try? await pipe.ask(
            "Page.captureScreenshot",
            .object(parameters),
            session: session,
            within: 30
        )
        return answer?["data"]?.string.map { Base64.decode($0) }
    }

    /// Returns the place of an element in the page, or of the whole page; `nil` if nothing matches, or is shown.
    private func clip(_ selector: String?) async -> JSONValue? {
        let element =
            selector.map { "document.querySelector(\(Self.quoted($0)))" } ?? "document.documentElement"
        let script = """
            (() => {
              const element = \(element);
              if (!element) return null;
              const box = element.getBoundingClientRect();
              return \(selector == nil)
                ? [0, 0, element.scrollWidth, Math.max(element.scrollHeight, innerHeight)]
                : [box.x + scrollX, box.y + scrollY, box.width, box.height];
            })()
            """
        guard case .array(let numbers) = try? await evaluate(script, within: Self.lastSeconds),
            numbers.count == 4
        else { return nil }
        let most = Double(RenderingOptions.mostPixels)
        let box = numbers.map { min(max(0, Self.number($0)), most) }
        guard box[2] >= 1, box[3] >= 1 else { return nil }
        return [
            "x": .number(box[0]), "y": .number(box[1]), "width": .number(box[2]), "height": .number(box[3]),
            "scale": 1,
        ]
    }

    private static func number(_ value: JSONValue) -> Double {
        switch value {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: 0
        }
    }

    private func pdf() async -> [UInt8]? {
        let answer = try? await pipe.ask(
            "Page.printToPDF",
            ["printBackground": true, "preferCSSPageSize": true],
            session: session,
            within: 60
        )
        return answer?["data"]?.string.map { Base64.decode($0) }
    }

    private func send(_ method: String, _ parameters: JSONValue = .object([])) {
        pipe.send(method, parameters, session: session)
    }

    /// Returns a text as a string of a script: JSON is that too.
    private static func quoted(_ text: String) -> String {
        String(decoding: JSONValue.string(text).serialized(), as: UTF8.self)
    }
}
