import Synchronization

/// What happens in a page, its frames and its workers, as the browser tells it: requests go to those who answer them, dialogs and
/// windows are closed, all else is noted.
final class TabEvents: Sendable {
    /// The most sessions of frames and workers that are looked at; further ones never begin.
    private static let mostSessions = 100

    private let pipe: BrowserPipe
    private let record: RenderingRecord
    private let requests: AsyncStream<(RequestRelay.Held, isPage: Bool)>.Continuation
    /// The frame of the page itself.
    private let frame: String
    /// Sessions that are listened to, and whether the page has been asked for.
    private let state = Mutex((sessions: Set<String>(), hasPage: false))

    init(
        _ tab: RenderingTab,
        _ requests: AsyncStream<(RequestRelay.Held, isPage: Bool)>.Continuation,
        frame: String
    ) {
        (pipe, record, self.requests, self.frame) = (tab.pipe, tab.record, requests, frame)
    }

    /// Listens to a session of the page.
    func listen(to session: String) {
        state.withLock { _ = $0.sessions.insert(session) }
        pipe.listen(to: session) { [self] in take($0, $1, session) }
    }

    /// Listens to none any more.
    func end() {
        for session in state.withLock({ $0.sessions }) { pipe.listen(to: session, nil) }
    }

    private func take(_ method: String, _ parameters: JSONValue, _ session: String) {
        switch method {
        case "Fetch.requestPaused": hold(parameters, session)
        case "Network.requestWillBeSent":
            if parameters["type"]?.string != "Ping", let name = parameters["requestId"]?.string {
                record.expect(name)
            }
        case "Network.loadingFinished", "Network.loadingFailed":
            if let name = parameters["requestId"]?.string { record.deliver(name) }
        case "Page.loadEventFired": record.load()
        case "Page.javascriptDialogOpening":
            // Nobody leaves a page that must not be left; nobody says yes to what else it asks.
            let isLeaving = parameters["type"]?.string == "beforeunload"
            pipe.tell("Page.handleJavaScriptDialog", ["accept": .bool(isLeaving)], session: session)
        case "Runtime.consoleAPICalled": record.add(ConsoleMessages.said(parameters))
        case "Runtime.exceptionThrown": record.add(ConsoleMessages.thrown(parameters))
        case "Log.entryAdded":
            if let message = ConsoleMessages.logged(parameters) { record.add(message) }
        case "Network.webSocketCreated", "Network.webTransportCreated":
            let kind = method == "Network.webSocketCreated" ? "websocket" : "webtransport"
            let url = parameters["url"]?.string ?? ""
            record.refuse(Rendering.Request(url: url.prefix(scalars: 2000), method: "GET", kind: kind))
        case "Inspector.targetCrashed": record.crash()
        case "Target.attachedToTarget": attach(parameters)
        case "Target.detachedFromTarget":
            guard let other = parameters["sessionId"]?.string else { return }
            if state.withLock({ $0.sessions.remove(other) }) != nil { pipe.listen(to: other, nil) }
        default: break
        }
    }

    /// Hands a request to who answers it.
    private func hold(_ parameters: JSONValue, _ session: String) {
        guard var held = RequestRelay.Held(parameters, session: session) else {
            guard let id = parameters["requestId"] else { return }
            return pipe.tell(
                "Fetch.failRequest",
                ["requestId": id, "errorReason": "Failed"],
                session: session
            )
        }
        switch held.request.kind {
        case "eventsource":
            // It has no end, so that a page would never be quiet.
            record.refuse(held.request)
        case "other" where held.url.pathname == "/favicon.ico":
            // The browser's own wish, and none of the page.
            break
        default:
            let isDocument = held.request.kind == "document" && parameters["frameId"]?.string == frame
            let isPage = state.withLock { state in
                defer { if isDocument { state.hasPage = true } }
                return isDocument && !state.hasPage
            }
            held.isNavigation = isDocument
            // What the browser says of this itself does not come where the page gets a process of its own for it.
            if isDocument { record.navigate() }
            requests.yield((held, isPage))
            return
        }
        pipe.tell(
            "Fetch.failRequest",
            ["requestId": .string(held.id), "errorReason": "BlockedByClient"],
            session: session
        )
    }

    /// Has a frame or a worker begin, with its requests going the same way.
    private func attach(_ parameters: JSONValue) {
        guard let session = parameters["sessionId"]?.string else { return }
        guard parameters["targetInfo"]?["type"]?.string != "page",
            state.withLock({ $0.sessions.count }) < Self.mostSessions
        else {
            // A window of the page's own, or too much of something.
            if let target = parameters["targetInfo"]?["targetId"] {
                pipe.tell("Target.closeTarget", ["targetId": target])
            }
            return
        }
        listen(to: session)
        pipe.tell("Fetch.enable", ["patterns": [["urlPattern": "*"]]], session: session)
        pipe.tell("Runtime.enable", session: session)
        pipe.tell("Network.enable", session: session)
        pipe.tell("Runtime.runIfWaitingForDebugger", session: session)
    }
}
