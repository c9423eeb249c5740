extension MetadataCollector {
    // MARK: - Links

    /// The attributes by which a link describes its target.
    struct LinkAttributes {
        let rel: [String]
        var type: String?
        var media: String?
        var language: String?
        var title: String?
        var color: String?
        var sizes: String?
    }

    /// Gathers a `link`, or an `a` or `area` whose `rel` says how its target relates to the page.
    mutating func collectLink(_ element: TreeNode) {
        guard let rel = element.attribute("rel"), element.isHTMLElement,
            let reference = element.attribute("href")
        else { return }
        var words: [String] = []
        for word in rel.utf8.split(whereSeparator: \.isASCIIWhitespace) {
            words.append(String(asciiLowercasing: word))
        }
        let isLink = element.hasName("link")
        if words.contains("author"), !isLink {
            add(.link, "author", budget.textContent(of: element), element)
        }
        guard isLink || words.contains(where: Self.isRelationOfAnchors) else { return }
        let attributes = LinkAttributes(
            rel: words,
            type: element.attribute("type"),
            media: element.attribute("media"),
            language: element.attribute("hreflang"),
            title: element.attribute("title"),
            color: element.attribute("color"),
            sizes: element.attribute("sizes")
        )
        addLink(reference, attributes, resolver, .link, element)
    }

    /// Whether a word of `rel` says how the target relates to the page on `a`, too.
    private static func isRelationOfAnchors(_ word: String) -> Bool {
        switch word {
        case "next", "prev", "previous", "license", "alternate", "feed": true
        default: false
        }
    }

    mutating func addLink(
        _ reference: String,
        _ attributes: LinkAttributes,
        _ resolver: ReferenceResolver,
        _ kind: MetadataSource.Kind,
        _ element: TreeNode?
    ) {
        guard let list = Self.list(attributes) else { return }
        let reference = reference.trimmingASCIIWhitespace
        let texts = 2 * reference.utf8.count + (resolver.base?.href.utf8.count ?? 0)
        let size = 896 + 64 * attributes.rel.count
        guard !reference.isEmpty, budget.spend(size: size, text: texts + (element?.attributesLength ?? 0))
        else {
            return
        }
        let sizes = attributes.sizes?.asciiWords ?? []
        metadata[keyPath: list.path].append(
            MetadataLink(
                reference: reference,
                // An invalid URL is nil; the reference is there.
                url: try? resolver.resolve(reference),
                source: MetadataSource(
                    kind: kind,
                    name: kind == .field ? "Link" : list.word,
                    position: element?.sourcePosition
                ),
                rel: attributes.rel,
                type: attributes.type,
                media: attributes.media,
                language: attributes.language,
                title: attributes.title?.collapsingASCIIWhitespace,
                color: attributes.color,
                sizes: sizes.compactMap { MetadataLink.Size($0) },
                isScalable: sizes.contains { $0.isEqualIgnoringASCIICase(to: "any") }
            )
        )
    }

    /// The list that a link belongs to, and the word of `rel` that decides it; nil for a link that does not
    /// describe the page.
    private static func list(
        _ attributes: LinkAttributes
    ) -> (path: WritableKeyPath<PageMetadata, [MetadataLink]>, word: String)? {
        for word in attributes.rel {
            switch word {
            case "canonical": return (\.canonicals, word)
            case "icon", "apple-touch-icon", "apple-touch-icon-precomposed", "mask-icon", "fluid-icon":
                return (\.icons, word)
            case "alternate":
                // An alternative style sheet is no alternative page.
                if attributes.rel.contains("stylesheet") { return nil }
                return (isFeed(attributes.type) ? \.feeds : \.alternates, word)
            case "feed": return (\.feeds, word)
            case "manifest": return (\.manifests, word)
            case "amphtml": return (\.ampPages, word)
            case "prev", "previous": return (\.previousPages, word)
            case "next": return (\.nextPages, word)
            case "license": return (\.licenses, word)
            default: continue
            }
        }
        return nil
    }

    private static func isFeed(_ type: String?) -> Bool {
        guard let type else { return false }
        let essence = String(Substring(type.utf8.prefix { $0 != UInt8(ascii: ";") })).trimmingASCIIWhitespace
        return essence.isEqualIgnoringASCIICase(to: "application/rss+xml")
            || essence.isEqualIgnoringASCIICase(to: "application/atom+xml")
            || essence.isEqualIgnoringASCIICase(to: "application/rdf+xml")
            || essence.isEqualIgnoringASCIICase(to: "application/feed+json")
    }
}
