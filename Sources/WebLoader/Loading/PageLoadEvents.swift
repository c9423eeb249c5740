/// An event of a load, as ``PageLoadDelegate`` has them; a later version may have more, so a `switch` needs a `default`.
public enum PageLoadEvent: Sendable {
    /// The load has begun.
    case started(WebRequest)
    /// A response redirected the load to another request.
    case redirected(to: WebRequest, from: WebResponse)
    /// Links, metadata and the base URL were found in what has arrived of a page of HTML.
    case found([PageHint])
    /// The response has arrived with its body.
    case received(WebResponse)
    /// The page is parsed; not for a page that is not parsed.
    case parsed(Document)
    /// The load is done. It is the last event.
    case finished(Page)
}

/// The events of a load, which begins when they are iterated: each iteration is a load of its own.
///
/// It throws the ``LoadError`` of a load that fails. A load whose iteration is left, or whose task is cancelled, ends.
public struct PageLoadEvents: AsyncSequence, Sendable {
    /// An event.
    public typealias Element = PageLoadEvent
    /// Why the load failed.
    public typealias Failure = LoadError

    let loader: PageLoader
    let request: WebRequest
    let overrides: ContentOverrides
    let wantsHints: Bool

    /// Begins the load.
    public func makeAsyncIterator() -> Iterator {
        let (events, continuation) = AsyncStream.makeStream(of: Result<PageLoadEvent, LoadError>.self)
        let task = Task { [self] in
            let reporter = Teller(wantsHints: wantsHints, continuation: continuation)
            do throws(LoadError) {
                _ = try await loader.load(request, overriding: overrides, delegate: reporter)
            } catch {
                continuation.yield(.failure(error))
            }
            continuation.finish()
        }
        continuation.onTermination = { _ in task.cancel() }
        return Iterator(events: events.makeAsyncIterator())
    }

    /// Waits for the events of the load.
    public struct Iterator: AsyncIteratorProtocol {
        /// An event.
        public typealias Element = PageLoadEvent
        /// Why the load failed.
        public typealias Failure = LoadError

        var events: AsyncStream<Result<PageLoadEvent, LoadError>>.AsyncIterator

        /// The next event; nil after the last one, and in a cancelled task.
        public mutating func next(
            isolation actor: isolated (any Actor)? = #isolation
        ) async throws(LoadError) -> PageLoadEvent? {
            try await events.next(isolation: actor)?.get()
        }
    }

    /// Hands a delegate's calls on.
    private struct Teller: PageLoadDelegate {
        let wantsHints: Bool
        let continuation: AsyncStream<Result<PageLoadEvent, LoadError>>.Continuation

        private func send(_ event: PageLoadEvent) { continuation.yield(.success(event)) }

        func didStart(_ request: WebRequest) async { send(.started(request)) }
        func didRedirect(to request: WebRequest, from response: WebResponse) async {
            send(.redirected(to: request, from: response))
        }
        func didFind(_ hints: [PageHint]) async { send(.found(hints)) }
        func didReceive(_ response: WebResponse) async { send(.received(response)) }
        func didParse(_ document: Document) async { send(.parsed(document)) }
        func didFinish(_ page: Page) async { send(.finished(page)) }
    }
}

extension PageLoader {
    /// Loads a page and returns its events, for programs that await events rather than implement a delegate.
    ///
    ///     for try await event in loader.events(loading: request) {
    ///         if case .finished(let page) = event { print(page.title ?? "untitled") }
    ///     }
    ///
    /// - Parameters:
    ///   - request: The request for the page.
    ///   - overrides: Settings that override those of the server.
    ///   - wantsHints: Whether hints found while the page arrives are reported, which costs some time.
    /// - Returns: The events, in the order of ``PageLoadDelegate``'s calls. Events wait until they are taken, at most
    ///   as many as the page has references.
    public func events(
        loading request: WebRequest,
        overriding overrides: ContentOverrides = ContentOverrides(),
        wantsHints: Bool = false
    ) -> PageLoadEvents {
        PageLoadEvents(loader: self, request: request, overrides: overrides, wantsHints: wantsHints)
    }
}
