import Foundation
import Glibc
import TestSupport
import Testing

@testable import WebBrowsing

/// Tests of saved sessions, and of invalid states.
@Suite(.timeLimit(.minutes(20)))
struct SessionStateTests {
    // MARK: - As a text

    @Test func anotherSessionGoesOnWithoutAServer() async throws {
        try await withTemporaryFolder { folder in
            let pages = folder.path + "/pages"
            let configuration = PageSession.Configuration.testing { $0.pagesDirectory = pages }
            let (state, list) = try await withSite { asked in
                switch asked.target {
                case "/a": .page("A", "<p>some words", ["Set-Cookie": "s=1; Path=/; HttpOnly; SameSite=Lax"])
                case "/to": .redirect("/b")
                default: nil
                }
            } _: { _, server in
                let session = try PageSession(configuration: configuration)
                try await session.load(server, "/a")
                try await session.load(server, "/a#:~:text=words")
                try await session.load(server, "/to#x")
                var request = WebRequest(url: try WebURL(server.url("/f")))
                request.httpMethod = "POST"
                request.httpBody = Array("x=1".utf8)
                try await session.load(request)
                try await session.goBack()
                return (await session.interactionState, await session.history)
            }
            let session = try await Self.goingOn(configuration, state)
            #expect(await session.history.entries == list.entries)
            #expect(await session.history.currentIndex == 2)
            #expect(list.entries[1].view?.text == "words")
            #expect(await session.interactionState == state)
            #expect(session.cookieJar.cookies.map(\.name) == ["s"])
            #expect(session.cookieJar.cookies.map(\.isHTTPOnly) == [true])
            #expect(session.cookieJar.cookies.map(\.sameSite) == [.lax])
            var titles: [String?] = [try await session.page?.title]
            for offset in [-2, 1, 2] { titles.append(try await session.go(by: offset)?.page.title) }
            #expect(titles == ["/b 1", "A", "A", "/f 1"])
            #expect(await session.history.current?.httpMethod == "POST")
        }
    }

    private static func goingOn(
        _ configuration: PageSession.Configuration,
        _ state: [UInt8]
    ) async throws -> PageSession {
        try await onceFree { () throws(StateError) in
            try PageSession(configuration: configuration, interactionState: state)
        }
    }

    private static func state(
        _ entries: String,
        current: String = "0",
        cookies: String = "",
        version: String = "1"
    ) -> String {
        "{\"version\":\(version),\"current\":\(current),\"entries\":[\(entries)],\"cookies\":[\(cookies)]}"
    }

    private static func entry(
        _ id: String = "1",
        _ url: String = "http://a.test/",
        _ more: String = ""
    ) -> String {
        "{\"id\":\(id),\"url\":\"\(url)\",\"initial_url\":\"\(url)\",\"time\":1\(more)}"
    }

    @Test(
        "What is no state says why",
        arguments: [
            ("", "state.damaged"), ("x", "state.damaged"), ("null", "state.damaged"), ("[]", "state.damaged"),
            ("7", "state.damaged"), ("{}", "state.damaged"), ("{\"version\":1}", "state.damaged"),
            ("\u{0}\u{1}\u{2}", "state.damaged"), (String(repeating: "[", count: 100_000), "state.damaged"),
            (String(state(entry()).dropLast()), "state.damaged"),
            (String(state(entry()).prefix(60)), "state.damaged"),
            (state(entry()) + "{}", "state.damaged"),
            (state("", current: "null", version: "2"), "state.version"),
            (state("", current: "null", version: "0"), "state.version"),
            (state("", current: "null", version: "\"1\""), "state.version"),
            (state("", current: "null", version: "null"), "state.version"),
            (state("", current: "0"), "state.damaged"), (state(entry(), current: "null"), "state.damaged"),
            (state(entry(), current: "1"), "state.damaged"), (state(entry(), current: "-1"), "state.damaged"),
            (state(entry(), current: "9223372036854775807"), "state.damaged"),
            (state(entry(), current: "1e400"), "state.damaged"),
            (state("1"), "state.damaged"), (state("{}"), "state.damaged"),
            (state("\(entry("1")),\(entry("1"))"), "state.damaged"),
            (state(entry("4611686018427387904")), "state.damaged"),
            (state(entry("99999999999999999999")), "state.damaged"),
            (state(entry("0")), "state.damaged"), (state(entry("-1")), "state.damaged"),
            (state(entry("\"1\"")), "state.damaged"), (state(entry("1", "no URL")), "state.damaged"),
            (state(entry().replacing("\"time\":1", with: "\"time\":\"1\"")), "state.damaged"),
        ]
    )
    func damaged(text: String, code: String) {
        let found = stateErrorCode { () throws(StateError) in
            try PageSession(configuration: .testing(), interactionState: Array(text.utf8))
        }
        #expect(found == code)
    }

    @Test func whatIsTooLargeIsNoState() {
        let bytes = [UInt8](repeating: 0x20, count: SessionState.maximumSize + 1)
        #expect(stateErrorCode { () throws(StateError) in try SessionState(bytes) } == "state.damaged")
    }

    @Test func whatIsOddInAStateIsNotTaken() async throws {
        let more = """
            ,"page":"../../x","title":"\(String(repeating: "t", count: 1_000_000))","method":"BREW",\
            "referrer":"no URL","view":{"text":"x","offset":-5,"line":0,"column":0},"new":{"deep":[[]]}
            """
        let entry = Self.entry("9007199254740991", "javascript:x", more)
            .replacing("\"time\":1", with: "\"time\":9223372036854775807")
        let cookie = "{\"name\":\"a\",\"value\":\"b\",\"domain\":\"a.test\",\"path\":\"/\"}"
        let text = Self.state(entry, cookies: "1,{},{\"name\":\"x\"},\(cookie)")
        let session = try PageSession(configuration: .testing(), interactionState: Array(text.utf8))
        let found = try #require(await session.history.current)
        #expect(found.cacheKey == nil)
        #expect(found.title?.count == HistoryEntry.titleLength)
        #expect(found.httpMethod == "GET")
        #expect(found.referrer == nil)
        #expect(found.view?.offset == 0)
        #expect(found.view?.position == nil)
        #expect(found.date == Timestamp(millisecondsSince1970: .max))
        #expect(session.cookieJar.cookies.map(\.name) == ["a"])
        #expect(await loadErrorCode { () async throws(LoadError) in try await session.page } == "cache.miss")
        // There are numbers left for those that come.
        try await session.loadHTMLString("x", baseURL: nil)
        #expect(await session.history.entries.map(\.id) == [1, 2])
        // The state of such a session can be read again.
        #expect(try await SessionState(session.interactionState).entries.count == 2)
    }

    @Test("Of too many entries the oldest go", arguments: [(9999, 9999, 999), (0, 0, 0), (5000, 5000, 0)])
    func trimmed(current: Int, id: Int, index: Int) async throws {
        let entries = (0..<10_000).map { Self.entry("\($0 + 1)") }.joined(separator: ",")
        let bytes = Array(Self.state(entries, current: "\(current)").utf8)
        let session = try PageSession(configuration: .testing(), interactionState: bytes)
        #expect(await session.history.entries.count == 1000)
        #expect(await session.history.current?.id == id + 1)
        #expect(await session.history.currentIndex == index)
    }

    @Test func aThousandEntriesAreWithinAMegabyte() throws {
        var state = SessionState()
        for id in 1...1000 {
            var url = "https://example.com/\(id)/"
            url += String(repeating: "p", count: 100 - url.utf8.count)
            var entry = HistoryEntry(url: try WebURL(url))
            entry = HistoryEntry(
                id: id,
                url: entry.url,
                initialURL: entry.url,
                title: String(repeating: "t", count: 60),
                date: .now,
                httpMethod: "GET",
                referrer: entry.url,
                cacheKey: "0123456789abcdef",
                view: nil
            )
            state.entries.append(entry)
        }
        state.currentIndex = 999
        let bytes = state.bytes
        #expect(bytes.count <= 1_000_000)
        let again = try SessionState(bytes)
        #expect(again.entries == state.entries)
        #expect(again.bytes == bytes)
    }

    // MARK: - In a file

    private static func configuration(_ folder: URL) -> PageSession.Configuration {
        .testing { $0.stateFile = folder.path + "/state" }
    }

    private static func pages(_ folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path + "/state.pages")
            .filter { $0.hasSuffix(".page") }.sorted()
    }

    private static func mode(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    /// Loads pages in a session, and saves it.
    private static func visit(_ folder: URL, _ server: TestServer, _ paths: [String]) async throws {
        let session = try await PageSession.reopened(configuration(folder))
        for path in paths { try await session.load(server, path) }
        try await session.saveState()
    }

    @Test func aSessionGoesOnFromItsFile() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { site, server in
                try await Self.visit(folder, server, ["/a", "/b"])
                try await Self.visit(folder, server, ["/c"])
                let session = try await PageSession.reopened(Self.configuration(folder))
                #expect(await session.history.entries.map(\.url.path) == ["/a", "/b", "/c"])
                #expect(await session.title == "/c 1")
                #expect(try await session.go(by: -2)?.page.title == "/a 1")
                #expect(site.lines == ["GET /a", "GET /b", "GET /c"])
            }
        }
    }

    @Test func nobodyElseCanReadIt() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { _, server in
                try await Self.visit(folder, server, ["/a"])
                #expect(try Self.mode(folder.path + "/state") == 0o600)
                #expect(try Self.mode(folder.path + "/state.pages") == 0o700)
                #expect(!FileManager.default.fileExists(atPath: folder.path + "/state.pages/lock"))
                let pages = try Self.pages(folder)
                #expect(pages.count == 1)
                for page in pages { #expect(try Self.mode("\(folder.path)/state.pages/\(page)") == 0o600) }
            }
        }
    }

    @Test func oneSessionAtATimeHasIt() async throws {
        try await withTemporaryFolder { folder in
            let session = try PageSession(configuration: Self.configuration(folder))
            let code = stateErrorCode { () throws(StateError) in
                try PageSession(configuration: Self.configuration(folder))
            }
            #expect(code == "state.busy")
            let other = stateErrorCode { () throws(StateError) in
                try PageSession(
                    configuration: Self.configuration(folder),
                    interactionState: SessionState().bytes
                )
            }
            #expect(other == "state.busy")
            // A session without entries has nothing to save.
            try await session.saveState()
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/state"))
            try await session.loadHTMLString("x", baseURL: nil)
            try await session.saveState()
            #expect(FileManager.default.fileExists(atPath: folder.path + "/state"))
        }
    }

    /// Whenever the process dies, the saved session has its pages.
    @Test func pagesGoOnceNothingNamesThem() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { _, server in
                let session = try PageSession(configuration: Self.configuration(folder))
                try await session.load(server, "/a")
                try await session.saveState()
                let first = try Self.pages(folder)
                #expect(first.count == 1)
                try await session.load(server, "/a")
                try await session.reload()
                #expect(try Self.pages(folder).count == 3)
                #expect(try Set(Self.pages(folder)).isSuperset(of: first))
                try await session.saveState()
                let last = try Self.pages(folder)
                #expect(last.count == 1)
                #expect(last != first)
                #expect(last == [try #require(await session.history.current?.cacheKey) + ".page"])
            }
        }
    }

    @Test func pagesOfNoEntryGoWhenASessionBegins() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { _, server in
                try await Self.visit(folder, server, ["/a"])
                let pages = folder.appendingPathComponent("state.pages")
                let names = ["0123456789abcdef.page", "notes.txt", "x.page", "0123456789ABCDEF.page"]
                for name in names {
                    try "x".write(to: pages.appendingPathComponent(name), atomically: true, encoding: .utf8)
                }
                let session = try await PageSession.reopened(Self.configuration(folder))
                let left = try FileManager.default.contentsOfDirectory(atPath: pages.path)
                let kept = try #require(await session.history.current?.cacheKey) + ".page"
                #expect(Set(left) == ["lock", kept, "notes.txt", "x.page", "0123456789ABCDEF.page"])
            }
        }
    }

    @Test func nothingIsWrittenWhereNothingHasChanged() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { _, server in
                try await Self.visit(folder, server, ["/a"])
                let path = folder.path + "/state"
                let before = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
                try await Self.visit(folder, server, [])
                let after = try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
                #expect(before != nil)
                #expect(before == after)
            }
        }
    }

    // MARK: - Obstacles

    /// An obstacle in the place of a file or a folder.
    enum Obstacle: String, Sendable, CaseIterable {
        case link, linkToNothing, pipe, folder, file
    }

    private static func put(_ obstacle: Obstacle, _ path: String) throws {
        let files = FileManager.default
        switch obstacle {
        case .link:
            // To what would do.
            try files.createDirectory(atPath: path + ".target", withIntermediateDirectories: true)
            try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".target")
        case .linkToNothing: try files.createSymbolicLink(atPath: path, withDestinationPath: path + ".none")
        case .pipe: #expect(unsafe mkfifo(path, 0o600) == 0)
        case .folder: try files.createDirectory(atPath: path, withIntermediateDirectories: true)
        case .file: try "x".write(toFile: path, atomically: true, encoding: .utf8)
        }
    }

    @Test(
        "What is in the place of a file or folder is an error",
        arguments: [
            ("state", Obstacle.link, "file.unreadable"), ("state", .linkToNothing, "file.unreadable"),
            ("state", .pipe, "file.unreadable"), ("state", .folder, "file.unreadable"),
            ("state", .file, "state.damaged"),
            ("state.pages", .link, "file.write"), ("state.pages", .linkToNothing, "file.write"),
            ("state.pages", .pipe, "file.write"), ("state.pages", .file, "file.write"),
            ("state.pages/lock", .link, "file.write"), ("state.pages/lock", .linkToNothing, "file.write"),
            ("state.pages/lock", .pipe, "file.write"), ("state.pages/lock", .folder, "file.write"),
        ]
    )
    func inTheWay(name: String, obstacle: Obstacle, code: String) async throws {
        try await withTemporaryFolder { folder in
            if name.contains("/") { try Self.put(.folder, folder.path + "/state.pages") }
            try Self.put(obstacle, "\(folder.path)/\(name)")
            let found = stateErrorCode { () throws(StateError) in
                try PageSession(configuration: Self.configuration(folder))
            }
            #expect(found == code)
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/state.none"))
        }
    }

    @Test(arguments: [Obstacle.link, .linkToNothing, .pipe, .folder])
    func nothingIsWrittenOverWhatIsInTheWay(obstacle: Obstacle) async throws {
        try await withTemporaryFolder { folder in
            let session = try PageSession(configuration: Self.configuration(folder))
            try Self.put(obstacle, folder.path + "/state")
            try await session.loadHTMLString("x", baseURL: nil)
            await #expect(throws: StateError.self) { try await session.saveState() }
            #expect(!FileManager.default.fileExists(atPath: folder.path + "/state.none"))
        }
    }

    @Test func aFileThatIsTooLargeIsDamaged() async throws {
        try await withTemporaryFolder { folder in
            let path = folder.path + "/state"
            try "x".write(toFile: path, atomically: true, encoding: .utf8)
            #expect(unsafe truncate(path, off_t(SessionState.maximumSize + 1)) == 0)
            let found = stateErrorCode { () throws(StateError) in
                try PageSession(configuration: Self.configuration(folder))
            }
            #expect(found == "state.damaged")
        }
    }

    /// How a page's file may be found.
    enum Damage: String, Sendable, CaseIterable {
        case gone, cut, empty, junk, changed, link, pipe
    }

    @Test("A page whose file is damaged is loaded again", arguments: Damage.allCases)
    func damagedPage(damage: Damage) async throws {
        try await withTemporaryFolder { folder in
            try await withSite { site, server in
                let session = try PageSession(configuration: Self.configuration(folder))
                let first = try await session.load(server, "/a")
                try await session.load(server, "/b")
                let key = try #require(first.entry.cacheKey)
                let file = folder.appendingPathComponent("state.pages/\(key).page")
                let bytes = [UInt8](try Data(contentsOf: file))
                try FileManager.default.removeItem(at: file)
                switch damage {
                case .gone: break
                case .cut: try Data(bytes.dropLast(1)).write(to: file)
                case .empty: try Data().write(to: file)
                case .junk: try Data(repeating: 0xFF, count: 1000).write(to: file)
                case .changed:
                    try Data(bytes.dropLast(20) + Array("</title></title>1234".utf8)).write(to: file)
                case .link: try Self.put(.linkToNothing, file.path)
                case .pipe: try Self.put(.pipe, file.path)
                }
                await session.handleMemoryPressure()
                #expect(try await session.goBack()?.page.title == "/a 2")
                #expect(site.lines == ["GET /a", "GET /b", "GET /a"])
                await session.handleMemoryPressure()
                try await session.goForward()
                await session.handleMemoryPressure()
                #expect(try await session.goBack()?.page.title == "/a 2")
                #expect(site.lines.count == 3)
            }
        }
    }

    @Test func anAnswerToAFormIsNotAskedForAgain() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { site, server in
                let session = try PageSession(configuration: Self.configuration(folder))
                var request = WebRequest(url: try WebURL(server.url("/f")))
                request.httpMethod = "POST"
                request.httpBody = Array("x=1".utf8)
                let key = try #require(try await session.load(request).entry.cacheKey)
                try await session.load(server, "/a")
                try FileManager.default.removeItem(atPath: "\(folder.path)/state.pages/\(key).page")
                await session.handleMemoryPressure()
                let code = await loadErrorCode { () async throws(LoadError) in try await session.goBack() }
                #expect(code == "cache.miss")
                #expect(await session.title == "/a 1")
                #expect(site.lines == ["POST /f x=1", "GET /a"])
            }
        }
    }

    @Test func whatWasKeptFirstGoesWhereItIsTooMuch() async throws {
        try await withSite { site, server in
            let session = try PageSession(configuration: .testing { $0.maximumKeptSize = 0 })
            for path in ["/a", "/b"] { try await session.load(server, path) }
            #expect(await session.history.entries.map { $0.cacheKey == nil } == [true, false])
            #expect(try await session.goBack()?.page.title == "/a 2")
            #expect(site.lines == ["GET /a", "GET /b", "GET /a"])
        }
    }

    /// The page's file is removed between saving and restoring the session.
    @Test func aPartOfAPageThatIsLoadedAgainIsOfThatPage() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { _ in
                .page("T", "<p>hay needle")
            } _: { site, server in
                try await Self.visit(folder, server, ["/a"])
                for page in try Self.pages(folder) {
                    try FileManager.default.removeItem(atPath: "\(folder.path)/state.pages/\(page)")
                }
                let session = try await PageSession.reopened(Self.configuration(folder))
                try await session.load(server, "/a#:~:text=needle")
                #expect(await session.history.current?.view?.text == "needle")
                #expect(try await session.page?.title == "T")
                #expect(site.lines == ["GET /a", "GET /a"])
            }
        }
    }

    @Test func aDamagedPageGoesOnceThereIsAnother() async throws {
        try await withTemporaryFolder { folder in
            try await withSite { _, server in
                let session = try PageSession(configuration: Self.configuration(folder))
                let key = try #require(try await session.load(server, "/a").entry.cacheKey)
                try await session.load(server, "/b")
                try "x".write(
                    toFile: "\(folder.path)/state.pages/\(key).page",
                    atomically: true,
                    encoding: .utf8
                )
                await session.handleMemoryPressure()
                try await session.goBack()
                try await session.saveState()
                #expect(try Self.pages(folder).count == 2)
            }
        }
    }
}
