public import Foundation
import Glibc

/// A pipe whose ends only those programs get that are given them.
public struct PipeEnds: Sendable {
    /// The end to read from.
    public let reading: Int32
    /// The end to write to.
    public let writing: Int32

    /// Makes one; both ends are the caller's to close.
    public init() throws {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else {
            throw TestServerError(message: "there is no pipe: errno \(errno)")
        }
        (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    }

    /// Reads to its end, and closes this end of it; also whether that came in time.
    ///
    /// It keeps its thread meanwhile.
    public func read(until time: DispatchTime) -> (data: Data, isWhole: Bool) {
        defer { close(reading) }
        var data = Data()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while Self.wait(for: reading, POLLIN, until: time) {
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(reading, $0.baseAddress, $0.count)
            }
            if count == 0 { return (data, true) }
            if count > 0 { data += chunk[..<count] } else if errno != EINTR { break }
        }
        return (data, false)
    }

    /// Writes as much as is read in time, and closes this end of it.
    ///
    /// It keeps its thread meanwhile.
    public func write(_ data: Data, until time: DispatchTime) {
        defer { close(writing) }
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        var rest = Array(data)[...]
        while !rest.isEmpty, Self.wait(for: writing, POLLOUT, until: time) {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(writing, $0.baseAddress, $0.count) }
            // Nobody reads it any more.
            if count < 0, errno != EINTR, errno != EAGAIN { return }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// Whether something can be read or written before a time.
    private static func wait(for descriptor: Int32, _ events: Int32, until time: DispatchTime) -> Bool {
        while true {
            let now = DispatchTime.now()
            guard now < time else { return false }
            var descriptor = pollfd(fd: descriptor, events: Int16(events), revents: 0)
            let left = (time.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000 + 1
            if unsafe poll(&descriptor, 1, Int32(clamping: left)) > 0 { return true }
        }
    }
}
