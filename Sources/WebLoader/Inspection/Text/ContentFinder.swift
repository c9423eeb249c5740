/// Finds the part of a page that is what the page is about.
///
/// The idea is that of the readers of browsers: paragraphs speak for the elements around them, the nearest one most;
/// text within links, and names that say so, speak against; what is found is cleaned of what does not look like text.
/// Every step is a pass over the table, so that all takes time linear in the page, at most once for each of ``attempts``.
struct ContentFinder {
    /// How strict to be.
    struct Rules: Equatable {
        /// Whether what its name says is beside the content goes before anything is counted.
        var removesUnlikely = true
        /// Whether names speak for and against.
        var weighsNames = true
        /// Whether what does not look like text goes in the end.
        var cleans = true
    }

    /// What is tried, one after the other, until ``sufficientLength`` characters are found.
    private static let attempts = [
        Rules(),
        Rules(removesUnlikely: false),
        Rules(removesUnlikely: false, weighsNames: false),
        Rules(removesUnlikely: false, weighsNames: false, cleans: false),
    ]

    /// Characters that are enough to be a page's content.
    private static let sufficientLength = 500

    let tree: ContentTree
    let facts: ArticleFacts

    /// The content: the entries that it is made of, and of what is inside them what is not part of it.
    struct Result {
        var roots: [Int] = []
        /// Whether each entry was taken away, with all that is inside it.
        var removed: [Bool]
        /// Characters, runs of white space counted as one.
        var length = 0
        /// Who has written it, as it stood there; nil where nothing says so.
        var byline: String?
        /// The index of the entry with the best score, in ``roots`` or around them.
        var top = 0
    }

    /// What is found; of several attempts that all found little, the one that found most.
    func find() -> Result {
        var best: Result?
        for rules in Self.attempts {
            var search = ContentSearch(tree, facts, rules)
            let result = search.run()
            if result.length >= Self.sufficientLength { return result }
            if result.length > best?.length ?? -1 { best = result }
        }
        return best ?? Result(removed: [Bool](repeating: false, count: tree.entries.count))
    }
}
