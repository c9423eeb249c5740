import WebDocument
import WebStandards

/// What screens of other sizes and densities would ask for to draw a page, and is not missed where it is not there.
enum ArchivedWishes {
    /// What a page refers to.
    ///
    /// - Parameters:
    ///   - links: What it refers to, or the part of it that counts.
    ///   - encoding: The page's.
    ///   - policies: What its own policies allow.
    ///   - depth: Frames around it.
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
            // Others may be allowed by a nonce, which a link does not have.
            if link.kind == .image, !policies.allows(url, for: .image) { return nil }
            return ResourceWish(url: url, use: use, depth: depth, isOptional: true)
        }
    }

    private static func use(_ link: Link, _ encoding: TextEncoding) -> ResourceWish.Use? {
        switch link.kind {
        case .stylesheet: .styleSheet(encoding)
        case .media: .media
        case .script, .image, .font, .icon, .manifest: .bytes
        // A connection that is made early brings nothing.
        case .preload: Set(link.rel).isDisjoint(with: ["preconnect", "dns-prefetch"]) ? .bytes : nil
        default: nil
        }
    }
}
