public import WebLoader
public import WebStandards
import HTTPTypes
import WebDocument
import WebTransport

/// A page with all that a browser needs to draw it, to be written as one file that leads nowhere but by its links.
///
/// ```swift
/// let page = try await PageLoader().load(WebRequest(url: WebURL("https://example.com/")))
/// let copy = try await PageCopy(of: page)
/// let summary = try copy.write(to: "example.html")
/// for missing in copy.missing + summary.missing { print(missing.url, missing.code) }
/// ```
///
/// Resources come from where the page came from: the network, its cache, or archives in their place; each is loaded once. What
/// cannot be had is listed, and the copy is made without it. The same page gives the same copy, whatever it is on the network by
/// then: nothing is loaded when it is written.
public struct PageCopy: Sendable {
    /// The URL of the page, after redirects.
    public let url: WebURL

    /// When the page was captured or sent, as far as that is known; else when the copy was begun.
    public let date: Timestamp

    /// What could not be had, in the order in which it was needed.
    public let missing: [Missing]

    /// Whether a part of the page, or of a frame, is missing since it was made to exhaust memory or time.
    public let isTruncated: Bool

    let options: Options
    let contents: CopyContents

    /// Loads all that a page needs.
    ///
    /// It is read as it is in memory: its own bytes, with the loader, the cache policy and the fields with which it was loaded.
    ///
    /// - Parameters:
    ///   - page: The page.
    ///   - options: What is copied, and within which limits.
    /// - Throws: `LoadError`: the page is not HTML ("parse.kind"), the selector is none ("selector.invalid") or matches nothing
    ///   ("copy.empty"), there was not enough memory, or the task was cancelled. A resource that cannot be had is no error.
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

    /// When a response was captured or sent; now, if it does not say.
    private static func date(of response: WebResponse) -> Timestamp {
        if let date = response.capture?.date { return date }
        let now = Timestamp.now
        guard let field = response.headerFields[.date],
            let date = HTTPDate(field, now: now.secondsSince1970)
        else { return now }
        return Timestamp(millisecondsSince1970: date.secondsSince1970 &* 1000)
    }
}
