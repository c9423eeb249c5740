import Glibc
import Synchronization

/// The connection to a browser: messages of its debugging protocol, each of which is JSON followed by a NUL.
///
/// <https://chromedevtools.github.io/devtools-protocol/>
final class BrowserPipe: Sendable {
    /// A listener of the events of a session, called on the thread that reads, and therefore brief.
    typealias Listener = @Sendable (_ method: String, _ parameters: JSONValue) -> Void

    /// The continuation that waits for an answer, which is a whole message.
    private typealias Waiter = CheckedContinuation<Result<[UInt8], RenderingError>, Never>

    private struct State {
        /// The socket that messages are written to; nil once it is closed.
        var input: Int32?
        /// The reason for which no more messages come.
        var failure: RenderingError?
        var lastID = 0
        var waiting: [Int: Waiter] = [:]
        /// The listeners by session; that of the browser itself has no session.
        var listeners: [String?: Listener] = [:]
    }

    /// The maximum length of a message that is read, in bytes: a hostile page may have taken over the browser.
    private static let longestMessage = 512 << 20

    private let state: Mutex<State>

    /// Takes both descriptors, and begins to read.
    ///
    /// - Parameters:
    ///   - input: The socket that messages are written to; it is closed by ``close()``.
    ///   - output: The pipe that messages are read from, to its end; it is closed then.
    init(input: Int32, output: Int32) {
        state = Mutex(State(input: input))
        // A browser that accepts nothing for so long does not accept anything any more.
        var limit = timeval(tv_sec: 10, tv_usec: 0)
        unsafe setsockopt(
            input,
            SOL_SOCKET,
            SO_SNDTIMEO,
            &limit,
            socklen_t(clamping: MemoryLayout<timeval>.size)
        )
        BlockingWork.serial("webinspect.browser").start { [self] in
            let reason = read(output)
            Glibc.close(output)
            end(with: RenderingError(.ended, reason))
        }
    }

    // MARK: - Asking

    /// Sends a request, and waits for the answer.
    ///
    /// - Returns: The "result" of the answer.
    /// - Throws: ``RenderingError``, also if the browser refuses the request.
    @discardableResult
    func ask(
        _ method: String,
        _ parameters: JSONValue = .object([]),
        session: String? = nil,
        within seconds: Double = 10
    ) async throws(RenderingError) -> JSONValue {
        let bytes = try await message(method, parameters, session: session, within: seconds)
        guard let answer = try? JSONValue(parsing: bytes) else {
            throw RenderingError(.ended, "the browser's answer to \(method) is no JSON")
        }
        if let error = answer["error"] {
            let reason = error["message"]?.string ?? "no reason"
            throw RenderingError(.ended, "the browser refuses \(method): \(reason.shortened)")
        }
        return answer["result"] ?? .object([])
    }

    /// Sends a request, and returns a string of its result.
    func text(
        _ member: String,
        of method: String,
        _ parameters: JSONValue = .object([])
    ) async throws(RenderingError) -> String {
        guard let text = try await ask(method, parameters)[member]?.string else {
            throw RenderingError(.ended, "the browser's answer to \(method) has no \(member)")
        }
        return text
    }

    /// The reason for which the browser does not answer any more; `nil` if it does.
    var failure: RenderingError? { state.withLock { $0.failure } }

    /// Sends a request, and returns the whole message that answers it, unparsed: the tree of a page is a large one.
    ///
    /// - Throws: ``RenderingError`` if there is no answer.
    func message(
        _ method: String,
        _ parameters: JSONValue = .object([]),
        session: String?,
        within seconds: Double
    ) async throws(RenderingError) -> [UInt8] {
        let id = nextID()
        let clock = Task { [self] in
            try await Task.sleep(for: Duration(boundedSeconds: seconds))
            end(id, .failure(RenderingError(.ended, "the browser does not answer \(method)")))
        }
        defer { clock.cancel() }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                state.withLock { $0.waiting[id] = waiter }
                if Task.isCancelled { end(id, .failure(RenderingError(.cancelled, "cancelled"))) }
                write(Self.bytes(id, method, parameters, session))
            }
        } onCancel: {
            end(id, .failure(RenderingError(.cancelled, "cancelled")))
        }
        return try answer.get()
    }

    /// Sends a command to the browser, and ignores the answer.
    func send(_ method: String, _ parameters: JSONValue = .object([]), session: String? = nil) {
        write(Self.bytes(nextID(), method, parameters, session))
    }

    /// Sends a command with one more member, whose value is long: bytes in Base64.
    func send(
        _ method: String,
        _ parameters: JSONValue,
        adding name: String,
        _ bytes: [UInt8],
        session: String?
    ) {
        var message = Self.bytes(nextID(), method, parameters, session)
        // After it come the ends of both objects, and the NUL. Its parameters are never empty.
        message.removeLast(3)
        message.reserveCapacity(message.count + name.utf8.count + Base64.length(of: bytes.count) + 9)
        message += ",\"\(name)\":\"".utf8
        Base64.append(bytes[...], to: &message)
        message += "\"}}\0".utf8
        write(message)
    }

    /// Sets the listener of the events of a session; `nil` removes it.
    func listen(to session: String?, _ listener: Listener?) {
        state.withLock { $0.listeners[session] = listener }
    }

    /// Closes the connection to the browser, which ends it.
    func close() {
        state.withLock { state in
            if let input = state.input { Glibc.close(input) }
            state.input = nil
        }
    }

    private func nextID() -> Int {
        state.withLock { state in
            state.lastID &+= 1
            return state.lastID
        }
    }

    private static func bytes(
        _ id: Int,
        _ method: String,
        _ parameters: JSONValue,
        _ session: String?
    ) -> [UInt8] {
        var members: [JSONValue.Member] = [
            .init("id", .integer(Int64(id))), .init("method", .string(method)),
        ]
        if let session { members.append(.init("sessionId", .string(session))) }
        members.append(.init("params", parameters))
        return JSONValue.object(members).serialized(sortingNames: false) + [0]
    }

    /// Writes a whole message; if that fails, the browser counts as ended.
    private func write(_ bytes: [UInt8]) {
        let isWritten = state.withLock { state in
            guard let input = state.input, state.failure == nil else { return false }
            return unsafe bytes.withUnsafeBytes { bytes in
                var written = 0
                while written < bytes.count {
                    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
                    // A browser that has ended must not cause a signal in this process.
                    let count = unsafe Glibc.send(
                        input,
                        rest.baseAddress,
                        rest.count,
                        Int32(clamping: MSG_NOSIGNAL)
                    )
                    if count < 0 && errno == EINTR { continue }
                    guard count > 0 else { return false }
                    written += count
                }
                return true
            }
        }
        if !isWritten { end(with: RenderingError(.ended, "the browser has ended")) }
    }

    // MARK: - Reading

    /// Reads messages to their end, and returns the reason for it.
    private func read(_ output: Int32) -> String {
        var message: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(output, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return "the browser has ended" }
            // Only the new bytes are searched, not all of a long message.
            var start = 0
            while let end = chunk[start..<count].firstIndex(of: 0) {
                message += chunk[start..<end]
                take(message)
                message = []
                start = end + 1
            }
            message += chunk[start..<count]
            guard message.count <= Self.longestMessage else {
                close()
                return "the browser sends more than \(Self.longestMessage) bytes at once"
            }
        }
    }

    private func take(_ message: [UInt8]) {
        if let id = Self.id(of: message) { return end(id, .success(message)) }
        guard let event = try? JSONValue(parsing: message), let method = event["method"]?.string else {
            return
        }
        let listener = state.withLock { $0.listeners[event["sessionId"]?.string] }
        listener?(method, event["params"] ?? .object([]))
    }

    /// Returns the number of the request that a message answers, which comes first; `nil` for an event.
    private static func id(of message: [UInt8]) -> Int? {
        let start = Array("{\"id\":".utf8)
        guard message.starts(with: start) else { return nil }
        let digits = message[start.count...].prefix { $0.isASCIIDigit }
        return Int(inBounds: String(decoding: digits, as: UTF8.self))
    }

    // MARK: - Ending

    private func end(_ id: Int, _ answer: Result<[UInt8], RenderingError>) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(returning: answer)
    }

    private func end(with error: RenderingError) {
        let waiting = state.withLock { state in
            if state.failure == nil { state.failure = error }
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for waiter in waiting { waiter.resume(returning: .failure(error)) }
    }
}
