import Synchronization

/// The record of a page while it is rendered: its requests, their bytes, the messages of its scripts, the time of the
/// last change.
///
/// It is written by the thread that reads from the browser and by the loads of the requests, and read by the task that
/// waits for the page.
final class RenderingRecord: Sendable {
    /// The maximum number of requests and messages that are stored; all are counted.
    private static let most = 1000
    /// The time in seconds after which a request counts as done if the browser reports nothing more about it.
    private static let longestDelivery = 5.0

    private struct State {
        var requests: [Rendering.Request] = []
        var requestCount = 0
        var running = 0
        /// The times at which resources that the page does not have yet were requested or answered, by the browser's
        /// name of the request.
        var undelivered: [String: Double] = [:]
        var bytes = 0
        /// The bytes of the bodies of requests.
        var sentBytes = 0
        var messages: [Rendering.Message] = []
        var messageCount = 0
        /// Whether the page was requested, in place of the empty one that the browser begins with.
        var hasBegun = false
        var isLoaded = false
        var hasCrashed = false
        var lastChange = MonotonicClock.now
    }

    private let options: RenderingOptions
    private let state = Mutex(State())

    init(_ options: RenderingOptions) {
        self.options = options
    }

    // MARK: - Requests

    /// Records a request, whose body is limited like the bytes of responses.
    ///
    /// - Returns: The request's number; `nil` if the budget is exhausted, and the request has to fail.
    func begin(_ request: Rendering.Request, sending bytes: Int) -> Int? {
        state.withLock { state in
            let number = state.requestCount
            state.requestCount += 1
            state.lastChange = MonotonicClock.now
            let mayBeAsked =
                number < options.maximumRequests && state.bytes < options.maximumBytes
                && bytes <= options.maximumBytes - state.sentBytes
            if number < Self.most {
                let code = number < options.maximumRequests ? "limit.size" : "limit.requests"
                state.requests.append(mayBeAsked ? request : request.failed(code))
            }
            guard mayBeAsked else { return nil }
            state.running += 1
            state.sentBytes += bytes
            return number
        }
    }

    /// Records the outcome of a request.
    ///
    /// - Returns: Whether the budget has room for the response; if not, the request has to fail.
    func end(_ number: Int, _ result: Result<WebResponse, LoadError>) -> Bool {
        state.withLock { state in
            state.running -= 1
            state.lastChange = MonotonicClock.now
            var isRoom = false
            if case .success(let response) = result {
                isRoom = response.body.count <= options.maximumBytes - state.bytes
                if isRoom { state.bytes += response.body.count }
            }
            if number < Self.most {
                let request = state.requests[number]
                state.requests[number] =
                    switch result {
                    case .success(let response):
                        isRoom ? request.answered(by: response) : request.failed("limit.size")
                    case .failure(let error): request.failed(error.code.rawValue)
                    }
            }
            return isRoom
        }
    }

    /// Records that the page has made a request, or that the browser was sent the response.
    ///
    /// The browser holds the request, and the page has the response, only later, much later on a busy machine.
    func expect(_ name: String) {
        state.withLock { state in
            if state.undelivered.count < Self.most { state.undelivered[name] = MonotonicClock.now }
        }
    }

    /// Records that the page has a response, or that it does not want it any more.
    func deliver(_ name: String) {
        state.withLock { state in
            if state.undelivered.removeValue(forKey: name) != nil { state.lastChange = MonotonicClock.now }
        }
    }

    /// Records a request that is not made, since it is not supported here.
    func refuse(_ request: Rendering.Request) {
        state.withLock { state in
            state.requestCount += 1
            if state.requestCount <= Self.most { state.requests.append(request.failed("render.unsupported")) }
        }
    }

    // MARK: - Other events

    /// Records a message of a script.
    func add(_ message: Rendering.Message) {
        state.withLock { state in
            state.messageCount += 1
            if state.messageCount <= Self.most { state.messages.append(message) }
        }
    }

    /// Records that the page is loaded, with all resources that its markup names.
    func load() {
        state.withLock { state in
            state.isLoaded = state.hasBegun
            state.lastChange = MonotonicClock.now
        }
    }

    /// Records that the page, or another one in its place, was requested.
    func navigate() {
        state.withLock { state in
            state.hasBegun = true
            state.isLoaded = false
            state.lastChange = MonotonicClock.now
        }
    }

    /// Records that the process of the page has ended.
    func crash() { state.withLock { $0.hasCrashed = true } }

    // MARK: - Looking

    /// Whether the process of the page has ended.
    var hasCrashed: Bool { state.withLock { $0.hasCrashed } }

    /// Whether the page is loaded.
    var isLoaded: Bool { state.withLock { $0.isLoaded } }

    /// Whether the page was requested, and nothing has come for the quiet time of the options.
    var isQuiet: Bool {
        state.withLock { state in
            let now = MonotonicClock.now
            return state.hasBegun && state.running == 0
                && now - state.lastChange >= options.quietTime.inSeconds
                && state.undelivered.values.allSatisfy { now - $0 > Self.longestDelivery }
        }
    }

    /// Returns the report of the rendering.
    func rendering(_ ending: Rendering.Ending, isOfScripts: Bool) -> Rendering {
        state.withLock { state in
            var rendering = Rendering(ending: ending, isOfScripts: isOfScripts)
            rendering.requests = state.requests
            rendering.requestCount = state.requestCount
            rendering.bytes = state.bytes
            rendering.messages = state.messages
            rendering.messageCount = state.messageCount
            return rendering
        }
    }
}
