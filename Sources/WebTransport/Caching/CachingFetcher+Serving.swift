import HTTPTypes

extension CachingFetcher {
    /// Answers with a stored response: all of it, the requested range, or a 304 if the caller has it already.
    ///
    /// Its age is that of the time of the decision, so that a response used as fresh does not appear stale.
    ///
    /// - Returns: The answer; nil if the body can no longer be read and nothing of it was handed out.
    func serve(
        _ stored: StoredResponse,
        _ exchange: Exchange,
        _ source: WebResponse.Source,
        _ outcome: CacheVerdict.Outcome,
        _ reason: CacheDecision.Reason,
        decided: Timestamp
    ) async throws(FetchError) -> WebResponse? {
        let request = exchange.request
        let freshness = Freshness(stored, now: decided)
        var response = WebResponse(
            url: request.url,
            status: .init(code: stored.status),
            headerFields: stored.headerFields,
            body: [],
            source: source
        )
        response.httpVersion = stored.httpVersion
        if outcome != .validated, case .fields(let names) = freshness.control.noCache {
            // RFC 9111, section 5.2.2.4: these fields must not be used without revalidation.
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
        // It may have been stored with a higher limit.
        guard range.count <= exchange.limits.maximumBodySize else {
            throw .bodyTooLarge(limit: exchange.limits.maximumBodySize)
        }
        guard try await deliver(stored.body, range, &response, exchange) else { return nil }
        response.timing.total = Duration(boundedSeconds: MonotonicClock.now - exchange.started)
        return response
    }

    /// Applies the request's conditions and range to the response; returns the range of the body it has.
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

    // MARK: - Delivering the body

    /// Puts a stored body into the response, or streams it to the receiver.
    ///
    /// - Returns: Whether it was delivered. If not, it cannot be read, and the receiver has heard nothing.
    private func deliver(
        _ body: StoredBody,
        _ range: Range<Int>,
        _ response: inout WebResponse,
        _ exchange: Exchange
    ) async throws(FetchError) -> Bool {
        if let receiver = exchange.receiver, !receiver.collectsBody {
            if case .pieces(let pieces) = body {
                return try await stream(pieces, range, response, receiver, exchange)
            }
            try receiver.receive(head: response)
            try await stream(body, range, receiver)
            return true
        }
        switch body {
        case .bytes: response.body = try Self.read(body, range)
        case .file: response.body = try await load(body, range)
        case .pieces(let pieces):
            do throws(CacheStoreError) {
                response.body = try await pieces.bytes(range, until: exchange.storeDeadline)
            } catch {
                return false
            }
        }
        if let receiver = exchange.receiver { response = try receiver.receive(whole: response) }
        return true
    }

    /// Reads a part of a body that has a file of its own.
    ///
    /// A separate function, since a function looks up the run-time types that it names when it begins, which
    /// takes a one-shot command with a small body as long as reading that
    /// (docs/decisions/0006-http-cache.md).
    @inline(never)
    private func load(_ body: StoredBody, _ range: Range<Int>) async throws(FetchError) -> [UInt8] {
        try await blockingWork.run { () throws(FetchError) in try Self.read(body, range) }
    }

    /// Reads a range of a body that was verified before; a shorter result means that it was changed since.
    private static func read(_ body: StoredBody, _ range: Range<Int>) throws(FetchError) -> [UInt8] {
        do throws(File.Failure) {
            let bytes = try body.bytes(range)
            if bytes.count == range.count { return bytes }
        } catch {
            throw .storedBodyChanged
        }
        throw .storedBodyChanged
    }

    /// Streams a body piece by piece, with only one piece in memory.
    @inline(never)
    private func stream(
        _ body: StoredBody,
        _ range: Range<Int>,
        _ receiver: any BodyReceiver
    ) async throws(FetchError) {
        var position = range.lowerBound
        var checksum: UInt64 = 0
        while position < range.upperBound {
            await receiver.ready()
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

    /// Streams a body from a program's store, with only one piece in memory; the head comes after the first one, since
    /// until then the response can be loaded.
    @inline(never)
    private func stream(
        _ body: KeyedBody,
        _ range: Range<Int>,
        _ head: WebResponse,
        _ receiver: any BodyReceiver,
        _ exchange: Exchange
    ) async throws(FetchError) -> Bool {
        var position = range.lowerBound
        var hasHead = false
        repeat {
            if Task.isCancelled { throw .cancelled }
            var piece: [UInt8] = []
            if !range.isEmpty {
                do throws(CacheStoreError) {
                    let rest = position..<range.upperBound
                    piece = try await body.firstBytes(of: rest, until: exchange.storeDeadline)
                } catch {
                    if Task.isCancelled { throw .cancelled }
                    guard hasHead else { return false }
                    // The next load gets it anew.
                    try? await store.remove(exchange.key, until: exchange.storeDeadline)
                    throw .storedBodyChanged
                }
            }
            if !hasHead { try receiver.receive(head: head) }
            hasHead = true
            await receiver.ready()
            if !piece.isEmpty { try receiver.receive(piece.span) }
            position += piece.count
        } while position < range.upperBound
        return true
    }
}

extension FetchError {
    /// The error of a stored body that has changed since it was looked up.
    fileprivate static let storedBodyChanged = FetchError(
        .cacheMiss,
        "the stored body was changed while it was being read"
    )
}
