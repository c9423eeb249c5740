/// Makes absolute URLs of a document's references.
struct ReferenceResolver: Sendable {
    /// What references are relative to; nil has only absolute ones resolve.
    let base: WebURL?

    /// The encoding of queries.
    let encoding: TextEncoding

    /// - Parameters:
    ///   - base: What references are relative to.
    ///   - encoding: The document's encoding.
    init(base: WebURL?, encoding: TextEncoding) {
        self.base = base
        self.encoding = encoding.outputEncoding
    }

    /// Encoding-parses a URL.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url>
    func resolve(_ reference: String) throws(WebURLError) -> WebURL {
        guard encoding != .utf8 else { return try WebURL(reference, base: base) }
        return try WebURL.parse(utf8: reference.utf8.span, base: base, queryEncoder: TextEncoder(encoding))
    }
}
