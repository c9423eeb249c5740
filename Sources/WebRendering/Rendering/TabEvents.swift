import Synchronization

/// A handler of the browser's events of a page, its frames and its workers: it forwards requests, closes dialogs and
/// windows, and records everything else.
final class TabEvents: Sendable {
    /// The maximum number of sessions of frames and workers; further ones never begin.
    private static let mostSessions = 100

    private let pipe: BrowserPipe
    private let record: RenderingRecord
    private let requests: AsyncStream<(RequestRelay.Held, isPage: Bool)>.Continuation
    /// The identifier of the page's own frame.
    private let frame: String
    /// The sessions that are listened to, and whether the page was requested.
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

    /// Stops listening to all sessions.
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
            // A page may always be left; all other dialogs are dismissed.
            let isLeaving = parameters["type"]?.string == "beforeunload"
            pipe.send("Page.handleJavaScriptDialog", ["accept": .bool(isLeaving)], session: session)
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

    /// Forwards a request to be answered, or makes it fail.
    private func hold(_ parameters: JSONValue, _ session: String) {
        guard var held = RequestRelay.Held(parameters, session: session) else {
            guard let id = parameters["requestId"] else { return }
            return pipe.send(
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
            // A request of the browser's own, not of the page's.
            break
        default:
            let isDocument = held.request.kind == "document" && parameters["frameId"]?.string == frame
            let isPage = state.withLock { state in
                defer { if isDocument { state.hasPage = true } }
                return isDocument && !state.hasPage
            }
            held.isNavigation = isDocument
            // The browser does not report this itself if the page gets a process of its own for it.
            if isDocument { record.navigate() }
            requests.yield((held, isPage))
            return
        }
        pipe.send(
            "Fetch.failRequest",
            ["requestId": .string(held.id), "errorReason": "BlockedByClient"],
            session: session
        )
    }

    /// Lets a frame or a worker begin, with its requests handled the same way.
    private func attach(_ parameters: JSONValue) {
        guard let session = parameters["sessionId"]?.string else { return }
        guard parameters["targetInfo"]?["type"]?.string != "page",
            state.withLock({ $0.sessions.count }) < Self.mostSessions
        else {
            // A window that the page has opened, or too many sessions.
            if let target = parameters["targetInfo"]?["targetId"] {
                pipe.send("Target.closeTarget", ["targetId": target])
            }
            return
        }
        listen(to: session)
        pipe.send("Fetch.enable", ["patterns": [["urlPattern": "*"]]], session: session)
        pipe.send("Runtime.enable", session: session)
        pipe.send("Network.enable", session: session)
        pipe.send("Runtime.runIfWaitingForDebugger", session: session)
    }
}
