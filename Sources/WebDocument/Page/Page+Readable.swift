extension Page {
    /// The main content of the page, without menus, advertisements, comments and the like.
    ///
    /// It is found by the distribution of text over the page, by words in names, and by the meaning of
    /// elements; for a page that is not an article, the most similar part. For ``PageKind/text`` it is the
    /// whole text; nil for ``PageKind/other``.
    ///
    /// Collected again on each call, O(n) in the page's size.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var readable: ReadableText? {
        get throws(ParsingError) { try readable(isWhole: false) }
    }

    /// All visible text of the page, in the format of ``readable``.
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

    /// The readable part before it is converted to text; nil for a page without a tree.
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
