import Synchronization
import WebArchive
import WebLoader
import WebStandards
import WebTransport

/// Makes WARC records of a crawl's exchanges, on the threads of the exchanges, until the job's writer takes them.
///
/// Only one visit at a time requests a URL, so that the URL identifies the visit of an exchange. Unexpected exchanges,
/// such as those of a robots.txt, are not recorded.
final class CrawlRecorder: ExchangeRecorder {
    private struct State {
        /// The records of expected URLs; `nil` until they are recorded.
        var expected: [String: CrawlRecords?] = [:]
        var memory = PayloadMemory()
        var turn = 0
    }

    let temporaryFolder: String
    private let form: WARCForm
    private let state = Mutex(State())
    /// Several composers, since compression takes longer than everything else.
    private let composers: [Composer]

    /// The maximum number of bytes of a body whose records are made in memory.
    private static let maximumInMemory = 1 << 20

    /// A composer for one exchange at a time.
    private final class Composer: Sendable {
        let records: Mutex<RecordComposer>

        init(_ form: WARCForm, _ level: Int?) throws(ArchiveError) {
            records = Mutex(try RecordComposer(form, level: level, maximumWhole: maximumInMemory))
        }
    }

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - form: The form of the records.
    ///   - level: The compression level.
    ///   - folder: The folder for the unnamed files of large records.
    ///   - width: The maximum number of records that are made at once.
    /// - Throws: ``ArchiveError/Code/unavailable`` if the compression library is missing.
    init(_ form: WARCForm, level: Int?, folder: String, width: Int) throws(ArchiveError) {
        self.form = form
        temporaryFolder = folder
        var composers: [Composer] = []
        for _ in 0..<min(max(1, width), 16) { composers.append(try Composer(form, level)) }
        self.composers = composers
    }

    // MARK: - For the visits

    /// Expects an exchange of a URL, so that it is recorded.
    func expect(_ url: WebURL) { state.withLock { $0.expected[url.withoutFragment.href] = .some(nil) } }

    /// Removes and returns the records of a URL; `nil` if there was no exchange.
    func take(_ url: WebURL) -> CrawlRecords? {
        state.withLock { $0.expected.removeValue(forKey: url.withoutFragment.href) ?? nil }
    }

    /// Makes the records of a response that was read from an archive or a file.
    func records(of response: WebResponse) throws(ArchiveError) -> CrawlRecords {
        try records(of: ArchivedExchange(response, received: response.capture?.date ?? .now))
    }

    /// Remembers a payload that is now in the archive.
    func remember(_ digest: String, _ entry: PayloadMemory.Entry) {
        state.withLock { $0.memory.add(entry, digest: digest) }
    }

    // MARK: - For the fetcher

    func record(_ exchange: ArchivedExchange) throws(ArchiveError) {
        let key = exchange.url.withoutFragment.href
        guard state.withLock({ $0.expected.keys.contains(key) }) else { return }
        let records = try records(of: exchange)
        state.withLock { state in
            // If libcurl's caller repeats a request, the last answer is recorded.
            if state.expected.keys.contains(key) { state.expected[key] = .some(records) }
        }
    }

    private func records(of exchange: ArchivedExchange) throws(ArchiveError) -> CrawlRecords {
        let composer = state.withLock { state in
            state.turn = state.turn + 1 < composers.count ? state.turn + 1 : 0
            return composers[state.turn]
        }
        return try composer.records.withLock { composer throws(ArchiveError) in
            let composition = try composer.compose(exchange) { digest in
                state.withLock { $0.memory[digest] }
            }
            var pieces: [CrawlRecords.Piece] = []
            for piece in composition.pieces {
                switch piece {
                case .members(let bytes): pieces.append(.bytes(bytes))
                case .large(let start, let body):
                    pieces.append(.file(try spool(start, body, composer)))
                }
            }
            var kept = exchange
            // The file is no longer open; from now on only its length is used.
            kept.body = exchange.body.map { .file(descriptor: -1, count: $0.count) }
            return CrawlRecords(pieces: pieces, payload: composition.payload, exchange: kept)
        }
    }

    /// Writes a record to an unnamed file.
    private func spool(
        _ start: [UInt8],
        _ body: ArchivedBody,
        _ composer: borrowing RecordComposer
    ) throws(ArchiveError) -> SpooledRecord {
        func kept<Value>(_ body: () throws(File.Failure) -> Value) throws(ArchiveError) -> Value {
            do throws(File.Failure) {
                return try body()
            } catch {
                throw ArchiveError(
                    .unwritable,
                    "\(temporaryFolder) cannot take a large record: \(error.text)"
                )
            }
        }
        let record = try kept { () throws(File.Failure) in try SpooledRecord(in: temporaryFolder) }
        try composer.write(start, body) { bytes throws(ArchiveError) in
            try kept { () throws(File.Failure) in try record.append(bytes) }
        }
        return record
    }
}
