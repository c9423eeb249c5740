public import Foundation
import Glibc

/// A connection to a server on loopback that sends what no well-behaved client does, and reads the answers.
///
/// All waiting ends after a while.
public final class RawClient: Sendable {
    /// An answer, as far as it came.
    public struct Answer: Sendable {
        /// The status; 0 where there was no answer.
        public let status: Int
        /// The names of the fields in small letters, and their values.
        public let fields: [(name: String, value: String)]
        /// The body.
        public let body: Data

        /// The body as text.
        public var text: String { String(decoding: body, as: UTF8.self) }

        /// The value of a field; nil if there is none.
        public subscript(name: String) -> String? { fields.first { $0.name == name }?.value }
    }

    private let connection: Int32
    /// How many seconds a server may take, while the rest of the suite has all cores.
    private let patience: Double

    /// Until when a wait that begins now may take.
    private var end: ContinuousClock.Instant { .now + .seconds(patience) }

    /// Connects to a port.
    public init(port: Int, patience: Double = 120) throws {
        self.patience = patience
        connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = UInt16(truncatingIfNeeded: port).bigEndian
        address.sin_addr.s_addr = unsafe inet_addr("127.0.0.1")
        let descriptor = connection
        let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe connect(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else {
            throw TestServerError(message: "no connection to port \(port): errno \(errno)")
        }
    }

    deinit { close(connection) }

    /// Sends a text, as much of it as the other side takes.
    public func send(_ text: String) async { await send(Data(text.utf8)) }

    /// Sends bytes, as many of them as the other side takes, for as long as it takes some.
    public func send(_ data: Data) async {
        await onThread { [connection, end] in
            var rest = Array(data)[...]
            while !rest.isEmpty, Self.isReady(connection, POLLOUT, end) {
                let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
                let count = unsafe rest.withUnsafeBytes {
                    unsafe Glibc.send(connection, $0.baseAddress, $0.count, flags)
                }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    /// All that comes until the other side closes the connection; nil if it does not.
    public func rest() async -> Data? {
        await onThread { [connection, end] in
            var bytes = Data()
            while Self.isReady(connection, POLLIN, end) {
                guard let more = Self.receive(connection) else { return bytes }
                bytes += more
            }
            return nil
        }
    }

    /// Reads until a text has come; what comes behind it may be lost.
    public func wait(for text: String) async throws {
        let isThere = await onThread { [connection, end] in
            var bytes = Data()
            while bytes.range(of: Data(text.utf8)) == nil {
                guard Self.isReady(connection, POLLIN, end), let more = Self.receive(connection) else {
                    return false
                }
                bytes += more
            }
            return true
        }
        guard isThere else { throw TestServerError(message: "\"\(text)\" does not come") }
    }

    /// The answers up to the end of the connection; their bodies have a length or are the last.
    public func answers() async throws -> [Answer] {
        guard var rest = await rest() else { throw TestServerError(message: "the connection is not closed") }
        var answers: [Answer] = []
        while let answer = Self.answer(&rest) { answers.append(answer) }
        return answers
    }

    /// The next answer, whose body has a length; status 0 if the connection is closed before.
    public func answer(toHead isHead: Bool = false) async throws -> Answer {
        let bytes: Data? = await onThread { [connection, end] in
            var bytes = Data()
            while Self.length(bytes, isHead).map({ bytes.count < $0 }) ?? true {
                guard Self.isReady(connection, POLLIN, end) else { return nil }
                guard let more = Self.receive(connection) else { break }
                bytes += more
            }
            return bytes
        }
        guard var bytes else { throw TestServerError(message: "there is no answer") }
        return Self.answer(&bytes) ?? Answer(status: 0, fields: [], body: Data())
    }

    private static let headEnd = Data("\r\n\r\n".utf8)

    /// How long the answer at the start is; nil while that is not known.
    private static func length(_ bytes: Data, _ isHead: Bool) -> Int? {
        guard let end = bytes.range(of: headEnd) else { return nil }
        if isHead { return end.upperBound - bytes.startIndex }
        let head = fields(bytes[..<end.lowerBound]).fields
        let length = head.first { $0.name == "content-length" }.flatMap { Int($0.value) }
        return length.map { end.upperBound - bytes.startIndex + $0 }
    }

    /// Takes the answer at the start away.
    private static func answer(_ bytes: inout Data) -> Answer? {
        guard let end = bytes.range(of: headEnd) else { return nil }
        let (status, fields) = fields(bytes[..<end.lowerBound])
        let length = length(bytes, false) ?? bytes.count
        let body = bytes[end.upperBound...].prefix(max(0, length - (end.upperBound - bytes.startIndex)))
        bytes = bytes.dropFirst(length)
        return Answer(status: status, fields: fields, body: Data(body))
    }

    private static func fields(_ head: Data) -> (status: Int, fields: [(name: String, value: String)]) {
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        let fields = lines.dropFirst().map { line in
            let colon = line.firstIndex(of: ":") ?? line.endIndex
            let value = line[colon...].dropFirst().trimmingCharacters(in: .whitespaces)
            return (name: line[..<colon].lowercased(), value: value)
        }
        return (status, fields)
    }

    private static func isReady(_ connection: Int32, _ events: Int32, _ end: ContinuousClock.Instant) -> Bool
    {
        var descriptor = pollfd(fd: connection, events: Int16(events), revents: 0)
        var ready: Int32
        repeat {
            let left = max(0, (end - ContinuousClock.now) / .milliseconds(1))
            ready = unsafe poll(&descriptor, 1, Int32(left))
        } while ready < 0 && errno == EINTR
        // Data that keeps arriving does not extend the time limit.
        return ready > 0 && ContinuousClock.now < end
    }

    /// Returns the bytes that have arrived; `nil` at the end.
    private static func receive(_ connection: Int32) -> Data? {
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = unsafe recv(connection, &bytes, bytes.count, 0)
        return count > 0 ? Data(bytes[..<count]) : nil
    }
}
