import CVirtualTime
import HTTPTypes

@testable import WebLoader
@testable import WebTransport

/// The load of a history that a task works for, in the background too.
enum CurrentLoad {
    @TaskLocal static var number = 0
}

/// All servers: answers as the input determines, through the code that reads responses from libcurl, by the virtual
/// clock.
///
/// All of a history runs on one thread.
final class ScriptedServer: Fetcher, @unchecked Sendable {
    private let source: ByteSource
    private let ledger: Ledger
    private var state = ServerState()

    init(_ source: ByteSource, _ ledger: Ledger) {
        self.source = source
        self.ledger = ledger
    }

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let load = CurrentLoad.number
        ledger.check(request, load)
        let serial = ledger.begin(request, load)
        demand(serial < 5000, "one history asks the server without end")
        state.now = virtual_time_wall_clock()
        var plan = AnswerPlan(request, serial: serial, source, &state)
        if History.isPrinted {
            print(
                "  \(serial): \(request.httpMethod) \(request.url) \(request.headerFields.map(\.description))"
            )
            print("     \(plan.lines), \(plan.count) bytes, \(plan.failure.map { "\($0)" } ?? "")")
        }
        var line = Line(request, limits)
        try await line.wait(plan.delay)
        if let failure = plan.failure, plan.failurePosition < 0 { throw FetchError(failure, "as planned") }

        var incoming = IncomingResponse(request, limits: limits, receiver: receiver)
        defer { incoming.releaseReceiver() }
        for text in plan.lines {
            try Array("\(text)\r\n".utf8).span.withUnsafeBytes { bytes throws(FetchError) in
                try incoming.takeLine(bytes)
            }
        }
        if incoming.head.status == 206 { plan.place(serial, by: incoming.head.fields) }
        var connection = IncomingResponse.Connection()
        connection.httpVersion = "1.1"
        if request.url.scheme == "https" {
            connection.tls = TLSInformation(
                version: "",
                cipher: "",
                certificates: [],
                isVerified: plan.isVerified
            )
        }
        try incoming.handOverHead(connection)
        try await send(plan, request, &incoming, &line)
        let response = try incoming.finish(connection)
        ledger.took(serial, response, plan)
        return response
    }

    /// Sends the body as libcurl passes it on: none if the response has no body, and no more and no less than was
    /// announced.
    private func send(
        _ plan: AnswerPlan,
        _ request: WebRequest,
        _ incoming: inout IncomingResponse,
        _ line: inout Line
    ) async throws(FetchError) {
        guard let status = incoming.head.status, request.httpMethod != "HEAD", status != 204, status != 304
        else { return }
        let framing = try ResponseFraming(incoming.head.fields, status: status, method: request.httpMethod)
        var body = plan.body[...]
        if let length = framing.contentLength { body = body.prefix(Int(min(length, Int64(body.count)))) }
        while !body.isEmpty {
            let piece = body.prefix(plan.pieceLength)
            body = body.dropFirst(piece.count)
            try await line.wait(plan.pieceDelay)
            try piece.span.withUnsafeBytes { bytes throws(FetchError) in
                // Its receivers are always ready.
                _ = try incoming.takeBody(bytes, orElse: {})
            }
            if let failure = plan.failure, plan.body.count - body.count >= plan.failurePosition {
                throw FetchError(failure, "as planned")
            }
        }
        if let failure = plan.failure { throw FetchError(failure, "as planned") }
        guard framing.contentLength.map({ $0 <= plan.body.count }) ?? true else {
            throw FetchError(.connectionLost, "as libcurl has it")
        }
    }

    /// The time that a request may still take, by the rules of the libcurl driver.
    private struct Line {
        private let started = virtual_time_elapsed()
        private let maximum: Double?
        private let interval: Double

        init(_ request: WebRequest, _ limits: LoadLimits) {
            maximum = limits.maximumSeconds
            interval = request.timeoutInterval.inSeconds
        }

        func wait(_ seconds: Double) async throws(FetchError) {
            var seconds = seconds
            var end: FetchError?
            if interval > 0, interval < seconds {
                seconds = interval
                end = FetchError(.timeout, "as planned")
            }
            if let maximum, !(virtual_time_elapsed() + seconds < started + maximum) {
                seconds = max(0, started + maximum - virtual_time_elapsed())
                end = .tookTooLong(maximum)
            }
            if seconds > 0, seconds < 1e9 {
                do { try await Task.sleep(for: .seconds(seconds)) } catch { throw .cancelled }
            }
            if Task.isCancelled { throw .cancelled }
            if let end { throw end }
        }
    }
}
