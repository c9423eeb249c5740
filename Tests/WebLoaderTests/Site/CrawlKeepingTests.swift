import HTTPTypes
import Testing
import WebDocument
import WebLoader
import WebStandards

@testable import WebSite

/// Tests of the URLs that a crawl considers to be the same, to be gone, or to be loaded.
struct CrawlKeepingTests {
    @Test(arguments: [
        ("http://h/?", "http://h/"), ("http://h/?#x", "http://h/"), ("http://h/?a?", "http://h/?a?"),
        ("http://h/??", "http://h/??"), ("http://h/x?a=b", "http://h/x?a=b"),
    ])
    func keepsMarksThatQueriesEndWith(_ url: String, _ asked: String) throws {
        var canonical = CanonicalURL()
        canonical.ignoresEmptyQuery = true
        #expect(canonical.asked(try WebURL(url)).href == asked)
        #expect(canonical.key(of: try WebURL(url)) == asked)
    }

    @Test(arguments: [
        (200, false), (206, false), (301, true), (404, false), (410, false), (400, true), (401, true),
        (403, true),
        (408, true), (429, true), (451, true), (500, true), (503, true),
    ])
    func takesOnlyWhatIsGoneForGone(_ status: Int, _ isTransient: Bool) throws {
        let url = try WebURL("http://h/")
        let response = WebResponse(url: url, status: .init(code: status), body: [], source: .network)
        #expect(answer(url, response, nil).isTransient == isTransient)
    }

    @Test func takesFilesForWhatTheyAre() throws {
        let url = try WebURL("file:///x")
        let response = WebResponse(url: url, status: nil, body: [1], source: .file)
        #expect(!answer(url, response, nil).isTransient)
        #expect(!answer(url, nil, LoadError(FileError(.notFound, "gone"), url: url)).isTransient)
        #expect(answer(url, nil, LoadError(FileError(.unreadable, "broken"), url: url)).isTransient)
    }

    private func answer(_ url: WebURL, _ response: WebResponse?, _ error: LoadError?) -> SiteAnswer {
        SiteAnswer(
            url: url,
            response: response,
            error: error,
            isCut: false,
            redirect: nil,
            redirectFragment: nil,
            signal: .unasked
        )
    }

    @Test(arguments: [
        ("http://h/", ["http://h/b.png", "http://h/c.html"]),
        ("file:///h/", ["file:///h/b.png", "file:///h/c.html", "file:///h/a.png", "file:///h/d.html"]),
    ])
    func givesPagesOfTheNetworkNoFiles(_ base: String, _ found: [String]) throws {
        let url = try WebURL(base)
        let markup = """
            <img src=b.png><a href=c.html>c</a><img src=file:///h/a.png><a href=file:///h/d.html>d</a>
            """
        var response = WebResponse(url: url, status: nil, body: Array(markup.utf8), source: .memory)
        response.headerFields[.contentType] = "text/html"
        let page = try ParsedPage(response, PageContent.Settings())
        let step = CrawlStep(role: .page, depth: 0)
        for isSaid in [false, true] {
            var options = CrawlPlan.Options()
            if isSaid {
                options.resources = { $0.links.compactMap(\.url).filter { $0.href.hasSuffix("png") } }
            }
            let plan = CrawlPlan(CrawlScope(.any), options, TrapWatch(CrawlLimits()))
            let children = plan.children(of: page, at: url, step).map(\.url)
            #expect(Set(children) == Set(found), "\(isSaid)")
        }
        let plan = CrawlPlan(CrawlScope(.any), CrawlPlan.Options(), TrapWatch(CrawlLimits()))
        #expect(plan.child(redirectedTo: try WebURL("file:///h/a.png"), step).isEmpty)
    }
}
