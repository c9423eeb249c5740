import WebStandards

/// The exchanges of an archive: each response with its request, where the archive has it.
///
/// A request comes before its response or behind it, at most ``maximumDistance`` requests away.
package final class ExchangeReader {
    private let collection: ArchiveCollection
    private let archive: Archive
    private let maximumBody: Int
    /// Bytes of bodies that revisits may have from other records, and those that they had.
    private let maximumReferred: Int
    private var referred = 0
    private var requests: [Request] = []
    private var pending: Pending?

    /// The most requests that are remembered until their responses follow.
    private static let maximumDistance = 64

    /// The most bytes of bodies to which revisits refer, beyond those of one body, as a multiple of the archive's size;
    /// real archives have a few times their size.
    private static let maximumShare = 1000

    /// The most bytes of a body that are held in memory; a larger body is written to an unnamed file.
    private static let maximumMemory = 8 << 20

    private struct Request {
        let id: String?
        let concurrent: [String]
        let url: String?
        let date: Timestamp?
        let head: MessageHead
        let body: [UInt8]
    }

    /// A response whose request may still come.
    private final class Pending {
        var exchange: ArchivedExchange
        let id: String?
        let concurrent: [String]
        let url: String?
        let date: Timestamp?
        var hasRequest = false
        let file: BodyFile

        init(_ exchange: ArchivedExchange, _ record: ArchiveRecord, _ file: BodyFile) {
            self.exchange = exchange
            self.file = file
            id = record.id
            (url, date) = (record.url, record.date)
            concurrent = record.concurrentIDs
        }
    }

    /// A body that is too large for memory.
    private final class BodyFile {
        var file: TemporaryFile?
        var count = 0
    }

    /// Creates a reader of an archive, and of the records in its collection to which revisits refer.
    ///
    /// - Parameters:
    ///   - archive: The archive.
    ///   - collection: The collection to which the archive belongs.
    ///   - maximumBody: The maximum size of a body in bytes; a larger one is reported (``ArchiveError/Code/tooLarge``).
    package init(
        _ archive: Archive,
        in collection: ArchiveCollection,
        maximumBody: Int = .largestBounded
    ) {
        self.archive = archive
        self.collection = collection
        self.maximumBody = maximumBody
        let size = FileStatus(archive.path, followsLinks: true)?.size ?? 0
        maximumReferred = maximumBody +| Self.maximumShare *| size
    }

    /// Passes all exchanges, in the order of the responses.
    ///
    /// - Parameters:
    ///   - report: Receives each error that made an exchange unreadable, and its record.
    ///   - findings: Receives all other problems of the archive.
    ///   - body: Receives an exchange, whose body may be read until the closure returns.
    /// - Throws: The error that prevents the rest of the archive from being read, and any error of `body`;
    ///   ``ArchiveError/Code/limit`` once revisits refer to more than a thousand times the bytes of the archive plus
    ///   `maximumBody`: each one reads the body again.
    package func forEach(
        report: (ArchiveError, ArchiveRecord) -> Void,
        findings: (ArchiveFinding) -> Void,
        _ body: (ArchivedExchange) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        let reader = try archive.contents.records()
        while let record = try reader.next() {
            reader.takeFindings().forEach(findings)
            if record.kind == .request, !record.isRecovered {
                try take(request: record, reader)
                continue
            }
            guard ArchiveCollection.isCapture(record) else { continue }
            try flush(body)
            do throws(ArchiveError) {
                pending = try response(record, reader)
            } catch {
                guard [.body, .bodyMissing, .limit, .tooLarge].contains(error.code) else { throw error }
                report(error, record)
            }
            if record.kind == .revisit { referred = referred +| (pending?.exchange.body?.count ?? 0) }
            guard referred <= maximumReferred else {
                throw ArchiveError(
                    .limit,
                    "its revisits refer to bodies of more than \(maximumReferred) bytes"
                )
            }
        }
        reader.takeFindings().forEach(findings)
        try flush(body)
    }

    private func flush(_ body: (ArchivedExchange) throws(ArchiveError) -> Void) throws(ArchiveError) {
        guard let ready = pending else { return }
        pending = nil
        try withExtendedLifetime(ready) { () throws(ArchiveError) in try body(ready.exchange) }
    }

    /// Keeps a request, or gives it to the response before it.
    private func take(request record: ArchiveRecord, _ reader: any RecordReader) throws(ArchiveError) {
        guard let head = record.http else { return }
        var body: [UInt8] = []
        do throws(ArchiveError) {
            body = try reader.payload(maximumSize: Self.maximumMemory)
        } catch {
            guard [.body, .bodyMissing, .limit, .tooLarge].contains(error.code) else { throw error }
        }
        let request = Request(
            id: record.id,
            concurrent: record.concurrentIDs,
            url: record.url,
            date: record.date,
            head: head,
            body: body
        )
        if let pending, !pending.hasRequest, Self.belongs(request, pending) {
            Self.set(request, in: pending)
            return
        }
        requests.append(request)
        if requests.count > Self.maximumDistance { requests.removeFirst() }
    }

    private static func belongs(_ request: Request, _ response: Pending) -> Bool {
        if let id = response.id, request.concurrent.contains(id) { return true }
        if let id = request.id, response.concurrent.contains(id) { return true }
        // Where neither says which is the other's, the same URL and moment do.
        guard request.concurrent.isEmpty, response.concurrent.isEmpty, request.url != nil else {
            return false
        }
        return request.url == response.url && request.date == response.date
    }

    private static func set(_ request: Request, in response: Pending) {
        response.hasRequest = true
        let method = request.head.method
        if !method.isEmpty { response.exchange.method = method }
        response.exchange.requestFields = request.head.lines
        response.exchange.requestBody = request.body
    }

    /// The exchange that a response, a resource or a revisit is.
    private func response(_ record: ArchiveRecord, _ reader: any RecordReader) throws(ArchiveError) -> Pending
    {
        guard let url = record.url.flatMap({ try? WebURL($0) }) else {
            throw ArchiveError(.body, "its URL is not valid")
        }
        let found = try collection.response(of: record, reader, in: archive, within: .none)
        let date = record.date ?? Timestamp(millisecondsSince1970: 0)
        var exchange = ArchivedExchange(url: url, date: date, status: found.status ?? 200)
        exchange.version = found.httpVersion ?? "1.1"
        exchange.address = record.fields["WARC-IP-Address"]
        exchange.truncated = record.truncated
        exchange.responseFields = found.lines
        exchange.reason = found.reason
        let file = BodyFile()
        let isCoded: Bool
        (exchange.body, isCoded) = try body(found.reader, file)
        if !isCoded { Self.markDecoded(&exchange) }
        let pending = Pending(exchange, record, file)
        if let index = requests.firstIndex(where: { Self.belongs($0, pending) }) {
            Self.set(requests.remove(at: index), in: pending)
        }
        return pending
    }

    /// Fields of a content coding that is gone, under the name that says so.
    private static func markDecoded(_ exchange: inout ArchivedExchange) {
        for (index, field) in exchange.responseFields.enumerated()
        where String(asciiLowercasing: field.name.utf8) == "content-encoding" {
            exchange.responseFields[index].name = MessageHead.originalPrefix + field.name
        }
    }

    /// The body with its content coding, unless the archive has it without.
    private func body(
        _ reader: any RecordReader,
        _ file: BodyFile
    ) throws(ArchiveError) -> (body: ArchivedBody, isCoded: Bool) {
        var bytes: [UInt8] = []
        let isCoded = try unsafe reader.readEntity { piece throws(ArchiveError) in
            guard piece.count <= maximumBody - file.count - bytes.count else {
                throw ArchiveError(.tooLarge, "the body has more than \(maximumBody) bytes")
            }
            unsafe bytes.append(contentsOf: piece)
            if bytes.count > Self.maximumMemory { try Self.flush(&bytes, file) }
            return true
        }
        guard file.file != nil else { return (.bytes(bytes), isCoded) }
        try Self.flush(&bytes, file)
        guard let descriptor = file.file?.file.descriptor else { return (.bytes(bytes), isCoded) }
        return (.file(descriptor: descriptor, count: file.count), isCoded)
    }

    private static func flush(_ bytes: inout [UInt8], _ file: BodyFile) throws(ArchiveError) {
        do throws(File.Failure) {
            if file.file == nil {
                file.file = try TemporaryFile(".webloader-archive-", in: Directory(MemberCopy.folder))
            }
            try file.file?.file.write(bytes, at: file.count)
        } catch {
            throw ArchiveError(.unwritable, "\(MemberCopy.folder): \(error.text)")
        }
        file.count += bytes.count
        bytes.removeAll(keepingCapacity: true)
    }
}

extension ArchivedResponse {
    /// The reason behind the status, as it was written.
    fileprivate var reason: String {
        let words = (record.http ?? original.http)?.startLine.split(separator: " ", maxSplits: 2) ?? []
        return words.count == 3 ? String(words[2]) : ""
    }
}
