extension ParsedPage {
    /// The metadata of the page as an article: title, authors, dates, language and site, from its metadata, its visible
    /// part and its URL, each with its source and how sure it is.
    ///
    /// Where sources contradict each other the other values are in ``metadata``. For a page that is not parsed, only
    /// what header fields and the URL say.
    public var article: PageArticle {
        let metadata = metadata
        return kept(\.article) { budget in
            let sent = response.values(.date).first.flatMap {
                WrittenDateReader.dates(in: Array($0.utf8), order: .dayMonthYear).first?.date
            }
            let shown = ArticleCollector(document, budget)
            let finder = ArticleFinder(
                metadata,
                shown,
                url: facts.fallbackBaseURL,
                responseDate: sent,
                opening: opening(budget)
            )
            return finder.article()
        }
    }

    /// The beginning of the discussion that the page is for; nil for other pages.
    private func opening(_ budget: InspectionBudget) -> DiscussionOpening? {
        guard let document, let root = document.root?.treeNode else { return nil }
        let finder = DiscussionFinder(ContentTree(root.body ?? root))
        guard finder.isPage else { return nil }
        let resolver = ReferenceResolver(
            base: baseURL,
            encoding: encoding?.encoding ?? .utf8,
            allowance: URLAllowance(budget)
        )
        return DiscussionReader(finder, document, resolver, budget).opening
    }
}
