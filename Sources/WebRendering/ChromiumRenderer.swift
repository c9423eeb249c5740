import Synchronization

/// A renderer that runs the scripts of pages in headless Chromium, which is started for the first page and reused for
/// later ones.
///
/// ```swift
/// var configuration = PageLoader.Configuration()
/// configuration.renderer = ChromiumRenderer()
/// let page = try await PageLoader(configuration: configuration).load(WebRequest(url: url))
/// print(page.rendering?.ending ?? .quiet, try await page.parsed().links.count)
/// ```
///
/// The browser has no network: the kernel denies it all sockets but those of this machine's files, and each of its
/// requests is answered by the loader of the page, or fails. Each page has its own cookies and storage, which are
/// removed with it. The browser's folder and its processes are removed with the renderer, and with the process, however
/// that ends. Linux only.
public final class ChromiumRenderer: PageRenderer {
    /// The number of pages after which a browser is replaced.
    private static let mostPages = 200

    /// The options of rendering, including its budget.
    public let options: RenderingOptions

    private let path: String?
    private let slots: TaskSlots
    private let idle = Mutex<[Browser]>([])

    /// A browser, and the number of pages that it has rendered.
    private struct Browser: Sendable {
        let process: BrowserProcess
        let pipe: BrowserPipe
        var pages = 0

        func end() {
            // A browser that does not read blocks writers until it has ended.
            process.end()
            pipe.close()
        }
    }

    /// Creates a renderer; no browser is started yet.
    ///
    /// - Parameters:
    ///   - options: The options of rendering.
    ///   - browser: The path of the browser; nil, the default, for `$WEBINSPECT_BROWSER`, else the first of Chromium's names in
    ///     `PATH`.
    ///   - maximumBrowsers: The number of pages that are rendered at once, each by a browser of its own: 2 by default,
    ///     at least 1. The others wait in turn.
    public init(
        options: RenderingOptions = RenderingOptions(),
        browser: String? = nil,
        maximumBrowsers: Int = 2
    ) {
        self.options = options
        path = browser
        slots = TaskSlots(max(1, maximumBrowsers))
    }

    deinit {
        for browser in idle.withLock({ $0 }) { browser.end() }
    }

    /// Renders a page, as ``/WebLoader/PageRenderer`` specifies.
    public func render(_ page: ServedPage) async throws(RenderingError) -> RenderedPage {
        await slots.enter()
        defer { slots.leave() }
        if Task.isCancelled { throw RenderingError(.cancelled, "cancelled") }
        var browser = try await browser()
        browser.pages += 1
        let watch = MemoryWatch(limit: options.maximumMemory)
        let watching = Task { [process = browser.process] in await watch.run(process) }
        defer { watching.cancel() }
        do throws(RenderingError) {
            let tab = try await RenderingTab(page, options, in: browser.pipe)
            var outcome = try await tab.run()
            outcome.page.rendering.peakMemory = watch.peak
            if watch.isOver { outcome.page.rendering.ending = .memory }
            if outcome.isBrowserWell, browser.pages < Self.mostPages {
                idle.withLock { $0.append(browser) }
            } else {
                browser.end()
            }
            return outcome.page
        } catch {
            browser.end()
            guard watch.isOver else { throw error }
            // It was ended before the page had begun.
            var rendering = Rendering(ending: .memory, isOfScripts: false)
            rendering.peakMemory = watch.peak
            return RenderedPage(html: nil, url: page.response.url, rendering: rendering)
        }
    }

    /// Returns an idle browser, or a new one.
    private func browser() async throws(RenderingError) -> Browser {
        while let browser = idle.withLock({ $0.popLast() }) {
            if browser.pipe.failure == nil { return browser }
            browser.end()
        }
        let process = try await BrowserProcess.start(BrowserProgram.find(path), BrowserFlags.all)
        let browser = Browser(
            process: process,
            pipe: BrowserPipe(input: process.input, output: process.output)
        )
        do throws(RenderingError) {
            try await browser.pipe.ask("Browser.getVersion", within: 60)
            return browser
        } catch {
            browser.end()
            if error.code == .cancelled { throw error }
            throw RenderingError(.unavailable, await process.failure().message)
        }
    }
}

/// A watch over the memory of a browser, which ends a browser that exceeds the limit.
private final class MemoryWatch: Sendable {
    private let limit: Int
    private let state = Mutex((peak: 0, isOver: false))

    init(limit: Int) {
        self.limit = limit
    }

    /// The peak of the memory, in bytes.
    var peak: Int { state.withLock { $0.peak } }

    /// Whether the browser was ended because it exceeded the limit.
    var isOver: Bool { state.withLock { $0.isOver } }

    /// Checks the memory ten times a second, until the task is cancelled.
    func run(_ process: BrowserProcess) async {
        while !Task.isCancelled {
            let bytes = process.memory()
            let isOver = state.withLock { state in
                state.peak = max(state.peak, bytes)
                state.isOver = state.isOver || bytes > limit
                return state.isOver
            }
            if isOver { return process.end() }
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}
