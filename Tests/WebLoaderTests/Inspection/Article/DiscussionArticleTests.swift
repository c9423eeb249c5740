import Testing

@testable import WebDocument

/// Who began a discussion, and when.
struct DiscussionArticleTests {
    /// A thread of several posts, the first of which may be named so.
    private func thread(
        head: String = "",
        beside heading: String = "",
        first: String = "mooring_7",
        isItem: Bool = false
    ) throws -> PageArticle {
        let posts = ([first] + ["Jane Doe", "harbour.master"]).enumerated().map { number, name in
            let author =
                isItem
                ? """
                <div itemprop=author itemscope itemtype=https://schema.org/Person><a itemprop=name href=/u/\(number)>\(name)</a>
                <h5 itemprop=jobTitle>Full Member</h5></div>
                """
                : "<div class=author><a href=/u/\(number)>\(name)</a></div>"
            return """
                <div class=post id=post-\(number)>\(author)<time datetime=2026-01-0\(number + 1)T10:00:00Z>January \(number + 1)</time>
                <div class=post-body><p>I went there on a boat of my own, \(number) years ago, and it was too windy to land; has anybody
                been there since then?</p></div></div>
                """
        }
        return try InspectionPages.page(
            "<!DOCTYPE html><title>Landing</title>\(head)<main><h1>Landing on the island</h1>\(heading)\(posts.joined())</main>",
            url: "https://forum.example.org/threads/landing.1/"
        ).article
    }

    private func names(_ article: PageArticle) -> [String] {
        article.authors.map { "\($0.value) (\($0.source.kind.rawValue) \($0.source.name))" }
    }

    /// The first post's author, whose name need be no usual one, and not all who have posted.
    @Test func theFirstPostHasTheAuthor() throws {
        let article = try thread()
        #expect(names(article) == ["mooring_7 (post author)"])
        #expect(article.published?.value == "2026-01-01T10:00:00Z")
        #expect(article.published?.source.kind == .post)
        #expect(article.authors.first?.confidence == .inferred)
    }

    @Test func aPersonOfMicrodataIsTheName() throws {
        #expect(try thread(isItem: true).authors.map(\.value) == ["mooring_7"])
    }

    /// The name of a user beside the heading is that of the thread's author, whoever has the first post on this page of
    /// it.
    @Test func whoIsNamedBesideTheHeadingBeganIt() throws {
        let article = try thread(
            beside: "<p>Thread starter <a class='username u-concealed' href=/u/9>s3a_g</a></p>",
            first: "somebody"
        )
        #expect(names(article) == ["s3a_g (label user)"])
    }

    /// The main entity that a page names in JSON-LD.
    @Test(arguments: [
        (
            #"{"@type":"WebPage","mainEntity":{"@type":"DiscussionForumPosting","author":{"name":"beg.inner"},"datePublished":"2025-12-31"}}"#,
            "beg.inner"
        ),
        (
            #"{"@type":"QAPage","mainEntity":[{"@type":"Question","author":{"name":"beg.inner"},"datePublished":"2025-12-31"}]}"#,
            "beg.inner"
        ),
        (
            #"{"@type":"FAQPage","mainEntity":[{"@type":"Question","author":"a"},{"@type":"Question","author":"b"}]}"#,
            "mooring_7"
        ),
        (#"{"@type":"ProfilePage","mainEntity":{"@type":"Person","author":"a"}}"#, "mooring_7"),
        (#"{"@type":"Article","mainEntity":{"@type":"Question","author":"a"}}"#, "mooring_7"),
    ])
    func theMainEntityHasTheAuthor(data: String, expected: String) throws {
        let article = try thread(head: "<script type=application/ld+json>\(data)</script>")
        #expect(article.authors.map(\.value) == [expected])
        #expect(article.published?.value == (expected == "beg.inner" ? "2025-12-31" : "2026-01-01T10:00:00Z"))
    }

    /// Users are authors of discussions only.
    @Test func aUserBesideAnArticleIsNotItsAuthor() throws {
        let text = "The harbour wall was built of stone that came by sea, and is older than the town. "
        let article = try InspectionPages.page(
            "<h1>The wall</h1><a class=username href=/u/1>log_in</a><p>\(String(repeating: text, count: 9))"
        ).article
        #expect(article.authors.isEmpty)
    }

    @Test(arguments: ["published", "published-date", "og:article:published_time"])
    func metadataOfOtherNamesHaveDates(name: String) throws {
        let article = try InspectionPages.page("<meta name='\(name)' content='July 17, 2025'><p>x").article
        #expect(article.published?.value == "2025-07-17")
    }
}
