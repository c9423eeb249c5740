/// The posts that people have written about a page, or to each other on it: comments, replies, posts of a forum,
/// answers, reviews.
public struct Discussion: Hashable, Sendable, Codable {
    /// The posts, in document order.
    public let posts: [DiscussionPost]

    /// Creates a discussion.
    public init(posts: [DiscussionPost] = []) {
        self.posts = posts
    }
}

/// A comment, a reply, an answer, a review, or a post of a forum.
public struct DiscussionPost: Hashable, Sendable, Codable {
    /// The name that the page gives it: an element's ID, a JSON-LD node's `@id` or URL; nil where there is none.
    public let id: String?

    /// Who wrote it, as the page has it, white space collapsed; nil where it does not say.
    public internal(set) var author: String?

    /// Where the author's name leads to; nil where it is no link.
    public internal(set) var authorURL: WebURL?

    /// When it was written; nil where the page does not say.
    public internal(set) var date: MetadataDate?

    /// The text, white space collapsed, one line for each block, a blank line between paragraphs; without the author,
    /// the date, and the posts inside it.
    public let text: String

    /// The same as CommonMark, links and images absolute; for a post of JSON-LD the text as it is.
    public let markdown: String

    /// How many posts it is a reply to, one inside another: 0 for one that is no reply, or not shown as one.
    public let depth: Int

    /// The index of the post that it is a reply to, in ``Discussion/posts``, always less than its own; nil for depth 0.
    public let parent: Int?

    /// A selector of its element; nil for a post of JSON-LD.
    public let path: String?

    /// Where its element, or the script with the JSON-LD, stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
