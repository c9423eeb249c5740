extension Page {
    /// The main content: what the page is about, without menus, advertisements, comments and the like.
    ///
    /// Found by how text is spread over the page, by the words of names, and by what elements mean; a page that is no
    /// article has what comes nearest. Of ``PageKind/text`` it is all; nil for ``PageKind/other``.
    ///
    /// Gathered anew each time, O(n) in the page's size.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var readable: ReadableText? {
        get throws(ParsingError) { try readable(isWhole: false) }
    }

    /// All of the page's text that shows, written as ``readable`` is.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var wholeText: ReadableText? {
        get throws(ParsingError) { try readable(isWhole: true) }
    }

    private func readable(isWhole: Bool) throws(ParsingError) -> ReadableText? {
        guard let part = try readablePart(isWhole: isWhole) else {
            guard let text else { return nil }
            return ReadableText(
                title: nil,
                byline: nil,
                language: nil,
                text: text,
                markdown: String(decoding: MarkdownText.code(text), as: UTF8.self),
                wordCount: ReadableText.wordCount(Array(text.utf8)),
                path: nil,
                position: nil
            )
        }
        let text = part.text
        return ReadableText(
            title: part.title,
            byline: part.byline,
            language: part.language,
            text: String(decoding: text, as: UTF8.self),
            markdown: String(decoding: part.markdown, as: UTF8.self),
            wordCount: ReadableText.wordCount(text),
            path: part.element.cssPath,
            position: part.element.position
        )
    }

    /// What is to be read, before it is written; nil for what has no tree.
    package func readablePart(isWhole: Bool) throws(ParsingError) -> ReadablePart? {
        guard let document = try document else { return nil }
        let metadata = try metadata
        return try inspecting { budget in
            let resolver = ReferenceResolver(
                base: baseURL,
                encoding: encoding?.encoding ?? .utf8,
                allowance: URLAllowance(budget)
            )
            return ReadablePart(document, isWhole: isWhole, metadata, resolver, budget)
        }
    }
}
