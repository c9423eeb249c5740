/// What a page says for programs: its data in each of the ways in which pages hold some.
public struct StructuredData: Hashable, Sendable, Codable {
    /// The blocks of JSON-LD, in document order; those that cannot be read among them.
    public internal(set) var jsonLD: [JSONLDBlock] = []

    /// The items of microdata, in document order; those that are properties of others among them.
    public internal(set) var microdata: [MicrodataItem] = []

    /// The graph of RDFa, a node for each subject, in the order in which they come up.
    public internal(set) var rdfa: [RDFaNode] = []

    /// The properties of the Open Graph protocol.
    public internal(set) var openGraph = OpenGraph()

    /// The properties of a Twitter card, `twitter:` and all, in document order.
    public internal(set) var twitterCard: [MetaProperty] = []

    /// What is said in the terms of Dublin Core, in document order.
    public internal(set) var dublinCore: [DublinCoreStatement] = []

    /// The microformats, in document order; those inside others among them.
    public internal(set) var microformats: [MicroformatItem] = []

    /// Whether something is missing, since the page was made to have more of it than anybody would read.
    public internal(set) var isTruncated = false

    /// Creates what holds nothing.
    public init() {}
}

/// A `meta` element's name and content.
public struct MetaProperty: Hashable, Sendable, Codable {
    /// The name, in lower case, as in "og:title".
    public let name: String

    /// The content, white space at its ends stripped.
    public let content: String

    /// Where the element stands in the source; nil where the parser did not keep it.
    public let position: SourcePosition?
}
