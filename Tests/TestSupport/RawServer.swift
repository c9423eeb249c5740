import Foundation
import Glibc
import Synchronization

/// A server that says just what it is told, for responses that no well-behaved server sends.
///
/// It serves one connection after the other, on a thread of its own, and stops with its owner.
public final class RawServer: Sendable {
    /// What it does once it has read a request's fields.
    public enum Step: Sendable {
        /// Sends text.
        case send(String)
        /// Sends a text many times, or until the other side goes away.
        case sendRepeatedly(String, times: Int)
        /// Sends nothing for a while, or until the other side goes away.
        case pause(seconds: Double)
    }

    /// The port it listens on.
    public let port: Int

    private let listener: Int32
    private let count = Atomic<Int>(0)

    /// Listens, and answers every connection with these steps.
    public init(_ steps: [Step]) throws {
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = listener
        let isBound = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(descriptor, pointer, size) == 0 && listen(descriptor, 16) == 0
            }
        }
        var length = size
        let isNamed = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe getsockname(descriptor, pointer, &length) == 0
            }
        }
        guard isBound, isNamed else { throw TestServerError(message: "no loopback port to be had") }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread.detachNewThread { [self] in
            while true {
                let connection = accept(descriptor, nil, nil)
                guard connection >= 0 else { return }
                count.add(1, ordering: .relaxed)
                Self.serve(connection, steps)
                close(connection)
            }
        }
    }

    /// The URL of the top of the server.
    public var url: String { "http://127.0.0.1:\(port)/" }

    /// How many connections there were.
    public var connections: Int { count.load(ordering: .relaxed) }

    /// Stops listening.
    public func stop() {
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
    }

    private static func serve(_ connection: Int32, _ steps: [Step]) {
        guard readFields(connection) else { return }
        for step in steps {
            switch step {
            case .send(let text):
                guard send(text, connection) else { return }
            case .sendRepeatedly(let text, let times):
                for _ in 0..<times {
                    guard send(text, connection) else { return }
                }
            case .pause(let seconds):
                var descriptor = pollfd(fd: connection, events: Int16(POLLIN), revents: 0)
                // Bytes, or the end of them: the other side has had enough.
                if unsafe poll(&descriptor, 1, Int32(seconds * 1000)) != 0 { return }
            }
        }
        shutdown(connection, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        while unsafe recv(connection, &rest, rest.count, 0) > 0 {}
    }

    private static func readFields(_ connection: Int32) -> Bool {
        var last: [UInt8] = []
        var byte: UInt8 = 0
        while last != Array("\r\n\r\n".utf8) {
            guard unsafe recv(connection, &byte, 1, 0) == 1 else { return false }
            last = last.suffix(3) + [byte]
        }
        return true
    }

    private static func send(_ text: String, _ connection: Int32) -> Bool {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let sent = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            guard sent > 0 else { return false }
            bytes = bytes.dropFirst(sent)
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
