/// A place in RSS or Atom that holds a reference, with the table of all these places.
struct FeedSource {
    /// The vocabularies, some of which have several namespaces.
    enum Vocabulary {
        case atom
        /// RSS of all versions, with and without a namespace.
        case rss
        /// Yahoo's Media RSS.
        case media
        /// Apple's podcasts.
        case podcast
    }

    let vocabulary: Vocabulary
    let element: StaticString
    /// Nil for the element's text.
    let attribute: StaticString?
    let kind: Link.Kind

    private init(
        _ vocabulary: Vocabulary,
        _ element: StaticString,
        _ attribute: StaticString?,
        _ kind: Link.Kind
    ) {
        self.vocabulary = vocabulary
        self.element = element
        self.attribute = attribute
        self.kind = kind
    }

    private static let all: [FeedSource] = [
        // The kind of a link element follows from its rel.
        FeedSource(.atom, "link", "href", .navigation),
        FeedSource(.atom, "content", "src", .navigation),
        FeedSource(.atom, "icon", nil, .icon),
        FeedSource(.atom, "logo", nil, .image),
        FeedSource(.atom, "uri", nil, .navigation),
        FeedSource(.atom, "generator", "uri", .other),
        FeedSource(.rss, "link", nil, .navigation),
        FeedSource(.rss, "guid", nil, .navigation),
        FeedSource(.rss, "comments", nil, .navigation),
        FeedSource(.rss, "docs", nil, .other),
        FeedSource(.rss, "enclosure", "url", .media),
        FeedSource(.rss, "source", "url", .alternate),
        FeedSource(.rss, "url", nil, .image),
        FeedSource(.media, "content", "url", .media),
        FeedSource(.media, "thumbnail", "url", .image),
        FeedSource(.media, "player", "url", .media),
        FeedSource(.podcast, "image", "href", .image),
    ]

    private static let rssNamespaces: [StaticString] = [
        "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/",
        "http://backend.userland.com/rss2",
    ]

    /// Whether a document of this root is a feed.
    static func isFeed(_ root: TreeNode) -> Bool {
        root.hasName("rss") && root.isInNoNamespace
            || root.hasName("feed") && root.isInNamespace("http://www.w3.org/2005/Atom")
            || root.hasName("RDF") && root.isInNamespace("http://www.w3.org/1999/02/22-rdf-syntax-ns#")
    }

    /// The places in which an element of a feed holds references.
    static func find(_ element: TreeNode) -> [FeedSource] {
        guard let vocabulary = vocabulary(of: element) else { return [] }
        return all.filter { $0.vocabulary == vocabulary && element.hasName($0.element) }
    }

    private static func vocabulary(of element: TreeNode) -> Vocabulary? {
        if element.isInNoNamespace || rssNamespaces.contains(where: { element.isInNamespace($0) }) {
            return .rss
        }
        if element.isInNamespace("http://www.w3.org/2005/Atom") { return .atom }
        if element.isInNamespace("http://search.yahoo.com/mrss/") { return .media }
        if element.isInNamespace("http://www.itunes.com/dtds/podcast-1.0.dtd") { return .podcast }
        return nil
    }
}

extension LinkCollector {
    /// Gathers the references of an element of a feed, and applies its `xml:base`.
    mutating func enterFeedElement(_ element: TreeNode) {
        enterBase(element)
        for source in FeedSource.find(element) {
            if let attribute = source.attribute {
                guard let reference = element.attribute(attribute) else { continue }
                let rel = source.vocabulary == .atom && element.hasName("link") ? facts()?.rel : nil
                let title = rel == nil ? nil : element.attribute("title")?.collapsingASCIIWhitespace
                add(
                    reference,
                    rel.map { Link.Kind(atomRel: $0) } ?? source.kind,
                    attribute: attribute,
                    text: title
                )
            } else {
                let isURL = !element.hasName("url") || element.parent?.hasName("image") ?? false
                let isPermalink = !element.hasName("guid") || element.attribute("isPermaLink") != "false"
                let reference = element.childTextContent.collapsingASCIIWhitespace
                if isURL, isPermalink, !reference.isEmpty {
                    add(reference, source.kind, attribute: nil, part: LinkPart(syntax: .text))
                }
            }
        }
    }

    /// Applies [XML Base](https://www.w3.org/TR/xmlbase/), which RFC 4287 requires for feeds.
    private mutating func enterBase(_ element: TreeNode) {
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            guard attribute.hasName("base"), attribute.isInNamespace("http://www.w3.org/XML/1998/namespace")
            else {
                continue
            }
            let reference = attribute.value
            let outer = resolver.base?.href.utf8.count ?? 0
            // An invalid base URL changes nothing; only references are reported.
            guard budget.spend(size: 64, text: outer + reference.utf8.count),
                let base = try? resolver.resolve(reference)
            else {
                continue
            }
            outerResolvers.append((element, resolver))
            resolver = ReferenceResolver(base: base, encoding: .utf8)
        }
    }
}

extension Link.Kind {
    /// Creates the kind of an Atom link from its `rel`: "alternate" without one.
    ///
    /// [RFC 4287, section 4.2.7.2](https://www.rfc-editor.org/rfc/rfc4287#section-4.2.7.2)
    fileprivate init(atomRel rel: [String]) {
        switch rel.first {
        case nil, "alternate", "related", "via", "replies": self = .navigation
        case "enclosure": self = .media
        default: self = .other
        }
    }
}
