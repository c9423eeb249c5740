package import WebDatabase
import Glibc
import WebStandards

/// An output file that only grows, and whose committed length stands in the database.
///
/// What follows that length was written by a process that was ended before it could commit, and is cut off when the file is
/// opened. A file that is shorter, or ends in other bytes there than the job wrote, is refused: something of the output is lost.
package final class OutputLog {
    /// Where an output stands: what the database says of it.
    package struct Mark: Equatable {
        /// The length in bytes.
        package var length: Int
        /// The hash of the last bytes before that, 0 for an empty file; nil if that is not known.
        package var tail: Int64?

        package init(length: Int, tail: Int64?) {
            self.length = length
            self.tail = tail
        }
    }

    package let path: String
    private let file: File
    private let hash: KeyHash
    /// What was appended, but not written yet.
    private var buffer: [UInt8] = []
    /// The length with what is in the buffer.
    private var length: Int
    /// The length up to the last whole entry.
    package private(set) var marked: Int
    private var isSynced = true

    /// How many bytes are collected before they are written.
    private static let bufferSize = 1 << 16
    /// How many bytes the hash is of.
    private static let tailSize = 64

    /// Opens an output, creates it if there is nothing of it yet, and cuts it back to what is committed.
    ///
    /// Links in place of the file are not followed, and only a regular file of this user is written to.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - committed: What the database says; nil for a new job, whose output must be empty or missing.
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
            // The name of a new file must be on the disk before a commit speaks of its bytes.
            if own.size == 0 { sync(folder) }
            return own
        } catch {
            throw .unwritable(path, error)
        }
    }

    /// Has a folder's names written to the disk.
    private static func sync(_ folder: String) {
        // A folder that cannot be listed cannot be synced; its names are on the disk a little later then.
        let descriptor = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    // MARK: - Appending

    /// Appends bytes; they count when they are marked.
    package func append(_ bytes: [UInt8]) throws(StateError) {
        buffer += bytes
        length = length +| bytes.count
        isSynced = false
        if buffer.count >= Self.bufferSize { try flush() }
    }

    /// Ends an entry: the next commit has all that was appended.
    package func mark() {
        marked = length
    }

    /// How many bytes were appended since the last entry ended.
    package var unmarked: Int { length - marked }

    /// Forgets what was appended since the last entry ended.
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

    /// Writes what was marked, and returns what the database is to say.
    ///
    /// - Parameter isSynced: Whether the bytes must be on the disk first, so that no power failure leaves a database
    ///   that speaks of bytes that are not there.
    /// - Returns: Where the output stands.
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

    /// Cuts the file back to its length.
    private func cut() throws(StateError) {
        while ftruncate(file.descriptor, length) != 0 {
            guard errno == EINTR else { throw .unwritable(path, File.Failure(errno: errno)) }
        }
    }

    /// The hash of the last bytes before a place.
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
