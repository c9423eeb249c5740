public import WebLoader
import WebTransport

/// The links of the page in view.
extension PageSession {
    /// A link that one can follow.
    public struct FollowableLink: Hashable, Sendable {
        /// Where it leads.
        public let url: WebURL
        /// Its text, white space collapsed; empty for none.
        public let text: String
        /// What of the page's URL is told to the server.
        public let referrerPolicy: ReferrerPolicy
        /// Where it stands in the source; nil where the parser did not keep it.
        public let position: SourcePosition?
    }

    /// The links of the page in view that one can follow, `a` and `area` with `href`, in document order; none if there is no page.
    ///
    /// - Throws: `LoadError` if the page has to be loaded again and cannot be.
    /// - Complexity: O(n) in the size of the page.
    public var links: [FollowableLink] {
        get async throws(LoadError) {
            guard let page = try await page else { return [] }
            return try await links(of: page)
        }
    }

    private func links(of page: Page) async throws(LoadError) -> [FollowableLink] {
        let parsed = try await parsed(page)
        let policy = parsed.referrerPolicy
        let policies = Self.referrerPolicies(parsed)
        return parsed.links.compactMap { link in
            guard link.element == "a" || link.element == "area", link.attribute == "href", !link.isInert,
                let url = link.url
            else { return nil }
            let own = link.position.flatMap { policies[$0] }
            return FollowableLink(
                url: url,
                text: link.text ?? "",
                referrerPolicy: link.rel.contains("noreferrer") ? .noReferrer : own ?? policy,
                position: link.position
            )
        }
    }

    /// The policies of the few links that have one of their own, by their places.
    private static func referrerPolicies(_ page: ParsedPage) -> [SourcePosition: ReferrerPolicy] {
        // The selector is valid, and where the page is too large for it, the page's own policy holds.
        let nodes = (try? page.document?.querySelectorAll("a[referrerpolicy], area[referrerpolicy]")) ?? nil
        var policies: [SourcePosition: ReferrerPolicy] = [:]
        for node in nodes ?? [] {
            guard let position = node.position, let text = node.attribute("referrerpolicy") else { continue }
            policies[position] = ReferrerPolicy(attribute: text)
        }
        return policies
    }

    /// Follows a link of the page in view: with that page as its referrer.
    ///
    /// - Parameter link: One of ``links``.
    /// - Returns: The page that it leads to.
    /// - Throws: `LoadError`: "load.refused" for a link to a file from what is none.
    ///
    /// [Following
    /// hyperlinks](https://html.spec.whatwg.org/multipage/links.html#following-hyperlinks)
    @discardableResult
    public func follow(_ link: FollowableLink) async throws(LoadError) -> Navigation {
        let page = try await page
        try Self.checkTarget(link.url, from: page)
        var request = page?.request(for: link.url) ?? plainRequest(for: link.url)
        request.use(cachePolicy(of: list.current))
        request.takeSource(page?.response.url, link.referrerPolicy)
        return try await load(request, by: .link)
    }

    /// Throws where a page leads to a file of this machine, and is none itself.
    static func checkTarget(_ url: WebURL, from page: Page?) throws(LoadError) {
        guard url.scheme == "file", page?.response.url.scheme != "file" else { return }
        throw LoadError(FetchError(.refused, "only a file leads to files of this machine"), url: url)
    }

    func parsed(_ page: Page) async throws(LoadError) -> ParsedPage {
        do throws(ParsingError) {
            return try await page.parsed()
        } catch {
            throw LoadError(error, url: page.response.url)
        }
    }
}

extension WebRequest {
    /// The Cache-Control of a page that is loaded again from its server.
    static let revalidation = "max-age=0"

    /// Uses the cache in this way, after a page that was maybe loaded in another one.
    mutating func use(_ policy: CachePolicy) {
        if cachePolicy == .reloadRevalidatingCacheData, headerFields[.cacheControl] == Self.revalidation {
            headerFields[.cacheControl] = nil
        }
        cachePolicy = policy
    }

    /// Makes it one that comes from a page, without what was said about another body.
    mutating func takeSource(_ url: WebURL?, _ policy: ReferrerPolicy) {
        referrer = url?.withoutCredentials
        referrerPolicy = policy
        for name in [HTTPField.Name.contentType, .origin, .referer] { headerFields[name] = nil }
    }
}
