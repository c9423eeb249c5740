import Synchronization
import WebLoader

/// The channel that notifies a session's listeners of its state and its events.
final class SessionChannel: Sendable {
    private struct Listeners {
        var state: PageSession.State?
        var states: [Int: AsyncStream<PageSession.State>.Continuation] = [:]
        var events: [Int: AsyncStream<PageSessionEvent>.Continuation] = [:]
        var next = 0
        var progress: (@Sendable (Double) -> Void)?
    }

    private let listeners = Mutex(Listeners())

    deinit {
        let (states, events) = listeners.withLock { ($0.states, $0.events) }
        for state in states.values { state.finish() }
        for event in events.values { event.finish() }
    }

    /// Sets the listener of the progress.
    func onProgress(_ body: @escaping @Sendable (Double) -> Void) {
        listeners.withLock { $0.progress = body }
    }

    func progressed(_ share: Double) {
        listeners.withLock { $0.progress }?(share)
    }

    func publish(_ state: PageSession.State) {
        let listening = listeners.withLock { listeners in
            listeners.state = state
            return Array(listeners.states.values)
        }
        for listener in listening { listener.yield(state) }
    }

    func send(_ event: PageSessionEvent) {
        for listener in listeners.withLock({ Array($0.events.values) }) { listener.yield(event) }
    }

    func states() -> AsyncStream<PageSession.State> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PageSession.State.self,
            bufferingPolicy: .bufferingNewest(1)
        )
        let (number, state) = listeners.withLock { listeners in
            listeners.next += 1
            listeners.states[listeners.next] = continuation
            return (listeners.next, listeners.state)
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.states.removeValue(forKey: number) }
        }
        if let state { continuation.yield(state) }
        return stream
    }

    func events() -> AsyncStream<PageSessionEvent> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: PageSessionEvent.self,
            bufferingPolicy: .bufferingNewest(1000)
        )
        let number = listeners.withLock { listeners in
            listeners.next += 1
            listeners.events[listeners.next] = continuation
            return listeners.next
        }
        continuation.onTermination = { [weak self] _ in
            self?.listeners.withLock { _ = $0.events.removeValue(forKey: number) }
        }
        return stream
    }
}

/// Forwards the calls of a load to the session's delegate, and notifies its listeners.
struct SessionLoadDelegate: PageLoadDelegate {
    let channel: SessionChannel
    let delegate: (any PageSessionDelegate)?

    func shouldStart(_ request: WebRequest) async -> Bool { await delegate?.shouldStart(request) ?? true }
    func didStart(_ request: WebRequest) async {
        channel.send(.started(request))
        await delegate?.didStart(request)
    }
    func didRedirect(to request: WebRequest, from response: WebResponse) async {
        channel.send(.redirected(to: request))
        await delegate?.didRedirect(to: request, from: response)
    }
    var wantsHints: Bool { delegate?.wantsHints ?? false }
    func didFind(_ hints: [PageHint]) async { await delegate?.didFind(hints) }
    func didReceive(_ response: WebResponse) async { await delegate?.didReceive(response) }
    func didParse(_ document: Document) async { await delegate?.didParse(document) }
    func didFinish(_ page: Page) async { await delegate?.didFinish(page) }
    func didFail(_ error: LoadError) async { await delegate?.didFail(error) }
    func didCancel(_ error: LoadError) async { await delegate?.didCancel(error) }
}
