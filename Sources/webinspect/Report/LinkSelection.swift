import WebLoader

/// Which links of a page to list.
struct LinkSelection {
    enum Host {
        case any
        /// The page's own.
        case own
        /// Any that is not the page's.
        case others
    }

    /// Empty for all.
    let kinds: Set<Link.Kind>
    let host: Host
    /// Whether to list each URL only where it comes first.
    let isUnique: Bool

    /// The links that are listed, in their order, on a page whose own host is that of `page`.
    func links(of links: [Link], page: WebURL) -> [Link] {
        var seen: Set<String> = []
        return links.filter { link in
            guard kinds.isEmpty || kinds.contains(link.kind), matchesHost(link, page) else { return false }
            return !isUnique || seen.insert(link.url?.href ?? link.reference).inserted
        }
    }

    /// A URL without a host, as a `mailto:` one, is on none; those of files are on this machine's.
    private func matchesHost(_ link: Link, _ page: WebURL) -> Bool {
        switch host {
        case .any: return true
        case .own: return link.url?.host != nil && link.url?.host == page.host
        case .others: return link.url?.host != nil && link.url?.host != page.host
        }
    }
}
