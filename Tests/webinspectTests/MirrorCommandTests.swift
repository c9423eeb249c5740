import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing

/// `webinspect mirror`: what is in its folder, how it ends, that it goes on and is brought up to date.
@Suite(.timeLimit(.minutes(20)))
struct MirrorCommandTests {
    /// A site whose pages can be changed, which counts what is asked for.
    private final class Site: Sendable {
        private struct State {
            var bodies: [String: (type: String, text: String)] = [:]
            var asked: [String] = []
            var unchanged: [String] = []
            var isDown = false
            var refused: Set<String> = []
            /// The paths that are answered with a 3xx: its status, and its location, if it has one.
            var moved: [String: (status: HTTPStatusCode, location: String?)] = [:]
            var robots: String?
            /// The Authorization and the X-Key of each request.
            var secrets: Set<String> = []
        }

        private let state = Mutex(State())

        init(_ bodies: [String: String]) {
            for (path, text) in bodies { set(path, text) }
        }

        func set(_ path: String, _ text: String?) {
            let types = [
                "css": "text/css", "png": "image/png", "html": "text/html", "xhtml": "application/xhtml+xml",
            ]
            let type = types[path.split(separator: ".").last.map(String.init) ?? ""] ?? "text/html"
            state.withLock { $0.bodies[path] = text.map { (type, $0) } }
        }

        func refuse(_ path: String) { state.withLock { _ = $0.refused.insert(path) } }

        func move(_ path: String, _ location: String?, _ status: HTTPStatusCode = .found) {
            state.withLock { $0.moved[path] = (status, location) }
        }

        func setRobots(_ text: String) { state.withLock { $0.robots = text } }

        /// The credentials that were sent since the last call, a request's in a line.
        func takeSecrets() -> Set<String> {
            state.withLock { state in
                defer { state.secrets = [] }
                return state.secrets
            }
        }

        func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

        /// Returns the requests since the last call, and those of them that had not changed.
        func takeAsked() -> (all: [String], unchanged: [String]) {
            state.withLock { state in
                defer { (state.asked, state.unchanged) = ([], []) }
                return (state.asked.sorted(), state.unchanged.sorted())
            }
        }

        func answer(_ request: HTTPRequest) -> HTTPResponse {
            state.withLock { state in
                guard request.path != "/robots.txt" else {
                    return HTTPResponse(
                        statusCode: state.robots == nil ? .notFound : .ok,
                        body: Data((state.robots ?? "").utf8)
                    )
                }
                state.asked.append(request.path)
                let secrets = [request.headers[.authorization], request.headers[HTTPHeader("X-Key")]]
                state.secrets.insert(secrets.map { $0 ?? "-" }.joined(separator: " "))
                if let (status, location) = state.moved[request.path] {
                    let headers: HTTPHeaders = location.map { [.location: $0] } ?? [:]
                    return HTTPResponse(statusCode: status, headers: headers, body: Data("moved".utf8))
                }
                guard !state.isDown else { return HTTPResponse(statusCode: .internalServerError) }
                guard !state.refused.contains(request.path) else {
                    return HTTPResponse(statusCode: .forbidden)
                }
                if request.path == "/moved" {
                    let headers: HTTPHeaders = [.location: "/two.html#there"]
                    return HTTPResponse(statusCode: .found, headers: headers)
                }
                guard let (type, text) = state.bodies[request.path] else {
                    return HTTPResponse(statusCode: .notFound, body: Data("none".utf8))
                }
                var headers: HTTPHeaders = [.contentType: type]
                let tag = "\"\(text.utf8.reduce(UInt64(5381)) { $0 &* 33 &+ UInt64($1) })\""
                headers[HTTPHeader("ETag")] = tag
                if request.headers[HTTPHeader("If-None-Match")] == tag {
                    state.unchanged.append(request.path)
                    return HTTPResponse(statusCode: .notModified, headers: headers)
                }
                return HTTPResponse(statusCode: .ok, headers: headers, body: Data(text.utf8))
            }
        }
    }

    private static func site() -> Site {
        Site([
            "/": """
            <!DOCTYPE html><title>Home</title><link rel=stylesheet href=style.css integrity=sha256-x crossorigin><img src=a.png>
            <a id=two href=moved>two</a><a id=self href="./?">self</a><a id=out href=http://127.0.0.1:1/x>out</a>
            <script>x()</script>
            """,
            "/two.html": "<title>Two</title><p id=there>There</p><a href=/>home</a><img src=same.png>",
            "/style.css": "p { background: url(b.png) }", "/a.png": "A", "/b.png": "B", "/same.png": "A",
        ])
    }

    private func mirror(
        _ server: TestServer,
        _ out: URL,
        _ more: String...
    ) async throws -> (status: Int32, json: [String: Any], errors: String) {
        try await mirror(server.url("/"), out, more)
    }

    private func mirror(
        _ seed: String,
        _ out: URL,
        _ more: [String] = []
    ) async throws -> (status: Int32, json: [String: Any], errors: String) {
        let outcome = try await Command.run(
            "webinspect",
            ["mirror", seed, "-o", out.path, "--json", "--retry", "0"] + more
        )
        let json = try? JSONSerialization.jsonObject(with: Data(outcome.text.utf8)) as? [String: Any]
        return (outcome.status, json ?? [:], outcome.errors)
    }

    /// Returns the codes of the missing resources.
    private func codes(_ json: [String: Any]) -> [String] {
        (json["missing"] as? [[String: String]] ?? []).compactMap { $0["code"] }
    }

    /// The files of the copy below its host's folder, and the page that leads in.
    private func files(_ out: URL) throws -> [String] {
        let paths = try FileManager.default.subpathsOfDirectory(atPath: out.path)
        return paths.filter { !$0.hasPrefix(".mirror") && $0.contains(".") && !$0.hasSuffix("/") }
            .filter { path in
                (try? FileManager.default.contentsOfDirectory(atPath: out.path + "/" + path)) == nil
            }
            .map { $0.split(separator: "/").dropFirst($0.contains("/") ? 1 : 0).joined(separator: "/") }
            .sorted()
    }

    private func text(_ out: URL, _ name: String) throws -> String {
        let host = try FileManager.default.contentsOfDirectory(atPath: out.path).first {
            $0.hasPrefix("127.")
        }
        return try String(
            contentsOf: out.appendingPathComponent(try #require(host)).appendingPathComponent(name),
            encoding: .utf8
        )
    }

    @Test func leadsFromFileToFile() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                let outcome = try await mirror(server, out)
                #expect(outcome.status == 0, "\(outcome.errors)")
                // Identical files are stored once.
                #expect(
                    try files(out) == ["a.png", "b.png", "index.html", "index.html", "style.css", "two.html"]
                )
                let home = try text(out, "index.html")
                for part in [
                    "href=\"two.html#there\"", "id=self href=\"index.html\"", "http://127.0.0.1:1/x",
                    "src=\"a.png\"",
                    "href=\"style.css\"",
                ] { #expect(home.contains(part), "\(part) in \(home)") }
                for part in ["integrity", "crossorigin", "<script>"] { #expect(!home.contains(part)) }
                #expect(home.contains("<meta http-equiv=\"Content-Security-Policy\""))
                #expect(try text(out, "two.html").contains("src=\"a.png\""))
                let changed = try #require(outcome.json["changed"] as? [String: Int])
                #expect(changed["integrity"] == 1 && changed["scripts"] == 1)
                #expect(outcome.json["files"] as? Int == 6)
                let top = try String(contentsOf: out.appendingPathComponent("index.html"), encoding: .utf8)
                #expect(top.contains(">Home</a>") && top.contains(">Two</a>"))
                // All is done: nothing is asked for again, and the copy can be written anew.
                _ = site.takeAsked()
                try FileManager.default.removeItem(at: out.appendingPathComponent("index.html"))
                #expect(try await mirror(server, out).status == 0)
                #expect(site.takeAsked().all.isEmpty)
                #expect(FileManager.default.fileExists(atPath: out.path + "/index.html"))
            }
        }
    }

    @Test func isBroughtUpToDate() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                #expect(try await mirror(server, out).status == 0)
                try Data("mine".utf8).write(to: out.appendingPathComponent("mine.txt"))
                _ = site.takeAsked()
                site.set("/two.html", "<title>Two, again</title><a href=three.html>3</a>")
                site.set("/three.html", "<title>Three</title>")
                site.set("/b.png", nil)
                let outcome = try await mirror(server, out, "--update")
                #expect(outcome.status == 1)
                let missing = try #require(outcome.json["missing"] as? [[String: String]])
                #expect(missing.map { $0["code"] } == ["http.404"])
                #expect(outcome.errors.contains("/b.png"))
                // Whether the copy holds is asked of what no page has any more, too, until something has changed.
                let unchanged = site.takeAsked().unchanged.filter { $0 != "/same.png" }
                #expect(unchanged == ["/", "/a.png", "/style.css"])
                let names = [
                    "a.png", "index.html", "index.html", "mine.txt", "style.css", "three.html", "two.html",
                ]
                #expect(try files(out) == names)
                #expect(try text(out, "two.html").contains("Two, again"))
                // Files that cannot be loaded stay.
                site.setDown(true)
                let down = try await mirror(server, out, "--update")
                #expect(down.status == 1)
                #expect(
                    (down.json["missing"] as? [[String: String]])?.contains { $0["code"] == "http.500" }
                        == true
                )
                #expect(try files(out) == names)
            }
        }
    }

    @Test func `an update that finds nothing new costs its questions alone`() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            site.set("/two.html", "<title>Two</title>There<a href=gone.html>gone</a>")
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                let first = try await mirror(server, out)
                #expect(first.status == 0, "\(first.errors)")
                let asked = site.takeAsked().all.sorted()
                let own = try FileManager.default.contentsOfDirectory(atPath: out.path + "/.mirror").sorted()
                let again = try await mirror(server, out, "--update")
                #expect(again.status == 0, "\(again.errors)")
                let questions = site.takeAsked()
                #expect(questions.all.sorted() == asked)
                #expect(questions.unchanged == ["/", "/a.png", "/b.png", "/style.css", "/two.html"])
                #expect(again.json["files"] as? Int == first.json["files"] as? Int)
                #expect(codes(again.json) == codes(first.json))
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: out.path + "/.mirror").sorted() == own
                )
                // A file that somebody has removed is written again.
                try FileManager.default.removeItem(at: out.appendingPathComponent("index.html"))
                #expect(try await mirror(server, out, "--update").status == 0)
                #expect(FileManager.default.fileExists(atPath: out.path + "/index.html"))
                // A file that was found unchanged is not requested again where another one has changed.
                _ = site.takeAsked()
                site.set("/gone.html", "<title>Here</title>")
                #expect(try await mirror(server, out, "--update").status == 0)
                #expect(Set(site.takeAsked().unchanged).count == 5)
                #expect(try files(out).contains("gone.html"))
            }
        }
    }

    @Test func keepsWhatSeedsRedirectTo() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            let out = folder.appendingPathComponent("m")
            let (seed, names) = try await withTestServer({ site.answer($0) }) { server in
                let seed = server.url("/moved")
                #expect(try await mirror(seed, out).status == 0)
                let names = try files(out)
                #expect(names.contains("two.html"))
                site.setDown(true)
                let outcome = try await mirror(seed, out, ["--update"])
                #expect(outcome.status == 1)
                #expect(codes(outcome.json).contains("http.500"))
                #expect(try files(out) == names)
                return (seed, names)
            }
            // Now nobody answers at all.
            let outcome = try await mirror(seed, out, ["--update"])
            #expect(outcome.status == 3, "\(outcome.errors)")
            #expect(try files(out) == names)
        }
    }

    @Test func tellsDeadLinksFromWhatIsMissing() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            site.set("/", "<title>Home</title><a href=gone.html>1</a><a href=two.html>2</a>")
            try await withTestServer({ site.answer($0) }) { server in
                let whole = try await mirror(server, folder.appendingPathComponent("m"))
                #expect(whole.status == 0)
                #expect(whole.errors.contains("/gone.html: dead link (http.404)"))
                let missing = try #require(whole.json["missing"] as? [[String: String]])
                #expect(missing.map { $0["kind"] } == ["link"])
                site.set("/", "<title>Home</title><a href=gone.html>1</a><img src=gone.png>")
                let broken = try await mirror(server, folder.appendingPathComponent("n"))
                #expect(broken.status == 1)
                #expect(broken.errors.contains("/gone.png: missing (http.404)"))
                #expect(broken.errors.contains(", 1 missing, 1 dead link"))
            }
        }
    }

    @Test func keepsWhatIsRefused() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                #expect(try await mirror(server, out).status == 0)
                site.refuse("/two.html")
                let outcome = try await mirror(server, out, "--update")
                #expect(outcome.status == 1)
                #expect(codes(outcome.json) == ["http.403"])
                #expect(try text(out, "two.html").contains("There"))
                // A site of which nothing is left does not take the copy with it.
                site.set("/", nil)
                let empty = try await mirror(server, out, "--update")
                #expect(empty.status == 1)
                #expect(codes(empty.json).first == "http.404")
                #expect(try text(out, "index.html").contains("Home"))
                site.set("/", "<title>Back</title>")
                #expect(try await mirror(server, out, "--update").status == 0)
                #expect(try text(out, "index.html").contains("Back"))
            }
        }
    }

    /// The responses that an update finds in place of a page with links, and the code that it reports.
    @Test(
        arguments: [
            (["/two.html": "/two.html"], HTTPStatusCode.found, "redirect.loop"),
            (["/two.html": "/three.html", "/three.html": "/two.html"], .found, "redirect.loop"),
            (["/two.html": "/login?next=%2Ftwo.html"], .found, "redirect.detour"),
            (["/two.html": nil], .found, "http.302"),
            (["/two.html": nil], HTTPStatusCode(300, phrase: "Multiple Choices"), "http.300"),
            ([:], .ok, "robots.disallowed"),
        ] as [([String: String?], HTTPStatusCode, String)]
    )
    func keepsWhatLeadsNowhere(moved: [String: String?], status: HTTPStatusCode, code: String) async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            site.set("/two.html", "<title>Two</title>There<a href=deep.html>deep</a>")
            site.set("/deep.html", "<title>Deep</title>")
            site.set("/login", "<title>Log in</title>")
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                #expect(try await mirror(server, out).status == 0)
                for (path, location) in moved { site.move(path, location, status) }
                if moved.isEmpty { site.setRobots("User-agent: *\nDisallow: /two.html") }
                let outcome = try await mirror(server, out, "--update")
                #expect(outcome.status == 1, "\(outcome.errors)")
                #expect(codes(outcome.json).contains(code))
                #expect(try text(out, "two.html").contains("There"))
                #expect(try text(out, "deep.html").contains("Deep"))
                #expect(try text(out, "index.html").contains("two.html#there"))
                // Again, from what the update has.
                #expect(try await mirror(server, out, "--update").status == 1)
                #expect(try text(out, "two.html").contains("There"))
            }
        }
    }

    @Test func saysThatRedirectsAreACircle() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            site.move("/moved", "/again")
            site.move("/again", "/moved")
            try await withTestServer({ site.answer($0) }) { server in
                let outcome = try await mirror(server, folder.appendingPathComponent("m"))
                #expect(outcome.status == 1)
                #expect(codes(outcome.json) == ["redirect.loop", "redirect.loop"])
            }
        }
    }

    /// A limit on pages does not limit the resources that they show.
    @Test func hasWhatItsLastPageShows() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                let outcome = try await mirror(server, out, "--max-pages", "1", "--jobs", "1")
                #expect(outcome.status == 6)
                #expect(Set(codes(outcome.json)) == ["limit.pages"])
                #expect(try files(out) == ["a.png", "b.png", "index.html", "index.html", "style.css"])
                #expect(try await mirror(server, out).status == 0)
                #expect(try text(out, "two.html").contains("There"))
            }
        }
    }

    @Test func tellsItsSecretsToNobodyElse() async throws {
        try await withTemporaryFolder { folder in
            let (site, other) = (Self.site(), Site(["/x.png": "X"]))
            try await withTestServer({ other.answer($0) }) { elsewhere in
                site.set("/two.html", "<title>Two</title><img src=\(elsewhere.url("/x.png"))>")
                try await withTestServer({ site.answer($0) }) { server in
                    let seed = server.url("/").replacingOccurrences(of: "//", with: "//user:p%40ss@")
                    let out = folder.appendingPathComponent("m")
                    let outcome = try await mirror(seed, out, ["-H", "X-Key: k1"])
                    #expect(outcome.status == 0, "\(outcome.errors)")
                    #expect(
                        site.takeSecrets() == ["Basic \(Data("user:p@ss".utf8).base64EncodedString()) k1"]
                    )
                    #expect(other.takeAsked().all == ["/x.png"])
                    #expect(other.takeSecrets() == ["- -"])
                    // They are not kept, but for the requests in the archive.
                    let own = out.appendingPathComponent(".mirror")
                    for name in try FileManager.default.contentsOfDirectory(atPath: own.path) {
                        let bytes = try Data(contentsOf: own.appendingPathComponent(name))
                        #expect(bytes.range(of: Data("p%40ss".utf8)) == nil, "\(name)")
                    }
                }
            }
        }
    }

    @Test func embedsAnImageSoOftenOnly() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            let rules = (0..<200).map { "a\($0){mask-image:url(big.png)}" }.joined()
            site.set("/two.html", "<title>Two</title><style>\(rules)</style>")
            site.set("/big.png", String(repeating: "x", count: 250_000))
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                let (status, json, _) = try await mirror(server, out)
                #expect(status == 6)
                #expect(codes(json) == ["limit.size"])
                let copy = try text(out, "two.html")
                #expect(copy.utf8.count < 40 << 20)
                #expect(copy.contains("data:image/png;base64,"))
                #expect(copy.contains("url(big.png)"))
            }
        }
    }

    @Test func embedsNoXSLT() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            let markup = "<b xmlns='http://www.w3.org/1999/xhtml'><script>evil()</script></b>"
            let data = "data:text/xsl,\(markup.replacingOccurrences(of: "<", with: "%3C"))"
            site.set(
                "/two.html",
                "<title>Two</title><iframe src=\"\(data)\"></iframe><iframe src=three.xhtml></iframe>"
            )
            site.set(
                "/three.xhtml",
                "<html xmlns='http://www.w3.org/1999/xhtml'><iframe src=\"\(data)\"/></html>"
            )
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                _ = try await mirror(server, out)
                for name in ["two.html", "three.xhtml"] { #expect(try !text(out, name).contains("evil")) }
            }
        }
    }

    /// A robots.txt may name sitemaps of anybody.
    @Test(arguments: [["mirror", "-o", "OUT"], ["crawl", "-o", "OUT.warc"], ["check"], ["sitemap"]])
    func tellsItsSecretsToNoSitemapOfOthers(line: [String]) async throws {
        try await withTemporaryFolder { folder in
            let (site, other) = (Self.site(), Site([:]))
            try await withTestServer({ other.answer($0) }) { elsewhere in
                try await withTestServer({ site.answer($0) }) { server in
                    site.setRobots("Sitemap: \(elsewhere.url("/s.xml"))\nSitemap: \(server.url("/s.xml"))")
                    let out = folder.appendingPathComponent("out").path
                    let words = line.map { $0.replacingOccurrences(of: "OUT", with: out) }
                    _ = try await Command.run(
                        "webinspect",
                        [words[0], server.url("/"), "-u", "user:pass", "-H", "X-Key: k1"] + words[1...]
                            + (words[0] == "sitemap" ? [] : ["--sitemap"])
                    )
                    #expect(other.takeAsked().all == ["/s.xml"])
                    #expect(other.takeSecrets() == ["- -"])
                    #expect(site.takeAsked().all.contains("/s.xml"))
                    #expect(site.takeSecrets().allSatisfy { $0.hasSuffix(" k1") })
                }
            }
        }
    }

    @Test func bringsFilesUpToDate() async throws {
        try await withTemporaryFolder { folder in
            let page = folder.appendingPathComponent("page.html")
            let out = folder.appendingPathComponent("m")
            func copied() throws -> String? {
                let paths = try FileManager.default.subpathsOfDirectory(atPath: out.path)
                return try paths.first { $0.hasSuffix("page.html") }.map {
                    try String(contentsOf: out.appendingPathComponent($0), encoding: .utf8)
                }
            }
            for title in ["First", "Second"] {
                try Data("<title>\(title)</title>".utf8).write(to: page)
                let outcome = try await mirror(page.path, out, title == "First" ? [] : ["--update"])
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try copied()?.contains(title) == true)
            }
        }
    }

    @Test func writesOverNothingOfOthers() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                #expect(try await mirror(server, out).status == 0)
                let host = try FileManager.default.contentsOfDirectory(atPath: out.path)
                    .first { $0.hasPrefix("127.") }
                let mine = out.appendingPathComponent(try #require(host)).appendingPathComponent("three.html")
                try Data("mine".utf8).write(to: mine)
                site.set("/two.html", "<title>Two</title><a href=three.html>3</a>")
                site.set("/three.html", "<title>Three</title>")
                #expect(try await mirror(server, out, "--update").status == 8)
                #expect(try String(contentsOf: mine, encoding: .utf8) == "mine")
                try FileManager.default.removeItem(at: mine)
                #expect(try await mirror(server, out).status == 0)
                #expect(try text(out, "three.html").contains("Three"))
            }
        }
    }

    @Test func makesFoldersOfFiles() async throws {
        try await withTemporaryFolder { folder in
            let site = Site(["/": "<img src=a.png>", "/a.png": "A"])
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                #expect(try await mirror(server, out).status == 0)
                site.set("/", "<a href=a.png/b.html>b</a>")
                site.set("/a.png/b.html", "<title>B</title>")
                let outcome = try await mirror(server, out, "--update")
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try files(out) == ["a.png/b.html", "index.html", "index.html"])
                site.set("/", "<img src=a.png>")
                #expect(try await mirror(server, out, "--update").status == 0)
                #expect(try files(out) == ["a.png", "index.html", "index.html"])
            }
        }
    }

    @Test func saysWhatIsMissing() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            let title = String(repeating: "x", count: 300)
            site.set("/two.html", "<title>\(title)</title><a href=bad.xhtml>bad</a>")
            site.set("/bad.xhtml", "no markup at all")
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                let seed = server.url("/").replacingOccurrences(of: "//", with: "//user:secret@")
                let outcome = try await mirror(seed, out, ["--exclude", "*/b.png", "--max-density", "2"])
                #expect(outcome.status == 1, "\(outcome.errors)")
                #expect(codes(outcome.json).sorted() == ["parse.xml", "scope.excluded"])
                let top = try String(contentsOf: out.appendingPathComponent("index.html"), encoding: .utf8)
                #expect(!top.contains("secret") && !"\(outcome.json)".contains("secret"))
                #expect(top.contains(title.prefix(200)) && !top.contains(title))
                #expect(try text(out, "bad.xhtml").contains("is not in this copy (parse.xml)"))
                // The default, said or not, is the same mirror.
                #expect(try await mirror(seed, out, ["--exclude", "*/b.png"]).status == 1)
            }
        }
    }

    @Test func goesOnAfterALimit() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                let out = folder.appendingPathComponent("m")
                let first = try await mirror(server, out, "--max-files", "1", "--jobs", "1")
                #expect(first.status == 6)
                let missing = try #require(first.json["missing"] as? [[String: String]])
                #expect(!missing.isEmpty && missing.allSatisfy { $0["code"] == "limit.files" })
                // The copy does not request a missing file, and links to it lead to the original.
                let home = try text(out, "index.html")
                #expect(home.contains("/moved\"") && !home.contains("src=\"http"))
                #expect(try await mirror(server, out).status == 0)
                #expect(site.takeAsked().all.count { $0 == "/" } == 1)
                #expect(try text(out, "index.html").contains("two.html#there"))
            }
        }
    }

    @Test func goesOnAfterAKill() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            for number in 0..<200 {
                site.set("/\(number).html", "<title>\(number)</title><a href=\(number + 1).html>on</a>")
            }
            site.set("/", "<title>Home</title><a href=0.html>0</a>")
            site.set("/200.html", "<title>Last</title>")
            // The process is killed while it waits for these.
            let held = [50, 100, 150].map {
                (path: "/\($0).html", asked: Event("\($0).html is asked for"), ended: Event("a kill"))
            }
            try await withTestServer({ request in
                if let page = held.first(where: { $0.path == request.path }), page.ended.count == 0 {
                    page.asked.happen()
                    try? await page.ended.wait()
                }
                return site.answer(request)
            }) { server in
                let out = folder.appendingPathComponent("m")
                for page in held {
                    let program = try StartedProgram(
                        "webinspect",
                        ["mirror", server.url("/"), "-o", out.path, "-s"]
                    )
                    try await page.asked.wait()
                    program.signal(SIGKILL)
                    #expect(try await program.end() == 128 + SIGKILL)
                    page.ended.happen()
                }
                let outcome = try await mirror(server, out)
                #expect(outcome.status == 0, "\(outcome.errors)")
                #expect(try files(out).count == 203)
                #expect(try text(out, "150.html").contains("href=\"151.html\""))
            }
        }
    }

    @Test func touchesNoFolderOfOthers() async throws {
        try await withTemporaryFolder { folder in
            let site = Self.site()
            try await withTestServer({ site.answer($0) }) { server in
                try Data("mine".utf8).write(to: folder.appendingPathComponent("mine.txt"))
                let outcome = try await mirror(server, folder)
                #expect(outcome.status == 8)
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["mine.txt"])
                #expect(site.takeAsked().all.isEmpty)
                let out = folder.appendingPathComponent("m")
                #expect(try await mirror(server, out).status == 0)
                // Another mirror is not made in its place.
                #expect(try await mirror(server, out, "--scripts").status == 2)
            }
        }
    }

    @Test func writesNothingOutside() async throws {
        try await withTemporaryFolder { folder in
            let names = [
                "..%2f..%2fevil", "%2e%2e%5cevil", "a%00evil", "con", "x/..%2f..%2f..%2fevil.html",
                "%2Fetc%2Fevil",
            ]
            let links = names.map { "<a href=\"/\($0)\">x</a>" }.joined()
            let site = Self.site()
            site.set("/", "<title>Home</title>\(links)")
            try await withTestServer({ request in
                let headers: HTTPHeaders = [.contentType: "text/html"]
                return request.path == "/" || request.path == "/robots.txt"
                    ? site.answer(request)
                    : HTTPResponse(statusCode: .ok, headers: headers, body: Data("<title>evil</title>".utf8))
            }) { server in
                let out = folder.appendingPathComponent("a/b/m")
                try FileManager.default.createDirectory(
                    at: out.deletingLastPathComponent(),
                    withIntermediateDirectories: true
                )
                #expect(try await mirror(server, out).status == 0)
                let all = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                #expect(all.allSatisfy { $0 == "a" || $0 == "a/b" || $0.hasPrefix("a/b/m") })
                #expect(try files(out).count == names.count + 2)
            }
        }
    }

    @Test(arguments: [
        (["-o", "x"], 2), (["http://127.0.0.1:1/"], 2), (["http://127.0.0.1:1/", "-o", ""], 2),
        (["data:,x", "-o", "x"], 2), (["http://127.0.0.1:1/", "-o", "x", "--max-files", "0"], 2),
        (["http://127.0.0.1:1/", "-o", "x", "--max-density", "nan"], 2),
        (["http://127.0.0.1:1/", "-o", "x", "--record", "y.warc"], 2),
    ])
    func saysWhatIsWrong(_ arguments: [String], _ status: Int) async throws {
        try await withTemporaryFolder { folder in
            let outcome = try await Command.run("webinspect", ["mirror"] + arguments, folder: folder)
            #expect(Int(outcome.status) == status, "\(outcome.errors)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        }
    }
}
