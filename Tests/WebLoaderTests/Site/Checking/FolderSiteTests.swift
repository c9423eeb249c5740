import Testing
import WebStandards

@testable import WebSite

/// A folder as the site that it will be served as.
struct FolderSiteTests {
    @Test(arguments: [
        ("b.html#x", "file:///site/sub/b.html#x"), ("/b.html?q", "file:///site/b.html?q"),
        ("../../../b.html", "file:///site/b.html"), ("a%20b.html", "file:///site/sub/a%20b.html"),
        ("//h.test/b", "https://h.test/b"), ("https://h.test/b", "https://h.test/b"),
        ("file:///etc/passwd", "file:///etc/passwd"), ("http://folder.invalid/b", "http://folder.invalid/b"),
    ])
    func linksLeadToItsFiles(reference: String, target: String) throws {
        let site = FolderSite(root: try WebURL("file:///site/"))
        let page = try #require(site.served(try WebURL("file:///site/sub/a.html?x")))
        let url = try WebURL(reference, base: page)
        #expect((site.file(url) ?? url).href == target)
    }

    @Test func othersAreNoFilesOfIt() throws {
        let site = FolderSite(root: try WebURL("file:///site/"))
        #expect(site.served(try WebURL("file:///other/a.html")) == nil)
        #expect(site.served(try WebURL("http://h.test/site/a.html")) == nil)
    }
}
