import Foundation
import Glibc
import Synchronization

/// A server that sends exactly the given bytes, for responses that no well-behaved server sends.
///
/// It serves one connection after the other, on a thread of its own, and stops with its owner.
public final class RawServer: Sendable {
    /// A step that the server takes once it has read a request's fields.
    public enum Step: Sendable {
        /// Sends text.
        case send(String)
        /// Sends bytes that are no text.
        case sendBytes([UInt8])
        /// Sends a text many times, or until the other side goes away.
        case sendRepeatedly(String, times: Int)
        /// Sends nothing for a while, or until the other side goes away.
        case pause(seconds: Double)
        /// Reads this much of the request's body.
        case readBody(count: Int)
    }

    /// The port it listens on.
    public let port: Int

    /// The requests, each when its fields have been read: for who has to wait for one.
    public let arrivals: AsyncStream<String>

    private let listener: Int32
    private let count = Atomic<Int>(0)
    private let sent = Atomic<Int>(0)
    private let received = Mutex<[String]>([])
    private let arrived: AsyncStream<String>.Continuation

    /// Listens, and answers every connection with these steps.
    public convenience init(_ steps: [Step]) throws {
        try self.init { _ in steps }
    }

    /// Listens, and answers each connection with the steps for its number, from 0.
    public init(choosing steps: @escaping @Sendable (Int) -> [Step]) throws {
        (arrivals, arrived) = AsyncStream.makeStream()
        (listener, port) = try listenOnLoopback()
        let descriptor = listener
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else {
                    close(descriptor)
                    return
                }
                let number = count.add(1, ordering: .relaxed).oldValue
                serve(connection, steps(number))
                close(connection)
            }
        }
    }

    /// The URL of the top of the server.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// How many connections there were.
    public var connections: Int { count.load(ordering: .relaxed) }

    /// How many bytes it could send so far: what the other side's system has taken.
    public var sentBytes: Int { sent.load(ordering: .relaxed) }

    /// The requests so far, as they came: request line, fields, and what was read of the body.
    public var requests: [String] { received.withLock { $0 } }

    /// Stops listening.
    public func stop() {
        // The thread closes it: its number must not stand for another socket while the thread still uses it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func serve(_ connection: Int32, _ steps: [Step]) {
        guard let fields = Self.read(connection, until: { $0.suffix(4) == Array("\r\n\r\n".utf8)[...] })
        else {
            return
        }
        let request = String(decoding: fields, as: UTF8.self)
        let index = received.withLock { requests in
            requests.append(request)
            return requests.count - 1
        }
        arrived.yield(request)
        for step in steps {
            switch step {
            case .send(let text):
                guard send(Array(text.utf8), connection) else { return }
            case .sendBytes(let bytes):
                guard send(bytes, connection) else { return }
            case .sendRepeatedly(let text, let times):
                let bytes = Array(text.utf8)
                for _ in 0..<times {
                    guard send(bytes, connection) else { return }
                }
            case .pause(let seconds):
                var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                // Bytes, or the end of them: the other side has had enough.
                var ready: Int32
                repeat {
                    ready = unsafe poll(&descriptor, 1, Int32(seconds * 1000))
                } while ready < 0 && errno == EINTR
                if ready != 0 { return }
            case .readBody(let count):
                guard let body = Self.read(connection, count: count) else { return }
                received.withLock { $0[index] += String(decoding: body, as: UTF8.self) }
            }
        }
        shutdown(connection, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        while unsafe Self.receive(connection, &rest, rest.count) > 0 {}
    }

    /// As `recv`, whatever signals the process gets meanwhile.
    private static func receive(_ connection: Int32, _ bytes: UnsafeMutableRawPointer?, _ count: Int) -> Int {
        var got: Int
        repeat { got = unsafe recv(connection, bytes, count, 0) } while got < 0 && errno == EINTR
        return got
    }

    /// Reads byte by byte, so that nothing after the end is taken; nil if the other side goes away before.
    private static func read(_ connection: Int32, until isEnd: ([UInt8]) -> Bool) -> [UInt8]? {
        var bytes: [UInt8] = []
        var byte: UInt8 = 0
        while !isEnd(bytes) {
            guard unsafe receive(connection, &byte, 1) == 1 else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    /// Reads this many bytes; nil if the other side goes away before.
    private static func read(_ connection: Int32, count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let start = filled
            let got = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe receive(connection, buffer.baseAddress?.advanced(by: start), count - start)
            }
            guard got > 0 else { return nil }
            filled += got
        }
        return bytes
    }

    private func send(_ bytes: [UInt8], _ connection: Int32) -> Bool {
        var bytes = bytes[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent.add(count, ordering: .relaxed)
            bytes = bytes.dropFirst(count)
        }
        return true
    }
}

/// Runs a raw server for as long as `body` takes.
public func withRawServer<Value>(
    _ steps: [RawServer.Step],
    _ body: (RawServer) async throws -> Value
) async throws -> Value {
    let server = try RawServer(steps)
    defer { server.stop() }
    return try await body(server)
}
