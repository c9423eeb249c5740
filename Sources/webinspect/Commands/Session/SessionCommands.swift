import HTTPTypes
import Synchronization
import WebBrowsing

/// Does what the lines of a session say.
struct SessionCommands {
    let session: PageSession
    let options: LoadingOptions
    /// The cookies, `name=value` each, of the hosts that are opened.
    private let cookies: [String]
    /// The hosts that have them.
    private let hosts = Hosts()

    private final class Hosts: Sendable {
        let names = Mutex<Set<String>>([])
    }
    let isInteractive: Bool

    init(_ session: PageSession, _ options: LoadingOptions, _ cookies: [String], isInteractive: Bool) {
        self.session = session
        self.options = options
        self.cookies = cookies
        self.isInteractive = isInteractive
    }

    /// Runs a line, answers it, and saves the session.
    ///
    /// - Returns: False if it ends the session.
    func run(_ text: String) async throws(Failure) -> Bool {
        guard let line = try SessionLine(text) else { return true }
        guard line.verb != .quit else { return false }
        let result: Result<Void, Failure>
        do throws(Failure) {
            try await run(line)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        // A failed line may have changed something too, such as cookies.
        do throws(StateError) {
            try await session.saveState()
        } catch {
            if case .failure(let failure) = result { Output.message(failure.line) }
            throw Failure(state: error, of: "session")
        }
        try result.get()
        return true
    }

    private func run(_ line: SessionLine) async throws(Failure) {
        switch line.verb {
        case .open: try await open(line.operand)
        case .title: try answer(await opened { $0.title ?? "" })
        case .url: try answer(await opened { $0.url.href })
        case .links: try await links()
        case .follow: try await follow(line.operand)
        case .back: try await move { (session) async throws(LoadError) in try await session.goBack() }
        case .forward: try await move { (session) async throws(LoadError) in try await session.goForward() }
        case .go: try await go(line.operand)
        case .reload: try await reload(line.operand)
        case .history: try await history()
        case .find: try await find(line.operand, isBackwards: false)
        case .next: try await findAgain(line.verb, isBackwards: false)
        case .previous: try await findAgain(line.verb, isBackwards: true)
        case .forms: try await forms()
        case .fill: try await fill(line)
        case .submit: try await submit(line)
        case .select: try await select(line.operand)
        case .extract: try await extract(line.operand)
        case .text: try await text()
        case .save: try await save(line.operand)
        case .cookies: try Output.write(Array(session.cookieJar.text().utf8))
        case .help: try answer(SessionVerb.list)
        case .quit: break
        }
    }

    /// Whether a line has a secret in it, as what a field for a password is filled in with.
    func isSecret(_ text: String) async -> Bool {
        // A URL with a password in it.
        guard Source.redacted(text) == text,
            text.split(separator: " ").allSatisfy({ Source.redacted(String($0)) == $0 })
        else { return true }
        guard let line = try? SessionLine(text), line.verb == .fill, let name = try? line.word().word else {
            return false
        }
        guard let forms = try? await session.pageForms, let place = try? forms.field(name) else {
            return true
        }
        return forms[place].type == "password"
    }

    /// The words that may stand behind commands now: names of fields and buttons, URLs of the history.
    func words() async -> [SessionVerb: [String]] {
        var words: [SessionVerb: [String]] = [
            .reload: ["origin"], .open: await session.history.entries.map(\.url.href),
        ]
        // Completion is a help, and what is wrong with the page shows when it is used.
        let fields = (try? await session.pageForms)?.forms.flatMap(\.fields) ?? []
        let named = fields.filter { $0.name.map { !$0.isEmpty && !$0.contains(" ") } ?? false }
        words[.fill] = named.filter { !$0.isSubmitButton }.compactMap(\.name)
        words[.submit] = named.filter(\.isSubmitButton).compactMap(\.name)
        return words
    }

    // MARK: - Answers

    private func answer(_ text: String) throws(Failure) { try Output.write(Array("\(text)\n".utf8)) }

    /// A text as one field of a line.
    static func field(_ text: String) -> String { TerminalText.visible(text) }

    /// Something of the entry in view.
    func opened<Value>(_ value: (HistoryEntry) -> Value) async throws(Failure) -> Value {
        guard let entry = await session.history.current else { throw Self.nothingOpen }
        return value(entry)
    }

    private static let nothingOpen = Failure(
        subject: "session",
        "no page is open: open URL opens one",
        code: "session.empty",
        status: .usage
    )

    /// The page in view.
    private func page() async throws(Failure) -> (page: ParsedPage, name: String) {
        let name = try await opened { $0.url.description }
        let page = try await loading(name) { () async throws(LoadError) in try await session.page }
        guard let page else { throw Self.nothingOpen }
        return (try await page.parsed(for: name), name)
    }

    func loading<Value>(
        _ name: String,
        _ body: () async throws(LoadError) -> Value
    ) async throws(Failure) -> Value {
        do throws(LoadError) {
            return try await body()
        } catch {
            throw Failure(error, source: name)
        }
    }

    /// Says what came, as far as somebody looks.
    func arrived(_ navigation: Navigation) throws(Failure) {
        Diagnostics.report(navigation.page.response, options)
        if isInteractive {
            let status = navigation.page.response.status.map { "\($0.code) " } ?? ""
            try answer("\(status)\(Self.field(navigation.entry.title ?? navigation.entry.url.description))")
        }
        for failure in navigation.resources?.failures ?? [] where !options.isSilent {
            Output.message(
                "webinspect: warning: \(failure.url) is missing: \(failure.message) (\(failure.code))"
            )
        }
        if navigation.kind != .history { try Diagnostics.checkStatus(navigation.page.response, options) }
    }

    // MARK: - Going to pages

    private func open(_ name: String) async throws(Failure) {
        guard !name.isEmpty else { throw Failure(usage: "open", "expects a URL or a path") }
        guard case .url(let url) = try Source(name, options) else {
            throw Failure(usage: "open -", "standard input has the commands")
        }
        let request = try options.request(for: url)
        storeCookies(for: url)
        try arrived(try await loading(name) { () async throws(LoadError) in try await session.load(request) })
    }

    /// Stores the cookies of `-b` as if the host had set them, when it is opened for the first time: the
    /// cookies that it sets replace them.
    private func storeCookies(for url: WebURL) {
        let isFirst = hosts.names.withLock { $0.insert(url.hostname).inserted }
        guard isFirst, url.scheme == "http" || url.scheme == "https" else { return }
        let jar = session.cookieJar
        for pair in cookies {
            var fields = HTTPFields()
            fields[.setCookie] = "\(pair); Path=/\(url.scheme == "https" ? "; Secure" : "")"
            jar.take(fields, from: url)
        }
        let stored = Set(jar.cookies.lazy.filter { $0.domain == url.hostname }.map(\.name))
        for name in cookies.map({ $0.prefix { $0 != "=" } }) where !stored.contains(String(name)) {
            Output.message(
                "webinspect: warning: the cookie \(name) is not for \(url.hostname) by \(url.scheme)"
            )
        }
    }

    private func follow(_ name: String) async throws(Failure) {
        guard !name.isEmpty else {
            throw Failure(usage: "follow", "expects the number or the text of a link")
        }
        _ = try await opened(\.url)
        let links = try await loading("links") { () async throws(LoadError) in try await session.links }
        var link: PageSession.FollowableLink?
        if let number = Int(inBounds: name) {
            link = links.indices.contains(number -| 1) ? links[number - 1] : nil
        }
        link = link ?? links.first { $0.text == name }
        guard let link else {
            throw Failure(
                subject: "follow \(name.shortened)",
                "the page has \(Wording.number(links.count, "link")), and none with that number or text",
                code: "session.link",
                status: .no
            )
        }
        let navigation = try await loading(link.url.description) { () async throws(LoadError) in
            try await session.follow(link)
        }
        try arrived(navigation)
    }

    private func move(
        _ body: (PageSession) async throws(LoadError) -> Navigation?
    ) async throws(Failure) {
        let name = try await opened { $0.url.description }
        let navigation = try await loading(name) { () async throws(LoadError) in try await body(session) }
        guard let navigation else {
            throw Failure(
                subject: "session",
                "the history has no page there",
                code: "session.nowhere",
                status: .no
            )
        }
        try arrived(navigation)
    }

    private func go(_ text: String) async throws(Failure) {
        guard !text.isEmpty else { throw Failure(usage: "go", "expects the number of an entry") }
        let entries = await session.history.entries
        guard let number = Int(inBounds: text), entries.indices.contains(number -| 1) else {
            throw Failure(
                usage: "go \(text.shortened)",
                "not the number of an entry, of which there are \(entries.count)"
            )
        }
        try await move { (session) async throws(LoadError) in try await session.go(to: entries[number - 1]) }
    }

    private func reload(_ text: String) async throws(Failure) {
        switch text {
        case "": try await move { (session) async throws(LoadError) in try await session.reload() }
        case "origin":
            try await move { (session) async throws(LoadError) in try await session.reloadFromOrigin() }
        default: throw Failure(usage: "reload \(text.shortened)", "expects nothing, or origin")
        }
    }

    // MARK: - Listing

    private func links() async throws(Failure) {
        _ = try await opened(\.url)
        let links = try await loading("links") { () async throws(LoadError) in try await session.links }
        var output = ""
        for (index, link) in links.enumerated() {
            output += "\(index + 1)\t\(link.url)\t\(Self.field(link.text))\n"
        }
        try Output.write(Array(output.utf8))
        if let failure = Diagnostics.limitFailure(of: try await page().page) { throw failure }
    }

    private func history() async throws(Failure) {
        let list = await session.history
        var output = ""
        for (index, entry) in list.entries.enumerated() {
            let mark = index == list.currentIndex ? "*" : " "
            output += "\(mark)\(index + 1)\t\(entry.url)\t\(Self.field(entry.title ?? ""))\n"
        }
        try Output.write(Array(output.utf8))
    }

    private func find(_ text: String, isBackwards: Bool) async throws(Failure) {
        let name = try await opened { $0.url.description }
        guard !text.isEmpty else { throw Failure(usage: "find", "expects a text") }
        var configuration = PageSession.FindConfiguration()
        configuration.isBackwards = isBackwards
        let asked = configuration
        let (match, number, count) = try await loading(name) { () async throws(LoadError) in
            let match = try await session.find(text, configuration: asked)
            return (match, await session.matchNumber, await session.matchCount)
        }
        guard let match else {
            throw Failure(
                subject: "find \(text.shortened)",
                "it is not on the page",
                code: "find.none",
                status: .no
            )
        }
        let position = match.start.position
        let place = position.map { "\($0.line)" + ($0.column.map { ":\($0)" } ?? "") } ?? "-"
        try answer(
            "\(number ?? 0)/\(count)\t\(place)\t\(Self.field(match.before + match.text + match.after))"
        )
    }

    private func findAgain(_ verb: SessionVerb, isBackwards: Bool) async throws(Failure) {
        guard let text = await session.soughtText else {
            throw Failure(usage: verb.rawValue, "nothing was looked for on this page: find TEXT does")
        }
        try await find(text, isBackwards: isBackwards)
    }

    private func select(_ selector: String) async throws(Failure) {
        guard !selector.isEmpty else { throw Failure(usage: "select", "expects a selector") }
        var select = SelectOptions()
        select.queries = [SelectOptions.Query(text: selector)]
        let queries = try SelectQuery.prepare(select)
        let (page, name) = try await page()
        let report = try SelectionReport(page, source: name, select, queries)
        try Output.write(report.lines)
        if let failure = report.failure { throw failure }
        guard report.results.contains(where: { !$0.isEmpty }) else {
            throw Failure(
                subject: "select \(selector.shortened)",
                "it matches nothing",
                code: "select.none",
                status: .no
            )
        }
    }

    private func text() async throws(Failure) {
        let (page, name) = try await page()
        try Output.write(try TextAnswer(page, source: name, TextOptions()).lines)
    }

    private func extract(_ file: String) async throws(Failure) {
        guard !file.isEmpty else { throw Failure(usage: "extract", "expects the file of a recipe") }
        let name = try await opened { $0.url.description }
        var extract = ExtractOptions()
        extract.recipe = file
        let recipe = try extract.makeRecipe(options)
        let extraction: Extraction?
        do {
            extraction = try await session.extract(recipe, budget: extract.budget)
        } catch let error as RuleError {
            throw Failure(error)
        } catch let error as LoadError {
            throw Failure(error, source: name)
        } catch {
            throw Failure(subject: name, "\(error)", code: "rule.failed", status: .content)
        }
        guard let extraction else { return }
        let report = ExtractionReport(extraction: extraction, notesProvenance: false)
        try Output.write(JSONValue.object(report.members).lineInOrder)
        for line in report.lines { Output.message(line) }
        guard report.status != .done else { return }
        throw Failure(
            subject: file,
            "the extraction is not whole",
            code: extraction.exceeded?.code.rawValue ?? extraction.failure?.code.rawValue ?? "rule.failed",
            status: report.status
        )
    }
}
