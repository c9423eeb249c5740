import WebLoader

/// How the scripts of pages are run, if they are.
struct RenderingChoice: Equatable {
    /// Whether they are.
    var isWanted = false
    var options = RenderingOptions()
    /// The file that a picture is written to; `nil` if there is none.
    var screenshot: String?
    /// The file that the page is written to as PDF; `nil` if there is none.
    var pdf: String?

    /// Changes an option: whoever says how to render wants that done.
    mutating func want(_ change: (inout RenderingOptions) -> Void) {
        isWanted = true
        change(&options)
    }
}

extension CommandFlag {
    /// The flags about running the scripts of pages, of every command that parses.
    static let rendering: [CommandFlag] = [
        .flag(
            "--render",
            help: "Run the page's scripts, in headless Chromium, and take what they make of it."
        ) {
            $0.loading.rendering.isWanted = true
        },
        .value(
            "--wait-for",
            value: "selector",
            help:
                "Take the page once this CSS selector matches, not once it is quiet; as all below with --render."
        ) { (line, text) throws(Failure) in
            let selector = try RenderingChoice.selector("--wait-for", text)
            line.loading.rendering.want { $0.waitSelector = selector }
        },
        .value(
            "--wait",
            value: "s",
            help: "Take the page after so many seconds, not once it is quiet.",
            read: LoadingOptions.seconds
        ) { (line, seconds) in
            line.loading.rendering.want { $0.waitTime = Duration(boundedSeconds: seconds) }
        },
        .value(
            "--render-time",
            value: "s",
            help: "The most seconds that scripts have (30); then the page is taken as it is.",
            read: LoadingOptions.seconds
        ) { (line, seconds) in
            line.loading.rendering.want { $0.maximumTime = Duration(boundedSeconds: seconds) }
        },
        .value(
            "--render-memory",
            value: "bytes",
            help: "The most memory of the browser (2G); beyond it the page is as it was served.",
            read: LoadingOptions.size
        ) { (line, bytes) in line.loading.rendering.want { $0.maximumMemory = bytes } },
        .value(
            "--render-bytes",
            value: "bytes",
            help: "The most bytes that the page may load (256M).",
            read: LoadingOptions.size
        ) { (line, bytes) in line.loading.rendering.want { $0.maximumBytes = bytes } },
        .value("--render-requests", value: "n", help: "The most requests that the page may make (1000).") {
            (line, text) throws(Failure) in
            let count = try LoadingOptions.count("--render-requests", text)
            line.loading.rendering.want { $0.maximumRequests = count }
        },
    ]

    /// The flags about pictures, of commands that have one page.
    static let pictures: [CommandFlag] = [
        .value("--screenshot", value: "file", help: "Write a picture of the page, as PNG; with --render.") {
            (line, file) in
            line.loading.rendering.screenshot = file
            line.loading.rendering.want { $0.screenshot = $0.screenshot ?? .init() }
        },
        .flag("--full", help: "A picture of the whole page, not only of what the window shows.") { line in
            line.loading.rendering.want { $0.picture { $0.isOfWholePage = true } }
        },
        .value(
            "--selector",
            value: "selector",
            help: "A picture of the first element that this CSS selector matches."
        ) { (line, text) throws(Failure) in
            let selector = try RenderingChoice.selector("--selector", text)
            line.loading.rendering.want { $0.picture { $0.selector = selector } }
        },
        .value("--width", value: "n", help: "The width of the window in CSS pixels (1280).") {
            (line, text) throws(Failure) in
            let width = try LoadingOptions.count("--width", text)
            line.loading.rendering.want { $0.windowWidth = width }
        },
        .value("--pdf", value: "file", help: "Write the page as PDF; with --render.") { (line, file) in
            line.loading.rendering.pdf = file
            line.loading.rendering.want { $0.makesPDF = true }
        },
    ]
}

extension RenderingOptions {
    /// Changes the picture that is taken.
    fileprivate mutating func picture(_ change: (inout Screenshot) -> Void) {
        var picture = screenshot ?? Screenshot()
        change(&picture)
        screenshot = picture
    }
}

extension RenderingChoice {
    /// A selector, as it was given; browsers know all that we know.
    fileprivate static func selector(_ flag: String, _ text: String) throws(Failure) -> String {
        do throws(SelectorError) {
            _ = try Selector(text)
            return text
        } catch {
            throw Failure(usage: "\(flag) \(text)", error.description, code: error.code.rawValue)
        }
    }

    /// Refuses to run scripts, where they are not run.
    func refuse(_ reason: String) throws(Failure) {
        if isWanted { throw Failure(usage: "--render", reason) }
    }

    /// Refuses a picture that nobody has a file for.
    func check() throws(Failure) {
        guard options.screenshot == nil || screenshot != nil else {
            throw Failure(usage: "--full, --selector", "only together with --screenshot FILE")
        }
    }

    /// Writes the pictures of a page to their files.
    ///
    /// - Throws: ``Failure`` if there is no picture, or it cannot be written.
    func write(_ page: Page, of name: String) throws(Failure) {
        try write(page.screenshot, to: screenshot, "picture", of: name)
        try write(page.pdf, to: pdf, "PDF", of: name)
    }

    private func write(_ bytes: [UInt8]?, to file: String?, _ what: String, of name: String) throws(Failure) {
        guard let file else { return }
        guard let bytes else {
            throw Failure(
                subject: name,
                "the browser has made no \(what) of it",
                code: "render.picture",
                status: .content
            )
        }
        try Output.write(bytes, to: file)
    }
}
