import NIOCore
import NIOHTTP1

/// The way to one client, for an answer that is sent piece by piece.
struct HTTPStream: Sendable {
    let channel: any Channel

    /// Sends bytes, and waits until the system has taken them; false once the client is gone or too slow.
    func send(_ bytes: [UInt8]) async -> Bool {
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + Self.pieceSize)
            let buffer = channel.allocator.buffer(bytes: bytes[start..<end])
            start = end
            do {
                try await channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(buffer))).get()
            } catch {
                return false
            }
        }
        return true
    }

    private static let pieceSize = 256 << 10
}
