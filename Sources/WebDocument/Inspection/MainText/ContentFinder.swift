/// Finds the main content of a page.
///
/// It works like the reader modes of browsers: paragraphs add to the scores of the elements around them, most
/// to the nearest one; text within links, and classes and IDs that are typical of other parts, lower the
/// scores; what does not look like text is then removed from the result. Every step is a pass over the table,
/// so that each of ``attempts`` takes time linear in the page.
struct ContentFinder {
    /// How strict to be.
    struct Rules: Equatable {
        /// Whether elements that are unlikely content, by class, ID or role, are removed before anything is
        /// counted.
        var removesUnlikely = true
        /// Whether classes and IDs change the scores.
        var weighsNames = true
        /// Whether parts that do not look like text are removed in the end.
        var cleans = true
    }

    /// The rules that are tried, one after the other, until ``sufficientLength`` characters are found.
    private static let attempts = [
        Rules(),
        Rules(removesUnlikely: false),
        Rules(removesUnlikely: false, weighsNames: false),
        Rules(removesUnlikely: false, weighsNames: false, cleans: false),
    ]

    /// The number of characters that is enough for a page's content.
    private static let sufficientLength = 500

    let tree: ContentTree
    let facts: ArticleFacts

    /// The content: its entries, and the entries inside them that are not part of it.
    struct Result {
        var roots: [Int] = []
        /// Whether each entry was removed, with everything inside it.
        var removed: [Bool]
        /// The captions of figures in the content, among what is removed: Markdown shows them with their figures.
        var captions: [Int] = []
        /// Characters, runs of white space counted as one.
        var length = 0
        /// The author, as written on the page; nil where none was found.
        var byline: String?
        /// The entries of ``byline``.
        var bylineEntries: Range<Int>?
        /// The index of the entry with the best score, in ``roots`` or around them.
        var top = 0
    }

    /// Returns the first result that is long enough, or else the longest one.
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
