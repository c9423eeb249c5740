import NIOCore

/// The connections that are open, on one event loop: so many and no more, and who asks for nothing makes room.
final class Connections {
    /// How many may be open at once.
    static let maximumCount = 256
    /// How many may wait for events at once: a browser has one for each of its tabs.
    static let maximumStreams = 64

    private var handlers: [ObjectIdentifier: ConnectionHandler] = [:]
    private var number: UInt64 = 0

    /// Takes a connection in; where there are too many, the one is closed that has been idle for longest.
    func add(_ handler: ConnectionHandler) {
        number &+= 1
        handler.number = number
        handlers[ObjectIdentifier(handler)] = handler
        guard handlers.count > Self.maximumCount else { return }
        let idle = handlers.values.filter { !$0.isAnswering }.min { $0.number < $1.number }
        (idle ?? handler).close()
    }

    func remove(_ handler: ConnectionHandler) {
        handlers[ObjectIdentifier(handler)] = nil
    }

    /// Notes that a connection was used just now.
    func touch(_ handler: ConnectionHandler) {
        number &+= 1
        handler.number = number
    }

    /// Makes room for another answer without an end.
    func admitStream(_ handler: ConnectionHandler) {
        let streams = handlers.values.filter(\.isStreaming)
        if streams.count >= Self.maximumStreams { streams.min { $0.number < $1.number }?.close() }
        touch(handler)
    }

    /// The bytes of answers that clients have not taken yet.
    private(set) var pendingBytes = 0
    /// How many there may be: who asks for much and reads nothing is refused, before the memory goes.
    static let maximumPendingBytes = 192 << 20

    func reserve(_ count: Int) -> Bool {
        guard pendingBytes + count <= Self.maximumPendingBytes || pendingBytes == 0 else { return false }
        pendingBytes += count
        return true
    }

    func release(_ count: Int) { pendingBytes -= count }
}
