/// Is notified of the events of a load, and may refuse it.
///
/// The calls come in this order, each at most once except the first three:
///
/// 1. `shouldStart`, for the request and for each redirect: false ends the load. 2. `didStart`; after each
/// allowed redirect, `didRedirect`. 3. `didFind`, any number of times while the page arrives, if `wantsHints`
/// says so. If the connection is lost meanwhile and the request is retried (``/WebTransport/RetryPolicy``), the new
/// response starts over, and may be a redirect. 4. `didReceive`, with the response. 5. `didParse`, with the
/// document; not for a page that is not parsed. 6. Exactly one of `didFinish`, `didFail` and `didCancel`, the
/// last call of all. `didCancel` is called for a cancelled task and for a refusal.
///
/// All of them have a default that does nothing (and allows everything).
public protocol PageLoadDelegate: Sendable {
    /// Whether a request may be made.
    func shouldStart(_ request: WebRequest) async -> Bool
    /// The load has begun.
    func didStart(_ request: WebRequest) async
    /// A response redirected the load to another request.
    func didRedirect(to request: WebRequest, from response: WebResponse) async
    /// Whether to call `didFind`, which costs some time; asked once per load.
    var wantsHints: Bool { get }
    /// Links, metadata and the base URL were found in what has arrived of a page of HTML.
    ///
    /// Only while the page comes from the network: a complete page is parsed at once.
    func didFind(_ hints: [PageHint]) async
    /// The response has arrived with its body.
    func didReceive(_ response: WebResponse) async
    /// The page is parsed.
    func didParse(_ document: Document) async
    /// The load is done.
    func didFinish(_ page: Page) async
    /// The load has failed.
    func didFail(_ error: LoadError) async
    /// The load was cancelled or refused.
    func didCancel(_ error: LoadError) async
}

extension PageLoadDelegate {
    /// Allows every request.
    public func shouldStart(_ request: WebRequest) async -> Bool { true }
    /// Does nothing.
    public func didStart(_ request: WebRequest) async {}
    /// Does nothing.
    public func didRedirect(to request: WebRequest, from response: WebResponse) async {}
    /// False.
    public var wantsHints: Bool { false }
    /// Does nothing.
    public func didFind(_ hints: [PageHint]) async {}
    /// Does nothing.
    public func didReceive(_ response: WebResponse) async {}
    /// Does nothing.
    public func didParse(_ document: Document) async {}
    /// Does nothing.
    public func didFinish(_ page: Page) async {}
    /// Does nothing.
    public func didFail(_ error: LoadError) async {}
    /// Does nothing.
    public func didCancel(_ error: LoadError) async {}
}
