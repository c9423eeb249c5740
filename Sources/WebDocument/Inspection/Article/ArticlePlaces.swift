extension ArticleCollector {
    /// A text that may say who wrote an article, or when.
    struct Candidate {
        let source: ArticleFact.Source
        /// Its text, in UTF-8, a line feed where an element in it begins or ends.
        let text: [UInt8]
        /// The text before it in the same line, or in the previous one if there is none.
        var label: [UInt8] = []
        /// How many bytes of visible text there are before it.
        let offset: Int
        /// Whether it is in something beside the article, as its comments.
        let isBeside: Bool
        let words: ArticleWords
        /// Whether it is a name and nothing else, whatever it looks like.
        var isExact = false
        /// Whether the line before it says that it names an author, and nothing else.
        var isHeaded = false
    }

    /// A heading.
    struct Heading {
        let text: String
        let source: ArticleFact.Source
        /// From 1; 2, too, for what only its class makes a headline.
        let level: Int
        /// How many bytes of visible text there are before it, and before what follows it.
        let offset: Int
        let end: Int
        let isBeside: Bool
        /// Whether its class or `itemprop` says that it is the headline.
        let isNamed: Bool
    }
}
