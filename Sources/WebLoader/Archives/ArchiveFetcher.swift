import HTTPTypes
import WebArchive

/// Answers requests from archives, and from nothing else: it opens no socket.
struct ArchiveFetcher: Fetcher {
    private let archives: ArchiveCollection
    private let date: Timestamp?
    private let blockingWork: BlockingWork

    /// - Parameters:
    ///   - archives: Where to look.
    ///   - date: The copy is the nearest before or at that, else the first after; nil for the newest.
    ///   - blockingWork: Where the archives are read.
    init(_ archives: ArchiveCollection, at date: Timestamp?, _ blockingWork: BlockingWork) {
        self.archives = archives
        self.date = date
        self.blockingWork = blockingWork
    }

    func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        let started = MonotonicClock.now
        let watch = LoadWatch(limits)
        var response: WebResponse
        do throws(LoadError) {
            response = try await watch.watching { () async throws(LoadError) in
                do throws(ArchiveError) {
                    return try await blockingWork.run { [archives, date] () throws(ArchiveError) in
                        try watch.waitLimit.limit { () throws(ArchiveError) in
                            try archives.response(to: request.url, at: date, within: watch.waitLimit)
                                .read(request.url, maximumSize: limits.maximumBodySize)
                        }
                    }
                } catch {
                    throw LoadError(FetchError(error, limits), url: request.url)
                }
            }
        } catch {
            throw (error.cause as? FetchError) ?? .cancelled
        }
        if request.httpMethod == "HEAD" { response.body = [] }
        response.timing.total = Duration(boundedSeconds: MonotonicClock.now - started)
        guard let receiver else { return response }
        await receiver.ready()
        return try receiver.receive(whole: response)
    }
}

extension ArchivedResponse {
    /// The response with its body.
    ///
    /// - Parameters:
    ///   - url: Its URL, as it was asked for.
    ///   - maximumSize: Bytes that its body may have.
    /// - Returns: The response.
    /// - Throws: As ``RecordReader/readPayload(_:)``.
    func read(_ url: WebURL, maximumSize: Int) throws(ArchiveError) -> WebResponse {
        let body = try reader.payload(maximumSize: maximumSize)
        var response = WebResponse(
            url: url,
            status: status.flatMap { 100...999 ~= $0 ? .init(code: $0) : nil },
            headerFields: fields,
            body: body,
            source: .archive
        )
        response.capture = WebResponse.Capture(
            archive: archive.path,
            date: record.date,
            part: record.part,
            offset: record.offset,
            recordID: record.id,
            isRevisit: record.kind == .revisit,
            codedSize: codedSize
        )
        response.httpVersion = httpVersion
        return response
    }
}

extension FetchError {
    /// The error of a load from an archive, by the archive's.
    init(_ error: ArchiveError, _ limits: LoadLimits) {
        switch error.code {
        case .cancelled: self = .cancelled
        case .tooLarge: self = .bodyTooLarge(limit: limits.maximumBodySize)
        default: self.init(Code(rawValue: error.code.rawValue), error.message)
        }
    }
}
