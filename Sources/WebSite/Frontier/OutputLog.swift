package import WebDatabase
import Glibc
import WebStandards

/// An append-only output file whose committed length is stored in the database.
///
/// Bytes beyond that length were written by a process that was ended before it could commit, and are truncated when the
/// file is opened. A file that is shorter, or whose last bytes before that length are not those that the job wrote, is
/// refused, since output was lost.
package final class OutputLog {
    /// The state of an output as stored in the database.
    package struct Mark: Equatable {
        /// The length in bytes.
        package var length: Int
        /// The hash of the last bytes before that length, 0 for an empty file; `nil` if it is unknown.
        package var tail: Int64?

        package init(length: Int, tail: Int64?) {
            self.length = length
            self.tail = tail
        }
    }

    package let path: String
    private let file: File
    private let hash: KeyHash
    /// The bytes that were appended, but not written yet.
    private var buffer: [UInt8] = []
    /// The length including the buffer.
    private var length: Int
    /// The length up to the last complete entry.
    package private(set) var marked: Int
    private var isSynced = true

    /// The number of bytes to collect before they are written.
    private static let bufferSize = 1 << 16
    /// The number of bytes in the hash of the tail.
    private static let tailSize = 64

    /// Opens an output, after creating it if necessary, and truncates it to its committed length.
    ///
    /// Symbolic links are not followed, and only a regular file of this user is written to.
    ///
    /// - Parameters:
    ///   - path: The path of the file.
    ///   - committed: The mark in the database; `nil` for a new job, whose output must be empty or missing.
    ///   - hash: The job's hash function.
    /// - Throws: ``StateError``.
    package init(_ path: String, committed: Mark?, hash: KeyHash) throws(StateError) {
        self.path = path
        self.hash = hash
        length = committed?.length ?? 0
        marked = length
        let own = try Self.file(path, committed)
        let size = own.size
        file = own.takingFile()
        guard let committed else {
            guard size == 0 else {
                let reason = "there are \(size) bytes in it already, which are not this job's"
                throw StateError(.unwritable, "\(path): \(reason)")
            }
            return
        }
        guard size >= length else {
            let reason = "it has \(size) bytes, but \(length) are committed: it was cut off or replaced"
            throw StateError(.damaged, "\(path): \(reason)")
        }
        if let tail = committed.tail, try self.tail(at: length) != tail {
            let reason = "its first \(length) bytes are not those that this job wrote"
            throw StateError(.damaged, "\(path): \(reason)")
        }
        if size > length { try cut() }
    }

    /// Opens the file, or creates it.
    private static func file(_ path: String, _ committed: Mark?) throws(StateError) -> OwnFile {
        do throws(File.Failure) {
            let (folder, name) = Directory.split(path)
            let directory = try Directory(folder)
            if let committed, committed.length > 0, directory.status(name) == nil {
                throw File.Failure(errno: ENOENT, "it is gone, and \(committed.length) bytes are committed")
            }
            let own = try OwnFile(updating: name, in: directory)
            // The name of a new file must be on the disk before a commit refers to its bytes.
            if own.size == 0 { sync(folder) }
            return own
        } catch {
            throw .unwritable(path, error)
        }
    }

    /// Syncs the names in a folder to the disk.
    private static func sync(_ folder: String) {
        // A folder that cannot be opened for reading cannot be synced; its names reach the disk a little later.
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    // MARK: - Appending

    /// Appends bytes; they are committed only after ``mark()``.
    package func append(_ bytes: [UInt8]) throws(StateError) {
        buffer += bytes
        length = length +| bytes.count
        isSynced = false
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Ends an entry: the next commit includes all appended bytes.
    package func mark() {
        marked = length
    }

    /// The number of bytes appended since the last entry ended.
    package var unmarked: Int { length - marked }

    /// Discards the bytes appended since the last entry ended.
    package func dropUnmarked() throws(StateError) {
        guard length > marked else { return }
        let unwritten = min(length - marked, buffer.count)
        buffer.removeLast(unwritten)
        length -= unwritten
        if length > marked {
            length = marked
            try cut()
        }
    }

    /// Writes the appended bytes, and returns the mark to store in the database.
    ///
    /// - Parameter isSynced: Whether to sync the bytes to the disk first, so that no power failure leaves a database
    ///   that refers to missing bytes.
    /// - Returns: The state of the output.
    /// - Throws: ``StateError``.
    package func commit(isSynced: Bool) throws(StateError) -> Mark {
        try flush()
        if isSynced, !self.isSynced {
            guard fdatasync(file.descriptor) == 0 else { throw .unwritable(path, File.Failure(errno: errno)) }
            self.isSynced = true
        }
        return Mark(length: marked, tail: try tail(at: marked))
    }

    private func flush() throws(StateError) {
        guard !buffer.isEmpty else { return }
        do throws(File.Failure) {
            try file.write(buffer, at: length - buffer.count)
        } catch {
            throw .unwritable(path, error)
        }
        buffer.removeAll(keepingCapacity: buffer.capacity <= 2 * Self.bufferSize)
    }

    /// Truncates the file to its length.
    private func cut() throws(StateError) {
        while ftruncate(file.descriptor, length) != 0 {
            guard errno == EINTR else { throw .unwritable(path, File.Failure(errno: errno)) }
        }
    }

    /// Returns the hash of the last bytes before an offset.
    private func tail(at end: Int) throws(StateError) -> Int64 {
        let start = max(0, end - Self.tailSize)
        guard end > 0 else { return 0 }
        do throws(File.Failure) {
            let bytes = try file.read(end - start, at: start)
            return unsafe bytes.withUnsafeBufferPointer { unsafe Int64(bitPattern: hash.hash($0)) }
        } catch {
            throw StateError(.unreadable, "\(path): \(error.text)")
        }
    }
}
