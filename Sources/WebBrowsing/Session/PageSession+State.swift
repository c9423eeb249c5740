public import WebLoader

/// The state and the events of a session for observers.
extension PageSession {
    /// The state of a session, as ``states`` and ``values(of:)`` yield it.
    public struct State: Sendable {
        /// The history.
        public internal(set) var history: BackForwardList
        /// Whether a page is being loaded.
        public internal(set) var isLoading: Bool
        /// As ``PageSession/estimatedProgress``.
        public internal(set) var estimatedProgress: Double

        /// The title of the page in view; nil if it has none, or there is no page.
        public var title: String? { history.current?.title }
        /// The URL of the page in view; nil if there is no page.
        public var url: WebURL? { history.current?.url }
        /// Whether there is an entry to go back to.
        public var canGoBack: Bool { history.backEntry != nil }
        /// Whether there is an entry to go forward to.
        public var canGoForward: Bool { history.forwardEntry != nil }
    }

    /// The current state, and each change of it; of changes that were not read, only the last.
    public nonisolated var states: AsyncStream<State> { channel.states() }

    /// Returns the current value of a part of the state, and each change of it.
    ///
    ///     for await title in session.values(of: \.title) { print(title ?? "untitled") }
    ///
    /// - Parameter part: The part, such as `\.title`, `\.url`, `\.isLoading`, `\.estimatedProgress`, `\.history`.
    /// - Returns: The values, without consecutive duplicates. They end with the session.
    public nonisolated func values<Value: Equatable & Sendable>(
        of part: any KeyPath<State, Value> & Sendable
    ) -> AsyncStream<Value> {
        let states = channel.states()
        return AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
            let task = Task {
                var last: Value?
                for await state in states {
                    let value = state[keyPath: part]
                    if last != value { continuation.yield(value) }
                    last = value
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// The events from now on; of events that were not read, the last 1,000.
    public nonisolated var events: AsyncStream<PageSessionEvent> { channel.events() }
}
