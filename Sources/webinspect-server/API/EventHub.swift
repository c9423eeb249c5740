import Synchronization
import WebStandards

/// Sends events to all listeners: changes of the list, loads, jobs.
final class EventHub: Sendable {
    /// The maximum number of lines that wait for a listener.
    private static let maximumWaiting = 512
    /// The time between two lines that report no event.
    private static let beat = Duration.seconds(15)

    private struct State {
        var number: UInt64 = 0
        var listeners: [UInt64: AsyncStream<[UInt8]>.Continuation] = [:]
        /// The version of the list that was reported last.
        var list: Int64 = 0
    }

    private let state = Mutex(State())

    /// Whether there is no listener.
    var isAlone: Bool { state.withLock { $0.listeners.isEmpty } }

    /// Sends an event to all listeners.
    func send(_ name: String, _ value: JSONValue) {
        send(line: Self.line(name, value))
    }

    /// Reports that the list has changed; returns false if that version was the last reported.
    @discardableResult
    func send(list version: Int64) -> Bool {
        let isNew = state.withLock { state in
            defer { state.list = version }
            return state.list != version
        }
        if isNew { send("list", .integer(version)) }
        return isNew
    }

    private func send(line: [UInt8]) {
        let listeners = state.withLock { Array($0.listeners.values) }
        for listener in listeners { Self.give(line, listener) }
    }

    /// Sends a line to a listener; one that is too slow is disconnected, connects again, and requests everything.
    private static func give(_ line: [UInt8], _ listener: AsyncStream<[UInt8]>.Continuation) {
        if case .dropped = listener.yield(line) { listener.finish() }
    }

    private static func line(_ name: String, _ value: JSONValue) -> [UInt8] {
        JSONValue.object([.init(name, value)]).serialized(sortingNames: false) + [0x0A]
    }

    /// Sends events to a client, until it disconnects.
    func answer(beginningWith first: [JSONValue.Member]) -> HTTPAnswer {
        HTTPAnswer(
            type: HTTPAnswer.linesType,
            body: .stream { stream in
                let (lines, number) = self.listen()
                let beats = Task {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: Self.beat)
                        self.send(number, Self.line("beat", true))
                    }
                }
                defer {
                    beats.cancel()
                    self.leave(number)
                }
                for member in first {
                    guard await stream.send(Self.line(member.name, member.value)) else { return }
                }
                for await line in lines {
                    guard await stream.send(line) else { return }
                }
            }
        )
    }

    private func listen() -> (AsyncStream<[UInt8]>, UInt64) {
        let (lines, continuation) = AsyncStream<[UInt8]>.makeStream(
            bufferingPolicy: .bufferingNewest(Self.maximumWaiting)
        )
        let number = state.withLock { state in
            state.number &+= 1
            state.listeners[state.number] = continuation
            return state.number
        }
        return (lines, number)
    }

    private func send(_ number: UInt64, _ line: [UInt8]) {
        let listener = state.withLock { $0.listeners[number] }
        if let listener { Self.give(line, listener) }
    }

    private func leave(_ number: UInt64) {
        let listener = state.withLock { $0.listeners.removeValue(forKey: number) }
        listener?.finish()
    }
}
