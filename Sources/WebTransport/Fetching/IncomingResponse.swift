import HTTPTypes

/// A response as it arrives: parses its head, decodes its body, enforces the limits, and calls the receiver.
struct IncomingResponse {
    /// Information that only the connection has.
    struct Connection {
        var timing = LoadTiming()
        var httpVersion: String?
        var remoteAddress: String?
        var isReused: Bool?
        var mayBeProxied = false
        var tls: TLSInformation?
    }

    private let request: WebRequest
    private let limits: LoadLimits
    private var receiver: (any BodyReceiver)?

    private(set) var head = ResponseHead()
    private var decoder: ContentDecoder?
    private var body: [UInt8] = []
    private(set) var size = TransferSize()

    /// How many of the bytes that were not taken to the end are decoded already.
    private var taken = 0

    /// Bytes that are reserved at most for a body of known length; the buffer grows as needed.
    private static let maximumReservation = 1 << 20

    init(_ request: WebRequest, limits: LoadLimits, receiver: (any BodyReceiver)?) {
        self.request = request
        self.limits = limits
        self.receiver = receiver
    }

    /// Releases the receiver and the bytes.
    ///
    /// The driver's thread may keep a finished transfer until it has work again. A receiver may hold fetchers
    /// and so the driver, which ends its thread only when it is released.
    mutating func releaseReceiver() {
        receiver = nil
        decoder = nil
        body = []
    }

    // MARK: - Receiving

    /// Takes a line of the head, or of the trailers.
    mutating func takeLine(_ line: UnsafeRawBufferPointer) throws(FetchError) {
        let wasComplete = head.isComplete
        try unsafe head.take(line, limits: limits)
        if !wasComplete, head.isComplete, let status = head.status { try begin(status) }
    }

    /// Checks the head, and sets up the decoder, before the first byte of the body is read.
    private mutating func begin(_ status: Int) throws(FetchError) {
        if status == 304, !request.isConditional {
            throw FetchError(.malformedResponse, "status 304 for an unconditional request")
        }
        let framing = try ResponseFraming(head.fields, status: status, method: request.httpMethod)
        // A part of an encoded body cannot be decoded, and requests for a part do not ask for a coding.
        if status != 206, let codings = try ContentCoding.codings(of: head.fields), !codings.isEmpty {
            decoder = try ContentDecoder(fetched: codings, maximumSize: limits.maximumBodySize)
        } else if let length = framing.contentLength {
            guard length <= limits.maximumBodySize else {
                throw .bodyTooLarge(limit: limits.maximumBodySize, reached: length)
            }
            if receiver?.collectsBody ?? true {
                body.reserveCapacity(min(Int(bounded: length), Self.maximumReservation))
            }
        }
    }

    /// Passes on the head, once it is complete.
    func handOverHead(_ connection: Connection) throws(FetchError) {
        guard let receiver, let status = head.status else { return }
        try receiver.receive(head: response(status, connection))
    }

    /// Takes bytes of the body as they were sent, unless the receiver is not ready for what they decode to.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - resume: Called once the receiver is ready again, if they are not all taken.
    /// - Returns: Whether they are all taken. If not, they must come again, followed by others or not.
    /// - Throws: ``FetchError`` if they are too many or cannot be decoded, and what the receiver throws.
    mutating func takeBody(
        _ bytes: UnsafeRawBufferPointer,
        orElse resume: @escaping @Sendable () -> Void
    ) throws(FetchError) -> Bool {
        let receiver = self.receiver
        func isReady() -> Bool { receiver?.isReady(orElse: resume) ?? true }
        guard isReady() else { return false }
        guard let decoder else {
            size.body += bytes.count
            try unsafe deliver(bytes)
            return true
        }
        let skipped = min(taken, bytes.count)
        let fresh = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(skipped))
        var rest = unsafe fresh
        let isDecoded = try unsafe decoder.decode(fetched: &rest) { (decoded) throws(FetchError) in
            try unsafe self.deliver(decoded)
            return isReady()
        }
        let count = fresh.count - rest.count
        size.body += count
        taken = isDecoded ? taken - skipped : taken + count
        return isDecoded
    }

    private mutating func deliver(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        size.decodedBody += bytes.count
        guard size.decodedBody <= limits.maximumBodySize else {
            throw .bodyTooLarge(limit: limits.maximumBodySize, reached: Int64(size.decodedBody))
        }
        if let receiver {
            try receiver.receive(unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
        }
        if receiver?.collectsBody ?? true { unsafe body.append(contentsOf: bytes) }
    }

    // MARK: - The end

    /// The response, once all of it has come.
    mutating func finish(_ connection: Connection) throws(FetchError) -> WebResponse {
        guard let status = head.status, head.isComplete else {
            throw FetchError(.connectionLost, "the connection ended within the response's fields")
        }
        try decoder?.finish(fetched: ())
        var response = response(status, connection)
        response.body = body
        return response
    }

    private func response(_ status: Int, _ connection: Connection) -> WebResponse {
        var response = WebResponse(
            url: request.url,
            status: .init(code: status),
            headerFields: head.fields,
            body: [],
            source: .network
        )
        response.interimResponses = head.interim
        response.timing = connection.timing
        response.httpVersion = connection.httpVersion
        response.remoteAddress = connection.remoteAddress
        response.isConnectionReused = connection.isReused
        response.mayBeProxied = connection.mayBeProxied
        response.tls = connection.tls
        var size = size
        size.headers = head.size
        response.transferSize = size
        return response
    }
}

extension WebRequest {
    /// Whether it has a condition that a 304 may answer.
    ///
    /// [RFC 9110, section 15.4.5](https://www.rfc-editor.org/rfc/rfc9110#section-15.4.5)
    fileprivate var isConditional: Bool {
        headerFields.contains(.ifNoneMatch) || headerFields.contains(.ifModifiedSince)
    }
}
