/// What gets one response for one request: libcurl, a cache before it, or something of your own.
public protocol Fetcher: Sendable {
    /// Fetches one response; a redirect is a response like any other.
    ///
    /// Ends soon after its task is cancelled, with the code ``FetchError/Code/cancelled``.
    func fetch(_ request: WebRequest, limits: LoadLimits) async throws(FetchError) -> WebResponse
}
