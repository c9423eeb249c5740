public import WebDocument
public import WebLoader
public import WebStandards

/// A page that a crawl came to.
public struct CrawledPage: Sendable {
    /// Its URL, without a fragment.
    public let url: WebURL

    /// How many links away from a seed it is; seeds are 0.
    public let depth: Int

    /// The page, whatever its status (``/WebStandards/WebResponse/status`` of ``/WebDocument/ParsedPage/response``), or why there is
    /// none.
    ///
    /// A page that failed is told of once it is not tried again.
    public let result: Result<ParsedPage, LoadError>

    /// The page; nil if there is none.
    public var page: ParsedPage? { try? result.get() }

    package init(url: WebURL, depth: Int, result: Result<ParsedPage, LoadError>) {
        self.url = url
        self.depth = depth
        self.result = result
    }
}
