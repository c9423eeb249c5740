public import WebDocument
public import WebLoader
public import WebStandards

/// A page that a crawl loaded, or failed to load.
public struct CrawledPage: Sendable {
    /// The URL of the page, without a fragment.
    public let url: WebURL

    /// The number of links from a seed to the page; 0 for seeds.
    public let depth: Int

    /// The page, whatever its status (``/WebStandards/WebResponse/status`` of ``/WebDocument/ParsedPage/response``), or
    /// the error.
    ///
    /// A page that failed is reported once it is not retried any more.
    public let result: Result<ParsedPage, LoadError>

    /// The page; `nil` if it failed.
    public var page: ParsedPage? { try? result.get() }

    package init(url: WebURL, depth: Int, result: Result<ParsedPage, LoadError>) {
        self.url = url
        self.depth = depth
        self.result = result
    }
}
