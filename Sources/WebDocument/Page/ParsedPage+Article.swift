extension ParsedPage {
    /// What the page says of itself as an article: title, authors, dates, language and site, from its metadata, its
    /// visible part and its URL, each with its source and how sure it is.
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
            return ArticleFinder(metadata, shown, url: facts.fallbackBaseURL, responseDate: sent).article()
        }
    }
}
