import FlyingFox
import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20)))
struct RobotsCommandTests {
    private static let rules = """
        User-agent: *
        Disallow: /private
        Allow: /private/ok$
        Crawl-delay: 2.5
        Sitemap: http://h.test/map.xml

        User-agent: Crab
        Disallow: /x*y
        """

    private func robots(_ arguments: String..., input: String = rules) async throws -> Command.Outcome {
        try await Command.run("webinspect", ["robots", "-"] + arguments, input: Data(input.utf8))
    }

    @Test func eachURLIsALineWithWhatDecides() async throws {
        let outcome = try await robots("/private/x", "http://h.test/private/ok", "/a", "/robots.txt")
        #expect(outcome.status == 1)
        #expect(
            outcome.text == """
                disallowed  /private/x  line 2: Disallow: /private
                allowed     http://h.test/private/ok  line 3: Allow: /private/ok$
                allowed     /a  no rule for * matches
                allowed     /robots.txt  the robots.txt itself is always allowed

                """
        )
        #expect(outcome.errors == "")
    }

    @Test(arguments: [
        ("Crab", "/private", Int32(0)), ("crab/2.0", "/xay", 1), ("Squid", "/private", 1), ("", "/b", 0),
    ])
    func theAgentsRulesCount(agent: String, path: String, status: Int32) async throws {
        #expect(try await robots("--agent", agent, path).status == status)
        // The User-Agent that is sent stands for it.
        if !agent.isEmpty { #expect(try await robots("-A", agent, path).status == status) }
    }

    @Test func jsonHasAllOfIt() async throws {
        let report = try await robots("--json", "--agent", "Squid/1", "/private/x", "http://h.test/").json()
        #expect(report["agent"] as? String == "Squid")
        #expect(report["group"] as? String == "*")
        #expect(report["crawl_delay"] as? Double == 2.5)
        let urls = try #require(report["urls"] as? [[String: Any]])
        #expect(urls.map { $0["allowed"] as? Bool } == [false, true])
        #expect(urls[0]["line"] as? Int == 2)
        #expect(urls[0]["rule"] as? String == "Disallow: /private")
        #expect(urls[0]["url"] as? String == "/private/x")
        #expect(urls[1]["reason"] as? String == "no-rule")
        #expect(urls[1]["line"] is NSNull)
        let lines = try await robots("--jsonl", "/a", "/b").text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.allSatisfy { $0.hasPrefix(#"{"url":"/"#) })
    }

    @Test func withoutURLsTheRulesAreShown() async throws {
        let outcome = try await robots("--agent", "Crab")
        #expect(outcome.status == 0)
        #expect(outcome.text.contains("rules for   crab\n  line 8    Disallow: /x*y\n"))
        let report = try await robots("--json").json()
        #expect((report["rules"] as? [[String: Any]])?.map { $0["line"] as? Int } == [2, 3])
        #expect(try await robots(input: "nothing here").status == 1)
        #expect(try await robots("--sitemaps").text == "http://h.test/map.xml\n")
        #expect(try await robots("--sitemaps", input: "").status == 1)
    }

    @Test func urlsMayBeLinesOfStandardInput() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "robots.txt")
            try Data(Self.rules.utf8).write(to: file)
            let outcome = try await Command.run(
                "webinspect",
                ["robots", file.path, "-"],
                input: Data("/a\n\n/private\n".utf8)
            )
            #expect(outcome.status == 1)
            #expect(outcome.text.split(separator: "\n").count == 2)
        }
    }

    @Test(arguments: [
        ["-", "-"], ["-", "--jsonl", "--json"], ["-", "--sitemaps", "/a"], ["-", "http://["],
        ["ftp://h.test/"], [],
    ])
    func mistakesAreUsage(arguments: [String]) async throws {
        let outcome = try await Command.run(
            "webinspect",
            ["robots"] + arguments,
            input: Data(Self.rules.utf8)
        )
        #expect(outcome.status == 2, "\(outcome.errors)")
    }

    // MARK: - Of sites

    @Test func aSitesFileIsFetched() async throws {
        try await withTestServer { request in
            switch request.path {
            case "/robots.txt", "/other/robots.txt":
                HTTPResponse(
                    statusCode: .ok,
                    body: Data("User-agent: *\nDisallow: \(request.path)/x\nDisallow: /no".utf8)
                )
            default: HTTPResponse(statusCode: .notFound)
            }
        } _: { server in
            func run(_ arguments: String...) async throws -> Command.Outcome {
                try await Command.run("webinspect", ["robots"] + arguments)
            }
            #expect(try await run(server.url("/any/page?q"), server.url("/no")).status == 1)
            #expect(try await run(server.url("/"), "/no", "/yes").status == 1)
            #expect(try await run(server.url("/other/robots.txt"), "/other/robots.txt/x").status == 1)
            #expect(server.requestedPaths == ["/robots.txt", "/robots.txt", "/other/robots.txt"])
            let other = try await run(server.url("/"), "http://h.test/no")
            #expect(other.status == 2)
            #expect(other.errors.contains("of another site"))
        }
    }

    @Test(arguments: [(404, Int32(0), 0), (429, 0, 0), (500, 1, 0), (nil, 1, 1)])
    func aSiteWithoutAFile(code: Int?, status: Int32, warnings: Int) async throws {
        let outcome = try await withTestServer { _ in
            HTTPResponse(statusCode: HTTPStatusCode(code ?? 500, phrase: ""))
        } _: { server in
            try await Command.run(
                "webinspect",
                ["robots", code == nil ? "http://127.0.0.1:1/" : server.url("/"), "/a"]
            )
        }
        #expect(outcome.status == status)
        #expect(outcome.errors.split(separator: "\n").count == warnings)
    }

    @Test func whatIsWrongHereIsNoAnswer() async throws {
        let statuses = try await withTemporaryFolder { folder in
            var statuses: [Int32] = []
            for arguments in [
                [folder.appending(path: "none.txt").path, "/a"], [folder.path, "/a"],
                ["http://h.test/", "/a", "--cache-only", "--cache-dir", folder.path], ["http://127.0.0.1:1/"],
            ] {
                statuses.append(try await Command.run("webinspect", ["robots"] + arguments).status)
            }
            return statuses
        }
        #expect(statuses == [8, 8, 5, 3])
    }

    @Test func aFileOfAnyLengthIsReadToItsLimit() async throws {
        let cost = try await MeasuredCommand.run("webinspect", ["robots", "/dev/zero", "/a"])
        #expect(cost.status == 0)
        #expect(cost.peakMemory < 100 << 20)
    }
}
