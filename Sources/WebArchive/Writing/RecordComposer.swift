import WebStandards

/// Creates the records of exchanges, in the form of their file.
package struct RecordComposer {
    /// The records of an exchange, to be written in this order.
    package struct Composition {
        /// A piece of the bytes to be written.
        package enum Piece {
            /// Whole members.
            case members([UInt8])
            /// A record that is too large to be made a member in memory: the bytes before its body, and the body.
            case large(start: [UInt8], body: ArchivedBody)
        }

        package fileprivate(set) var pieces: [Piece] = []
        /// The payload to be remembered, once it is written.
        package fileprivate(set) var payload: (digest: String, entry: PayloadMemory.Entry)?
        /// The properties, for an index, of the response or the resource, which is the first record; `nil` if there is
        /// neither.
        package fileprivate(set) var response: ArchiveRecord?
        /// The number of bytes of its member, if it is a whole one.
        fileprivate(set) var responseLength: Int?

        /// Adds the first record, which may be large.
        fileprivate mutating func add(
            _ record: WARCRecordHead,
            type: String,
            _ head: [UInt8],
            _ body: ArchivedBody,
            by composer: borrowing RecordComposer
        ) throws(ArchiveError) {
            if body.count > composer.maximumWhole {
                let start = try record.bytes(type: type, length: head.count +| body.count) + head
                pieces.append(.large(start: start, body: body))
            } else {
                let member = try composer.member(of: record, type: type, head, body)
                responseLength = member.count
                add(member)
            }
        }

        fileprivate mutating func add(_ members: [UInt8]) {
            if case .members(let before) = pieces.last {
                pieces[pieces.count - 1] = .members(before + members)
            } else {
                pieces.append(.members(members))
            }
        }
    }

    private let compressor: MemberCompressor?

    /// Bytes of a body up to which its record is made a member as a whole.
    private let maximumWhole: Int

    /// The empty lines behind each record.
    private static let end: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

    /// Makes records of a form.
    ///
    /// - Parameters:
    ///   - form: The form.
    ///   - level: The compression's level, by its library's own scale; nil for its default.
    ///   - maximumWhole: Bytes of a body up to which its record is made a member in memory.
    /// - Throws: ``ArchiveError/Code/unavailable`` if the compression's library is not there.
    package init(_ form: WARCForm, level: Int?, maximumWhole: Int = 8 << 20) throws(ArchiveError) {
        self.maximumWhole = maximumWhole
        guard let member = form.member else {
            compressor = nil
            return
        }
        let levels = form == .gzip ? (least: 1, usual: 6, most: 9) : (least: 1, usual: 3, most: 19)
        compressor = try MemberCompressor(
            member,
            level: min(max(levels.least, level ?? levels.usual), levels.most)
        )
    }

    // MARK: - Records

    /// Creates the record that describes the file.
    ///
    /// - Parameters:
    ///   - name: The file's name.
    ///   - lines: Additional lines, after those of the program and the format.
    /// - Returns: The record, in the file's form.
    /// - Throws: ``ArchiveError`` if it cannot be made.
    package func information(
        of name: String,
        _ lines: [(name: String, value: String)]
    ) throws(ArchiveError) -> [UInt8] {
        var head = WARCRecordHead(.information, date: .now)
        head.add("WARC-Filename", Self.line(name))
        let all =
            [
                ("software", "WebLoader/\(WebLoaderVersion.current)"),
                ("format", "WARC File Format 1.1"),
                (
                    "conformsTo",
                    "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
                ),
            ] + lines
        return try member(of: head, fields: all)
    }

    /// The records of an exchange.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - memory: The payloads that were written; `nil` if no reference to them may be written.
    /// - Returns: The records.
    /// - Throws: ``ArchiveError`` if they cannot be created; ``ArchiveError/Code/recordTooLong`` if they would exceed a
    ///   reader's limits.
    func compose(_ exchange: ArchivedExchange, _ memory: PayloadMemory?) throws(ArchiveError) -> Composition {
        try compose(exchange) { memory?[$0] }
    }

    /// The records of an exchange.
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - digest: The digest of its payload, if it is known; the body is not read if `original` knows it.
    ///   - original: Returns the record that already has the payload with a digest; `nil` if there is none.
    /// - Returns: The records.
    /// - Throws: ``ArchiveError`` if they cannot be created; ``ArchiveError/Code/recordTooLong`` if they would exceed a
    ///   reader's limits.
    package func compose(
        _ exchange: ArchivedExchange,
        payload digest: String? = nil,
        original: (String) -> PayloadMemory.Entry?
    ) throws(ArchiveError) -> Composition {
        try RecordLimits.check(url: exchange.target)
        var composition = Composition()
        let response = try addResponse(exchange, digest, original, to: &composition)
        let request =
            try exchange.requestFields.isEmpty ? nil : addRequest(exchange, response, to: &composition)
        if let id = response ?? request { try addMetadata(exchange, id, to: &composition) }
        return composition
    }

    /// Adds the response; returns its ID, or `nil` if there was no response.
    private func addResponse(
        _ exchange: ArchivedExchange,
        _ digest: String?,
        _ original: (String) -> PayloadMemory.Entry?,
        to composition: inout Composition
    ) throws(ArchiveError) -> String? {
        guard 100..<1000 ~= exchange.status else { return nil }
        let head = exchange.responseHead()
        try RecordLimits.check(head: head)
        let body = exchange.body ?? .bytes([])
        let isWhole = exchange.body != nil && exchange.truncated == nil && body.count > 0
        if isWhole, let digest, let original = original(digest) {
            return try addRevisit(exchange, digest, head, original, to: &composition)
        }
        let digests = try digests(head, body)
        if isWhole, let original = original(digests.payload) {
            return try addRevisit(exchange, digests.payload, head, original, to: &composition)
        }
        var record = Self.begin(.response, exchange)
        let id = record.id
        if exchange.body != nil { record.add("WARC-Payload-Digest", digests.payload) }
        record.add("WARC-Block-Digest", digests.block)
        // A body of which nothing is known is cut off too.
        record.add(
            "WARC-Truncated",
            exchange.body == nil ? exchange.truncated ?? "unspecified" : exchange.truncated
        )
        composition.response = Self.summary(.response, exchange, exchange.body == nil ? nil : digests.payload)
        try composition.add(record, type: Self.response, head, body, by: self)
        if isWhole {
            let entry = PayloadMemory.Entry(id: id, target: exchange.target, date: exchange.date)
            composition.payload = (digests.payload, entry)
        }
        return id
    }

    /// Adds a response whose payload is in another record; returns its ID.
    private func addRevisit(
        _ exchange: ArchivedExchange,
        _ digest: String,
        _ head: [UInt8],
        _ original: PayloadMemory.Entry,
        to composition: inout Composition
    ) throws(ArchiveError) -> String {
        var record = Self.begin(.revisit, exchange)
        record.add("WARC-Payload-Digest", digest)
        record.add("WARC-Block-Digest", try digests(head, .bytes([])).block)
        record.add("WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
        record.add("WARC-Refers-To", original.id)
        record.add("WARC-Refers-To-Target-URI", original.target)
        record.add("WARC-Refers-To-Date", original.date.archiveText)
        let id = record.id
        let member = try member(of: record, type: Self.response, head, .bytes([]))
        composition.response = Self.summary(.revisit, exchange, digest)
        composition.responseLength = member.count
        composition.add(member)
        return id
    }

    /// Adds the request; returns its ID.
    private func addRequest(
        _ exchange: ArchivedExchange,
        _ response: String?,
        to composition: inout Composition
    ) throws(ArchiveError) -> String {
        let head = exchange.requestHead()
        try RecordLimits.check(head: head)
        let body = ArchivedBody.bytes(exchange.requestBody)
        let digests = try digests(head, body)
        var record = Self.begin(.request, exchange)
        let id = record.id
        record.add("WARC-Concurrent-To", response)
        if body.count > 0 { record.add("WARC-Payload-Digest", digests.payload) }
        record.add("WARC-Block-Digest", digests.block)
        composition.add(try member(of: record, type: "application/http; msgtype=request", head, body))
        return id
    }

    private func addMetadata(
        _ exchange: ArchivedExchange,
        _ id: String,
        to composition: inout Composition
    ) throws(ArchiveError) {
        var fields: [(String, String)] = []
        if let via = exchange.via { fields.append(("via", via.withoutCredentials.href)) }
        if let total = exchange.timing?.total {
            fields.append(("fetchTimeMs", String(max(0, Int(bounded: total.inSeconds * 1000)))))
        }
        guard !fields.isEmpty else { return }
        var record = WARCRecordHead(.metadata, date: exchange.date)
        record.add("WARC-Target-URI", exchange.target)
        record.add("WARC-Concurrent-To", id)
        composition.add(try member(of: record, fields: fields))
    }

    /// The record of a file without a head of HTTP.
    func compose(_ resource: ArchivedResource) throws(ArchiveError) -> Composition {
        try RecordLimits.check(url: resource.url)
        var composition = Composition()
        var record = WARCRecordHead(.resource, date: resource.date)
        let url = Self.line(resource.url)
        record.add("WARC-Target-URI", url)
        // The block is the payload.
        let digest = try digests([], resource.body).payload
        record.add("WARC-Payload-Digest", digest)
        record.add("WARC-Block-Digest", digest)
        var summary = ArchiveRecord(kind: .resource)
        summary.url = url
        summary.date = resource.date
        summary.mimeType = resource.type.flatMap { MediaType($0)?.essence } ?? "application/octet-stream"
        summary.payloadDigest = digest
        composition.response = summary
        let type = resource.type.map(Self.line) ?? "application/octet-stream"
        try composition.add(record, type: type, [], resource.body, by: self)
        return composition
    }

    /// The record of what was made of an exchange's page.
    ///
    /// [WARC 1.1, section 6.7](https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/#conversion)
    ///
    /// - Parameters:
    ///   - exchange: The exchange.
    ///   - original: The ID of the record that has its payload; nil if it is not known.
    ///   - type: The type of what was made.
    ///   - body: Its bytes.
    /// - Returns: The record, in the file's form.
    /// - Throws: ``ArchiveError`` if it cannot be made.
    package func conversion(
        of exchange: ArchivedExchange,
        original: String?,
        type: String,
        _ body: [UInt8]
    ) throws(ArchiveError) -> [UInt8] {
        var record = WARCRecordHead(.conversion, date: .now)
        record.add("WARC-Target-URI", exchange.target)
        record.add("WARC-Refers-To", original)
        // The block is the payload.
        let digest = try digests([], .bytes(body)).payload
        record.add("WARC-Payload-Digest", digest)
        record.add("WARC-Block-Digest", digest)
        return try member(of: record, type: Self.line(type), [], .bytes(body))
    }

    // MARK: - Parts

    private static let response = "application/http; msgtype=response"

    private static func begin(_ kind: ArchiveRecord.Kind, _ exchange: ArchivedExchange) -> WARCRecordHead {
        var record = WARCRecordHead(kind, date: exchange.date)
        record.add("WARC-Target-URI", exchange.target)
        record.add("WARC-IP-Address", exchange.address)
        record.add("WARC-Protocol", exchange.protocolName)
        return record
    }

    /// Returns the properties of a response for an index.
    private static func summary(
        _ kind: ArchiveRecord.Kind,
        _ exchange: ArchivedExchange,
        _ digest: String?
    ) -> ArchiveRecord {
        var record = ArchiveRecord(kind: kind)
        record.url = exchange.target
        record.date = exchange.date
        record.status = exchange.status
        record.mimeType = exchange.mimeType
        record.payloadDigest = digest
        return record
    }

    /// The digests of a body, and of a head and the body.
    private func digests(
        _ head: [UInt8],
        _ body: ArchivedBody
    ) throws(ArchiveError) -> (payload: String, block: String) {
        var payload = try Digest(.sha1)
        var block = try Digest(.sha1)
        block.update(head)
        try body.forEachPiece { piece throws(ArchiveError) in
            payload.update(piece)
            block.update(piece)
        }
        return (Digest.Value(.sha1, payload.finish()).text, Digest.Value(.sha1, block.finish()).text)
    }

    /// A line without line ends.
    private static func line(_ text: String) -> String {
        String(decoding: text.utf8.map { $0 < 0x20 ? 0x20 : $0 }, as: UTF8.self)
    }

    // MARK: - Members

    /// The member of a record whose block is lines.
    private func member(
        of record: consuming WARCRecordHead,
        fields: [(String, String)]
    ) throws(ArchiveError) -> [UInt8] {
        var block: [UInt8] = []
        for (name, value) in fields { block += "\(name): \(Self.line(value))\r\n".utf8 }
        record.add("WARC-Block-Digest", try digests(block, .bytes([])).block)
        return try member(of: record, type: "application/warc-fields", block, .bytes([]))
    }

    private func member(
        of record: consuming WARCRecordHead,
        type: String,
        _ head: [UInt8],
        _ body: ArchivedBody
    ) throws(ArchiveError) -> [UInt8] {
        var bytes = try record.bytes(type: type, length: head.count + body.count)
        bytes.reserveCapacity(bytes.count + head.count + body.count + Self.end.count)
        bytes += head
        try body.forEachPiece { piece throws(ArchiveError) in bytes += piece }
        bytes += Self.end
        guard let compressor else { return bytes }
        return try compressor.compress(bytes)
    }

    /// Makes a large record a member, piece by piece.
    package func write(
        _ start: [UInt8],
        _ body: ArchivedBody,
        _ write: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        guard let compressor else {
            try write(start)
            try body.forEachPiece(write)
            return try write(Self.end)
        }
        try compressor.begin(size: start.count +| body.count +| Self.end.count)
        try compressor.add(start, write)
        try body.forEachPiece { piece throws(ArchiveError) in try compressor.add(piece, write) }
        try compressor.add(Self.end, isLast: true, write)
    }
}
