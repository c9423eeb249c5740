import Glibc
import Synchronization

/// A file that is read piece by piece, or something that is read like one, as a pipe.
package final class FilePieces: Sendable {
    private let path: String
    private let file: File
    private let isRegular: Bool
    private let maximumSize: Int
    private let count = Mutex(0)

    /// The bytes of a piece, at most.
    private static let pieceLength = 64 << 10

    /// Opens a path that the user named; symbolic links are followed.
    ///
    /// - Throws: ``FileError``, with ``FileError/Code/tooLarge`` for a file of more than `maximumSize` bytes.
    package init(path: String, maximumSize: Int) throws(FileError) {
        self.path = path
        self.maximumSize = maximumSize
        let status: FileStatus
        do throws(File.Failure) {
            file = try File(reading: path)
            status = try file.status()
            guard status.kind != .directory else { throw File.Failure(errno: EISDIR) }
        } catch {
            throw FileError(path, error)
        }
        isRegular = status.kind == .regular
        guard !isRegular || status.size <= maximumSize else { throw Self.tooLarge(path, maximumSize) }
    }

    /// The next bytes, at most 64 KiB, of a pipe those that are there; nil at the end.
    ///
    /// It blocks, and waits for a pipe as long as `limit` says.
    package func next(within limit: WaitLimit) throws(FileError) -> [UInt8]? {
        let piece: [UInt8]
        do throws(File.Failure) {
            try limit.check()
            piece = try file.read(Self.pieceLength, atLeast: 1, within: isRegular ? nil : limit)
        } catch {
            throw FileError(path, error)
        }
        let isWithin = count.withLock { count in
            count += piece.count
            return count <= maximumSize
        }
        guard isWithin else { throw Self.tooLarge(path, maximumSize) }
        return piece.isEmpty ? nil : piece
    }

    private static func tooLarge(_ path: String, _ maximumSize: Int) -> FileError {
        FileError(.tooLarge, path: path, "more than \(maximumSize) bytes")
    }
}
