/// A page as an article: its title, who wrote it, when, in which language and on which site, each with where that is
/// said and how sure it is.
///
/// Each fact has one value, determined from the page's metadata, its markup, its text and its URL. The rest of its
/// metadata is in ``PageMetadata``.
public struct PageArticle: Hashable, Sendable, Codable {
    /// The title, without the site's name.
    public internal(set) var title: ArticleFact?

    /// The authors, in the page's order; at most 100.
    public internal(set) var authors: [ArticleFact] = []

    /// When it was published, in ISO 8601: `2026-11-21`, or with a time where one is given,
    /// `2026-11-21T15:04:05+01:00`.
    public internal(set) var published: ArticleFact?

    /// When it was last modified, as ``published``.
    public internal(set) var modified: ArticleFact?

    /// The language of the text, a BCP 47 tag: what the page declares, unless its text is clearly in another language.
    public internal(set) var language: ArticleFact?

    /// The site's name, or else its host.
    public internal(set) var site: ArticleFact?

    /// Creates an article of which nothing is known.
    public init() {}

    /// The authors as one line: those that metadata name, or else whom the main text names beside itself, or else the
    /// first that the page shows.
    package func byline(shown: String?) -> String? {
        let isStated = authors.first.map { $0.source.kind == .meta || $0.source.kind == .jsonLD } ?? false
        return isStated ? authors.map(\.value).joined(separator: ", ") : shown ?? authors.first?.value
    }
}

/// Something that a page says about itself, where, and how sure it is.
public struct ArticleFact: Hashable, Sendable, Codable {
    /// The value of the fact; never empty.
    public let value: String

    /// Where it was found.
    public let source: Source

    /// How sure it is.
    public internal(set) var confidence: Confidence

    /// The place on a page, or in its response, where a fact was found.
    public struct Source: Hashable, Sendable, Codable {
        /// The kind of place.
        ///
        /// More kinds may be added.
        public struct Kind: RawRepresentable, Hashable, Sendable, Codable {
            /// The kind's name, as in "json-ld".
            public let rawValue: String

            /// A kind of this name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A member of a node object of JSON-LD.
            public static let jsonLD = Kind(rawValue: "json-ld")
            /// A `meta` element, by its name.
            public static let meta = Kind(rawValue: "meta")
            /// An `itemprop` of microdata.
            public static let microdata = Kind(rawValue: "microdata")
            /// A `property` of RDFa.
            public static let rdfa = Kind(rawValue: "rdfa")
            /// A class of microformats.
            public static let microformats = Kind(rawValue: "microformats")
            /// An element, by its name, as in "title", "h1" and "time".
            public static let element = Kind(rawValue: "element")
            /// A link, by the word of its `rel`, or as "href" one whose URL is that of a page about an author.
            public static let link = Kind(rawValue: "link")
            /// A `meta` element, by its `http-equiv`.
            public static let pragma = Kind(rawValue: "pragma")
            /// A header field.
            public static let field = Kind(rawValue: "field")
            /// An element whose class or ID says what it holds: "author", "date", "modified".
            public static let label = Kind(rawValue: "label")
            /// The first post of a discussion: "author" and "date".
            public static let post = Kind(rawValue: "post")
            /// Visible text: "byline" and "date" where it says so itself, "language" for that of all of it.
            public static let text = Kind(rawValue: "text")
            /// A part of the page's URL: "path" or "host".
            public static let url = Kind(rawValue: "url")
        }

        /// The kind of place.
        public let kind: Kind

        /// The name of the place, among those of its kind.
        public let name: String

        /// Where the element stands in the source; `nil` if the place is not an element, or the parser did not store
        /// its position.
        public let position: SourcePosition?
    }

    /// How sure a fact is.
    ///
    /// The levels say what a fact rests on. More may be added.
    public struct Confidence: RawRepresentable, Hashable, Sendable, Codable {
        /// The level's name, as in "stated".
        public let rawValue: String

        /// A level of this name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Places of different kinds say the same, as JSON-LD and the visible text.
        public static let confirmed = Confidence(rawValue: "confirmed")
        /// One kind of place that is for this says it, and nothing else that says otherwise was found.
        public static let stated = Confidence(rawValue: "stated")
        /// It was found in what people see, or in the URL.
        public static let inferred = Confidence(rawValue: "inferred")
        /// Others say otherwise, or it can be read in another way.
        public static let doubtful = Confidence(rawValue: "doubtful")
    }
}

extension ArticleFact.Source {
    init(_ kind: Kind, _ name: String, _ position: SourcePosition? = nil) {
        self.kind = kind
        self.name = name
        self.position = position
    }

    /// The same place as metadata have it.
    init(_ source: MetadataSource) {
        self.init(Kind(rawValue: source.kind.rawValue), source.name, source.position)
    }
}
