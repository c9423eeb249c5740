import Glibc
import TestSupport

/// A port on loopback that the system picks, listened on for as long as the process runs.
struct LoopbackListener: Sendable {
    let port: Int
    private let descriptor: Int32

    init() throws {
        (descriptor, port) = try listenOnLoopback(backlog: 1024)
    }

    /// Accepts the next connection; returns `nil` once there are no more.
    func accept() -> SoakConnection? {
        let connection = Glibc.accept(descriptor, nil, nil)
        guard connection >= 0 else { return nil }
        return SoakConnection(connection)
    }
}

/// A connection to the soak's server, closed with its owner.
final class SoakConnection: @unchecked Sendable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        var one: Int32 = 1
        unsafe setsockopt(
            descriptor,
            Int32(IPPROTO_TCP),
            TCP_NODELAY,
            &one,
            socklen_t(MemoryLayout<Int32>.size)
        )
    }

    deinit { close(descriptor) }

    /// The next request's line and fields; nil where the other side has gone.
    func readHead() -> String? {
        var searched = 0
        while true {
            let end = buffer.indices.dropFirst(searched).first { index in
                buffer[index] == UInt8(ascii: "\r") && buffer[index...].starts(with: Array("\r\n\r\n".utf8))
            }
            if let end {
                let head = String(decoding: buffer[..<end], as: UTF8.self)
                buffer.removeFirst(end + 4)
                return head
            }
            searched = max(0, buffer.count - 3)
            guard fill() else { return nil }
        }
    }

    /// Reads a request's body and forgets it; false where the other side has gone.
    func skip(_ count: Int) -> Bool {
        while buffer.count < count {
            guard fill() else { return false }
        }
        buffer.removeFirst(count)
        return true
    }

    private func fill() -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
        guard count > 0 else { return false }
        buffer += bytes[..<count]
        return true
    }

    /// Sends all of this; false where the other side has gone.
    func send(_ bytes: [UInt8]) -> Bool {
        var sent = 0
        while sent < bytes.count {
            let start = sent
            let count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe Glibc.send(
                    descriptor,
                    bytes.baseAddress?.advanced(by: start),
                    bytes.count - start,
                    Int32(MSG_NOSIGNAL)
                )
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Waits; false where the other side goes away meanwhile.
    func pause(_ milliseconds: Int32) -> Bool {
        var descriptor = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&descriptor, 1, milliseconds) == 0
    }

    /// Says that nothing more comes, and waits until the other side has read it all.
    func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
        var rest = [UInt8](repeating: 0, count: 4096)
        while unsafe recv(descriptor, &rest, rest.count, 0) > 0 {}
    }
}
