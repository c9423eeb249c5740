import Foundation
import TestSupport
import Testing

@testable import WebBrowsing

/// The rules of the session history, of the HTML standard's "Navigation and session history".
@Suite(.timeLimit(.minutes(20)))
struct SessionHistoryTests {
    /// Something that a user does, with paths of the site.
    enum Step: Sendable {
        case load(String)
        case post(String, String)
        case html(String, base: String?)
        case text(String, base: String)
        /// A load that fails with a code.
        case fails(String, String)
        /// To an entry at a distance, which is there.
        case go(Int)
        /// To an entry at a distance that is not there.
        case nowhere(Int)
        /// Remembers the entry in view.
        case remember
        /// To the entry that was remembered; whether it is there.
        case goToRemembered(Bool)
        case reload
        case reloadFromOrigin

        static let back = Step.go(-1)
        static let forward = Step.go(1)
    }

    /// A rule, and what shows it.
    struct Rule: Sendable, CustomTestStringConvertible {
        let name: String
        /// The section of the standard.
        let section: String
        let steps: [Step]
        /// The entries: the method if it is not GET, the first requested URL if it is another one, an arrow, the URL; a
        /// star precedes the entry in view.
        let entries: [String]
        /// The requests that the server received.
        let asked: [String]
        let title: String?
        var maximumEntries = 1000

        var testDescription: String { "\(name) (\(section))" }

        init(
            _ name: String,
            _ section: String,
            _ steps: [Step],
            _ entries: [String],
            _ asked: [String],
            _ title: String?,
            maximumEntries: Int = 1000
        ) {
            self.name = name
            self.section = section
            self.steps = steps
            self.entries = entries
            self.asked = asked
            self.title = title
            self.maximumEntries = maximumEntries
        }
    }

    private static let beginning = "Beginning navigation"
    private static let ending = "Ending navigation"
    private static let fragments = "Fragment navigations"
    private static let populating = "Populating a session history entry"
    private static let traversing = "Reloading and traversing"
    private static let applying = "Applying the history step"
    private static let entries = "Session history entries"

    static let rules: [Rule] =
        adding + fragmentRules + redirecting + failing + going + sending + reloading + changing

    private static let adding = [
        Rule(
            "a load adds",
            ending,
            [.load("/a"), .load("/b")],
            ["/a", "*/b"],
            ["GET /a", "GET /b"],
            "/b 1"
        ),
        Rule(
            "a load takes the place of what one could go forward to",
            ending,
            [.load("/a"), .load("/b"), .load("/c"), .back, .back, .load("/d")],
            ["/a", "*/d"],
            ["GET /a", "GET /b", "GET /c", "GET /d"],
            "/d 1"
        ),
        Rule(
            "the same URL replaces",
            beginning,
            [.load("/a"), .load("/a")],
            ["*/a"],
            ["GET /a", "GET /a"],
            "/a 2"
        ),
        Rule(
            "the same URL leaves what one can go forward to",
            beginning,
            [.load("/a"), .load("/b"), .back, .load("/a")],
            ["*/a", "/b"],
            ["GET /a", "GET /b", "GET /a"],
            "/a 2"
        ),
        Rule(
            "another query is another URL",
            beginning,
            [.load("/a"), .load("/a?x=1")],
            ["/a", "*/a?x=1"],
            ["GET /a", "GET /a?x=1"],
            "/a?x=1 2"
        ),
        Rule(
            "a string is an entry",
            ending,
            [.load("/a"), .html("<title>s</title>", base: "/s"), .html("<title>t</title>", base: nil)],
            ["/a", "/s", "*about:blank"],
            ["GET /a"],
            "t"
        ),
        Rule(
            "a string is there when one comes back to it",
            applying,
            [.html("<title>s</title>", base: "/s"), .load("/a"), .back],
            ["*/s", "/a"],
            ["GET /a"],
            "s"
        ),
        Rule(
            "bytes are an entry",
            ending,
            [.load("/a"), .text("<title>no markup", base: "/t"), .back, .forward],
            ["/a", "*/t"],
            ["GET /a"],
            nil
        ),
        Rule(
            "the oldest entry goes where there are too many",
            entries,
            [.load("/a"), .load("/b"), .load("/c"), .load("/d")],
            ["/c", "*/d"],
            ["GET /a", "GET /b", "GET /c", "GET /d"],
            "/d 1",
            maximumEntries: 2
        ),
        Rule(
            "one entry may be all",
            entries,
            [.load("/a"), .load("/b"), .nowhere(-1)],
            ["*/b"],
            ["GET /a", "GET /b"],
            "/b 1",
            maximumEntries: 1
        ),
    ]

    private static let fragmentRules = [
        Rule(
            "a fragment adds an entry, and no request",
            fragments,
            [.load("/a"), .load("/a#x"), .load("/a#y")],
            ["/a", "/a#x", "*/a#y"],
            ["GET /a"],
            "/a 1"
        ),
        Rule(
            "the same fragment replaces",
            fragments,
            [.load("/a"), .load("/a#x"), .load("/a#x")],
            ["/a", "*/a#x"],
            ["GET /a"],
            "/a 1"
        ),
        Rule(
            "an empty fragment is one",
            fragments,
            [.load("/a"), .load("/a#"), .load("/a#")],
            ["/a", "*/a#"],
            ["GET /a"],
            "/a 1"
        ),
        Rule(
            "a fragment takes the place of what one could go forward to",
            fragments,
            [.load("/a"), .load("/b"), .back, .load("/a#x")],
            ["/a", "*/a#x"],
            ["GET /a", "GET /b"],
            "/a 1"
        ),
        Rule(
            "no fragment is another URL, which is loaded",
            beginning,
            [.load("/a#x"), .load("/a")],
            ["/a#x", "*/a"],
            ["GET /a", "GET /a"],
            "/a 2"
        ),
        Rule(
            "a fragment of where a redirect led is of the page in view",
            fragments,
            [.load("/to/b"), .load("/b#x")],
            ["/to/b → /b", "*/b#x"],
            ["GET /to/b", "GET /b"],
            "/b 1"
        ),
        Rule(
            "a fragment of the answer to a form sends nothing",
            fragments,
            [.post("/f", "x=1"), .load("/f#x"), .back],
            ["*POST /f", "POST /f#x"],
            ["POST /f x=1"],
            "/f 1"
        ),
    ]

    private static let redirecting = [
        Rule(
            "a redirect leads to the last URL, and the first is known",
            populating,
            [.load("/to/to/b")],
            ["*/to/to/b → /b"],
            ["GET /to/to/b", "GET /to/b", "GET /b"],
            "/b 1"
        ),
        Rule(
            "a fragment goes along a redirect",
            populating,
            [.load("/to/b#x")],
            ["*/to/b#x → /b#x"],
            ["GET /to/b", "GET /b"],
            "/b 1"
        ),
        Rule(
            "a redirect's own fragment counts",
            populating,
            [.load("/part#x")],
            ["*/part#x → /b#own"],
            ["GET /part", "GET /b"],
            "/b 1"
        ),
    ]

    private static let failing = [
        ("/loop", "network.too-many-redirects"), ("refused:", "network.connect"), ("cut:", "network.lost"),
        ("unknown:x", "url.unsupported"),
    ].map { url, code in
        Rule(
            "a load that fails leaves all as it is: \(url)",
            populating,
            [.load("/a"), .load("/b"), .back, .fails(url, code)],
            ["*/a", "/b"],
            ["GET /a", "GET /b"],
            "/a 1"
        )
    }

    private static let going = [
        Rule(
            "going back and forward asks nobody",
            applying,
            [.load("/a"), .load("/b"), .back, .forward, .back],
            ["*/a", "/b"],
            ["GET /a", "GET /b"],
            "/a 1"
        ),
        Rule(
            "what must not be stored is there all the same",
            applying,
            [.load("/secret"), .load("/a"), .back],
            ["*/secret", "/a"],
            ["GET /secret", "GET /a"],
            "secret 1"
        ),
        Rule(
            "nothing is before the first entry",
            traversing,
            [.nowhere(-1), .load("/a"), .nowhere(-1)],
            ["*/a"],
            ["GET /a"],
            "/a 1"
        ),
        Rule(
            "nothing is after the last entry",
            traversing,
            [.nowhere(1), .load("/a"), .nowhere(1)],
            ["*/a"],
            ["GET /a"],
            "/a 1"
        ),
        Rule(
            "one goes by several entries at once",
            traversing,
            [.load("/a"), .load("/b"), .load("/c"), .go(-2), .go(2), .go(-1)],
            ["/a", "*/b", "/c"],
            ["GET /a", "GET /b", "GET /c"],
            "/b 1"
        ),
        Rule(
            "beyond the ends is nowhere",
            traversing,
            [.load("/a"), .load("/b"), .nowhere(-2), .nowhere(.min), .nowhere(.max)],
            ["/a", "*/b"],
            ["GET /a", "GET /b"],
            "/b 1"
        ),
        Rule(
            "by nothing is where one is",
            traversing,
            [.load("/a"), .load("/b"), .go(0)],
            ["/a", "*/b"],
            ["GET /a", "GET /b"],
            "/b 1"
        ),
        Rule(
            "one goes to an entry",
            traversing,
            [.load("/a"), .remember, .load("/b"), .load("/c"), .goToRemembered(true)],
            ["*/a", "/b", "/c"],
            ["GET /a", "GET /b", "GET /c"],
            "/a 1"
        ),
        Rule(
            "one goes to no entry that is gone",
            traversing,
            [.load("/a"), .load("/b"), .remember, .back, .load("/c"), .goToRemembered(false)],
            ["/a", "*/c"],
            ["GET /a", "GET /b", "GET /c"],
            "/c 1"
        ),
        Rule(
            "one goes to another part of a page",
            applying,
            [.load("/a"), .load("/a#x"), .load("/b"), .back, .back, .forward],
            ["/a", "*/a#x", "/b"],
            ["GET /a", "GET /b"],
            "/a 1"
        ),
    ]

    private static let sending = [
        Rule(
            "what is sent is an entry",
            ending,
            [.post("/f", "x=1")],
            ["*POST /f"],
            ["POST /f x=1"],
            "/f 1"
        ),
        Rule(
            "what is sent to the same URL is another entry",
            beginning,
            [.load("/f"), .post("/f", "x=1"), .post("/f", "x=2")],
            ["/f", "POST /f", "*POST /f"],
            ["GET /f", "POST /f x=1", "POST /f x=2"],
            "/f 3"
        ),
        Rule(
            "going back sends nothing again",
            applying,
            [.post("/f", "x=1"), .load("/a"), .back],
            ["*POST /f", "/a"],
            ["POST /f x=1", "GET /a"],
            "/f 1"
        ),
        Rule(
            "loading again sends it again",
            traversing,
            [.post("/f", "x=1"), .load("/a"), .back, .reload],
            ["*POST /f", "/a"],
            ["POST /f x=1", "GET /a", "POST /f x=1"],
            "/f 2"
        ),
        Rule(
            "after 303 there is a page that was asked for",
            populating,
            [.post("/done", "x=1"), .reload],
            ["*/done → /b"],
            ["POST /done x=1", "GET /b", "GET /b"],
            "/b 2"
        ),
        Rule(
            "after 307 there is a page to which it was sent",
            populating,
            [.post("/resend", "x=1"), .reload],
            ["*POST /resend → /b"],
            ["POST /resend x=1", "POST /b x=1", "POST /b x=1"],
            "/b 2"
        ),
    ]

    private static let reloading = [
        Rule(
            "loading again changes no entry but the one in view",
            traversing,
            [.load("/a"), .load("/b"), .load("/c"), .back, .reload],
            ["/a", "*/b", "/c"],
            ["GET /a", "GET /b", "GET /c", "GET /b"],
            "/b 2"
        ),
        Rule(
            "loading again keeps the fragment",
            traversing,
            [.load("/a#x"), .reload, .reloadFromOrigin],
            ["*/a#x"],
            ["GET /a", "GET /a", "GET /a"],
            "/a 3"
        ),
        Rule(
            "loading again is for all parts of the page",
            traversing,
            [.load("/a"), .load("/a#x"), .reload, .back],
            ["*/a", "/a#x"],
            ["GET /a", "GET /a"],
            "/a 2"
        ),
        Rule(
            "loading again keeps an empty fragment",
            traversing,
            [.load("/a#"), .reload],
            ["*/a#"],
            ["GET /a", "GET /a"],
            "/a 2"
        ),
        Rule(
            "loading again asks where the redirect led, and knows what was asked for first",
            traversing,
            [.load("/to/b#x"), .reload],
            ["*/to/b#x → /b#x"],
            ["GET /to/b", "GET /b", "GET /b"],
            "/b 2"
        ),
        Rule(
            "a data URL is loaded again",
            traversing,
            [.load("data:text/html,<title>d</title>"), .reload],
            ["*data:text/html,<title>d</title>"],
            [],
            "d"
        ),
        Rule(
            "a string is there again",
            traversing,
            [.html("<title>s</title>", base: nil), .reload, .load("/a"), .back],
            ["*about:blank", "/a"],
            ["GET /a"],
            "s"
        ),
    ]

    private static let changing = [
        Rule(
            "another status is a page too",
            populating,
            [.load("/gone"), .reload],
            ["*/gone"],
            ["GET /gone", "GET /gone"],
            "gone 2"
        ),
        Rule(
            "another type is a page too",
            populating,
            [.load("/plain"), .reload],
            ["*/plain"],
            ["GET /plain", "GET /plain"],
            nil
        ),
        Rule(
            "what leads elsewhere by now is shown there",
            populating,
            [.load("/moved#x"), .reload],
            ["*/moved#x → /b#x"],
            ["GET /moved", "GET /moved", "GET /b"],
            "/b 1"
        ),
        Rule(
            "what leads elsewhere by now keeps what was asked for first",
            populating,
            [.load("/to/moved"), .reload],
            ["*/to/moved → /b"],
            ["GET /to/moved", "GET /moved", "GET /moved", "GET /b"],
            "/b 1"
        ),
    ]

    /// Answers requests for everything that the site has besides plain pages.
    @Sendable private static func answer(_ asked: BrowsedSite.Asked) -> BrowsedSite.Answer? {
        if asked.target.hasPrefix("/to/") { return .redirect(String(asked.target.dropFirst(3))) }
        let isFirst = asked.count == 1
        switch asked.target {
        case "/part": return .redirect("/b#own")
        case "/loop": return .redirect("/loop")
        case "/done": return .redirect("/b", 303)
        case "/resend": return .redirect("/b", 307)
        case "/secret": return .page("secret \(asked.count)", "", ["Cache-Control": "no-store"])
        case "/moved" where !isFirst: return .redirect("/b")
        case "/plain" where !isFirst: return .page("no title", "", ["Content-Type": "text/plain"])
        case "/gone":
            var answer = BrowsedSite.Answer.page("gone \(asked.count)")
            answer.status = isFirst ? 200 : 410
            return answer
        default: return nil
        }
    }

    @Test("The session history", arguments: rules)
    func holds(rule: Rule) async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\n"
        let cut = try RawServer([.send(head + "<p>")])
        defer { cut.stop() }
        try await withSite(Self.answer) { site, server in
            let session = try PageSession(configuration: .testing { $0.maximumEntries = rule.maximumEntries })
            let root = server.url("/").dropLast()
            func url(_ text: String) throws -> WebURL {
                switch text {
                case "cut:": try WebURL(cut.url)
                case "refused:": try WebURL("http://127.0.0.1:1/")
                default: try WebURL(text.hasPrefix("/") ? "\(root)\(text)" : text)
                }
            }
            var remembered: HistoryEntry?
            for step in rule.steps {
                try await Self.take(step, session, url, &remembered)
            }
            let list = await session.history
            let entries = list.entries.enumerated().map { index, entry in
                let start = entry.initialURL == entry.url ? "" : "\(entry.initialURL.href) → "
                let method = entry.httpMethod == "GET" ? "" : "\(entry.httpMethod) "
                let text = "\(index == list.currentIndex ? "*" : "")\(method)\(start)\(entry.url.href)"
                return text.replacing(root, with: "")
            }
            #expect(entries == rule.entries)
            // How often a loop is followed is not the history's.
            #expect(site.lines.filter { $0 != "GET /loop" } == rule.asked)
            #expect(await session.title == rule.title)
            let page = try #require(try await session.page)
            #expect(page.title == rule.title)
            #expect(Set(list.entries.map(\.id)).count == list.entries.count)
        }
    }

    private static func take(
        _ step: Step,
        _ session: PageSession,
        _ url: (String) throws -> WebURL,
        _ remembered: inout HistoryEntry?
    ) async throws {
        switch step {
        case .load(let text): try await session.load(WebRequest(url: url(text)))
        case .post(let text, let body):
            var request = WebRequest(url: try url(text))
            request.httpMethod = "POST"
            request.httpBody = Array(body.utf8)
            try await session.load(request)
        case .html(let string, let base):
            try await session.loadHTMLString(string, baseURL: try base.map(url))
        case .text(let text, let base):
            try await session.loadData(
                Array(text.utf8),
                mimeType: "text/plain",
                textEncodingName: "utf-8",
                baseURL: try url(base)
            )
        case .fails(let text, let code):
            let request = WebRequest(url: try url(text))
            let found = await loadErrorCode { () async throws(LoadError) in try await session.load(request) }
            #expect(found == code)
        case .go(let offset): #expect(try await session.go(by: offset) != nil)
        case .nowhere(let offset): #expect(try await session.go(by: offset) == nil)
        case .remember: remembered = await session.history.current
        case .goToRemembered(let isThere):
            let entry = try #require(remembered)
            #expect((try await session.go(to: entry) != nil) == isThere)
        case .reload: #expect(try await session.reload() != nil)
        case .reloadFromOrigin: #expect(try await session.reloadFromOrigin() != nil)
        }
    }
}
