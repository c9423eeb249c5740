import Glibc
import WebStandards

/// A file that is there once it is whole, and takes the place of an older one then.
package final class AtomicOutput {
    private let path: String
    private var replacement: OutputPlace.Replacement?
    private var bytes: [UInt8] = []
    private var left: Int

    /// Bytes that are gathered before they are written.
    private static let pieceLength = 1 << 18

    /// Begins a file.
    ///
    /// - Parameters:
    ///   - path: Its path.
    ///   - maximumSize: Bytes that it may have.
    /// - Throws: ``ArchiveError/Code/unwritable``, also if the path is that of something else than a regular file.
    package init(_ path: String, maximumSize: Int = .largestBounded) throws(ArchiveError) {
        self.path = path
        left = maximumSize
        do throws(File.Failure) {
            replacement = try OutputPlace(path).replacing(mode: 0o666)
        } catch {
            throw ArchiveError(.unwritable, "\(path): \(error.text)")
        }
    }

    /// Adds bytes.
    ///
    /// - Throws: ``ArchiveError/Code/unwritable``, and ``ArchiveError/Code/limit`` if it would have more than it may.
    package func append(_ piece: UnsafeRawBufferPointer) throws(ArchiveError) {
        try take(piece.count)
        unsafe bytes.append(contentsOf: piece)
        if bytes.count >= Self.pieceLength { try flush() }
    }

    /// Adds bytes.
    ///
    /// - Throws: ``ArchiveError/Code/unwritable``, and ``ArchiveError/Code/limit`` if it would have more than it may.
    package func append(_ piece: [UInt8]) throws(ArchiveError) {
        try take(piece.count)
        bytes += piece
        if bytes.count >= Self.pieceLength { try flush() }
    }

    /// Puts the file into its place.
    package func finish() throws(ArchiveError) {
        try flush()
        do throws(File.Failure) {
            try replacement.take()?.finish()
        } catch {
            throw failure(error)
        }
    }

    private func take(_ count: Int) throws(ArchiveError) {
        left -= count
        if left < 0 { throw ArchiveSink.tooLarge }
    }

    private func flush() throws(ArchiveError) {
        guard let descriptor = replacement?.descriptor else { return }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            guard count > 0 || errno == EINTR else { throw failure(File.Failure(errno: errno)) }
            written += max(0, count)
        }
        bytes.removeAll(keepingCapacity: true)
    }

    private func failure(_ failure: File.Failure) -> ArchiveError {
        ArchiveError(.unwritable, "\(path): \(failure.text)")
    }
}
