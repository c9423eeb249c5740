import Testing

@testable import WebDocument

/// Tests of the parts of a discussion that classes and IDs name.
struct DiscussionWordsTests {
    private static let names: [(String, DiscussionWords)] = [
        ("comment", .post), ("Comment", .post), ("comment-12", .post), ("li-comment-12", .post),
        ("media-comment", .post), ("comment-item", .post), ("user-comment", .post), ("singleComment", .post),
        ("reply", .post),
        ("answer", .post), ("comment even", .post), ("post-7", .possiblePost), ("message", .possiblePost),
        ("comments", .region), ("comment-list", .region), ("commentlist", .region), ("commentList", .region),
        ("comments_area", .region), ("replies", .region), ("disqus_thread", .region),
        ("comment-author", .author), ("author-name", .author), ("hnuser", .author), ("bigusername", .author),
        ("post-date", .date), ("timestamp", .date), ("comment_time", .date),
        ("comment-content", .body), ("postbody", .body), ("commtext", .body), ("messageText", .body),
        ("comment-form", .control), ("comment-reply-link", .control), ("comments-count", .control),
        ("comment-respond", .control), ("recent-comments", .elsewhere),
        ("widget_recent_comments", .elsewhere),
        ("commentary", []), ("community", []), ("comment-author-admin", []), ("page", []), ("image", []),
        ("candidate", []), ("update", []), ("", []), ("-1_", []), ("reposted-things", []),
    ]

    @Test(arguments: names) func aNameHasItsMeaning(_ name: String, _ meaning: DiscussionWords) {
        let bytes = Array(name.utf8) + [0]
        let found = unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe bytes.baseAddress.map { unsafe DiscussionWords($0) }
        }
        #expect(found == meaning)
    }
}
