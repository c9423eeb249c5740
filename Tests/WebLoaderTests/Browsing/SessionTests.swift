import Foundation
import Synchronization
import TestSupport
import Testing
import WebTransport

@testable import WebBrowsing

/// Tests of a session's notifications, of who may stop it, and of operations on the page in view.
@Suite(.timeLimit(.minutes(20)))
struct SessionTests {
    // MARK: - Values

    @Test func aTitleIsToldEachTimeThatItHasChanged() async throws {
        try await withSite { _, server in
            let session = try PageSession(configuration: .testing())
            var titles = session.values(of: \.title).makeAsyncIterator()
            for (path, title) in [(nil, nil), ("/a", "/a 1"), ("/b", "/b 1"), ("back", "/a 1")]
                as [(String?, String?)]
            {
                switch path {
                case "back": try await session.goBack()
                case let path?: try await session.load(server, path)
                case nil: break
                }
                while let next = await titles.next(), next != title {}
            }
        }
    }

    @Test func valuesEndWithTheSession() async throws {
        func stream() throws -> (AsyncStream<Bool>, AsyncStream<PageSessionEvent>) {
            let session = try PageSession(configuration: .testing())
            return (session.values(of: \.isLoading), session.events)
        }
        let (values, events) = try stream()
        for await isLoading in values { #expect(!isLoading) }
        for await event in events { Issue.record("\(event)") }
    }

    @Test func progressGoesFromNothingToAllAndNeverBack() async throws {
        let piece = String(repeating: "x", count: 1000)
        let server = try RawServer([
            .send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000000\r\n\r\n"),
            .sendRepeatedly(piece, times: 1000),
        ])
        defer { server.stop() }
        let seen = SessionRecorder()
        let session = try PageSession(configuration: .testing { $0.delegate = seen })
        seen.watch(session)
        let shares = session.values(of: \.estimatedProgress)
        let task = Task {
            var found: [Double] = []
            for await share in shares {
                found.append(share)
                if share == 1 { break }
            }
            return found
        }
        try await session.load(WebRequest(url: WebURL(server.url)))
        let isLoading = await session.isLoading
        #expect(!isLoading)
        #expect(await session.estimatedProgress == 1)
        // When the navigation begins, and when the page is there.
        #expect(seen.progress.first == 0)
        #expect(seen.progress.dropFirst().allSatisfy { $0 < 1 })
        #expect(seen.loading.allSatisfy { $0 })
        let found = await task.value
        #expect(found == found.sorted())
        #expect(found.last == 1)
    }

    @Test func theShareOfWhatIsExpectedNeverGoesBack() {
        let told = Mutex<[Double]>([])
        let progress = LoadProgress { share in told.withLock { $0.append(share) } }
        let page = progress.began()
        progress.expects(1000, page)
        for _ in 0..<5 { progress.received(100, page) }
        #expect(told.withLock { $0 } == [0.1, 0.2, 0.3, 0.4, 0.5])
        let image = progress.began()
        progress.expects(.max, image)
        progress.received(.max, image)
        progress.received(.max, image)
        progress.received(-1000, page)
        progress.ended(image)
        progress.ended(page)
        progress.ended(page)
        progress.received(1, 77)
        let shares = told.withLock { $0 }
        #expect(shares == shares.sorted())
        #expect(shares.allSatisfy { $0 <= 0.99 })
        progress.reset()
        progress.received(1000, page)
        #expect(told.withLock { $0 } == shares)
    }

    // MARK: - The delegate

    @Test func theDelegateIsCalledInOrder() async throws {
        try await withSite {
            $0.target == "/to" ? .redirect("/b") : nil
        } _: { _, server in
            let seen = SessionRecorder()
            let session = try PageSession(configuration: .testing { $0.delegate = seen })
            try await session.load(server, "/to")
            let begun = [
                "shouldStart /to", "didStart /to", "shouldStart /b", "didRedirect /b", "didReceive /b",
                "didParse",
                "didFinish /b",
            ]
            #expect(seen.take() == ["shouldNavigate load /to"] + begun + ["didCommit load /b"])
            try await session.load(server, "/b#x")
            #expect(seen.take() == ["shouldNavigate fragment /b", "didCommit fragment /b"])
            try await session.goBack()
            #expect(seen.take() == ["shouldNavigate history /b", "didCommit history /b"])
            try await session.reload()
            let again = ["shouldStart /b", "didStart /b", "didReceive /b", "didParse", "didFinish /b"]
            #expect(seen.take() == ["shouldNavigate reload /b"] + again + ["didCommit reload /b"])
            let refused = WebRequest(url: try WebURL("http://127.0.0.1:1/no"))
            _ = await loadErrorCode { () async throws(LoadError) in try await session.load(refused) }
            let failed = [
                "shouldNavigate load /no", "shouldStart /no", "didStart /no", "didFail network.connect",
            ]
            #expect(seen.take() == failed)
        }
    }

    @Test func eventsAreToldInOrder() async throws {
        try await withSite {
            $0.target == "/to" ? .redirect("/b") : nil
        } _: { _, server in
            let session = try PageSession(configuration: .testing())
            var events = session.events.makeAsyncIterator()
            try await session.load(server, "/to")
            try await session.load(server, "/b#x")
            let refused = WebRequest(url: try WebURL("http://127.0.0.1:1/no"))
            _ = await loadErrorCode { () async throws(LoadError) in try await session.load(refused) }
            var seen: [String] = []
            while seen.count < 6, let event = await events.next() {
                switch event {
                case .started(let request): seen.append("started \(request.url.path)")
                case .redirected(let request): seen.append("redirected \(request.url.path)")
                case .committed(let navigation): seen.append("committed \(navigation.kind)")
                case .failed(let error): seen.append("failed \(error.code.rawValue)")
                case .workerEnded: seen.append("worker")
                }
            }
            #expect(
                seen == [
                    "started /to", "redirected /b", "committed load", "committed fragment", "started /no",
                    "failed network.connect",
                ]
            )
        }
    }

    @Test("Who is asked may refuse", arguments: Navigation.Kind.allCases)
    func refused(kind: Navigation.Kind) async throws {
        let page = "<title>P</title><a href=/b>b</a><form method=post action=/f><input name=a></form>"
        try await withSite {
            $0.target == "/a" ? .page("A", page) : nil
        } _: { site, server in
            let seen = SessionRecorder(refusing: kind)
            let session = try PageSession(configuration: .testing { $0.delegate = seen })
            if kind == .load {
                try await session.loadIfAllowed(server, "/a")
                #expect(await session.history.entries.isEmpty)
                #expect(site.lines.isEmpty)
                return
            }
            try await session.load(server, "/x")
            try await session.load(server, "/a")
            let before = await session.history
            do {
                switch kind {
                case .load: break
                case .link: try await session.follow(try #require(try await session.links.first))
                case .form: try await session.submit()
                case .fragment: try await session.load(server, "/a#x")
                case .history: try await session.goBack()
                case .reload: try await session.reload()
                }
                Issue.record("it was not refused")
            } catch let error as LoadError {
                #expect(error.code == "load.refused")
            }
            #expect(await session.history == before)
            #expect(site.lines == ["GET /x", "GET /a"])
            let isLoading = await session.isLoading
            #expect(!isLoading)
        }
    }

    // MARK: - Stopping

    /// How a load is ended.
    enum Ending: Sendable, CaseIterable {
        case stop, load, goBack, cancel
    }

    @Test("A load that is ended leaves the page", arguments: Ending.allCases)
    func ended(ending: Ending) async throws {
        let slow = try RawServer([.pause(seconds: 3600)])
        defer { slow.stop() }
        try await withSite { _, server in
            let session = try PageSession(configuration: .testing())
            try await session.load(server, "/a")
            try await session.load(server, "/b")
            let request = WebRequest(url: try WebURL(slow.url))
            let pending = Task {
                await loadErrorCode { () async throws(LoadError) in try await session.load(request) }
            }
            for await _ in slow.arrivals { break }
            #expect(await session.isLoading)
            #expect(await session.title == "/b 1")
            switch ending {
            case .stop: await session.stopLoading()
            case .load: try await session.load(server, "/c")
            case .goBack: try await session.goBack()
            case .cancel: pending.cancel()
            }
            #expect(await pending.value == "load.cancelled")
            let isLoading = await session.isLoading
            #expect(!isLoading)
            #expect(await session.estimatedProgress == 1)
            let title =
                switch ending {
                case .stop, .cancel: "/b 1"
                case .load: "/c 1"
                case .goBack: "/a 1"
                }
            #expect(await session.title == title)
            // It goes on.
            #expect(try await session.load(server, "/d").page.title == "/d 1")
        }
    }

    @Test func stoppingWhereNothingIsLoadedDoesNothing() async throws {
        try await withSite { _, server in
            let session = try PageSession(configuration: .testing())
            await session.stopLoading()
            try await session.load(server, "/a")
            await session.stopLoading()
            #expect(await session.title == "/a 1")
            #expect(try await session.reload()?.page.title == "/a 2")
        }
    }

    // MARK: - Rules

    @Test func aRecipeThatUsesUpItsTimeIsAnEvent() async throws {
        let seen = SessionRecorder()
        let session = try PageSession(configuration: .testing { $0.delegate = seen })
        let recipe = try Recipe("version: 1\nfields: {a: title, b: {script: 'while true do end'}}")
        #expect(try await session.extract(recipe) == nil)
        try await session.loadHTMLString("<title>T</title>", baseURL: nil)
        _ = seen.take()
        var events = session.events.makeAsyncIterator()
        let extraction = try await session.extract(recipe, budget: Budget(time: .milliseconds(200)))
        #expect(extraction?.exceeded?.code == .time)
        guard case .workerEnded(let end)? = await events.next() else {
            Issue.record("nobody was told")
            return
        }
        #expect(end.code == extraction?.exceeded?.code.rawValue)
        #expect(seen.take() == ["didEndWorker \(end.code)"])
        let quick = try Recipe("version: 1\nfields: {a: title}")
        #expect(try await session.extract(quick)?.data == ["a": "T"])
        #expect(seen.take().isEmpty)
    }

    // MARK: - Links

    @Test(
        "A link that is followed says where it is, as the page has it",
        arguments: [
            ("", "", false, "page"), ("", "", true, "origin"),
            ("no-referrer", "", false, nil), ("origin", "", false, "origin"),
            ("unsafe-url", "", true, "page"),
            ("same-origin", "", true, nil), ("same-origin", "", false, "page"),
            ("nonsense", "", true, "origin"),
            ("", "referrerpolicy=no-referrer", false, nil), ("", "referrerpolicy=unsafe-url", true, "page"),
            ("no-referrer", "referrerpolicy=ORIGIN", false, "origin"),
            ("origin", "referrerpolicy=nonsense", false, "origin"),
            ("unsafe-url", "rel=noreferrer", false, nil),
            ("", "rel='nofollow NoReferrer' referrerpolicy=unsafe-url", false, nil),
            ("", "rel=noopener", false, "page"),
        ] as [(String, String, Bool, String?)]
    )
    func follow(meta: String, attributes: String, leadsElsewhere: Bool, referrer: String?) async throws {
        try await withSite { elsewhere, other in
            let target = leadsElsewhere ? other.url("/target") : "/target"
            let body = """
                \(meta.isEmpty ? "" : "<meta name=referrer content=\(meta)>")
                <a name=x>no link</a> <a href='\(target)' \(attributes)> To  it </a>
                """
            try await withSite {
                $0.target == "/page?q=1" ? .page("P", body) : nil
            } _: { site, server in
                let session = try PageSession(configuration: .testing())
                try await session.load(server, "/page?q=1#part")
                let link = try #require(try await session.links.first)
                #expect(link.text == "To it")
                let navigation = try await session.follow(link)
                #expect(navigation.kind == .link)
                #expect(navigation.page.title == "/target 1")
                let asked = try #require(leadsElsewhere ? elsewhere.asked.last : site.asked.last)
                let expected =
                    switch referrer {
                    case "page": server.url("/page?q=1")
                    case "origin": server.url("/")
                    default: nil as String?
                    }
                #expect(asked.fields["referer"] == expected)
                #expect(navigation.entry.referrer?.path == "/page")
                #expect(await session.history.entries.count == 2)
            }
        }
    }

    @Test func aLinkToAPartOfThePageAsksNothing() async throws {
        try await withSite { _ in
            .page("P", "<a href='#part'>x</a>")
        } _: { site, server in
            let session = try PageSession(configuration: .testing())
            try await session.load(server, "/a")
            let link = try #require(try await session.links.first)
            #expect(try await session.follow(link).kind == .fragment)
            #expect(await session.url?.fragment == "part")
            #expect(site.lines == ["GET /a"])
        }
    }

    // MARK: - Forms

    /// A site with a login that wants its own token.
    @Sendable private static func login(_ asked: BrowsedSite.Asked) -> BrowsedSite.Answer? {
        let form = """
            <form method=post action=/login><input type=hidden name=csrf value=t0k><label>User <input name=user></label>
            <input type=password name=password><button>Log in</button></form>
            """
        let cookie = asked.fields["cookie"]
        switch (asked.method, asked.target) {
        case ("GET", "/login"): return .page("Login", form, ["Set-Cookie": "visit=v1; Path=/; HttpOnly"])
        case ("POST", "/login"):
            guard cookie == "visit=v1", asked.body == "csrf=t0k&user=ada&password=s%26p" else {
                return .page("Refused")
            }
            return .redirect("/home", 303, ["Set-Cookie": "session=ada1; Path=/; HttpOnly; SameSite=Strict"])
        case ("GET", "/home"): return .page(cookie?.contains("session=ada1") == true ? "Ada" : "Nobody")
        default: return nil
        }
    }

    @Test func whoHasLoggedInStaysSo() async throws {
        try await withTemporaryFolder { folder in
            let configuration = PageSession.Configuration.testing { $0.stateFile = folder.path + "/state" }
            try await withSite(Self.login) { site, server in
                func logIn() async throws {
                    let session = try PageSession(configuration: configuration)
                    try await session.load(server, "/home")
                    #expect(await session.title == "Nobody")
                    try await session.load(server, "/login")
                    try await session.fill("User", with: "ada")
                    let navigation = try await session.submit(
                        button: "Log in",
                        values: [(name: "password", value: "s&p")]
                    )
                    #expect(navigation.kind == .form)
                    #expect(navigation.page.title == "Ada")
                    #expect(navigation.entry.httpMethod == "GET")
                    #expect(navigation.entry.initialURL.path == "/login")
                    #expect(await session.history.entries.map(\.url.path) == ["/home", "/login", "/home"])
                    try await session.saveState()
                }
                try await logIn()
                let asked = site.lines.count
                let session = try await PageSession.reopened(configuration)
                #expect(await session.title == "Ada")
                #expect(try await session.page?.title == "Ada")
                #expect(site.lines.count == asked)
                #expect(try await session.reload()?.page.title == "Ada")
                #expect(try await session.load(server, "/home").page.title == "Ada")
            }
        }
    }

    @Test func aFieldThatIsNotThereIsAnError() async throws {
        let session = try PageSession(configuration: .testing())
        await #expect(throws: FormError.self) { try await session.fill("user", with: "ada") }
        await #expect(throws: FormError.self) { try await session.submit() }
        try await session.loadHTMLString("<form><input name=a></form>", baseURL: nil)
        await #expect(throws: FormError.self) { try await session.fill("user", with: "ada") }
    }

    // MARK: - Finding text

    @Test func textIsFoundOneAfterTheOther() async throws {
        let session = try PageSession(configuration: .testing())
        #expect(try await session.find("tea") == nil)
        try await session.loadHTMLString("<p>tea one<p>Tea two<p>TEA three", baseURL: nil)
        var backwards = PageSession.FindConfiguration()
        backwards.isBackwards = true
        var once = PageSession.FindConfiguration()
        once.wraps = false
        var onceBackwards = backwards
        onceBackwards.wraps = false
        let steps: [(PageSession.FindConfiguration, String?, Int?)] = [
            (.init(), "tea", 1), (.init(), "Tea", 2), (.init(), "TEA", 3), (.init(), "tea", 1),
            (backwards, "TEA", 3), (backwards, "Tea", 2), (backwards, "tea", 1), (onceBackwards, nil, nil),
            (backwards, "TEA", 3), (once, nil, nil), (once, "tea", 1),
        ]
        for (configuration, text, number) in steps {
            #expect(try await session.find("tea", configuration: configuration)?.text == text)
            #expect(await session.matchNumber == number)
            #expect(await session.history.current?.view?.text == text)
        }
        #expect(try await session.matches(of: "tea").count == 3)
        #expect(try await session.find("coffee") == nil)
        #expect(await session.history.current?.view == nil)
        // It belongs to its page.
        try await session.loadHTMLString("<p>more tea", baseURL: nil)
        #expect(await session.soughtText == nil)
        #expect(try await session.find("tea")?.text == "tea")
        #expect(await session.matchNumber == 1)
    }

    @Test(arguments: ["/text#:~:text=needle", "/text#part:~:text=needle", "/text#:~:text=hay-,needle"])
    func whatAFragmentNamesIsInView(path: String) async throws {
        try await withSite { _ in
            .page("T", "<p id=part>hay <b>needle</b> hay")
        } _: { site, server in
            let session = try PageSession(configuration: .testing())
            try await session.load(server, path)
            #expect(await session.history.current?.view?.text == "needle")
            #expect(await session.url?.href == server.url(path))
            try await session.load(server, "/text#:~:text=none")
            #expect(await session.history.current?.view == nil)
            try await session.load(server, path)
            #expect(await session.history.current?.view?.text == "needle")
            try await session.goBack()
            #expect(await session.history.current?.view == nil)
            try await session.goForward()
            #expect(await session.history.current?.view?.text == "needle")
            #expect(site.lines == ["GET /text"])
        }
    }

    // MARK: - Memory

    @Test func whatIsNotInMemoryIsReadAgain() async throws {
        try await withSite { asked in
            .page(asked.target, "<a href=/next>next</a>", ["Cache-Control": "no-store"])
        } _: { site, server in
            let session = try PageSession(configuration: .testing { $0.maximumTrees = 1 })
            for path in ["/a", "/b", "/c", "/d"] { try await session.load(server, path) }
            await session.handleMemoryPressure()
            for path in ["/c", "/b", "/a"] {
                let page = try #require(try await session.goBack()).page
                #expect(page.title == path)
                #expect(page.response.url.path == path)
                #expect(try await session.links.map(\.url.path) == ["/next"])
                await session.handleMemoryPressure()
            }
            #expect(site.lines.count == 4)
        }
    }

    // MARK: - Resources and copies

    /// A page with an image and a style sheet.
    @Sendable private static func illustrated(_ asked: BrowsedSite.Asked) -> BrowsedSite.Answer? {
        switch asked.target {
        case "/page":
            .page(
                "P",
                "<link rel=stylesheet href=/style.css><img src=/image.svg alt=x>",
                ["Cache-Control": "no-store"]
            )
        case "/image.svg": .image
        case "/style.css":
            BrowsedSite.Answer(
                fields: ["Content-Type": "text/css", "Cache-Control": "max-age=3600"],
                body: "p { color: red }"
            )
        default: nil
        }
    }

    private static let parts = ["GET /image.svg", "GET /page", "GET /style.css"]

    @Test func whatAPageShowsIsLoadedWithIt() async throws {
        try await withSite(Self.illustrated) { site, server in
            let session = try PageSession(
                configuration: .testing {
                    $0.loader.keepsCacheInMemory = true
                    $0.loadsResources = true
                }
            )
            let navigation = try await session.load(server, "/page")
            #expect(navigation.resources?.count == 2)
            #expect(navigation.resources?.failures.isEmpty == true)
            #expect(site.lines.sorted() == Self.parts)
            #expect(try await session.load(server, "/page#x").resources == nil)
            #expect(try await session.goBack()?.resources == nil)
            #expect(site.lines.count == 3)
        }
    }

    @Test func onlyThePageIsLoadedIfNobodyWantsMore() async throws {
        try await withSite(Self.illustrated) { site, server in
            let session = try PageSession(configuration: .testing())
            #expect(try await session.load(server, "/page").resources == nil)
            #expect(site.lines == ["GET /page"])
        }
    }

    @Test("A copy does not load the page again", arguments: PageCopy.Format.allCases, [true, false])
    func copy(format: PageCopy.Format, loadsResources: Bool) async throws {
        try await withTemporaryFolder { folder in
            try await withSite(Self.illustrated) { site, server in
                let session = try PageSession(
                    configuration: .testing {
                        $0.loader.keepsCacheInMemory = true
                        $0.loadsResources = loadsResources
                    }
                )
                #expect(try await session.copy() == nil)
                try await session.load(server, "/page")
                var options = PageCopy.Options()
                options.format = format
                let copy = try #require(try await session.copy(options: options))
                #expect(copy.missing.isEmpty)
                #expect(copy.url.href == server.url("/page"))
                let path = "\(folder.path)/copy.\(format.rawValue)"
                let summary = try copy.write(to: path)
                #expect(summary.files == 3)
                #expect(FileManager.default.fileExists(atPath: path))
                #expect(site.lines.sorted() == Self.parts)
            }
        }
    }

    @Test func aCopyOfWhatIsThereAsksNothing() async throws {
        try await withSite(Self.illustrated) { site, server in
            let session = try PageSession(configuration: .testing { $0.loader.keepsCacheInMemory = true })
            try await session.load(server, "/page")
            let copy = try #require(try await session.copy(loadsMissing: false))
            #expect(copy.missing.map(\.url.path).sorted() == ["/image.svg", "/style.css"])
            #expect(site.lines == ["GET /page"])
        }
    }
}

/// A delegate that records its calls, and refuses one kind of navigation.
private final class SessionRecorder: PageSessionDelegate {
    private struct Seen {
        weak var session: PageSession?
        var lines: [String] = []
        var progress: [Double] = []
        var loading: [Bool] = []
    }

    private let seen = Mutex(Seen())
    private let refused: Navigation.Kind?

    init(refusing kind: Navigation.Kind? = nil) {
        refused = kind
    }

    /// Returns the calls since the last time that this was called.
    func take() -> [String] {
        seen.withLock { seen in
            defer { seen.lines = [] }
            return seen.lines
        }
    }

    /// Sets the session whose progress is recorded at every call.
    func watch(_ session: PageSession?) { seen.withLock { $0.session = session } }

    var progress: [Double] { seen.withLock { $0.progress } }
    var loading: [Bool] { seen.withLock { $0.loading } }

    private func note(_ line: String) async {
        let session = seen.withLock { seen in
            seen.lines.append(line)
            return seen.session
        }
        guard let session else { return }
        let (share, isLoading) = (await session.estimatedProgress, await session.isLoading)
        seen.withLock { seen in
            seen.progress.append(share)
            seen.loading.append(isLoading)
        }
    }

    func shouldNavigate(to request: WebRequest, by kind: Navigation.Kind) async -> Bool {
        await note("shouldNavigate \(kind) \(request.url.path)")
        return kind != refused
    }
    func didCommit(_ navigation: Navigation) async {
        await note("didCommit \(navigation.kind) \(navigation.entry.url.path)")
    }
    func didEndWorker(_ end: WorkerTermination) async { await note("didEndWorker \(end.code)") }
    func shouldStart(_ request: WebRequest) async -> Bool {
        await note("shouldStart \(request.url.path)")
        return true
    }
    func didStart(_ request: WebRequest) async { await note("didStart \(request.url.path)") }
    func didRedirect(to request: WebRequest, from response: WebResponse) async {
        await note("didRedirect \(request.url.path)")
    }
    func didReceive(_ response: WebResponse) async { await note("didReceive \(response.url.path)") }
    func didParse(_ document: Document) async { await note("didParse") }
    func didFinish(_ page: Page) async { await note("didFinish \(page.response.url.path)") }
    func didFail(_ error: LoadError) async { await note("didFail \(error.code.rawValue)") }
    func didCancel(_ error: LoadError) async { await note("didCancel \(error.code.rawValue)") }
}

extension PageSession {
    /// Loads a page, which is refused.
    fileprivate func loadIfAllowed(_ server: TestServer, _ path: String) async throws {
        let request = WebRequest(url: try WebURL(server.url(path)))
        let code = await loadErrorCode { () async throws(LoadError) in try await self.load(request) }
        #expect(code == "load.refused")
    }
}
