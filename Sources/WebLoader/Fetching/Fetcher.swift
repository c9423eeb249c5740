/// What gets one response for one request: libcurl, a cache before it, or something of your own.
public protocol Fetcher: Sendable {
    /// Fetches one response; a redirect is a response like any other.
    ///
    /// Ends soon after its task is cancelled, with the code ``FetchError/Code/cancelled``.
    ///
    /// - Parameters:
    ///   - request: What to fetch.
    ///   - limits: How far to go.
    ///   - receiver: Who takes the response as it arrives; nil for nobody. A fetcher that has the response as a
    ///     whole hands it over with ``BodyReceiver/receive(whole:)``.
    /// - Returns: The response, with its body unless the receiver does not collect it.
    /// - Throws: ``FetchError``, the receiver's own among them.
    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse

    /// Which addresses responses may come from, be it from the cache; all unless said otherwise.
    ///
    /// A fetcher of your own that has a ``CurlFetcher`` behind it hands on what that says.
    var allowedAddresses: AllowedAddresses { get }
}

extension Fetcher {
    /// All addresses.
    public var allowedAddresses: AllowedAddresses { .all }
}

extension Fetcher {
    /// Fetches one response, body and all.
    ///
    /// - Parameters:
    ///   - request: What to fetch.
    ///   - limits: How far to go.
    /// - Returns: The response.
    /// - Throws: ``FetchError``.
    public func fetch(_ request: WebRequest, limits: LoadLimits) async throws(FetchError) -> WebResponse {
        try await fetch(request, limits: limits, receiver: nil)
    }
}
