import Testing
import WebSite
import WebStandards

struct RobotsRulesTests {
    private static func access(
        _ robots: String,
        _ path: String,
        agent: String = "Crab"
    ) throws -> RobotsRules.Access {
        let url = try WebURL("http://site.example" + path)
        return RobotsRules(parsing: Array(robots.utf8)).access(to: url, agent: agent)
    }

    // MARK: - Groups

    @Test(
        arguments: [
            ("Crab", false), ("cRAB", false), ("Crab/2.1 (+http://crab.example)", false), ("Crabs", true),
            ("Crab-News", true), ("Prawn", false), ("Squid", true), ("", true),
        ]
    )
    func anAgentHasItsOwnGroups(agent: String, isAllowed: Bool) throws {
        let robots = """
            Disallow: /
            User-agent: crab/1.0
            User-agent: Prawn
            Disallow: /q
            user-agent: *
            Disallow: /all
            """
        #expect(try Self.access(robots, "/q", agent: agent).isAllowed == isAllowed)
        let isForAll = ["Crabs", "Crab-News", "Squid", ""].contains(agent)
        #expect(try Self.access(robots, "/all", agent: agent).isAllowed == !isForAll)
    }

    @Test func groupsOfAnAgentAreJoined() throws {
        let robots =
            "User-agent: Crab\nDisallow: /a\n\nUser-agent: Eel\nDisallow: /b\nUser-agent: crab\nDisallow: /c"
        #expect(try !Self.access(robots, "/a").isAllowed)
        #expect(try Self.access(robots, "/b").isAllowed)
        #expect(try !Self.access(robots, "/c").isAllowed)
    }

    @Test(
        arguments: [
            "Sitemap: http://site.example/m.xml", "Crawl-delay: 2", "X-Other: 1", "", "# User-agent: Eel",
        ]
    )
    func otherLinesEndNoGroup(line: String) throws {
        let robots = "User-agent: Crab\n\(line)\nUser-agent: Eel\nDisallow: /\n"
        #expect(try !Self.access(robots, "/a", agent: "Crab").isAllowed)
    }

    @Test(
        arguments: [
            ("User-agent: Crab", RobotsRules.Access.Reason.noRule),
            ("User-agent: Eel\nDisallow: /", .noGroup),
            ("User-agent: Crab\nDisallow:", .noRule), ("", .noGroup),
            ("User-agent: *x\nDisallow: /", .noGroup),
        ]
    )
    func withoutARuleAllIsAllowed(robots: String, reason: RobotsRules.Access.Reason) throws {
        let access = try Self.access(robots, "/a")
        #expect(access.isAllowed)
        #expect(access.reason == reason)
        #expect(access.line == nil)
    }

    // MARK: - Rules

    @Test(
        arguments: [
            ("/a", "/a", true), ("/a", "/abc/d", true), ("/a", "/b", false), ("/a", "/A", false),
            ("/a*b", "/a//b/c", true), ("/a*b", "/a", false), ("/a$", "/a", true), ("/a$", "/ab", false),
            ("/*.cgi$", "/x.cgi/y.cgi", true), ("/*.cgi$", "/x.cgi?y", false), ("/*aab", "/aaab", true),
            ("/*abab$", "/ababab", true), ("/*ab*ab$", "/ab", false), ("*", "/", true), ("/**x", "/x", true),
            ("*$", "/anything", true), ("$", "/", false), ("/a$b", "/a$b", true), ("/a%24", "/a$", true),
            ("/a%2A", "/a*", true), ("/a%2A", "/ab", false), ("a", "/a", false),
            ("/caf\u{E9}", "/caf%c3%a9", true), ("/caf%C3%A9", "/caf\u{E9}", true), ("/%63up", "/cup", true),
            ("/cup", "/c%75p", true), ("/a%2Fb", "/a/b", false), ("/a%2fb", "/a%2Fb", true),
            ("/a b", "/a%20b", true),
            ("/a?b=/c", "/a?b=/c", true), ("/a?", "/a", false), ("/%", "/%", true),
        ]
    )
    func aRuleMatches(rule: String, path: String, matches: Bool) throws {
        let access = try Self.access("User-agent: *\nDisallow: \(rule)", path)
        #expect(access.isAllowed == !matches)
        #expect(access.line?.number == (matches ? 2 : nil))
    }

    @Test(
        arguments: [
            ("Allow: /a\nDisallow: /a", true), ("Disallow: /a\nAllow: /a", true),
            ("Allow: /a\nDisallow: /a/", false),
            ("Allow: /a/b\nDisallow: /*b", true), ("Allow: /a\nDisallow: /*b", false),
            ("Allow: /%61/b\nDisallow: /a/b/", false), ("Disallow: /\nAllow: /a/b$", true),
        ]
    )
    func theLongestRuleDecides(rules: String, isAllowed: Bool) throws {
        #expect(
            try Self.access("User-agent: *\n\(rules)", "/a/b/").isAllowed
                == (isAllowed && !rules.hasSuffix("$"))
        )
    }

    @Test func theDecidingLineIsNamed() throws {
        let access = try Self.access("# hello\r\nUser-agent: *\r\n\r\n  Disallow : /a # why \r\n", "/a")
        #expect(access.line?.number == 4)
        #expect(access.line?.text == "Disallow : /a # why")
        #expect(access.reason == .rule)
    }

    @Test func theFileItselfIsAllowed() throws {
        let url = try WebURL("http://site.example/robots.txt")
        #expect(
            RobotsRules(parsing: Array("User-agent: *\nDisallow: /".utf8)).access(to: url, agent: "a")
                .isAllowed
        )
        #expect(RobotsRules.allDisallowed.access(to: url, agent: "a").isAllowed)
    }

    @Test func anIndexPageAllowsItsDirectory() throws {
        let robots = "User-agent: *\nAllow: /d/index.html\nDisallow: /"
        #expect(try Self.access(robots, "/d/").isAllowed)
        #expect(try Self.access(robots, "/d/index.html").isAllowed)
        #expect(try !Self.access(robots, "/d/other").isAllowed)
    }

    // MARK: - Lines

    @Test(
        arguments: [
            "User-agent:*\rDisallow:/a\r", "User-agent: *\r\nDisallow: /a\r\n",
            "\u{FEFF}User-agent: *\nDisallow: /a",
            "USER-AGENT:\t*\n\u{0C}disallow\t:/a", "useragent: *\nDisalow: /a", "user-agent *\ndisallow /a",
            "User-agent: * all\nDisallow: /a#b", "\u{0}\u{1}\n<html>\nUser-agent: *\nDisallow: /a\n",
        ]
    )
    func linesAreRead(robots: String) throws {
        #expect(try !Self.access(robots, "/a").isAllowed)
        #expect(try Self.access(robots, "/b").isAllowed)
    }

    @Test(arguments: [false, true])
    func utf16IsRead(isBigEndian: Bool) throws {
        let bytes = "\u{FEFF}User-agent: *\nDisallow: /\u{E9}".utf16.flatMap { unit in
            let pair = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isBigEndian ? pair : pair.reversed()
        }
        let rules = RobotsRules(parsing: bytes)
        #expect(try !rules.access(to: WebURL("http://site.example/%C3%A9"), agent: "a").isAllowed)
        #expect(try rules.access(to: WebURL("http://site.example/a"), agent: "a").isAllowed)
    }

    @Test func unknownLinesAreCounted() {
        let rules = RobotsRules(
            parsing: Array("X: 1\n\n# a\nnothing at all\n: 1\nAllow: /\nSitemap: /s".utf8)
        )
        #expect(rules.unknownLineCount == 3)
    }

    @Test func sitemapsBelongToNoGroup() throws {
        let robots =
            "Sitemap: /a.xml\nUser-agent: *\nDisallow: /\nsite-map:http://other.example/b.xml #x\nSitemap:"
        let rules = RobotsRules(parsing: Array(robots.utf8))
        #expect(rules.sitemaps.map(\.number) == [1, 4])
        let base = try WebURL("http://site.example/robots.txt")
        let urls = rules.sitemaps.map { $0.url(relativeTo: base)?.href }
        #expect(urls == ["http://site.example/a.xml", "http://other.example/b.xml"])
    }

    @Test(
        arguments: [
            ("3", Duration.seconds(3)), ("0.25", .milliseconds(250)), (".5", .milliseconds(500)),
            ("0", .zero),
            ("999999999999999999999999", RobotsRules.maximumCrawlDelay),
            ("3600.5", RobotsRules.maximumCrawlDelay),
            ("-1", nil), ("1e9", nil), ("NaN", nil), ("1.2.3", nil), ("", nil), (".", nil), ("3 s", nil),
        ]
    )
    func crawlDelaysAreBounded(text: String, delay: Duration?) {
        let rules = RobotsRules(parsing: Array("User-agent: Crab\nCrawl-delay: \(text)".utf8))
        #expect(rules.crawlDelay(for: "crab") == delay)
        #expect(rules.crawlDelay(for: "eel") == nil)
    }

    @Test func aCrawlDelayIsForTheAgentsBeforeIt() {
        let robots =
            "User-agent: A\nCrawl-delay: 1\nUser-agent: B\nUser-agent: C\nCrawl-delay: 2\nDisallow: /\n"
        let rules = RobotsRules(parsing: Array(robots.utf8))
        #expect(
            ["A", "B", "C", "D"].map { rules.crawlDelay(for: $0) } == [
                .seconds(1), .seconds(2), .seconds(2), nil,
            ]
        )
    }

    // MARK: - Limits

    @Test func ofAFileTheFirstBytesCount() throws {
        var bytes = Array("User-agent: *\nDisallow: /a\n#".utf8)
        bytes += [UInt8](repeating: 0x78, count: RobotsRules.maximumSize - bytes.count - 13)
        bytes += Array("\nDisallow: /b/c".utf8)
        #expect(bytes.count > RobotsRules.maximumSize)
        let rules = RobotsRules(parsing: bytes)
        #expect(try !rules.access(to: WebURL("http://site.example/a"), agent: "a").isAllowed)
        // Half of a path would be another rule.
        #expect(try rules.access(to: WebURL("http://site.example/b/c"), agent: "a").isAllowed)
        let part = RobotsRules(parsing: Array("User-agent: *\nDisallow: /".utf8), isComplete: false)
        #expect(try part.access(to: WebURL("http://site.example/"), agent: "a").isAllowed)
    }

    @Test func ofALineTheFirstBytesCount() throws {
        let path = "/" + String(repeating: "k", count: RobotsRules.maximumLineLength)
        let robots = "User-agent: *\nDisallow: \(path)/x\nDisallow: /b"
        #expect(try !Self.access(robots, path + "/y").isAllowed)
        #expect(try !Self.access(robots, "/b").isAllowed)
    }

    @Test func manyWildcardsTakeLinearTime() throws {
        let rule = "/" + String(repeating: "*a", count: 8000) + "b"
        let long = "/*" + String(repeating: "a", count: 8000) + "b"
        let path = "/" + String(repeating: "a", count: 60_000)
        #expect(try Self.access("User-agent: *\nDisallow: \(rule)\nDisallow: \(long)", path).isAllowed)
    }

    @Test func theEffortForAURLIsBounded() throws {
        let robots = "User-agent: *\n" + String(repeating: "Disallow: /*zb\n", count: 30_000)
        let path = "/" + String(repeating: "a", count: 100_000)
        #expect(try Self.access(robots, path).reason == .tooLong)
        #expect(try Self.access(robots, "/aaa").reason == .noRule)
    }

    // MARK: - Fetching

    @Test(
        arguments: [
            (200, false, RobotsRules.Access.Reason.rule), (206, false, .rule), (301, true, .unavailable),
            (404, true, .unavailable), (403, true, .unavailable), (429, true, .unavailable),
            (500, false, .unreachable), (503, false, .unreachable), (0, false, .unreachable),
            (999, false, .unreachable),
        ]
    )
    func theStatusDecides(status: Int, isAllowed: Bool, reason: RobotsRules.Access.Reason) throws {
        let rules = RobotsRules(.response(status: status, body: Array("User-agent: *\nDisallow: /".utf8)))
        let access = try rules.access(to: WebURL("http://site.example/"), agent: "a")
        #expect(access.isAllowed == isAllowed)
        #expect(access.reason == reason)
    }

    @Test func withoutAResponseNothingIsAllowed() throws {
        let url = try WebURL("http://site.example/")
        #expect(!RobotsRules(.unreachable).access(to: url, agent: "a").isAllowed)
        #expect(RobotsRules(.tooManyRedirects).access(to: url, agent: "a").isAllowed)
        #expect(RobotsRules.allAllowed.access(to: url, agent: "a").isAllowed)
    }
}
