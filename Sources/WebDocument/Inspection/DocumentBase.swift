extension Document {
    /// The document base URL, against which its references are resolved.
    ///
    /// The first `base` element with `href`, resolved against the fallback in the document's encoding. Where
    /// that is not a valid URL, or a `data:` or `javascript:` one, it is the fallback; no other `base`
    /// element counts.
    ///
    /// - Parameters:
    ///   - fallback: The URL of the document itself; for an `iframe`'s `srcdoc`, the base URL of the page it is in.
    ///   - encoding: The document's encoding.
    /// - Returns: The URL; nil only where the fallback is nil.
    /// - Complexity: O(n) in the number of nodes before the element.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url>
    package func baseURL(fallback: WebURL?, encoding: TextEncoding) -> WebURL? {
        guard let reference = baseReference else { return fallback }
        // An invalid URL leaves the fallback, as the standard requires; the error has no recipient.
        guard let url = try? ReferenceResolver(base: fallback, encoding: encoding).resolve(reference) else {
            return fallback
        }
        return url.scheme == "data" || url.scheme == "javascript" ? fallback : url
    }

    /// The `href` of the first `base` element that has one, as written; nil if there is none.
    private var baseReference: String? {
        guard mayHaveName("base") else { return nil }
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            guard element.hasName("base"), element.isHTMLElement else { continue }
            if let reference = element.attribute("href") { return reference }
        }
        return nil
    }
}
