import Testing

@testable import WebStandards

struct WebURLFilePathTests {
    @Test(arguments: [
        ("/", "file:///"),
        ("/tmp/a b.html", "file:///tmp/a%20b.html"),
        ("/100%/%2F?#", "file:///100%25/%252F%3F%23"),
        ("/a\\b", "file:///a%5Cb"),
        ("/C:/x", "file:///C%3A/x"),
        ("/C|/x", "file:///C%7C/x"),
        ("/c:", "file:///c%3A"),
        ("/é\n", "file:///%C3%A9%0A"),
        ("//x/y", "file:////x/y"),
        ("/a//b/", "file:///a//b/"),
        ("/ ", "file:///%20"),
    ])
    func goesBothWays(path: String, href: String) throws {
        let url = try WebURL(filePath: path)
        #expect(url.href == href)
        #expect(url.filePath == path)
        #expect(try WebURL(url.href).components == url.components)
    }

    @Test func removesDotSegments() throws {
        #expect(try WebURL(filePath: "/a/./b/../c").filePath == "/a/c")
        #expect(try WebURL(filePath: "/C:/..").filePath == "/")
        #expect(try WebURL(filePath: "/%2e%2e/x").filePath == "/%2e%2e/x")
    }

    @Test func refusesWhatIsNoAbsolutePath() {
        #expect(throws: WebURLError(.filePathNotAbsolute, at: 0)) { try WebURL(filePath: "a") }
        #expect(throws: WebURLError(.filePathNotAbsolute, at: 0)) { try WebURL(filePath: "") }
        #expect(throws: WebURLError(.filePathContainsNUL, at: 2)) { try WebURL(filePath: "/a\0b") }
    }

    @Test(arguments: [
        "http://h/x", "file://host/x", "file:///a%2Fb", "file:///a%2fb", "file:///a%00", "file:///%FF",
        "data:/x",
    ])
    func refusesWhatHasNoPath(href: String) throws {
        #expect(try WebURL(href).filePath == nil)
    }

    @Test func leavesQueryAndFragmentOut() throws {
        #expect(try WebURL("file://localhost/a%20b?q#f").filePath == "/a b")
    }
}
