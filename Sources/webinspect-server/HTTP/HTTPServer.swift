import NIOCore
import NIOHTTP1
import NIOPosix

/// A server on a port of the loopback interface.
struct HTTPServer: Sendable {
    let port: Int
    private let channel: any Channel

    /// Binds a port and begins to answer requests.
    ///
    /// - Parameters:
    ///   - port: The port; 0 for any free port.
    ///   - group: The event loop; it has one thread.
    ///   - side: The side that is served: the app, or the views.
    ///   - token: The secret of this run.
    ///   - answer: Answers a request that the guard has permitted.
    /// - Throws: The system's error: the port is in use, or this user may not bind it.
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
                    // Requests that arrive during an answer wait in the system's buffer.
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
