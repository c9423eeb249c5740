import WebArchive
import WebTransport

/// Appends what a loader exchanges with servers to a WARC 1.1.
///
/// ```swift
/// var configuration = PageLoader.Configuration()
/// configuration.archiveWriter = try ArchiveWriter("site.warc.gz")
/// let loader = PageLoader(configuration: configuration)
/// _ = try await loader.load(WebRequest(url: WebURL("https://example.com/"), cachePolicy: .reloadIgnoringLocalCacheData))
/// try await configuration.archiveWriter?.finish()
/// ```
///
/// Each exchange is appended whole or not at all, whatever ends the program; several writers, and several programs, can append to
/// one file. Request, response (or a `revisit`, for a body that is there already) and what is known of both are a record each.
/// What the cache answers is not exchanged, and so not written.
public final class ArchiveWriter: Sendable {
    private let writer: WARCWriter

    /// Where bodies are that are too large for memory, until they are written: without a name, in the archive's folder.
    package let temporaryFolder: String

    /// Opens an archive, which is created if it is not there.
    ///
    /// It blocks.
    ///
    /// - Parameter path: The file; its name ends in `.warc`, `.warc.gz` (a member a record) or `.warc.zst` (a frame a record).
    /// - Throws: ``/WebArchive/ArchiveError`` if the file cannot be written, or is no WARC of the form that its name says.
    public init(_ path: String) throws(ArchiveError) {
        writer = try WARCWriter(path: path)
        temporaryFolder = Directory.split(path).folder
    }

    /// Waits until all that was written is on the disk.
    ///
    /// - Throws: ``/WebArchive/ArchiveError`` if it cannot be written there.
    public func finish() async throws(ArchiveError) {
        try await BlockingWork.threads.run { [writer] () throws(ArchiveError) in try writer.finish() }
    }
}

extension ArchiveWriter: ExchangeRecorder {
    package func record(_ exchange: ArchivedExchange) throws(ArchiveError) { try writer.append(exchange) }
}
