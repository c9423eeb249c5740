import Synchronization

extension ParsedPage {
    /// The main content of the page, without menus, advertisements, comments and the like.
    ///
    /// It is found by the distribution of text over the page, by words in names, by the meaning of elements, and by
    /// what the page says that it is. Of a page that is not an article it is what readers come for: the cards of a
    /// list, the posts of a discussion, all of a manual's page. For ``PageKind/text`` it is the whole text; nil for
    /// ``PageKind/other``.
    public var mainText: ReadableText? { text(isWhole: false, \.mainText) }

    /// All visible text of the page, in the format of ``mainText``.
    public var wholeText: ReadableText? { text(isWhole: true, \.wholeText) }

    private func text(
        isWhole: Bool,
        _ member: any WritableKeyPath<State, ReadableText??> & Sendable
    ) -> ReadableText? {
        let (metadata, article) = (metadata, article)
        return kept(member) { text(isWhole: isWhole, metadata, article, $0) }
    }

    private func text(
        isWhole: Bool,
        _ metadata: PageMetadata,
        _ article: PageArticle,
        _ budget: InspectionBudget
    ) -> ReadableText? {
        guard let part = readablePart(isWhole: isWhole, metadata, budget) else {
            guard let text else { return nil }
            return ReadableText(
                title: nil,
                byline: nil,
                language: nil,
                text: text,
                markdown: String(decoding: MarkdownText.code(text), as: UTF8.self),
                kind: nil,
                completeness: nil,
                warning: nil,
                wordCount: ReadableText.wordCount(Array(text.utf8)),
                path: nil,
                position: nil
            )
        }
        let text = part.text
        return ReadableText(
            title: article.title?.value,
            byline: article.byline(shown: part.byline),
            language: part.language,
            text: String(decoding: text, as: UTF8.self),
            markdown: String(decoding: part.markdown, as: UTF8.self),
            kind: part.kind,
            completeness: part.completeness,
            warning: part.warning,
            wordCount: ReadableText.wordCount(text),
            path: part.element.cssPath,
            position: part.element.position
        )
    }

    /// Whether each block of the page is part of ``mainText``, and why, in document order; empty for a page without a
    /// tree.
    ///
    /// It is gathered anew each time.
    public var textDecisions: [TextDecision] { readablePart(isWhole: false, explains: true)?.decisions ?? [] }

    /// The kind of the page's content: an article, a discussion, a list; `nil` for a page without a tree, and if there
    /// is no text.
    ///
    /// It is that of ``mainText`` if this is known already, and otherwise determined anew each time, without choosing a
    /// text.
    public var contentKind: ContentKind? {
        if let text = state.withLock(\.mainText) { return text?.kind }
        let metadata = metadata
        return inspecting { budget in
            guard let root = document?.root?.treeNode else { return nil }
            let tree = ReadablePart.tree(root.body ?? root, budget)
            return ReadablePart.choice(tree, root, metadata, baseURL).kindAlone()
        }
    }

    /// The readable part before it is converted to text; nil for a page without a tree.
    package func readablePart(isWhole: Bool, explains: Bool = false) -> ReadablePart? {
        let metadata = metadata
        return inspecting { readablePart(isWhole: isWhole, explains: explains, metadata, $0) }
    }

    private func readablePart(
        isWhole: Bool,
        explains: Bool = false,
        _ metadata: PageMetadata,
        _ budget: InspectionBudget
    ) -> ReadablePart? {
        guard let document else { return nil }
        let resolver = ReferenceResolver(
            base: baseURL,
            encoding: encoding?.encoding ?? .utf8,
            allowance: URLAllowance(budget)
        )
        return ReadablePart(document, isWhole: isWhole, explains: explains, metadata, resolver, budget)
    }
}
