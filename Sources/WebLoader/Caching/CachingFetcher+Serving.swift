import HTTPTypes

extension CachingFetcher {
    /// Answers with a stored response: all of it, the part that is asked for, or that the caller has it already.
    ///
    /// Its age is as of when that was decided, lest what is used as fresh say that it is not.
    func serve(
        _ stored: StoredResponse,
        _ exchange: Exchange,
        _ source: WebResponse.Source,
        _ outcome: CacheVerdict.Outcome,
        _ reason: CacheDecision.Reason,
        decided: Timestamp
    ) async throws(FetchError) -> WebResponse {
        let request = exchange.request
        let freshness = Freshness(stored, now: decided)
        var response = WebResponse(
            url: request.url,
            status: stored.status,
            headerFields: stored.headerFields,
            body: [],
            source: source
        )
        response.httpVersion = stored.httpVersion
        if outcome != .validated, case .fields(let names) = freshness.control.noCache {
            // RFC 9111, section 5.2.2.4: these are not for use unless the server has been asked.
            for name in names { HTTPField.Name(name).map { response.headerFields[$0] = nil } }
        }
        response.headerFields[.age] = String(freshness.age)
        response.cacheVerdict = CacheVerdict(
            outcome: outcome,
            reason: reason.rawValue,
            explanation: reason.explanation,
            isStored: true,
            age: freshness.age,
            freshnessLifetime: freshness.lifetime
        )
        response.cacheVerdict?.damage = exchange.damage
        let range = Self.select(stored, request, &response)
        // It may have been stored under another limit.
        guard range.count <= exchange.limits.maximumBodySize else {
            throw .bodyTooLarge(limit: exchange.limits.maximumBodySize)
        }
        try await deliver(stored.body, range, &response, exchange)
        response.timing.total = MonotonicClock.now - exchange.started
        return response
    }

    /// Makes the response the one that the request's conditions and range ask for; returns what of the body it has.
    private static func select(
        _ stored: StoredResponse,
        _ request: WebRequest,
        _ response: inout WebResponse
    ) -> Range<Int> {
        if Precondition.isNotModified(request, stored) {
            response.status = 304
            response.headerFields = Precondition.notModifiedFields(response.headerFields)
            return 0..<0
        }
        guard request.httpMethod != "HEAD" else { return 0..<0 }
        switch PartialContent.answer(request, stored) {
        case .whole, nil: return 0..<stored.body.count
        case .part(let positions):
            let start = stored.part?.positions.lowerBound ?? 0
            let length = stored.status == 206 ? stored.part?.completeLength : Int64(stored.body.count)
            response.status = 206
            response.headerFields[.contentRange] =
                ContentRange(positions: positions, completeLength: length).description
            response.headerFields[.contentLength] = String(positions.count)
            return Int(bounded: positions.lowerBound -| start)..<Int(bounded: positions.upperBound -| start)
        case .unsatisfiable:
            response.status = 416
            response.headerFields[.contentRange] = "bytes */\(stored.body.count)"
            response.headerFields[.contentLength] = "0"
            return 0..<0
        }
    }

    // MARK: - Handing out

    /// Puts a stored body into the response, or hands it to who takes it piece by piece.
    private func deliver(
        _ body: StoredBody,
        _ range: Range<Int>,
        _ response: inout WebResponse,
        _ exchange: Exchange
    ) async throws(FetchError) {
        if let receiver = exchange.receiver, !receiver.collectsBody {
            try receiver.receive(head: response)
            return try await stream(body, range, receiver)
        }
        switch body {
        case .bytes: response.body = try Self.read(body, range)
        case .file: response.body = try await load(body, range)
        }
        if let receiver = exchange.receiver { response = try receiver.receive(whole: response) }
    }

    /// Reads a part of a body that has a file of its own.
    ///
    /// Apart, since the types that it needs at run time are looked for when a function that names them begins, which
    /// costs a one-shot command that has a small body as long as reading that (docs/decisions/0006-http-cache.md).
    @inline(never)
    private func load(_ body: StoredBody, _ range: Range<Int>) async throws(FetchError) -> [UInt8] {
        try await blockingWork.run { () throws(FetchError) in try Self.read(body, range) }
    }

    /// Reads a part of a body, which was found to be whole; anything else now is somebody's doing.
    private static func read(_ body: StoredBody, _ range: Range<Int>) throws(FetchError) -> [UInt8] {
        do throws(File.Failure) {
            let bytes = try body.bytes(range)
            if bytes.count == range.count { return bytes }
        } catch {
            throw .storedBodyChanged
        }
        throw .storedBodyChanged
    }

    /// Hands out a body piece by piece, no more of it in memory than that.
    @inline(never)
    private func stream(
        _ body: StoredBody,
        _ range: Range<Int>,
        _ receiver: any BodyReceiver
    ) async throws(FetchError) {
        var position = range.lowerBound
        var checksum: UInt64 = 0
        while position < range.upperBound {
            if Task.isCancelled { throw .cancelled }
            let piece = position..<min(range.upperBound, position + ContentHash.pieceLength)
            let before = checksum
            checksum = try await blockingWork.run { () throws(FetchError) in
                let bytes = try Self.read(body, piece)
                try receiver.receive(bytes.span)
                return ContentHash.checksum(piece: bytes.span, after: before)
            }
            position = piece.upperBound
        }
        if case .file(let file) = body, range == 0..<file.count, checksum != file.checksum {
            throw .storedBodyChanged
        }
    }
}

extension FetchError {
    /// The error of a stored body that is no longer what it was when it was looked up.
    fileprivate static let storedBodyChanged = FetchError(
        .cacheMiss,
        "the stored body was changed while it was being read"
    )
}
