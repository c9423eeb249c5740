public import WebLoader
import WebTransport

/// The links of the page in view.
extension PageSession {
    /// A link that one can follow.
    public struct FollowableLink: Hashable, Sendable {
        /// The URL of the target.
        public let url: WebURL
        /// The text of the link, white space collapsed; empty if it has none.
        public let text: String
        /// The policy that decides how much of the page's URL is sent to the server.
        public let referrerPolicy: ReferrerPolicy
        /// The position of the link in the source; `nil` if the parser did not record it.
        public let position: SourcePosition?
    }

    /// The links of the page in view that one can follow, `a` and `area` with `href`, in document order; empty if there
    /// is no page.
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

    /// Returns the policies of the few links that have their own, by their positions.
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
    /// - Returns: The navigation to the linked page.
    /// - Throws: `LoadError`: "load.refused" for a link to a file from a page that is not a file.
    ///
    /// [Following
    /// hyperlinks](https://html.spec.whatwg.org/multipage/links.html#following-hyperlinks)
    @discardableResult
    public func follow(_ link: FollowableLink) async throws(LoadError) -> Navigation {
        let page = try await page
        try Self.checkTarget(link.url, from: page)
        var request = page?.request(for: link.url) ?? plainRequest(for: link.url)
        request.use(cachePolicy(of: history.current))
        request.takeSource(page?.response.url, link.referrerPolicy)
        return try await load(request, by: .link)
    }

    /// Throws if the URL is a file of this machine, and the page is not.
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

    /// Sets the cache policy, and removes the Cache-Control field of a reload.
    mutating func use(_ policy: CachePolicy) {
        if cachePolicy == .reloadRevalidatingCacheData, headerFields[.cacheControl] == Self.revalidation {
            headerFields[.cacheControl] = nil
        }
        cachePolicy = policy
    }

    /// Sets the page that the request comes from, and removes fields that describe an earlier request.
    mutating func takeSource(_ url: WebURL?, _ policy: ReferrerPolicy) {
        referrer = url?.withoutCredentials
        referrerPolicy = policy
        for name in [HTTPField.Name.contentType, .origin, .referer] { headerFields[name] = nil }
    }
}
