extension Document {
    /// The document base URL, against which its references are resolved.
    ///
    /// The first `base` element with `href`, resolved against the fallback in the document's encoding. Where that is
    /// no URL, or a `data:` or `javascript:` one, it is the fallback; no other `base` element is looked at.
    ///
    /// - Parameters:
    ///   - fallback: The URL of the document itself; for an `iframe`'s `srcdoc`, the base URL of the page it is in.
    ///   - encoding: The document's encoding.
    /// - Returns: The URL; nil only where the fallback is.
    /// - Complexity: O(n) in the number of nodes before the element.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url>
    func baseURL(fallback: WebURL?, encoding: TextEncoding) -> WebURL? {
        guard let reference = baseReference else { return fallback }
        // A reference that is no URL leaves the fallback, as the standard has it: there is nobody to tell.
        guard let url = try? ReferenceResolver(base: fallback, encoding: encoding).resolve(reference) else {
            return fallback
        }
        return url.scheme == "data" || url.scheme == "javascript" ? fallback : url
    }

    /// What the first `base` element with `href` refers to, as written; nil if there is none.
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
