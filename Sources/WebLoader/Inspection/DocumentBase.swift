extension Document {
    /// The document base URL, against which its references are resolved.
    ///
    /// The first `base` element with `href`, resolved against the fallback; a `data:` or `javascript:` URL and one
    /// that does not parse do not count.
    ///
    /// - Parameter fallback: the URL of the document itself.
    /// - Returns: The URL; nil only where the fallback is.
    /// - Complexity: O(n) in the number of nodes before the element.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url>
    func baseURL(fallback: WebURL?) -> WebURL? {
        guard let reference = baseReference else { return fallback }
        // A reference that is no URL counts for nothing, and there is no place to say so here: `links` reports it.
        guard let url = try? WebURL(reference, base: fallback) else { return fallback }
        return url.scheme == "data" || url.scheme == "javascript" ? fallback : url
    }

    /// What the first `base` element with `href` refers to, as written; nil if there is none.
    private var baseReference: String? {
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            guard element.hasName("base"), element.isHTMLElement else { continue }
            if let reference = element.attribute("href") { return reference }
        }
        return nil
    }
}
