import Foundation
import Glibc
import Synchronization

/// The connection to a browser's debugger: two pipes with JSON messages, each terminated by NUL.
final class DebuggingPipe: Sendable {
    /// Receives the events of a session, on the thread that reads.
    typealias Listener = @Sendable (_ method: String, _ parameters: ScriptValue) -> Void

    private struct State {
        /// The descriptor that messages are written to; `nil` once it is closed.
        var input: Int32?
        var isOver = false
        var lastID = 0
        var waiting: [Int: CheckedContinuation<ScriptValue, any Error>] = [:]
        var listeners: [String: Listener] = [:]
    }

    private let state: Mutex<State>

    /// - Parameters:
    ///   - input: The descriptor that messages are written to; it is closed with the pipe.
    ///   - output: The descriptor that messages are read from, to its end; it is closed then.
    init(input: Int32, output: Int32) {
        state = Mutex(State(input: input))
        Thread.detachNewThread { [self] in
            read(output)
            Glibc.close(output)
        }
    }

    /// Asks for something, and waits for the answer.
    func send(
        _ method: String,
        _ parameters: ScriptValue = [:],
        session: String? = nil,
        seconds: Double = 30
    ) async throws -> ScriptValue {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        var message: [String: ScriptValue] = [
            "id": .number(Double(id)), "method": .string(method), "params": parameters,
        ]
        if let session { message["sessionId"] = .string(session) }
        let bytes = Array(ScriptValue.object(message).json.utf8) + [0]
        let clock = Task {
            try await Task.sleep(for: .seconds(seconds))
            end(id, with: TestServerError(message: "the browser does not answer \(method)"))
        }
        defer { clock.cancel() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                state.withLock { $0.waiting[id] = continuation }
                if Task.isCancelled { end(id, with: CancellationError()) }
                if !write(bytes) {
                    end(id, with: TestServerError(message: "the browser has ended: \(method)"))
                }
            }
        } onCancel: {
            end(id, with: CancellationError())
        }
    }

    /// Sets the listener that receives the events of a session; `nil` removes it.
    func listen(to session: String, _ listener: Listener?) {
        state.withLock { $0.listeners[session] = listener }
    }

    /// Closes it, which ends the browser.
    func close() {
        state.withLock { state in
            if let input = state.input { Glibc.close(input) }
            state.input = nil
        }
    }

    private func end(_ id: Int, with error: any Error) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: error)
    }

    private func write(_ bytes: [UInt8]) -> Bool {
        // The lock keeps messages whole, and the descriptor open.
        state.withLock { state in
            guard let input = state.input, !state.isOver else { return false }
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.write(input, $0.baseAddress, $0.count)
                }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Reads messages until the browser has ended.
    private func read(_ output: Int32) {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(output, $0.baseAddress, $0.count)
            }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { break }
            // Only new bytes are searched, not all that has arrived of a long message.
            var start = 0
            for index in 0..<count where chunk[index] == 0 {
                bytes += chunk[start..<index]
                take(bytes)
                bytes.removeAll(keepingCapacity: true)
                start = index + 1
            }
            bytes += chunk[start..<count]
        }
        let waiting = state.withLock { state in
            state.isOver = true
            defer { state.waiting = [:] }
            return state.waiting.values
        }
        for continuation in waiting {
            continuation.resume(throwing: TestServerError(message: "the browser has ended"))
        }
    }

    private func take(_ bytes: [UInt8]) {
        guard let message = try? ScriptValue(json: Data(bytes)) else { return }
        if let id = message["id"].int {
            let continuation = state.withLock { $0.waiting.removeValue(forKey: id) }
            if message["error"] == .null {
                continuation?.resume(returning: message["result"])
            } else {
                continuation?.resume(throwing: TestServerError(message: message["error"].json))
            }
        } else if let method = message["method"].text, let session = message["sessionId"].text {
            state.withLock { $0.listeners[session] }?(method, message["params"])
        }
    }
}
