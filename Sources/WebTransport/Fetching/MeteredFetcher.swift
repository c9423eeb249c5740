/// An observer of how much of each response has been received.
package protocol FetchMeter: Sendable {
    /// A request is made.
    ///
    /// - Returns: A number for it.
    func began() -> Int
    /// A response has begun; of a request that is retried, again.
    ///
    /// - Parameters:
    ///   - expected: How many bytes its body will have; nil if that is not known.
    ///   - request: The request's number.
    func expects(_ expected: Int?, _ request: Int)
    /// More bytes of a body have come.
    func received(_ count: Int, _ request: Int)
    /// The response is complete, or failed.
    func ended(_ request: Int)
}

/// A fetcher that notifies a meter of received responses.
package struct MeteredFetcher: Fetcher {
    let meter: any FetchMeter
    let upstream: any Fetcher

    package init(meter: any FetchMeter, upstream: any Fetcher) {
        self.meter = meter
        self.upstream = upstream
    }

    package var allowedAddresses: AllowedAddresses { upstream.allowedAddresses }

    package func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let number = meter.began()
        defer { meter.ended(number) }
        let metered = MeteringReceiver(meter: meter, number: number, receiver: receiver)
        return try await upstream.fetch(request, limits: limits, receiver: metered)
    }
}

/// Tells a meter, and hands on what it gets.
private struct MeteringReceiver: ForwardingReceiver {
    let meter: any FetchMeter
    let number: Int
    let receiver: (any BodyReceiver)?

    var collectsBody: Bool { receiver?.collectsBody ?? true }
    var isPaced: Bool { receiver?.isPaced ?? false }
    var isCommitted: Bool { isPaced && (receiver as? any ForwardingReceiver)?.isCommitted ?? true }

    func isReady(orElse resume: @escaping @Sendable () -> Void) -> Bool {
        receiver?.isReady(orElse: resume) ?? true
    }

    func receive(head: WebResponse) throws(FetchError) {
        // The length is that of the coded bytes, and what comes here is decoded.
        let isCoded = head.headerFields[.contentEncoding] != nil
        meter.expects(isCoded ? nil : head.headerFields[.contentLength].flatMap { Int(bounded: $0) }, number)
        try receiver?.receive(head: head)
    }

    func receive(_ bytes: Span<UInt8>) throws(FetchError) {
        meter.received(bytes.count, number)
        try receiver?.receive(bytes)
    }
}
