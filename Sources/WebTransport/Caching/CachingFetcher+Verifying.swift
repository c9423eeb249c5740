import HTTPTypes

extension CachingFetcher {
    /// The damage of a stored body that has a file of its own, nil if it matches its checksum.
    ///
    /// A body that exceeds the size limit is not read: it is refused by its size. (A range of it may be
    /// requested.)
    func damage(_ stored: StoredResponse, _ exchange: Exchange) async throws(FetchError) -> String? {
        guard case .file(let file) = stored.body,
            file.count <= exchange.limits.maximumBodySize || exchange.request.headerFields[.range] != nil
        else { return nil }
        return try await damage(file, exchange)
    }

    /// Reads a whole body to verify it, within the load's time limit.
    ///
    /// A separate function, since a function looks up the run-time types that it names when it begins
    /// (docs/decisions/0006-http-cache.md).
    @inline(never)
    private func damage(_ file: BodyFile, _ exchange: Exchange) async throws(FetchError) -> String? {
        let end = exchange.limits.maximumSeconds.map { exchange.started + $0 } ?? .infinity
        var check = BodyCheck()
        repeat {
            if Task.isCancelled { throw .cancelled }
            if MonotonicClock.now >= end { throw .tookTooLong(exchange.limits.maximumSeconds ?? 0) }
            let before = check
            check = await blockingWork.run { before.advanced(in: file) }
        } while check.result == nil
        return check.result?.damage.map { "\(file.path): \($0)" }
    }
}
