/// The kind of a page's content, as an article, a discussion, or a list of products.
///
/// It is determined from the structure of the page, its URL, and its metadata (structured data, Open Graph), never from
/// the name of its site, of the program that made it, or a word of its language.
public struct ContentKind: Hashable, Sendable, Codable {
    /// The name of a kind.
    ///
    /// More may be added.
    public struct Name: RawRepresentable, Hashable, Sendable, Codable {
        /// The name, as in "search-results".
        public let rawValue: String

        /// A kind of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// One text: news, a blog's post, a paper, an encyclopedia's entry.
        public static let article = Name(rawValue: "article")
        /// A page of a manual, a reference, a guide.
        public static let documentation = Name(rawValue: "documentation")
        /// Texts by several people: a forum's thread, questions and answers.
        public static let discussion = Name(rawValue: "discussion")
        /// One thing that is sold or shown.
        public static let product = Name(rawValue: "product")
        /// Several of these, as a shop's category.
        public static let collection = Name(rawValue: "collection")
        /// A list of other things, as articles, jobs, events, places.
        public static let listing = Name(rawValue: "listing")
        /// A presentation of somebody or their offers: a home page, a company's service, prices, contact.
        public static let service = Name(rawValue: "service")
        /// The contents or the index of a manual or a book.
        public static let contents = Name(rawValue: "contents")
        /// The results of a search.
        public static let searchResults = Name(rawValue: "search-results")
        /// Something to fill in, as to log in, to register, to order.
        public static let form = Name(rawValue: "form")

        /// All of them.
        package static let all: [Name] = [
            article, documentation, discussion, product, collection, listing, service, contents,
            searchResults,
            form,
        ]
    }

    /// Its name.
    public let name: Name

    /// How likely the page is of this kind rather than of another one, above 0 and up to 1.
    public let confidence: Double

    /// The most likely kind; nil where none is likely at all.
    ///
    /// - Parameter likelihoods: How likely each kind is.
    init?(_ likelihoods: [(name: Name, likelihood: Float)]) {
        guard let best = likelihoods.max(by: { $0.likelihood < $1.likelihood }), best.likelihood > 0 else {
            return nil
        }
        name = best.name
        confidence = Double(min(1, best.likelihood))
    }
}
