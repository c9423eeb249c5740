import Testing

@testable import WebRules

struct RecipeFollowingTests {
    /// Pages that are there without a network.
    final class Site: RuleHost {
        let pages: [String: String]
        private(set) var asked: [String] = []

        init(_ pages: [String: String]) {
            self.pages = pages
        }

        func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage {
            asked.append(url.href)
            guard let markup = pages[url.withoutFragment.href] else {
                throw .rule(RuleError(.failed, "not found: \(url.href)"))
            }
            do {
                return try RecipeRun.rulePage(markup, url: url.href)
            } catch {
                throw .rule(RuleError(.failed, "\(error)"))
            }
        }
    }

    /// Pages 2 to 60, each with a link to the next and one back.
    private let chain = Site(
        Dictionary(
            uniqueKeysWithValues: (2...60).map {
                (
                    "http://h.test/d/\($0)",
                    "<h1>\($0)</h1><a rel=next href=\($0 + 1)>n</a><a rel=prev href=page>p</a>"
                )
            }
        )
    )

    private func run(
        _ field: String,
        _ markup: String,
        _ site: Site,
        _ budget: Budget = Budget()
    ) throws -> RecipeRun {
        try RecipeRun.run(
            #"{"version":1,"fields":{"a":"h1","n":\#(field)}}"#,
            on: markup,
            budget: budget,
            host: site
        )
    }

    @Test func aLinkedPageIsAnObject() throws {
        let run = try run(
            #"{"select":"a","follow":{"fields":{"t":"h1","u":{"select":"a","take":"url:href"}}}}"#,
            "<h1>1</h1><a href=2#x>n</a><a href=3>n</a>",
            chain
        )
        #expect(run.data == #"{"a":"1","n":{"t":"2","u":"http://h.test/d/3"}}"#)
        #expect(chain.asked == ["http://h.test/d/2#x"])
    }

    @Test func severalPagesAreAListAndNoneIsLoadedTwice() throws {
        let run = try run(
            #"{"select":"a","all":true,"follow":{"fields":{"t":"h1"}}}"#,
            "<a href=3>n</a><a href=2>n</a><a href=3#y>n</a><a href=page>me</a>",
            chain
        )
        #expect(run.data == #"{"a":null,"n":[{"t":"3"},{"t":"2"}]}"#)
        #expect(run.errors.isEmpty)
    }

    @Test func depthAndPagesAreHowMuchIsWanted() throws {
        let start = "<a rel=next href=2>n</a>"
        func data(_ bounds: String) throws -> String {
            try run(#"{"select":"[rel=next]","follow":{\#(bounds)"fields":{"t":"h1"}}}"#, start, chain).data
        }
        #expect(try data("\"depth\":3,") == #"{"a":null,"n":[{"t":"2"},{"t":"3"},{"t":"4"}]}"#)
        #expect(try data("\"depth\":3,\"pages\":2,") == #"{"a":null,"n":[{"t":"2"},{"t":"3"}]}"#)
        #expect(try data("") == #"{"a":null,"n":{"t":"2"}}"#)
    }

    @Test func theBudgetsBoundsEndTheRun() throws {
        let field = #"{"select":"[rel=next]","follow":{"depth":1000,"pages":1000,"fields":{"t":"h1"}}}"#
        var budget = Budget()
        #expect(try run(field, "<a rel=next href=2>n</a>", chain, budget).exceeded?.code == .depth)
        budget.depth = 1000
        budget.pages = 5
        let run = try run(field, "<h1>1</h1><a rel=next href=2>n</a>", chain, budget)
        #expect(run.exceeded?.code == .pages)
        #expect(run.exceeded?.allowed == 5)
        #expect(run.exceeded?.rule == "n")
        #expect(run.data == #"{"a":"1"}"#)
    }

    @Test func aFollowInsideAFollowedPageCountsFromTheFirst() throws {
        let run = try run(
            #"{"select":"a","follow":{"fields":{"t":"h1","m":{"select":"[rel=next]","follow":{"fields":{"t":"h1"}}}}}}"#,
            "<a href=2>n</a>",
            chain
        )
        #expect(run.data == #"{"a":null,"n":{"t":"2","m":{"t":"3"}}}"#)
    }

    @Test func aPageThatIsNotThereFailsAlone() throws {
        let run = try run(
            #"{"select":"a","all":true,"follow":{"fields":{"t":"h1"}}}"#,
            "<a href=2>n</a><a href=99>n</a><a href=3>n</a>",
            chain
        )
        #expect(run.data == #"{"a":null,"n":[{"t":"2"},{"t":"3"}]}"#)
        #expect(run.errors.map(\.message) == ["not found: http://h.test/d/99"])
    }

    @Test(arguments: ["file:///etc/hostname", "data:text/html,x", "javascript:1", "ftp://h.test/"])
    func aPageOfTheNetworkLeadsToNoOtherPlace(reference: String) throws {
        let run = try run(
            #"{"select":"a","follow":{"fields":{"t":"h1"}}}"#,
            "<a href='\(reference)'>n</a>",
            chain
        )
        #expect(run.data == #"{"a":null,"n":null}"#)
        #expect(run.errors.first?.message.contains("may not be followed to") == true)
        #expect(chain.asked.isEmpty)
    }
}
