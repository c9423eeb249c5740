public import WebLoader
public import WebStandards
import HTTPTypes
import WebDocument
import WebTransport

/// A page with all resources that a browser needs to draw it, to be written as one file that refers to others only by
/// its links.
///
/// ```swift
/// let page = try await PageLoader().load(WebRequest(url: WebURL("https://example.com/")))
/// let copy = try await PageCopy(of: page)
/// let summary = try copy.write(to: "example.html")
/// for missing in copy.missing + summary.missing { print(missing.url, missing.code) }
/// ```
///
/// Resources come from the source of the page: the network, its cache, or archives in their place; each is loaded once.
/// A resource that cannot be loaded is listed, and omitted from the copy. The same page results in the same copy, even
/// if it has changed on the network: nothing is loaded when it is written.
public struct PageCopy: Sendable {
    /// The URL of the page, after redirects.
    public let url: WebURL

    /// The time at which the page was captured or sent, if known; otherwise the time at which the copy was begun.
    public let date: Timestamp

    /// The resources that could not be loaded, in the order in which they were needed.
    public let missing: [Missing]

    /// Whether a part of the page, or of a frame, is missing because it was made to exhaust memory or time.
    public let isTruncated: Bool

    let options: Options
    let contents: CopyContents

    /// Creates a copy, and loads all resources that the page needs.
    ///
    /// The page is taken from memory: its own bytes, with the loader, the cache policy and the fields with which it was
    /// loaded.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - options: The contents of the copy, and its limits.
    /// - Throws: `LoadError`: the page is not HTML ("parse.kind"), the selector is invalid ("selector.invalid") or
    ///   matches nothing ("copy.empty"), there was not enough memory, or the task was cancelled. A missing resource is
    ///   not an error.
    /// - Complexity: O(n) in the bytes of the page and of its resources, which are in memory as long as the copy is.
    public init(of page: Page, options: Options = Options()) async throws(LoadError) {
        self.options = options
        url = page.response.url
        date = Self.date(of: page.response)
        contents = try await CopyContents(page, options)
        missing = contents.missing
        isTruncated = contents.isTruncated
        if Task.isCancelled { throw LoadError(FetchError.cancelled, url: page.response.url) }
    }

    /// Returns the time at which a response was captured or sent; now, if it does not say.
    private static func date(of response: WebResponse) -> Timestamp {
        if let date = response.capture?.date { return date }
        let now = Timestamp.now
        guard let field = response.headerFields[.date],
            let date = HTTPDate(field, now: now.secondsSince1970)
        else { return now }
        return Timestamp(millisecondsSince1970: date.secondsSince1970 &* 1000)
    }
}
