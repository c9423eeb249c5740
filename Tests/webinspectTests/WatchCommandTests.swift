import FlyingFox
import Foundation
import Synchronization
import TestSupport
import Testing

/// `webinspect watch`.
@Suite(.timeLimit(.minutes(20)))
struct WatchCommandTests {
    /// A page that changes when the test says so.
    private final class Page: Sendable {
        private struct State {
            var body = "<h1>1</h1><p>first"
            var status = HTTPStatusCode.ok
            var posts: [String] = []
            var postStatus = HTTPStatusCode.ok
        }

        private let state = Mutex(State())

        func set(_ body: String, _ status: HTTPStatusCode = .ok) {
            state.withLock { ($0.body, $0.status) = (body, status) }
        }

        func setPostStatus(_ status: HTTPStatusCode) { state.withLock { $0.postStatus = status } }

        var posts: [String] { state.withLock(\.posts) }

        @Sendable func answer(_ request: HTTPRequest) async -> HTTPResponse {
            if request.method == .POST {
                let body = (try? await request.bodyData).map { String(decoding: $0, as: UTF8.self) } ?? ""
                return state.withLock { state in
                    state.posts.append(body)
                    return HTTPResponse(statusCode: state.postStatus)
                }
            }
            let (body, status) = state.withLock { ($0.body, $0.status) }
            return HTTPResponse(
                statusCode: status,
                headers: [.contentType: "text/html"],
                body: Data(body.utf8)
            )
        }
    }

    private func watching(
        _ list: String,
        _ body: (Page, TestServer, URL) async throws -> Void
    ) async throws {
        let page = Page()
        try await withTestServer({ await page.answer($0) }) { server in
            try await withTemporaryFolder { folder in
                let text = list.replacing("URL", with: server.url("/p"))
                try Data(text.utf8).write(to: folder.appending(path: "list"))
                try await body(page, server, folder)
            }
        }
    }

    private func watch(_ folder: URL, _ flags: String...) async throws -> Command.Outcome {
        try await Command.run(
            "webinspect",
            ["watch", "list"] + flags,
            environment: ["XDG_CACHE_HOME": folder.path],
            folder: folder
        )
    }

    private func lines(_ outcome: Command.Outcome) throws -> [[String: Any]] {
        try outcome.text.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    private func told(_ folder: URL) -> String {
        (try? String(contentsOf: folder.appending(path: "told"), encoding: .utf8)) ?? ""
    }

    // MARK: - Events

    @Test func silentlyItSaysNewsOnly() async throws {
        try await watching("- url: URL\n") { page, _, folder in
            var said: [String] = []
            for (text, flags) in [("One", "-s"), ("One", "-s"), ("Two", "-s"), ("Two", "-v")] {
                page.set("<p>\(text)")
                said.append(
                    try await watch(folder, flags).text.split(separator: " ").first.map(String.init) ?? ""
                )
            }
            #expect(said == ["", "", "changed", "same"])
        }
    }

    @Test func `a change is told once; errors and empty pages are none`() async throws {
        try await watching("- {name: p, url: URL}") { page, _, folder in
            let steps: [(String, HTTPStatusCode, String, Int32)] = [
                ("<p>first", .ok, "new p", 0), ("<p>first", .ok, "same p", 0),
                ("<p>second", .ok, "changed p", 1), ("<p>second", .ok, "same p", 0),
                ("<p>broken", .internalServerError, "error p: HTTP status 500 (http.500)", 4),
                ("<p>gone", .notFound, "error p", 4), ("", .ok, "empty p", 7),
                ("<script>x</script>", .ok, "empty p", 7), ("<p>second", .ok, "same p", 0),
                ("<!-- noise --><p  >second", .ok, "same p", 0), ("<p>third", .ok, "changed p", 1),
            ]
            for (body, status, line, exit) in steps {
                page.set(body, status)
                let outcome = try await watch(folder, "--retry", "0")
                #expect(outcome.text.hasPrefix(line), "\(outcome.text)")
                #expect(outcome.text.split(separator: "\n").count == 1)
                #expect(outcome.status == exit, "\(body)")
                #expect(outcome.errors == "")
            }
        }
    }

    @Test func `progress is lines of JSON`() async throws {
        try await watching("- {name: p, url: URL}") { _, _, folder in
            let outcome = try await watch(folder, "--progress", "json")
            let last = try #require(outcome.errors.split(separator: "\n").last)
            let line = try JSONSerialization.jsonObject(with: Data(last.utf8)) as? [String: [String: Any]]
            let progress = try #require(line?["progress"])
            #expect(progress["done"] as? Int == 1)
            #expect(try #require(progress["bytes"] as? Int) > 0)
            #expect(outcome.text.hasPrefix("new p"))
        }
    }

    @Test func `only what is selected counts, and names its line`() async throws {
        try await watching("- {url: URL, select: '.price, td'}") { page, _, folder in
            page.set("<p>12:30 <b\nclass=price>$5</b> x</p><table><tr><td>1<th>2</table>")
            #expect(try await watch(folder).status == 0)
            page.set("<p>12:31 <b\nclass=price>$5</b> y</p><table><tr><td>1<th>3</table>")
            #expect(try await watch(folder).status == 0)
            page.set("\n\n<p>12:31 <b\nclass=price>$6</b></p><table><tr><td>1</table>")
            let outcome = try await watch(folder, "--jsonl")
            #expect(outcome.status == 1)
            let changes = try #require(try lines(outcome).first?["changes"] as? [[String: Any]])
            #expect(changes.count == 1)
            #expect(changes.first?["new"] as? String == "$6")
            #expect(changes.first?["new_line"] as? Int == 3)
            page.set("<p>nothing of it")
            #expect(try await watch(folder).text.contains("matches nothing (watch.empty)"))
        }
    }

    @Test func `what is ignored may stand in something that is not selected`() async throws {
        try await watching("- {url: URL, select: li, ignore: ['.ads li']}") { page, _, folder in
            page.set("<ul class=ads><li>Tea</ul><ul><li>Mill Lane 3</ul>")
            #expect(try await watch(folder).status == 0)
            page.set("<ul class=ads><li>Coffee</ul><ul><li>Mill Lane 3</ul>")
            let same = try await watch(folder, "--jsonl")
            #expect(same.status == 0)
            #expect(try lines(same).first?["result"] as? String == "same")
            page.set("<ul class=ads><li>Coffee</ul><ul><li>Mill Lane 4</ul>")
            let changes = try lines(try await watch(folder, "--jsonl")).first?["changes"] as? [[String: Any]]
            #expect(changes?.count == 1)
            #expect(changes?.first?["new"] as? String == "Mill Lane 4")
            #expect((changes?.first?["new_path"] as? String)?.contains("li") == true)
        }
    }

    @Test func `a condition is told when it begins, and counts while it holds`() async throws {
        let list = """
            - name: p
              url: URL
              fields: {price: {select: h1, transform: [number], required: true}}
              when: [price < 20, {text: sold out}]
              changes: false
              run: [sh, -c, "cat >> told"]
            """
        try await watching(list) { page, _, folder in
            let steps: [(String, Int32, Int)] = [
                ("<h1>30</h1>", 0, 0), ("<h1>25</h1>", 0, 0), ("<h1>19</h1>", 1, 1), ("<h1>18</h1>", 1, 1),
                ("<h1>22</h1>", 0, 1), ("<h1>22</h1>sold out", 1, 2), ("<h1>3</h1>", 1, 3),
            ]
            for (body, status, count) in steps {
                page.set(body)
                let outcome = try await watch(folder)
                #expect(outcome.status == status, "\(body): \(outcome.text)\(outcome.errors)")
                #expect(told(folder).split(separator: "\n").count == count, "\(body)")
            }
            // Content that the recipe was not written for is reported once, and is no change.
            for count in [4, 4] {
                page.set("<h2>other</h2>")
                let outcome = try await watch(folder)
                #expect(outcome.text.hasPrefix("drift p: price: "))
                #expect(outcome.status == 1)
                #expect(told(folder).split(separator: "\n").count == count)
            }
            page.set("<h1>3</h1>")
            #expect(try await watch(folder, "--jsonl").text.contains(#""result":"same""#))
        }
    }

    @Test func `data change by their paths, and a recipe that is edited changes nothing`() async throws {
        try await watching("- {url: URL, fields: {t: h1, p: {select: p, all: true}}}") {
            page,
            server,
            folder in
            #expect(try await watch(folder).status == 0)
            page.set("<h1>1</h1><p>first<p>second")
            let line = try lines(try await watch(folder, "--jsonl")).first
            let change = try #require((line?["changes"] as? [[String: Any]])?.first)
            #expect(change["name"] as? String == "p[1]")
            #expect(change["op"] as? String == "added")
            let other = "- {url: \(server.url("/p")), fields: {t: p}}"
            try Data(other.utf8).write(to: folder.appending(path: "list"))
            #expect(try await watch(folder).text.hasPrefix("same"))
        }
    }

    @Test func `failures are told after so many in a row, once, and that they are over`() async throws {
        let list = "- {name: p, url: URL, failures: 2, run: [sh, -c, 'cat >> told']}"
        try await watching(list) { page, _, folder in
            let steps: [(String, HTTPStatusCode, Int32, Int)] = [
                ("<p>a", .ok, 0, 0), ("x", .notFound, 4, 0), ("<p>a", .ok, 0, 0), ("x", .notFound, 4, 0),
                ("", .ok, 1, 1), ("x", .notFound, 4, 1), ("<p>a", .ok, 1, 2), ("<p>a", .ok, 0, 2),
            ]
            for (number, (body, code, status, count)) in steps.enumerated() {
                page.set(body, code)
                let outcome = try await watch(folder, "--retry", "0")
                #expect(outcome.status == status, "\(number): \(outcome.text)\(outcome.errors)")
                #expect(told(folder).split(separator: "\n").count == count, "\(number)")
            }
            #expect(told(folder).contains(#""failures":2"#))
            #expect(told(folder).contains(#""recovered":true"#))
        }
    }

    @Test func `what was taken out of the list is forgotten`() async throws {
        try await watching("- {name: p, url: URL, run: [/none]}\n- {name: q, url: URL}") {
            page,
            server,
            folder in
            #expect(try await watch(folder).status == 0)
            page.set("<p>second")
            #expect(try await watch(folder).status == 1)
            let other = "- {name: q, url: \(server.url("/p"))}"
            try Data(other.utf8).write(to: folder.appending(path: "list"))
            let outcome = try await watch(folder)
            #expect(outcome.text.hasPrefix("same q"))
            #expect(outcome.errors.contains("p: it is in the list no longer; what was still to be told"))
            let state = folder.appending(path: "list.state")
            #expect(try FileManager.default.contentsOfDirectory(atPath: state.path).count == 1)
        }
    }

    @Test func `robots.txt is asked if that is wanted`() async throws {
        try await withTestServer({ request in
            let isRobots = request.path == "/robots.txt"
            return HTTPResponse(
                statusCode: .ok,
                headers: [.contentType: isRobots ? "text/plain" : "text/html"],
                body: Data((isRobots ? "User-agent: *\nDisallow: /p\n" : "<p>a").utf8)
            )
        }) { server in
            try await withTemporaryFolder { folder in
                let list = "[\(server.url("/p")), \(server.url("/q"))]"
                try Data(list.utf8).write(to: folder.appending(path: "list"))
                let outcome = try await watch(folder, "--robots")
                #expect(outcome.status == 3)
                #expect(outcome.text.contains("error \(server.url("/p")): "))
                #expect(outcome.text.contains("(robots.disallowed)"))
                #expect(outcome.text.contains("new \(server.url("/q"))"))
                #expect(!server.requestedPaths.contains("/p"))
                #expect(try await watch(folder).status == 0)
            }
        }
    }

    @Test func `versions are kept where the list asks for them`() async throws {
        try await watching("- {url: URL, history: true}") { page, server, folder in
            #expect(try await watch(folder).status == 0)
            page.set("<p>second")
            #expect(try await watch(folder).status == 1)
            let history = try await Command.run(
                "webinspect",
                ["history", server.url("/p"), "--brief"],
                environment: ["XDG_CACHE_HOME": folder.path]
            )
            #expect(history.text.split(separator: "\n").count == 2, "\(history.text)\(history.errors)")
        }
    }

    // MARK: - Telling

    @Test func `what was not told is told again, in its order`() async throws {
        let program = "{ test -e works && cat >> told; }"
        try await watching("- {name: p, url: URL, fields: {v: h1}, run: [sh, -c, '\(program)']}") {
            page,
            _,
            folder in
            #expect(try await watch(folder).status == 0)
            for version in 2...3 {
                page.set("<h1>\(version)</h1>")
                let outcome = try await watch(folder)
                #expect(outcome.status == 1)
                #expect(outcome.errors.contains("warning: p: sh ended with status 1; it is told again"))
            }
            #expect(told(folder) == "")
            try Data().write(to: folder.appending(path: "works"))
            // Nothing has changed since, but there is news all the same.
            #expect(try await watch(folder).status == 1)
            let values = told(folder).split(separator: "\n").map { $0.contains(#""v":"2""#) ? 2 : 3 }
            #expect(values == [2, 3])
            #expect(told(folder).contains(#""again":true"#))
            #expect(try await watch(folder).status == 0)
        }
    }

    @Test func `nothing of a page is in a command line or the environment`() async throws {
        try await watching("- {name: n, url: URL, run: [sh, tell.sh, own]}") { page, server, folder in
            let program = #"printf '%s\n' "$@" > arguments; env > environment; cat > told"#
            try Data(program.utf8).write(to: folder.appending(path: "tell.sh"))
            #expect(try await watch(folder).status == 0)
            page.set("<title>$(touch pwned)</title><p>`touch pwned`; touch pwned' \" HOSTILE")
            #expect(try await watch(folder).status == 1)
            let arguments = try String(contentsOf: folder.appending(path: "arguments"), encoding: .utf8)
            let environment = try String(contentsOf: folder.appending(path: "environment"), encoding: .utf8)
            #expect(arguments == "own\n")
            #expect(!environment.contains("HOSTILE"))
            #expect(environment.contains("WEBINSPECT_EVENT=changed\n"))
            #expect(environment.contains("WEBINSPECT_URL=\(server.url("/p"))\n"))
            #expect(told(folder).contains("HOSTILE"))
            #expect(!FileManager.default.fileExists(atPath: folder.appending(path: "pwned").path))
        }
    }

    @Test func `a program that reads nothing, and one that is not there`() async throws {
        try await watching("- {url: URL, run: 'true'}") { page, server, folder in
            #expect(try await watch(folder).status == 0)
            page.set("<p>" + (1...20_000).map { "other words \($0) " }.joined())
            #expect(try await watch(folder).errors == "")
            let other = "- {name: o, url: \(server.url("/p")), when: {text: words}, run: [/nothing/there]}"
            try Data(other.utf8).write(to: folder.appending(path: "list"))
            let outcome = try await watch(folder)
            #expect(outcome.status == 1)
            #expect(outcome.errors.contains("/nothing/there could not be started: No such file or directory"))
        }
    }

    @Test func `a webhook is told at public addresses only, unless the line says otherwise`() async throws {
        try await watching("- {url: URL}") { page, server, folder in
            let hook = ["--webhook", server.url("/hook/secret")]
            #expect(try await watch(folder, hook[0], hook[1]).status == 0)
            page.set("<p>second")
            let refused = try await watch(folder, hook[0], hook[1])
            #expect(refused.status == 1)
            #expect(refused.errors.contains("(network.address)"), "\(refused.errors)")
            #expect(!refused.errors.contains("secret"))
            #expect(page.posts == [])
            page.setPostStatus(.internalServerError)
            #expect(
                try await watch(folder, hook[0], hook[1], "--local-webhook").errors.contains(
                    "HTTP status 500"
                )
            )
            page.setPostStatus(.ok)
            #expect(try await watch(folder, hook[0], hook[1], "--local-webhook").status == 1)
            #expect(try await watch(folder, hook[0], hook[1], "--local-webhook").status == 0)
            #expect(page.posts.count == 2)
            #expect(page.posts.allSatisfy { $0.contains(#""result":"changed""#) })
        }
    }

    // MARK: - Kills and others

    /// Returns the values that were reported, as pairs of old and new.
    private func steps(_ folder: URL) throws -> Set<[String]> {
        var steps: Set<[String]> = []
        for line in told(folder).split(separator: "\n") {
            guard let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
            else { continue }
            for change in object["changes"] as? [[String: Any]] ?? [] {
                if let old = change["old"] as? String, let new = change["new"] as? String {
                    steps.insert([old, new])
                }
            }
        }
        return steps
    }

    @Test(.enabled(if: Nightly.isOn, "nightly: processes are killed at random")) func `no kill loses news`()
        async throws
    {
        // A line is written as a whole, or the program was killed with it half way.
        let program = "cat > new.$$ && cat new.$$ >> told && rm new.$$"
        try await watching("- {url: URL, fields: {v: h1}, run: [sh, -c, '\(program)']}") { page, _, folder in
            page.set("<h1>0</h1>")
            #expect(try await watch(folder).status == 0)
            let file = try Command.file("webinspect").path
            for version in 1...25 {
                page.set("<h1>\(version)</h1>")
                let moment = Double(version * 12) / 1000
                _ = try await Command.run(
                    "/usr/bin/timeout",
                    ["-s", "KILL", "\(moment)", file, "watch", "list", "-s"],
                    folder: folder
                )
            }
            page.set("<h1>last</h1>")
            #expect(try await watch(folder).status == 1)
            #expect(try await watch(folder).status == 0)
            // From the first version each leads to another, to the last.
            let steps = try steps(folder)
            var (value, seen) = ("0", 0)
            while let next = steps.first(where: { $0[0] == value }), seen <= steps.count {
                value = next[1]
                seen += 1
            }
            #expect(value == "last")
            #expect(seen == steps.count)
        }
    }

    @Test func `of several processes one tells`() async throws {
        try await watching("- {url: URL, run: [sh, -c, 'cat >> told']}") { page, _, folder in
            #expect(try await watch(folder).status == 0)
            page.set("<p>second")
            let statuses = try await withThrowingTaskGroup(of: Int32.self, returning: [Int32].self) { group in
                for _ in 0..<6 { group.addTask { try await watch(folder).status } }
                return try await group.reduce(into: [Int32]()) { $0.append($1) }
            }
            #expect(statuses.sorted() == [0, 0, 0, 0, 0, 1])
            #expect(told(folder).split(separator: "\n").count == 1)
        }
    }

    @Test func `what is damaged counts as new, with a warning`() async throws {
        try await watching("- {name: p, url: URL}") { _, _, folder in
            #expect(try await watch(folder).status == 0)
            let state = folder.appending(path: "list.state")
            let names = try FileManager.default.contentsOfDirectory(atPath: state.path)
            let name = try #require(names.first { $0.hasSuffix(".page") })
            try Data("webinspect-watch 1 0\n{}".utf8).write(to: state.appending(path: name))
            let outcome = try await watch(folder)
            #expect(outcome.text.hasPrefix("new p"))
            #expect(outcome.errors.contains("damaged"))
            #expect(try await watch(folder).text.hasPrefix("same p"))
        }
    }

    @Test func `with --every it goes on until it is interrupted`() async throws {
        try await watching("- URL") { _, server, folder in
            let file = try Command.file("webinspect").path
            // A program that a shell starts in the background ignores interrupts, unless there is a terminal.
            let script =
                #"env --default-signal=INT "$0" watch list --every 20ms & p=$!; while test "$(wc -l < out)" -lt 3; do sleep 0.05; done; kill -INT $p; wait $p"#
            let outcome = try await Command.run(
                "/bin/bash",
                ["-c", "{ \(script); } > out", file],
                folder: folder
            )
            #expect(outcome.status == 130, "\(outcome.errors)")
            #expect(server.requestedPaths.count >= 3)
        }
    }

    @Test(arguments: [
        ["--every", "0"], ["--every", "1e9"], ["--every", "-1s"], ["--every", "m"], ["--every", "1.2.3s"],
        ["--run", "'"], ["--run", ""], ["--webhook", "x"], ["--from", "x.warc"], ["--at", "2024-01-01"],
    ])
    func `flags that make no sense are usage errors`(_ flags: [String]) async throws {
        try await watching("- URL") { _, server, folder in
            let outcome = try await Command.run("webinspect", ["watch", "list"] + flags, folder: folder)
            #expect(outcome.status != 0)
            #expect(server.requestedPaths == [])
        }
    }

    @Test func `a list that is none is status 2, and makes nothing`() async throws {
        try await watching("x: 1") { _, _, folder in
            let outcome = try await watch(folder)
            #expect(outcome.status == 2)
            #expect(outcome.errors.hasPrefix("webinspect: list:1:1: "))
            #expect(outcome.errors.hasSuffix("(watch.invalid)\n"))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["list"])
        }
    }
}
