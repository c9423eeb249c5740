extension ParsedPage {
    /// The URLs that a style sheet refers to, in order, with what they are for; empty for what is no style sheet.
    ///
    /// Those that are no URLs are left out.
    package var styleSheetURLs: [(url: WebURL, kind: Link.Kind)] {
        guard mediaType.essence == "text/css", let source else { return [] }
        return StyleReferences.find(in: source).compactMap { reference in
            (try? WebURL(reference.text, base: baseURL)).map { ($0, reference.kind) }
        }
    }
}
