import TestSupport
import Testing

@testable import WebDocument

/// Pages made to take long: all of them take time linear in their size.
@Suite(.timeLimit(.minutes(20)))
struct HostileDiscussionTests {
    private static let post = "<div class=comment><b class=author>A</b><p>One."

    private static let indented =
        "<div class=comment data-depth=99999999999999999999><b class=author>A</b>b</div>"

    private static let pages: [HostilePage] = [
        HostilePage("divisions inside each other", String(repeating: "<div>", count: 300_000)),
        HostilePage("comments inside each other", String(repeating: post, count: 100_000)),
        HostilePage("comments", String(repeating: post + "</div>", count: 50_000)),
        HostilePage(
            "links",
            String(repeating: "<a class=author href=/user/1>b</a> 3.4.2026 ", count: 50_000)
        ),
        HostilePage(
            "authors inside each other",
            String(repeating: "<span class='author date comment'>a", count: 100_000)
        ),
        HostilePage("names", "<div class='\(String(repeating: "comment-list ", count: 100_000))'>a</div>"),
        HostilePage("a name", "<div class='\(String(repeating: "comment", count: 200_000))'>a</div>"),
        HostilePage("empty comments", String(repeating: "<div class=comment>", count: 100_000) + post),
        HostilePage("depths", String(repeating: indented, count: 20_000)),
    ]

    @Test(.enabled(if: Nightly.isOn, "nightly: slow where it is not optimised"), arguments: pages)
    func timeIsLinear(_ page: HostilePage) throws {
        let parsed = try InspectionPages.page("<!DOCTYPE html><title>t</title>" + page.markup)
        let posts = parsed.discussion.posts
        let isOrdered = posts.enumerated().allSatisfy { index, post in
            guard let parent = post.parent else { return post.depth == 0 }
            return parent < index && posts[parent].depth + 1 == post.depth
        }
        #expect(isOrdered)
    }

    @Test func dataInsideDataIsBounded() throws {
        let nested = String(repeating: #"{"@type":"Comment","text":"a","author":"b","comment":"#, count: 400)
        let markup =
            "<script type=application/ld+json>\(nested)null\(String(repeating: "}", count: 400))</script>"
        let posts = try InspectionPages.page(markup).discussion.posts
        #expect(posts.count == 400)
        #expect(posts.last?.depth == 399)
    }

    @Test func aSmallBudgetLeavesPostsOut() throws {
        let page = try InspectionPages.page(String(repeating: Self.post + "</div>", count: 100))
        let root = try #require(page.document?.root?.treeNode)
        #expect(DiscussionFinder(ContentTree(root), InspectionBudget(units: 100)).elements.isEmpty)
    }
}
