import WebDocument
import WebStandards

/// The optional resources of a page: those that screens of other sizes and densities would load to draw it.
enum ArchivedWishes {
    /// Returns the resources that a page refers to.
    ///
    /// - Parameters:
    ///   - links: The links of the page, or the relevant ones.
    ///   - encoding: The page's encoding.
    ///   - policies: The page's own policies.
    ///   - depth: The number of frames around the page.
    /// - Returns: The resources, in the order of the references.
    static func find(
        in links: [Link],
        _ encoding: TextEncoding,
        _ policies: ContentPolicies,
        depth: Int
    ) -> [ResourceWish] {
        links.compactMap { link in
            guard let url = link.url?.withoutFragment, url.canBeLoaded(as: link.kind), !link.isInert,
                let use = use(link, encoding)
            else { return nil }
            // Other kinds may be allowed by a nonce, which a link does not have.
            if link.kind == .image, !policies.allows(url, for: .image) { return nil }
            return ResourceWish(url: url, use: use, depth: depth, isOptional: true)
        }
    }

    private static func use(_ link: Link, _ encoding: TextEncoding) -> ResourceWish.Use? {
        switch link.kind {
        case .stylesheet: .styleSheet(encoding)
        case .media: .media
        case .script, .image, .font, .icon, .manifest: .bytes
        // An early connection loads nothing.
        case .preload: Set(link.rel).isDisjoint(with: ["preconnect", "dns-prefetch"]) ? .bytes : nil
        default: nil
        }
    }
}
