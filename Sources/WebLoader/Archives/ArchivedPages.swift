public import WebArchive

/// The pages of archives, one after the other, in bounded memory.
///
/// A page is a capture of HTML or XHTML whose response has a status of 2xx, or none, or a revisit of such a capture.
/// Pages are in the archives' order, each capture of a URL for itself.
public struct ArchivedPages: AsyncSequence, Sendable {
    /// A page as it is in the archive.
    public struct Element: Sendable {
        /// Its URL as written.
        public let url: String
        /// When it was captured; nil if the archive does not say.
        public let date: Timestamp?
        /// The response, or why there is none.
        public let result: Result<WebResponse, LoadError>
    }

    let archives: [Archive]
    let blockingWork: BlockingWork
    let limits: LoadLimits

    /// Starts over with the first page.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(PageFeed(ArchiveCollection(archives), limits), blockingWork)
    }

    /// Reads the pages.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let feed: PageFeed
        private let blockingWork: BlockingWork

        fileprivate init(_ feed: PageFeed, _ blockingWork: BlockingWork) {
            self.feed = feed
            self.blockingWork = blockingWork
        }

        /// The next page; nil at the end, or when the task is cancelled.
        ///
        /// - Throws: ``/WebArchive/ArchiveError`` if an archive cannot be read, or not to its end. The next call
        ///   continues with the next archive.
        public mutating func next() async throws(ArchiveError) -> Element? {
            guard !Task.isCancelled else { return nil }
            return try await blockingWork.run { [feed] () throws(ArchiveError) in try feed.next() }
        }
    }
}

/// The pages of archives, read where blocking work is done, by one thread at a time: its owner waits for each call to end.
private final class PageFeed: @unchecked Sendable {
    private let collection: ArchiveCollection
    private let limits: LoadLimits
    private var rest: ArraySlice<Archive>
    private var current: (archive: Archive, reader: any RecordReader)?

    init(_ collection: ArchiveCollection, _ limits: LoadLimits) {
        self.collection = collection
        self.limits = limits
        rest = collection.members[...]
    }

    /// The next page; nil at the end.
    func next() throws(ArchiveError) -> ArchivedPages.Element? {
        while true {
            // If reading on fails, the archive is not read again.
            let read = current.take()
            let (archive, reader): (Archive, any RecordReader)
            if let read {
                (archive, reader) = read
            } else {
                guard let next = rest.popFirst() else { return nil }
                (archive, reader) = (next, try next.contents.records())
            }
            guard let record = try reader.next() else { continue }
            current = (archive, reader)
            if let page = page(record, reader, archive) { return page }
        }
    }

    /// Returns the page of a record; `nil` if the record is not a page.
    private func page(
        _ record: ArchiveRecord,
        _ reader: any RecordReader,
        _ archive: Archive
    ) -> ArchivedPages.Element? {
        guard let url = record.url, ArchiveCollection.isCapture(record) else { return nil }
        // If a revisit has no head of its own, the response that it refers to decides.
        let isOpen = record.kind == .revisit && record.http?.status ?? 304 == 304
        let status = record.http?.status ?? record.status
        // Without a valid type, the bytes decide.
        let isUndetermined = MIMESniffing.isUndetermined(record.mimeType.flatMap { MediaType($0) })
        guard isOpen || Self.isPage(status, isUndetermined ? "text/html" : record.mimeType) else {
            return nil
        }
        let result: Result<WebResponse, LoadError>
        do throws(ArchiveError) {
            let limit = WaitLimit(seconds: limits.maximumSeconds)
            let response = try limit.limit { () throws(ArchiveError) -> WebResponse? in
                let found = try collection.response(of: record, reader, in: archive, within: limit)
                if isOpen, !Self.isPage(found.status, found.original.mimeType) { return nil }
                return try found.read(url, maximumSize: limits.maximumBodySize)
            }
            guard let response, !isUndetermined || Self.looksLikePage(response) else { return nil }
            result = .success(response)
        } catch {
            if isUndetermined { return nil }
            result = .failure(LoadError(FetchError(error, limits), url: try? WebURL(url)))
        }
        return ArchivedPages.Element(url: url, date: record.date, result: result)
    }

    private static func looksLikePage(_ response: WebResponse) -> Bool {
        (try? PageContent.mediaType(of: response, ContentOverrides()))?.isHTML ?? false
    }

    private static func isPage(_ status: Int?, _ mimeType: String?) -> Bool {
        guard let mimeType, mimeType == "text/html" || mimeType == "application/xhtml+xml" else {
            return false
        }
        return status.map { 200...299 ~= $0 } ?? true
    }
}

extension ArchivedResponse {
    /// The response with its body.
    ///
    /// - Throws: ``ArchiveError/Code/body`` if its URL is invalid, and the errors of
    ///   ``RecordReader/readPayload(_:)``.
    fileprivate func read(_ url: String, maximumSize: Int) throws(ArchiveError) -> WebResponse {
        guard let url = try? WebURL(url) else { throw ArchiveError(.body, "its URL is not valid") }
        return try read(url, maximumSize: maximumSize)
    }
}
