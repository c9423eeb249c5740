import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// Tests of the elements that count as posts, and of the properties that are read from each.
struct DiscussionTests {
    private static func posts(_ markup: String) throws -> [DiscussionPost] {
        try InspectionPages.page(markup).discussion.posts
    }

    /// Returns each post as "depth author date: first line", with "-" for missing parts.
    private static func summary(_ posts: [DiscussionPost]) -> [String] {
        posts.map { post in
            let line = post.text.split(separator: "\n").first ?? ""
            return "\(post.depth) \(post.author ?? "-") \(post.date?.date ?? post.date?.text ?? "-"): \(line)"
        }
    }

    private static let fixtures: [(String, [String])] = [
        (
            "discussion-lists",
            [
                "0 Ana 3 de março de 2026 às 10:15: A primeira pedra está na igreja.",
                "1 Rui 4 de março de 2026 às 8:02: Qual igreja?",
                "0 Eva 5 de março de 2026 às 21:40: Obrigada.",
            ]
        ),
        (
            "discussion-forum",
            [
                "0 Aino Lähetetty: 3.4.2026 10:15: Kuka tietää, milloin muuri rakennettiin ja mistä kivet tuotiin?",
                "0 Eino Lähetetty: 3.4.2026 11:32: Kivet tulivat meritse, mutta vuotta ei muista enää kukaan.",
                "0 Aino Lähetetty: 4.4.2026 8:02: Kiitos, kysyn kirkolta ja kerron sitten täällä, mitä kuulin.",
            ]
        ),
        (
            "discussion-articles",
            [
                "0 Léa 2026-03-03T10:15:00+01:00: On l'a réparé deux fois.",
                "1 Max 2026-03-04T08:02:00+01:00: Trois fois\u{A0}!",
            ]
        ),
        (
            "discussion-microdata",
            [
                "0 Jo 2026-03-03T10:15:00Z: Im Archiv steht nichts, und niemand weiß es mehr.",
                "1 Kim 2026-03-04: Älter als die Kirche.", "2 Jo -: Woher weißt du das?",
            ]
        ),
        (
            "discussion-json-ld",
            [
                "0 Jo 2026-03-03T10:15:00Z: How old is it?", "1 Kim 2026-03-04: Older than the church.",
                "2 Jo yesterday: Who says so?", "1 Lee -: Nobody knows.",
            ]
        ),
        (
            "discussion-microformats",
            ["0 Ann 2026-03-03T10:15:00+01:00: Ouder dan de kerk.", "0 Bob 2026-03-04: Dat zegt men."]
        ),
        (
            "discussion-indented",
            [
                "0 ann 2026-03-03T10:15:00: It is older than the church, whatever the archive says of it.",
                "1 bob 2026-03-03T10:20:00: The archive says nothing of it, which is why we ask here.",
                "2 ann 2026-03-03T10:21:00: Then somebody has to go there and look at the stones again.",
                "0 cy 2026-03-03T11:15:00: It was repaired twice, after storms, and once after a war.",
            ]
        ),
    ]

    @Test(arguments: fixtures) func theFixturesHaveTheirPosts(_ name: String, _ posts: [String]) throws {
        let data = try Data(contentsOf: ProjectFolder.fixtures.appendingPathComponent("\(name).html"))
        #expect(Self.summary(try Self.posts(String(decoding: data, as: UTF8.self))) == posts)
    }

    /// Markup of a page, and the posts that it has.
    private static let pages: [(String, [String])] = [
        // One post is enough where its name says so, and it has an author or a date.
        ("<div class=comment><b class=author>A</b><p>One.</div>", ["0 A -: One."]),
        ("<div class=comment><time datetime=2026-01-02></time><p>One.</div>", ["0 - 2026-01-02: One."]),
        ("<div class=comment><p>One.</div>", []),
        ("<div class=comment><b class=author>A</b></div>", []),
        ("<div class=user-comment><a href=/users/7>A</a><p>One.</div>", ["0 A -: One."]),
        // Hidden elements, forms, and posts of other discussions.
        ("<div class=comment hidden><b class=author>A</b><p>One.</div>", []),
        ("<div class=comment-form><b class=author>A</b><p>One.</div>", []),
        ("<div class=recent-comments><div class=comment><b class=author>A</b><p>One.</div></div>", []),
        ("<nav><div class=comment><b class=author>A</b><p>One.</div></nav>", []),
        (
            "<div class=comment-wrapper><form><b class=author>A</b><time datetime=2026-01-02>x</time><p>One.</form></div>",
            []
        ),
        ("<div class=category-comment><b class=author>A</b><p>Two.</div>", []),
        // The text's element may be called a comment too.
        (
            "<div class=comment><b class=author>A</b><div class='comment content'><p>One.</div></div>",
            ["0 A -: One."]
        ),
        ("<div class=comment><header><b class=author>A</b> says:</header><p>One.</div>", ["0 A -: One."]),
        // Elements without names, in one that has a name.
        (
            """
            <p>\(String(repeating: "It is an article, and long. ", count: 20))</p><div class=comments>
            <div><i class=user>A</i> 3.4.2026 15:04 <p>This is what is to be said of it, and no more.</div>
            <div><i class=user>B</i> 3.4.2026 15:05 <p>There is something more, if one looks at it.</div></div>
            """,
            [
                "0 A 2026-04-03T15:04:00: This is what is to be said of it, and no more.",
                "0 B 2026-04-03T15:05:00: There is something more, if one looks at it.",
            ]
        ),
        (
            """
            <p>\(String(repeating: "It is an article, and long. ", count: 20))</p><div class=news>
            <div><i class=user>A</i> 3.4.2026 15:04 <p>This is what has happened to them, and no more.</div>
            <div><i class=user>B</i> 3.4.2026 15:05 <p>There is something more, if one looks at it.</div>
            <div><i class=user>C</i> 3.4.2026 15:06 <p>Nothing happens any more, as far as we know.</div></div>
            """, []
        ),
        // A stream of one author's.
        (
            String(
                repeating:
                    "<div><a href=/user/a>A</a> 3.4.2026 15:04 <p>This is what happened to me today, again.</div>",
                count: 4
            ), []
        ),
        // Replies inside, beside in a list, and further indented.
        (
            "<div class=comment><b class=author>A</b><p>One.<div class=comment><b class=author>B</b><p>Two.</div></div>",
            ["0 A -: One.", "1 B -: Two."]
        ),
        (
            """
            <ul><li class=comment><div class=comment-item><b class=author>A</b><p>One.</div>
            <ul><li class=comment><div class=comment-item><b class=author>B</b><p>Two.</div></ul></ul>
            """, ["0 A -: One.", "1 B -: Two."]
        ),
        (
            """
            <div class=comment data-depth=0><b class=author>A</b><p>One.</div>
            <div class=comment data-depth=1><b class=author>B</b><p>Two.</div>
            <div class=comment data-depth=1><b class=author>C</b><p>Three.</div>
            <div class=comment data-depth=0><b class=author>D</b><p>Four.</div>
            """, ["0 A -: One.", "1 B -: Two.", "1 C -: Three.", "0 D -: Four."]
        ),
        (
            """
            <div class=comment style='margin-left: 0px'><b class=author>A</b><p>One.</div>
            <div class=comment style='margin-left: 40px'><b class=author>B</b><p>Two.</div>
            """, ["0 A -: One.", "1 B -: Two."]
        ),
        // Dates of attributes.
        (
            "<div class=comment><span class=time data-time=1767323045>x</span><p>One.</div>",
            ["0 - 2026-01-02T03:04:05Z: One."]
        ),
        (
            "<div class=comment><span class=time data-timestamp=1767323045000>x</span><p>One.</div>",
            ["0 - 2026-01-02T03:04:05Z: One."]
        ),
        // Lists of articles are no discussion.
        (
            """
            <div class=post><h2><a href=/1>One thing</a></h2><a rel=author href=/u/a>A</a><time datetime=2026-01-02>x</time>
            <p>This is what happened on the first day of them all.</div>
            <div class=post><h2><a href=/2>Another</a></h2><a rel=author href=/u/a>A</a><time datetime=2026-01-02>x</time>
            <p>This is what happened on the second day of them all.</div>
            <div class=post><h2><a href=/3>The last</a></h2><a rel=author href=/u/a>A</a><time datetime=2026-01-02>x</time>
            <p>This is what happened on the third day of them all.</div>
            """, []
        ),
        ("<ul><li><a href=/1>One thing</a> 3.4.2026<li><a href=/2>Another</a> 4.4.2026</ul>", []),
        // The page's own article, a review of something, has its title.
        (
            """
            <article itemscope itemtype=http://schema.org/Review><h1>A film</h1><span itemprop=author>A</span>
            <p itemprop=reviewBody>It is long.</p></article>
            """, []
        ),
        (
            """
            <div itemscope itemtype=http://schema.org/Review><span itemprop=author>A</span>
            <p itemprop=reviewBody>It works.</p></div>
            """, ["0 A -: It works."]
        ),
    ]

    @Test(arguments: pages) func postsAreFound(_ markup: String, _ posts: [String]) throws {
        #expect(Self.summary(try Self.posts("<!DOCTYPE html><title>t</title>" + markup)) == posts)
    }

    @Test func aPostSaysWhoWhenAndWhere() throws {
        let markup = """
            <!DOCTYPE html><title>t</title>
            <div class=comment id=c5><a class=author href=/u/ann><b>Ann</b></a>
            <time datetime=2026-01-02T03:04Z>yesterday</time>
            <div class=comment-content><p>One <a href=/x>thing</a>.</p><p>Another.</p></div>
            <button>Reply</button></div>
            """
        let page = try InspectionPages.page(markup)
        let post = try #require(page.discussion.posts.first)
        #expect(page.discussion.posts.count == 1)
        #expect(post.id == "c5")
        #expect(post.author == "Ann")
        #expect(post.authorURL?.href == "http://h.test/u/ann")
        #expect(post.date?.text == "yesterday")
        #expect(post.date?.date == "2026-01-02T03:04:00Z")
        #expect(post.date?.source.name == "time")
        #expect(post.text == "One thing.\n\nAnother.")
        #expect(post.markdown == "One [thing](http://h.test/x).\n\nAnother.\n")
        #expect(post.parent == nil)
        #expect(post.position?.line == 2)
        let path = try #require(post.path)
        #expect(try page.querySelector(path)?.attribute("id") == "c5")
    }

    @Test func dataFillsWhatDoesNotShow() throws {
        let posts = try Self.posts(
            """
            <!DOCTYPE html><title>t</title><script type=application/ld+json>
            {"@type": "Comment", "text": "One thing.", "author": {"name": "Ann"}, "dateCreated": "2026-01-02"}</script>
            <div class=comment><span class=date>yesterday</span><p>One thing.</div>
            <div class=comment><b class=author>Bob</b><p>Another.</div>
            """
        )
        #expect(Self.summary(posts) == ["0 Ann 2026-01-02: One thing.", "0 Bob -: Another."])
        #expect(posts.allSatisfy { $0.path != nil })
    }

    @Test func aDiscussionIsKeptAsJSON() throws {
        let page = try InspectionPages.page("<div class=comment><b class=author>A</b><p>One.</div>")
        let data = try JSONEncoder().encode(page.discussion)
        #expect(try JSONDecoder().decode(Discussion.self, from: data) == page.discussion)
        #expect(Discussion().posts.isEmpty)
        #expect(try InspectionPages.page("text", type: "text/plain").discussion.posts.isEmpty)
    }

    /// Pages, the number of posts' elements, and whether a page is a discussion, as the search for its main text needs
    /// them.
    private static let purposes: [(String, elements: Int, isPage: Bool)] = [
        ("<p>Nothing of the kind.", 0, false),
        (
            """
            <p>\(String(repeating: "It is an article, and long. ", count: 20))
            <div class=comment><b class=author>A</b><p>One.<div class=comment><b class=author>B</b><p>Two.</div></div>
            """, 1, false
        ),
        (
            """
            <p>Forum
            <div class=comment><b class=author>A</b><p>One thing is to be said of it.</div>
            <div class=comment><b class=author>A</b><p>Another is to be said as well.</div>
            """, 2, true
        ),
    ]

    @Test(arguments: purposes) func theSearchForTextIsToldWhereItIs(
        _ markup: String,
        _ elements: Int,
        _ isPage: Bool
    ) throws {
        let page = try InspectionPages.page("<!DOCTYPE html><title>t</title>" + markup)
        let root = try #require(page.document?.root?.treeNode.body)
        let finder = DiscussionFinder(ContentTree(root), .unlimited)
        #expect(finder.elements.count == elements)
        #expect(finder.isPage == isPage)
    }
}
