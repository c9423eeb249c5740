import HTTPTypes
import Synchronization
import WebStandards
import WebTransport

/// A loader's cache that is checked.
struct CheckedCache: Sendable {
    let cache: CacheAccess

    /// The store that the cache is in; nil for a cache that is in none.
    let items: (any CacheStore)?

    init(_ cache: CacheAccess, items: (any CacheStore)?) {
        self.cache = cache
        self.items = items
    }

    init(items store: any CacheStore) {
        self.init(.keyed(KeyedStore(store, maximumSeconds: 60)), items: store)
    }

    /// Loads from a server by this cache.
    func loading(_ server: CheckedServer) -> CheckedLoading {
        let fetcher = CachingFetcher(
            store: cache,
            upstream: server,
            blockingWork: .threads,
            now: { .now }
        )
        return CheckedLoading(fetcher: fetcher)
    }

    /// Throws if the store has anything of a URL, a while after it should have nothing.
    func checkNothingIsLeft(of url: String) async throws {
        guard let items else { return }
        let key = CacheKey(StoredResponse.key(for: try WebURL(url)))
        var names: [String] = []
        for _ in 0..<500 {
            names = try await items.names(of: key)
            if names.isEmpty { return }
            // Items are removed in the background.
            try await Task.sleep(for: .milliseconds(10))
        }
        throw Difference(expected: "no item to be left", found: "\(names.sorted().prefix(5))")
    }
}

/// Loads by a cache.
struct CheckedLoading: Sendable {
    let fetcher: CachingFetcher

    func load(
        _ url: String,
        _ policy: CachePolicy = .useProtocolCachePolicy,
        method: String = "GET",
        _ fields: [(String, String)] = [],
        receiver: (any BodyReceiver)? = nil
    ) async throws -> WebResponse {
        var request = WebRequest(url: try WebURL(url), cachePolicy: policy)
        request.httpMethod = method
        request.headerFields = HTTPFields(fields)
        return try await fetcher.fetch(request, limits: LoadLimits(), receiver: receiver)
    }

    /// Returns the stored response, which must not be damaged; `nil` if there is none.
    func kept(
        _ url: String,
        _ fields: [(String, String)] = [],
        receiver: (any BodyReceiver)? = nil
    ) async throws -> WebResponse? {
        do {
            return try await load(url, .returnCacheDataDontLoad, fields, receiver: receiver)
        } catch let error as FetchError {
            guard error.code == .cacheMiss, !error.message.contains("damaged") else {
                throw Difference(expected: "what was stored, or nothing", found: error.message)
            }
            return nil
        }
    }
}

extension HTTPFields {
    /// Fields of these names and values; what is no field is left out.
    init(_ lines: [(String, String)]) {
        self.init()
        for (name, value) in lines {
            guard let name = HTTPField.Name(name) else { continue }
            append(HTTPField(name: name, value: value))
        }
    }
}

/// A server whose answers a closure determines; its responses are fresh for ten minutes unless they say otherwise.
final class CheckedServer: Fetcher {
    struct Answer: Sendable {
        var status: HTTPResponse.Status = 200
        var fields = HTTPFields([("Cache-Control", "max-age=600")])
        var body: [UInt8] = []
        /// Whether the connection is lost before the last byte.
        var isCutOff = false
    }

    private let answer: @Sendable (WebRequest) -> Answer

    init(_ answer: @escaping @Sendable (WebRequest) -> Answer) {
        self.answer = answer
    }

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let answer = self.answer(request)
        var response = WebResponse(
            url: request.url,
            status: answer.status,
            headerFields: answer.fields,
            body: answer.body,
            source: .network
        )
        guard let receiver, !receiver.collectsBody else {
            if answer.isCutOff { throw FetchError(.connectionLost, "the connection is lost") }
            return try receiver?.receive(whole: response) ?? response
        }
        response.body = []
        try receiver.receive(head: response)
        let end = answer.body.count - (answer.isCutOff ? 1 : 0)
        for start in stride(from: 0, to: end, by: 50_021) {
            await withCheckedContinuation { continuation in
                if receiver.isReady(orElse: { continuation.resume() }) { continuation.resume() }
            }
            try receiver.receive(Array(answer.body[start..<min(end, start + 50_021)]).span)
        }
        if answer.isCutOff { throw FetchError(.connectionLost, "the connection is lost") }
        return response
    }
}

/// Reads a body as it arrives, and pauses after the first piece until ``goOn()`` is called.
final class PausingReader: BodyReceiver {
    private struct State {
        var bytes: [UInt8] = []
        var isPausing: Bool
        var onPause: (@Sendable () -> Void)?
        var resumption: (@Sendable () -> Void)?
    }

    private let state: Mutex<State>

    var collectsBody: Bool { false }
    var isPaced: Bool { true }

    /// All that came.
    var bytes: [UInt8] { state.withLock(\.bytes) }

    /// `onPause` is called once, when something has come and more may not.
    init(onPause: (@Sendable () -> Void)? = nil) {
        state = Mutex(State(isPausing: onPause != nil, onPause: onPause))
    }

    func receive(head: WebResponse) {}

    func receive(_ bytes: Span<UInt8>) {
        state.withLock { state in
            for index in bytes.indices { state.bytes.append(bytes[index]) }
        }
    }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        let (isReady, onPause) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
            guard state.isPausing, !state.bytes.isEmpty else { return (true, nil) }
            state.resumption = resume
            return (false, state.onPause.take())
        }
        onPause?()
        return isReady
    }

    /// Ends the pause.
    func goOn() {
        let resume = state.withLock { state in
            state.isPausing = false
            return state.resumption.take()
        }
        resume?()
    }
}
