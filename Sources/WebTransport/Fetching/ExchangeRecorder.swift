package import WebArchive

/// A recorder that stores all that a ``CurlFetcher`` exchanges with servers.
///
/// Each request that received the head of a response is an exchange of its own: each redirect, each failed attempt
/// before a retry, a revalidation with its 304. A response from a cache, a file or a `data:` URL is not an exchange,
/// and neither is a request whose response had no complete head. A body that was truncated, by a limit, a time-out, the
/// peer or a cancelled load, is recorded as far as it was received, and marked as truncated.
///
/// An exchange that cannot be recorded fails its load: a recording that silently lacks something would be taken for
/// complete.
package protocol ExchangeRecorder: Sendable {
    /// The folder for bodies that are too large for memory, until they are recorded; no file names remain in it.
    var temporaryFolder: String { get }

    /// Records an exchange; blocks, on a thread for blocking work, and may be called concurrently.
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
