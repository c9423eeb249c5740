import NIOCore
import NIOHTTP1
import NIOPosix

/// A port of loopback that answers requests.
struct HTTPServer: Sendable {
    let port: Int
    private let channel: any Channel

    /// Takes a port and begins to answer there.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any that is free.
    ///   - group: The event loop; it has one thread.
    ///   - side: What is answered there.
    ///   - token: The secret of this run.
    ///   - answer: Answers a request that the guard has let through.
    /// - Throws: The system's error: the port is taken, or not this user's to take.
    init(
        port: Int,
        on group: MultiThreadedEventLoopGroup,
        _ side: RequestGuard.Side,
        _ token: SessionToken,
        _ answer: @escaping ConnectionHandler.Answerer
    ) throws {
        let loop = group.next()
        let connections = NIOLoopBoundBox.makeBoxSendingValue(Connections(), eventLoop: loop)
        let box = PortBox()
        channel = try ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 256)
            .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
            .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
            .childChannelOption(.allowRemoteHalfClosure, value: false)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let gate = RequestGuard(side: side, port: box.port, token: token)
                    let pipeline = channel.pipeline.syncOperations
                    // What is sent while an answer is on its way waits in the system's buffer.
                    try pipeline.configureHTTPServerPipeline(
                        withPipeliningAssistance: true,
                        withErrorHandling: false
                    )
                    try pipeline.addHandler(ConnectionHandler(gate, connections.value, answer))
                }
            }
            .bind(host: "127.0.0.1", port: port)
            .wait()
        self.port = channel.localAddress?.port ?? port
        box.set(self.port)
    }
}
