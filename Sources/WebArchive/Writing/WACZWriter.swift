import Synchronization
package import WebStandards

/// Writes exchanges into a WACZ 1.1.1: a ZIP archive of a WARC, its index, a list of pages, and the digests of all of them.
///
/// The archive appears at its path when it is complete and on the disk (``finish()``); until then, an existing file at
/// the path stays unchanged, and nothing is left of an unfinished archive. Its calls block.
///
/// [WACZ 1.1.1](https://specs.webrecorder.net/wacz/1.1.1/)
package final class WACZWriter: Sendable {
    /// How a WACZ is written.
    package struct Options: Sendable {
        /// The compression level, up to gzip's 9; `nil` for the default, 6.
        package var level: Int?
        /// Whether a payload that was written before is replaced by a reference to it.
        package var writesRevisits = true
        /// The title of the archive; `nil` if it has none.
        package var title: String?
        /// The page to begin with, and the date of its capture; `nil` if there is none.
        package var mainPage: (url: WebURL, date: Timestamp?)?

        package init() {}
    }

    /// A member, as the manifest has it.
    private struct Resource {
        let path: String
        let digest: String
        let count: Int
    }

    /// The member that is being written.
    private struct Member: ~Copyable {
        let path: String
        var digest: Digest
        var count = 0
    }

    private struct State: ~Copyable {
        let file: OutputPlace.Replacement
        let zip: ZIPWriter
        let records: RecordComposer
        var memory = PayloadMemory()
        var index = CDXJWriter()
        var member: Member
        var resources: [Resource] = []
        var pages: [UInt8] = []
        /// Documents, in place of pages that nobody named.
        var documents: [UInt8] = []
        var failure: ArchiveError?

        mutating func write(_ bytes: [UInt8]) throws(ArchiveError) {
            try zip.write(bytes)
            member.digest.update(bytes)
            member.count += bytes.count
        }

        mutating func begin(_ path: String, isStored: Bool, date: Timestamp) throws(ArchiveError) {
            try zip.begin(path, isStored: isStored, date: date)
            member = Member(path: path, digest: try Digest(.sha256))
        }

        mutating func end() throws(ArchiveError) {
            try zip.end()
            let digest = Digest.Value(.sha256, member.digest.finish()).text
            resources.append(Resource(path: member.path, digest: digest, count: member.count))
        }
    }

    private let path: String
    private let options: Options
    private let created = Timestamp.now
    /// Nil once it is finished.
    private let state: Mutex<State?>

    private static let warcName = "data.warc.gz"
    private static let indexName = "index.cdx.gz"

    /// Begins an archive.
    ///
    /// - Parameters:
    ///   - path: Its path; a file there is replaced once this is finished.
    ///   - options: How it is written.
    /// - Throws: ``ArchiveError/Code/unwritable``, and ``ArchiveError/Code/unavailable`` if a library is not there.
    package init(path: String, options: Options = Options()) throws(ArchiveError) {
        self.path = path
        self.options = options
        let file = try Self.replacement(path)
        let records = try RecordComposer(.gzip, level: options.level)
        let zip = try ZIPWriter(descriptor: file.descriptor, path: path)
        let member = Member(path: "", digest: try Digest(.sha256))
        var state = State(file: file, zip: zip, records: records, member: member)
        try state.begin("archive/\(Self.warcName)", isStored: true, date: created)
        try state.write(records.information(of: Self.warcName, []))
        self.state = Mutex(state)
    }

    private static func replacement(_ path: String) throws(ArchiveError) -> OutputPlace.Replacement {
        do throws(File.Failure) {
            // Requests have cookies.
            return try OutputPlace(path).replacing(mode: 0o600)
        } catch {
            throw unwritable(path, error)
        }
    }

    private static func unwritable(_ path: String, _ failure: File.Failure) -> ArchiveError {
        ArchiveError(.unwritable, "\(path) cannot be written: \(failure.text)")
    }

    /// The folder of its file.
    package var folder: String { Directory.split(path).folder }

    // MARK: - Contents

    /// Appends an exchange.
    ///
    /// - Throws: ``ArchiveError`` if it could not be written, which ends the archive unless the code is
    ///   ``ArchiveError/Code/recordTooLong``: then nothing of it was written.
    package func append(_ exchange: ArchivedExchange) throws(ArchiveError) {
        try using { state throws(ArchiveError) in try append(exchange, &state) }
    }

    private func append(_ exchange: ArchivedExchange, _ state: inout State) throws(ArchiveError) {
        let composition = try state.records.compose(exchange, options.writesRevisits ? state.memory : nil)
        let key = SURT.key(
            of: exchange.target,
            method: exchange.method,
            contentType: exchange.requestValue("content-type"),
            body: exchange.requestBody
        )
        try write(composition, key: key, &state)
        if exchange.status == 200, exchange.method == "GET", try exchange.isPage() {
            state.documents += Self.page(exchange.url, exchange.date, nil)
        }
    }

    /// Appends a file without an HTTP head.
    ///
    /// - Throws: ``ArchiveError`` if it could not be written, which ends the archive unless the code is
    ///   ``ArchiveError/Code/recordTooLong``: then nothing of it was written.
    package func append(_ resource: ArchivedResource) throws(ArchiveError) {
        try using { state throws(ArchiveError) in
            let composition = try state.records.compose(resource)
            try write(composition, key: SURT.key(of: resource.url), &state)
            if composition.response?.mimeType == "text/html", let url = try? WebURL(resource.url) {
                state.documents += Self.page(url, resource.date, nil)
            }
        }
    }

    /// Writes records, and a line of the index for the first of them.
    private func write(
        _ composition: RecordComposer.Composition,
        key: String,
        _ state: inout State
    ) throws(ArchiveError) {
        let offset = state.member.count
        var length = composition.responseLength
        for piece in composition.pieces {
            switch piece {
            case .members(let bytes): try state.write(bytes)
            case .large(let start, let body):
                let records = state.records
                try records.write(start, body) { bytes throws(ArchiveError) in try state.write(bytes) }
                // Only the first record can be large.
                length = state.member.count - offset
            }
        }
        if let (digest, entry) = composition.payload { state.memory.add(entry, digest: digest) }
        guard var record = composition.response else { return }
        record.offset = offset
        if let line = CDXJLine(record, length: length, filename: Self.warcName, key: key) {
            try state.index.append(line)
        }
    }

    /// Names a page; without any, all documents of HTML are pages.
    package func appendPage(_ url: WebURL, date: Timestamp, title: String? = nil) throws(ArchiveError) {
        try using { state throws(ArchiveError) in state.pages += Self.page(url, date, title) }
    }

    private static func page(_ url: WebURL, _ date: Timestamp, _ title: String?) -> [UInt8] {
        var members = [
            JSONValue.Member("id", .string(UInt64.random(in: 0 ... .max).hexadecimal())),
            JSONValue.Member("url", .string(url.withoutCredentials.href)),
            JSONValue.Member("ts", .string(date.archiveText)),
        ]
        if let title { members.append(JSONValue.Member("title", .string(RecordLimits.title(title)))) }
        return JSONValue.object(members).serialized(sortingNames: false) + [0x0A]
    }

    /// Bytes of the records so far.
    package var size: Int { state.withLock { $0?.member.count ?? 0 } }

    private func using(_ body: (inout State) throws(ArchiveError) -> Void) throws(ArchiveError) {
        try state.withLock { state throws(ArchiveError) in
            guard var current = state.take() else {
                throw ArchiveError(.unwritable, "\(path) is finished, or could not be written")
            }
            // After a failure, no more is written: the archive would lack something without an error.
            do throws(ArchiveError) {
                try body(&current)
            } catch {
                // This error is known before anything is written.
                if error.code == .recordTooLong { state = consume current }
                throw error
            }
            state = consume current
        }
    }

    // MARK: - The end

    /// Writes index, pages and manifest, and puts the archive into its place.
    package func finish() throws(ArchiveError) {
        try state.withLock { state throws(ArchiveError) in
            guard let current = state.take() else {
                throw ArchiveError(.unwritable, "\(path) is finished, or could not be written")
            }
            try finish(current)
        }
    }

    private func finish(_ finished: consuming State) throws(ArchiveError) {
        var state = finished
        try state.end()
        try writeIndex(&state)
        try write("pages/pages.jsonl", pages(state), &state)
        let manifest = manifest(state.resources)
        try write("datapackage.json", manifest, &state)
        let digest = state.resources.last?.digest ?? ""
        let chain: JSONValue = ["path": "datapackage.json", "hash": .string(digest)]
        try write("datapackage-digest.json", chain.serialized(sortingNames: false), &state)
        try state.zip.finish()
        do throws(File.Failure) {
            try state.file.finish()
        } catch {
            throw Self.unwritable(path, error)
        }
    }

    private func write(_ name: String, _ bytes: [UInt8], _ state: inout State) throws(ArchiveError) {
        try state.begin(name, isStored: false, date: created)
        try state.write(bytes)
        try state.end()
    }

    private func writeIndex(_ state: inout State) throws(ArchiveError) {
        var index = CDXJWriter()
        swap(&index, &state.index)
        var blocks = try ZipNumWriter(name: Self.indexName)
        try state.begin("indexes/\(Self.indexName)", isStored: true, date: created)
        try index.finish { line throws(ArchiveError) in
            try blocks.append(line) { bytes throws(ArchiveError) in try state.write(bytes) }
        }
        try blocks.finish { bytes throws(ArchiveError) in try state.write(bytes) }
        try state.end()
        try write("indexes/index.idx", blocks.blocks, &state)
    }

    private func pages(_ state: borrowing State) -> [UInt8] {
        let head: JSONValue = ["format": "json-pages-1.0", "id": "pages", "title": "All Pages"]
        return head.serialized(sortingNames: false) + [0x0A]
            + (state.pages.isEmpty ? state.documents : state.pages)
    }

    private func manifest(_ resources: [Resource]) -> [UInt8] {
        let files = resources.map { resource -> JSONValue in
            [
                "name": .string(Directory.split(resource.path).name), "path": .string(resource.path),
                "hash": .string(resource.digest), "bytes": .integer(Int64(resource.count)),
            ]
        }
        var members = [
            JSONValue.Member("profile", "data-package"), JSONValue.Member("resources", .array(files)),
            JSONValue.Member("created", .string(created.text)), JSONValue.Member("wacz_version", "1.1.1"),
            JSONValue.Member("software", .string("WebLoader/\(WebLoaderVersion.current)")),
        ]
        if let title = options.title {
            members.append(JSONValue.Member("title", .string(RecordLimits.title(title))))
        }
        if let (url, date) = options.mainPage {
            members.append(JSONValue.Member("mainPageUrl", .string(url.withoutCredentials.href)))
            if let date { members.append(JSONValue.Member("mainPageDate", .string(date.archiveText))) }
        }
        return JSONValue.object(members).serialized(sortingNames: false)
    }
}
