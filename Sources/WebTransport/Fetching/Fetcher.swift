/// Gets one response for one request: libcurl, a cache in front of it, or an implementation of your own.
public protocol Fetcher: Sendable {
    /// Fetches one response; a redirect is a response like any other.
    ///
    /// Ends soon after its task is cancelled, with the code ``FetchError/Code/cancelled``.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limits: The limits of the load.
    ///   - receiver: Receives the response as it arrives; `nil` if there is no receiver. A fetcher that has the
    ///     complete response passes it on with ``BodyReceiver/receive(whole:)``.
    /// - Returns: The response, with its body unless the receiver does not collect it.
    /// - Throws: ``FetchError``, including those that the receiver throws.
    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse

    /// The addresses that responses may come from, cached ones included; all by default.
    ///
    /// A fetcher of your own that wraps a ``CurlFetcher`` should return the wrapped fetcher's value.
    var allowedAddresses: AllowedAddresses { get }
}

extension Fetcher {
    /// All addresses.
    public var allowedAddresses: AllowedAddresses { .all }
}

extension Fetcher {
    /// Fetches one response with its body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - limits: The limits of the load.
    /// - Returns: The response.
    /// - Throws: ``FetchError``.
    public func fetch(_ request: WebRequest, limits: LoadLimits) async throws(FetchError) -> WebResponse {
        try await fetch(request, limits: limits, receiver: nil)
    }
}
