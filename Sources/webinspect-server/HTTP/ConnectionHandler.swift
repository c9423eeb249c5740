import NIOCore
import NIOHTTP1
import WebStandards

/// A connection: one request after the other, each limited in size and time, and answered before the next is read.
///
/// It is used only on its event loop.
final class ConnectionHandler: ChannelDuplexHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    typealias Answerer = @Sendable (HTTPRequest) async -> HTTPAnswer

    /// Seconds until a head, and then a body, must have arrived, however slowly it comes.
    private static let requestTime: Int64 = 15
    /// Seconds within which a client must take a part of an answer, and within which it must have taken all of it.
    private static let pieceTime: Int64 = 30
    private static let answerTime: Int64 = 300

    private let gate: RequestGuard
    private let connections: Connections
    private let answer: Answerer

    private var context: ChannelHandlerContext?
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var task: Task<Void, Never>?
    private var deadline: Scheduled<Void>?
    private var answerDeadline: Scheduled<Void>?
    private var unsent = 0
    /// Grows with each request of the connection.
    private var generation: UInt64 = 0
    private var isRefused = false

    /// Increases with each use of any connection: the connection with the least has been idle longest.
    var number: UInt64 = 0
    private(set) var isAnswering = false
    private(set) var isStreaming = false

    init(_ gate: RequestGuard, _ connections: Connections, _ answer: @escaping Answerer) {
        self.gate = gate
        self.connections = connections
        self.answer = answer
    }

    func close() {
        context?.close(promise: nil)
    }

    // MARK: - Coming and going

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        connections.add(self)
        limit(context, Self.requestTime)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end() }

    func channelInactive(context: ChannelHandlerContext) {
        end()
        context.fireChannelInactive()
    }

    private func end() {
        task?.cancel()
        deadline?.cancel()
        answerDeadline?.cancel()
        connections.remove(self)
        context = nil
    }

    /// Closes the connection after a number of seconds, unless another limit is set before.
    private func limit(_ context: ChannelHandlerContext, _ seconds: Int64) {
        deadline?.cancel()
        deadline = context.eventLoop.assumeIsolated().scheduleTask(in: .seconds(seconds)) { [weak self] in
            self?.close()
        }
    }

    // MARK: - Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isRefused else { return }
        switch unwrapInboundIn(data) {
        case .head(let head):
            do throws(ServeError) {
                try gate.check(head)
            } catch {
                return refuse(error, head, context)
            }
            self.head = head
            body = []
            limit(context, Self.requestTime)
        case .body(let buffer):
            guard body.count + buffer.readableBytes <= RequestGuard.maximumBody else {
                return refuse(ServeError(413, "limit.body", "the body is too large"), nil, context)
            }
            body += buffer.readableBytesView
        case .end:
            guard let head else { return }
            self.head = nil
            begin(head, context)
        }
    }

    /// Answers invalid HTTP/1.1 with an error, after which nothing more is read.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard error is HTTPParserError, !isRefused, !isAnswering else { return context.close(promise: nil) }
        refuse(ServeError(400, "http.invalid", "the request is not valid HTTP/1.1"), nil, context)
    }

    private func refuse(_ error: ServeError, _ head: HTTPRequestHead?, _ context: ChannelHandlerContext) {
        isRefused = true
        let answer = HTTPAnswer.error(error)
        guard case .bytes(let bytes) = answer.body else { return context.close(promise: nil) }
        var response = Self.head(answer, length: bytes.count)
        response.headers.add(name: "connection", value: "close")
        context.write(wrapOutboundOut(.head(response)), promise: nil)
        if head?.method != .HEAD {
            let buffer = context.channel.allocator.buffer(bytes: bytes)
            context.write(wrapOutboundOut(.body(.byteBuffer(buffer))), promise: nil)
        }
        let channel = context.channel
        context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
            // Unread bytes would make the system reset the connection, and lose the answer.
            channel.close(mode: .output).whenFailure { _ in channel.close(promise: nil) }
        }
        limit(context, 2)
    }

    private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
        deadline?.cancel()
        answerDeadline?.cancel()
        isAnswering = true
        isStreaming = false
        generation &+= 1
        connections.touch(self)
        let request = HTTPRequest(head, body: body)
        body = []
        let channel = context.channel
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        let answerer = answer
        task = Self.answering(request, answerer, channel, this, generation, keepsAlive: head.isKeepAlive)
    }

    // MARK: - Answers

    private static func answering(
        _ request: HTTPRequest,
        _ answerer: @escaping Answerer,
        _ channel: any Channel,
        _ handler: NIOLoopBound<ConnectionHandler>,
        _ generation: UInt64,
        keepsAlive: Bool
    ) -> Task<Void, Never> {
        Task { await send(request, answerer, channel, handler, generation, keepsAlive: keepsAlive) }
    }

    private static func send(
        _ request: HTTPRequest,
        _ answerer: Answerer,
        _ channel: any Channel,
        _ handler: NIOLoopBound<ConnectionHandler>,
        _ generation: UInt64,
        keepsAlive: Bool
    ) async {
        let answer = await answerer(request)
        let isHead = request.method == .HEAD
        let length: Int? = if case .bytes(let bytes) = answer.body { bytes.count } else { nil }
        let count = isHead ? 0 : length ?? 0
        let isAdmitted = try? await channel.eventLoop.submit {
            handler.value.admit(count, isStream: length == nil)
        }.get()
        guard isAdmitted == true else {
            _ = try? await channel.close()
            return
        }
        var head = Self.head(answer, length: length)
        if !keepsAlive { head.headers.add(name: "connection", value: "close") }
        // Without a length there would be chunks, and the end of these.
        if isHead, length == nil { head.headers.add(name: "content-length", value: "0") }
        do {
            try await channel.writeAndFlush(HTTPServerResponsePart.head(head)).get()
            let stream = HTTPStream(channel: channel)
            switch answer.body {
            case .bytes(let bytes) where !isHead: _ = await stream.send(bytes)
            case .stream(let write) where !isHead: await write(stream)
            case .bytes, .stream: break
            }
            try await channel.writeAndFlush(HTTPServerResponsePart.end(nil)).get()
        } catch {
            _ = try? await channel.close()
        }
        _ = try? await channel.eventLoop.submit {
            handler.value.finish(count, generation, keepsAlive: keepsAlive)
        }.get()
    }

    private func admit(_ count: Int, isStream: Bool) -> Bool {
        guard let context, connections.reserve(count) else { return false }
        isStreaming = isStream
        if isStream {
            connections.admitStream(self)
        } else {
            answerDeadline = context.eventLoop.assumeIsolated()
                .scheduleTask(in: .seconds(Self.answerTime)) { [weak self] in self?.close() }
        }
        return true
    }

    private func finish(_ count: Int, _ generation: UInt64, keepsAlive: Bool) {
        connections.release(count)
        guard let context else { return }
        guard keepsAlive else { return context.close(promise: nil) }
        // The next request may have begun as the end of this answer was written.
        guard generation == self.generation else { return }
        answerDeadline?.cancel()
        isAnswering = false
        isStreaming = false
        task = nil
        limit(context, Self.requestTime)
    }

    private static func head(_ answer: HTTPAnswer, length: Int?) -> HTTPResponseHead {
        var fields = HTTPHeaders()
        for (name, value) in answer.fields { fields.add(name: name, value: value) }
        if !fields.contains(name: "content-security-policy") {
            // An answer that is not a page is not shown as one, nor in a frame of another page.
            fields.add(name: "content-security-policy", value: "default-src 'none'; frame-ancestors 'none'")
        }
        fields.add(name: "content-type", value: answer.type)
        fields.add(name: "x-content-type-options", value: "nosniff")
        fields.add(name: "referrer-policy", value: "no-referrer")
        fields.add(name: "cross-origin-opener-policy", value: "same-origin")
        fields.add(name: "cross-origin-resource-policy", value: "same-origin")
        fields.add(name: "cache-control", value: "no-store")
        if let length { fields.add(name: "content-length", value: "\(length)") }
        return HTTPResponseHead(
            version: .http1_1,
            status: HTTPResponseStatus(statusCode: answer.status),
            headers: fields
        )
    }

    // MARK: - Slow clients

    /// Writes a piece; if the client does not take it in time, the connection is closed.
    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        unsent += 1
        if unsent == 1, !isRefused { limit(context, Self.pieceTime) }
        let this = NIOLoopBound(self, eventLoop: context.eventLoop)
        promise.futureResult.whenComplete { _ in this.value.wasSent() }
        context.write(data, promise: promise)
    }

    private func wasSent() {
        unsent -= 1
        guard let context, !isRefused else { return }
        if unsent > 0 { limit(context, Self.pieceTime) } else { deadline?.cancel() }
    }
}
