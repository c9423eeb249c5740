/// The posts in a page's JSON-LD: comments, answers, reviews and the like of schema.org.
struct StatedDiscussion {
    private(set) var posts: [DiscussionPost] = []
    /// Whether the last one is a review.
    private var isReview = false
    private let resolver: ReferenceResolver
    private let budget: InspectionBudget

    /// A value to look at, and the post that it is inside.
    private struct Step {
        let value: JSONValue
        let parent: Int?
        let position: SourcePosition?
    }

    /// Reads the blocks of a page.
    ///
    /// Complexity: O(n) in their size.
    init(_ blocks: [JSONLDBlock], _ resolver: ReferenceResolver, _ budget: InspectionBudget) {
        self.resolver = resolver
        self.budget = budget
        // Values inside a value come before those that follow it: the last step is the next.
        var steps: [Step] = []
        for block in blocks.reversed() {
            if let value = block.value {
                steps.append(Step(value: value, parent: nil, position: block.position))
            }
        }
        while let step = steps.popLast(), budget.spend(InspectionBudget.visit) {
            switch step.value {
            case .array(let items):
                for item in items.reversed() {
                    steps.append(Step(value: item, parent: step.parent, position: step.position))
                }
            case .object(let members):
                let parent = take(step) ?? step.parent
                for member in members.reversed() where Self.holders.contains(member.name) {
                    steps.append(Step(value: member.value, parent: parent, position: step.position))
                }
            default: break
            }
        }
    }

    /// The members that posts are in.
    private static let holders: Set<String> = [
        "@graph", "acceptedAnswer", "comment", "comments", "mainEntity", "mainEntityOfPage", "review",
        "reviews",
        "suggestedAnswer", "subjectOf", "hasPart",
    ]

    private static let types: Set<String> = [
        "Answer", "Comment", "DiscussionForumPosting", "Question", "Review", "UserComments", "UserReview",
    ]

    /// Adds a node if it is a post, and returns its index; `nil` if it was not added.
    private mutating func take(_ step: Step) -> Int? {
        let node = step.value
        let isPost = node.jsonLDTypes.contains { type in
            Self.types.contains(type.split { $0 == "/" || $0 == ":" }.last.map(String.init) ?? "")
        }
        guard isPost else { return nil }
        let text = Self.text(node, "text", "commentText", "reviewBody", "articleBody", "description")
        guard let text = text?.trimmingASCIIWhitespace, !text.isEmpty,
            budget.spend(size: 768, text: 2 *| text.utf8.count)
        else { return nil }
        let person = node["author"]?.items.first ?? node["creator"]?.items.first
        let author = person?.string ?? person?["name"]?.items.first?.string
        let dateName = ["datePublished", "dateCreated", "commentTime"].first { node[$0]?.string != nil }
        guard author != nil || dateName != nil else { return nil }
        let date = dateName.flatMap { name in
            node[name]?.string.map { text in
                MetadataDate(
                    text: text.collapsingASCIIWhitespace,
                    date: DiscussionReader.read(text),
                    source: MetadataSource(kind: .jsonLD, name: name, position: step.position)
                )
            }
        }
        isReview = node.jsonLDTypes.contains { $0.hasSuffix("Review") }
        posts.append(
            DiscussionPost(
                id: node["@id"]?.string ?? node["url"]?.string,
                author: author?.collapsingASCIIWhitespace,
                authorURL: person?["url"]?.items.first?.string.flatMap { try? resolver.resolve($0) },
                date: date,
                text: text,
                markdown: text,
                depth: step.parent.map { posts[$0].depth + 1 } ?? 0,
                parent: step.parent,
                path: nil,
                position: step.position
            )
        )
        return posts.count - 1
    }

    private static func text(_ node: JSONValue, _ names: String...) -> String? {
        names.lazy.compactMap { node[$0]?.items.first?.string }.first { !$0.isEmpty }
    }

    /// Returns these posts and those shown on the page as one discussion.
    ///
    /// The shown posts are used, unless the data has more posts, as where scripts are to show them. Posts with the same
    /// beginning are the same: a shown post takes over the author and the date that it lacks, also a date in place of
    /// one that cannot be read.
    ///
    /// Complexity: O(n).
    func joined(with shown: [DiscussionPost]) -> [DiscussionPost] {
        // A single review is the page's own.
        guard !posts.isEmpty, posts.count > 1 || !isReview else { return shown }
        guard shown.count >= posts.count else { return posts }
        var known: [String: Int] = [:]
        for (index, post) in posts.enumerated() { known[Self.beginning(post), default: index] = index }
        return shown.map { post in
            guard let index = known[Self.beginning(post)] else { return post }
            var post = post
            if post.author == nil {
                post.author = posts[index].author
                post.authorURL = posts[index].authorURL
            }
            if post.date?.date == nil, posts[index].date?.date != nil { post.date = posts[index].date }
            return post
        }
    }

    private static func beginning(_ post: DiscussionPost) -> String {
        String(String(post.text.prefix(256)).collapsingASCIIWhitespace.prefix(48))
    }
}
