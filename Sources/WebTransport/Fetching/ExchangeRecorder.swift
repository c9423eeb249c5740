package import WebArchive

/// Takes all that a ``CurlFetcher`` exchanges with servers, to keep it.
///
/// Each request that got the head of a response is an exchange of its own: each redirect on the way, each failed attempt before a
/// retry, a revalidation with its 304. What comes from a cache, from a file or from a `data:` URL is none, and neither is a
/// request whose answer had no complete head. A body that was cut off, by a limit, a time-out, the peer or a cancelled load, is
/// recorded as far as it came, and says so.
///
/// What cannot be recorded fails the load that it belongs to: a recording that lacks something without a word would be taken for
/// whole.
package protocol ExchangeRecorder: Sendable {
    /// The folder for bodies that are too large for memory, until they are recorded; no names are left in it.
    var temporaryFolder: String { get }

    /// Takes an exchange; it blocks, on a thread for that, and is called by several at once.
    ///
    /// - Throws: ``/WebArchive/ArchiveError``, with whose code and message the load fails.
    func record(_ exchange: ArchivedExchange) throws(ArchiveError)
}

extension FetchError {
    /// The error of an exchange that could not be recorded.
    init(_ error: ArchiveError) {
        self.init(
            Code(rawValue: error.code.rawValue),
            "what was exchanged cannot be recorded: \(error.message)"
        )
    }

    /// Why a body is cut off that this error ended, as WARC-Truncated has it.
    var truncation: String {
        switch code {
        case .bodyTooLarge: "length"
        case .timeout, .totalTimeout, .connectTimeout: "time"
        case .connection, .connectionLost: "disconnect"
        default: "unspecified"
        }
    }
}

extension WARCWriter: ExchangeRecorder {
    package var temporaryFolder: String { folder }

    package func record(_ exchange: ArchivedExchange) throws(ArchiveError) { try append(exchange) }
}

extension WACZWriter: ExchangeRecorder {
    package var temporaryFolder: String { folder }

    package func record(_ exchange: ArchivedExchange) throws(ArchiveError) { try append(exchange) }
}
