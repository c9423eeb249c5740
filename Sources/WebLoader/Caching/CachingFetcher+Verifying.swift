import HTTPTypes

extension CachingFetcher {
    /// What is wrong with a stored body that has a file of its own, nil where it is what was written.
    ///
    /// One that is larger than the load takes is not read: it is refused by its size. (A part of it may be asked for.)
    func damage(_ stored: StoredResponse, _ exchange: Exchange) async throws(FetchError) -> String? {
        guard case .file(let file) = stored.body,
            file.count <= exchange.limits.maximumBodySize || exchange.request.headerFields[.range] != nil
        else { return nil }
        return try await damage(file, exchange)
    }

    /// Reads all of a body once, and no longer than the load may take.
    ///
    /// Apart, since the types that it needs at run time are looked for when a function that names them begins
    /// (docs/decisions/0006-http-cache.md).
    @inline(never)
    private func damage(_ file: BodyFile, _ exchange: Exchange) async throws(FetchError) -> String? {
        let end = exchange.limits.maximumTime.map { exchange.started + $0 } ?? .infinity
        var check = BodyCheck()
        repeat {
            if Task.isCancelled { throw .cancelled }
            if MonotonicClock.now >= end { throw .tookTooLong(exchange.limits.maximumTime ?? 0) }
            let before = check
            check = await blockingWork.run { before.advanced(in: file) }
        } while check.result == nil
        return check.result?.damage.map { "\(file.path): \($0)" }
    }
}
