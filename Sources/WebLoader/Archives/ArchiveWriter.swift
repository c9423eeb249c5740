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
/// Each exchange is appended whole or not at all, however the program ends; several writers, and several programs,
/// can append to one file. The request, the response (or a `revisit`, if the file has the body already) and their
/// metadata are one record each. Responses from the cache are not exchanged with a server, so they are not written.
public final class ArchiveWriter: Sendable {
    private let writer: WARCWriter

    /// The archive's folder, for bodies that are too large for memory: files without a name, until they are written.
    package let temporaryFolder: String

    /// Opens an archive, which is created if it does not exist.
    ///
    /// This blocks.
    ///
    /// - Parameter path: The file; its name ends in `.warc`, `.warc.gz` (one member per record) or `.warc.zst` (one
    ///   frame per record).
    /// - Throws: ``/WebArchive/ArchiveError`` if the file cannot be written, or is not a WARC of the form that its
    ///   name says.
    public init(_ path: String) throws(ArchiveError) {
        writer = try WARCWriter(path: path)
        temporaryFolder = Directory.split(path).folder
    }

    /// Waits until everything that was written is on the disk.
    ///
    /// - Throws: ``/WebArchive/ArchiveError`` if it cannot be written there.
    public func finish() async throws(ArchiveError) {
        try await BlockingWork.threads.run { [writer] () throws(ArchiveError) in try writer.finish() }
    }
}

extension ArchiveWriter: ExchangeRecorder {
    package func record(_ exchange: ArchivedExchange) throws(ArchiveError) { try writer.append(exchange) }
}
