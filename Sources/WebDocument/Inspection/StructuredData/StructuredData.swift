/// The data of a page for programs, in each of the formats that pages use.
public struct StructuredData: Hashable, Sendable, Codable {
    /// The blocks of JSON-LD, in document order, including those that cannot be parsed.
    public internal(set) var jsonLD: [JSONLDBlock] = []

    /// The items of microdata, in document order, including those that are properties of others.
    public internal(set) var microdata: [MicrodataItem] = []

    /// The graph of RDFa, a node for each subject, in the order of their first statements.
    public internal(set) var rdfa: [RDFaNode] = []

    /// The properties of the Open Graph protocol.
    public internal(set) var openGraph = OpenGraph()

    /// The properties of a Twitter card, with the prefix `twitter:`, in document order.
    public internal(set) var twitterCard: [MetaProperty] = []

    /// The statements with terms of Dublin Core, in document order.
    public internal(set) var dublinCore: [DublinCoreStatement] = []

    /// The microformats, in document order, including those inside others.
    public internal(set) var microformats: [MicroformatItem] = []

    /// Whether something is missing, since the page has more data than the budget allows.
    public internal(set) var isTruncated = false

    /// Creates empty data.
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
