import Synchronization
import WebStandards

/// The loads of pages into the cache: some at once, the others after them.
final class Loads: Sendable {
    /// The maximum number of loads at once.
    private static let width = 4
    /// The maximum number of loads that wait.
    static let maximumWaiting = 20_000
    /// The maximum number of finished loads that are listed.
    private static let maximumFinished = 500
    /// Seconds that a load may take.
    private static let maximumSeconds = 120.0

    private struct Load {
        let id: Int64
        let url: String
        let reloads: Bool
        var state = "waiting"
        var bytes: Int64 = 0
        var expected: JSONValue = .null
        var answer: JSONValue = .null
        var error: JSONValue = .null
        var task: Task<Void, Never>?

        var isOver: Bool { state == "done" || state == "failed" }

        var json: JSONValue {
            [
                "id": .integer(id), "url": .string(url), "state": .string(state), "bytes": .integer(bytes),
                "expected": expected, "status": answer["status"] ?? .null, "title": answer["title"] ?? .null,
                "final_url": answer["url"] ?? .null, "error": error,
            ]
        }
    }

    private struct State {
        var loads: [Int64: Load] = [:]
        /// The waiting loads in order, among them those that were cancelled.
        var waiting = Queue<Int64>()
        var waitingCount = 0
        var finished: [Int64] = []
        var running = 0
        var lastID: Int64 = 0
    }

    private let state = Mutex(State())
    private let readers: ReaderPool
    private let events: EventHub
    /// Called with a folder in which a page was stored.
    private let changed: @Sendable (String) -> Void

    init(_ readers: ReaderPool, _ events: EventHub, _ changed: @escaping @Sendable (String) -> Void) {
        self.readers = readers
        self.events = events
        self.changed = changed
    }

    /// All loads that wait or run, and the last finished ones.
    var json: JSONValue {
        let loads = state.withLock { state in state.loads.values.sorted { $0.id < $1.id }.map(\.json) }
        return ["loads": .array(loads)]
    }

    /// Adds loads of URLs; those that are not valid http or https URLs are returned as rejected.
    func add(
        _ urls: [String],
        reloads: Bool
    ) throws(ServeError) -> (loads: [(id: Int64, url: WebURL)], rejected: [JSONValue]) {
        var wanted: [WebURL] = []
        var rejected: [JSONValue] = []
        for text in urls {
            let trimmed = text.trimmingASCIIWhitespace
            if trimmed.isEmpty { continue }
            guard trimmed.utf8.count <= 8192, let url = try? WebURL(trimmed),
                url.scheme == "http" || url.scheme == "https"
            else {
                let message = "not a URL of http or https with at most 8192 bytes"
                rejected.append(["url": .string(trimmed.shortened), "message": .string(message)])
                continue
            }
            wanted.append(url)
        }
        let added: [(id: Int64, url: WebURL)]? = state.withLock { state in
            guard state.waitingCount + wanted.count <= Self.maximumWaiting else { return nil }
            state.waitingCount += wanted.count
            return wanted.map { url in
                state.lastID &+= 1
                let load = Load(id: state.lastID, url: url.href, reloads: reloads)
                state.loads[load.id] = load
                state.waiting.append(load.id)
                return (load.id, url)
            }
        }
        guard let added else {
            throw ServeError(503, "busy", "more than \(Self.maximumWaiting) pages would wait to be loaded")
        }
        begin()
        events.send("loads", true)
        return (added, rejected)
    }

    /// Cancels a load, whether it runs or waits; all of them if `id` is `nil`.
    func cancel(_ id: Int64?) {
        let tasks = state.withLock { state in
            let wanted = id.map { [$0] } ?? Array(state.loads.keys)
            return wanted.compactMap { id -> Task<Void, Never>? in
                guard let load = state.loads[id], !load.isOver else { return nil }
                guard load.state == "waiting" else { return load.task }
                state.waitingCount -= 1
                state.loads[id]?.state = "failed"
                state.loads[id]?.error = Self.cancelled
                Self.remember(id, &state)
                return nil
            }
        }
        for task in tasks { task.cancel() }
        events.send("loads", true)
    }

    private static let cancelled: JSONValue = [
        "code": "load.cancelled", "message": "the load was cancelled",
    ]

    // MARK: - Running

    private func begin() {
        state.withLock { state in
            while state.running < Self.width, let id = state.waiting.popFirst() {
                guard let load = state.loads[id], load.state == "waiting" else { continue }
                state.waitingCount -= 1
                state.running += 1
                state.loads[id]?.state = "loading"
                // Within the lock, so that a cancellation finds the task.
                state.loads[id]?.task = Task { await self.run(load) }
            }
        }
    }

    private func run(_ load: Load) async {
        send(load.id)
        let request: JSONValue = [
            "do": "load", "url": .string(load.url), "policy": load.reloads ? "reload" : "use-protocol",
        ]
        do throws(ServeError) {
            let answer = try await readers.ask(request, lane: .load, seconds: Self.maximumSeconds) { event in
                self.note(load.id, event)
            }
            let json = try answer.json()
            end(load.id, "done") { $0.answer = json }
            if let stem = json["stem"]?.string { changed(String(stem.prefix(2))) }
        } catch {
            let isCancelled = error.code == ServeError.cancelled.code
            let json = isCancelled ? Self.cancelled : (try? JSONValue(parsing: error.json)) ?? .null
            end(load.id, "failed") { $0.error = json }
        }
        begin()
    }

    private func note(_ id: Int64, _ event: [UInt8]) {
        guard let json = try? JSONValue(parsing: event) else { return }
        state.withLock { state in
            if case .integer(let bytes)? = json["bytes"] { state.loads[id]?.bytes = bytes }
            if let expected = json["expected"] { state.loads[id]?.expected = expected }
        }
        send(id)
    }

    private func end(_ id: Int64, _ name: String, _ change: (inout Load) -> Void) {
        state.withLock { state in
            state.running -= 1
            guard var load = state.loads[id] else { return }
            load.state = name
            load.task = nil
            if case .integer(let bytes)? = load.answer["bytes"] { load.bytes = bytes }
            change(&load)
            state.loads[id] = load
            Self.remember(id, &state)
        }
        send(id)
    }

    private static func remember(_ id: Int64, _ state: inout State) {
        state.finished.append(id)
        guard state.finished.count > maximumFinished else { return }
        state.loads[state.finished.removeFirst()] = nil
    }

    private func send(_ id: Int64) {
        if let json = state.withLock({ $0.loads[id]?.json }) { events.send("load", json) }
    }
}
