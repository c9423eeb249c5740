extension ParsedPage {
    /// The posts that people have written about the page, or to each other on it: comments, replies, posts of a forum,
    /// answers, reviews.
    ///
    /// They are found by structured data (JSON-LD, microdata, RDFa, microformats), by classes and IDs that are the same
    /// in most languages (`comment`, `reply`), and as repeated elements with an author and a date each. Hidden posts
    /// are not included, nor those that only scripts would load, except posts in JSON-LD. Empty for a page without a
    /// tree.
    public var discussion: Discussion {
        kept(\.discussion) { budget in
            guard let document, let root = document.root?.treeNode else { return Discussion() }
            let resolver = ReferenceResolver(
                base: baseURL,
                encoding: encoding?.encoding ?? .utf8,
                allowance: URLAllowance(budget)
            )
            let finder = DiscussionFinder(ContentTree(root.body ?? root, budget: budget), budget)
            var reader = DiscussionReader(finder, document, resolver, budget)
            let shown = reader.read()
            var blocks: [JSONLDBlock] = []
            var walk = TreeWalk(inside: document.node)
            while budget.spend(1), let element = walk.nextElement() {
                if element.hasName("script"), let block = JSONLDBlock(element, budget) {
                    blocks.append(block)
                }
            }
            return Discussion(posts: StatedDiscussion(blocks, resolver, budget).joined(with: shown))
        }
    }
}
