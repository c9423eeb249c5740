import Glibc
import WebStandards

/// The folder of a job in the cache, for this user alone: its input, its state, its results.
///
/// Links in it or in its place are not followed: nothing outside of it is read, written or removed.
struct JobFolder: Sendable {
    /// The folder of all jobs.
    private let jobs: String
    private let name: String

    /// The maximum depth of folders in it; a job creates one at most.
    private static let maximumDepth = 8
    private static let lockName = "lock"
    /// The maximum bytes of a file that is read as a whole.
    private static let maximumFileSize = 4 << 20

    var path: String { "\(jobs)/\(name)" }

    init(cache: String, id: Int64) {
        jobs = "\(cache)/serve-jobs"
        name = "\(id)"
    }

    /// Creates it with files in it; returns false if a folder of its name exists, such as that of a forgotten job.
    ///
    /// - Throws: ``ServeError``.
    func make(_ files: [(name: String, bytes: [UInt8])]) throws(ServeError) -> Bool {
        try attempt { () throws(File.Failure) in
            let parent = try Directory.making(own: jobs)
            guard unsafe mkdirat(parent.descriptor, name, 0o700) == 0 else {
                if errno == EEXIST { return false }
                throw File.Failure(errno: errno)
            }
            for file in files {
                try parent.folder(own: name).replace(own: file.name, with: file.bytes)
            }
            return true
        }
    }

    /// Returns the contents of a file.
    ///
    /// - Throws: ``ServeError``.
    func read(_ file: String) throws(ServeError) -> [UInt8] {
        try attempt { () throws(File.Failure) in
            let own = try OwnFile(file, in: Directory(own: jobs).folder(own: name))
            guard own.size <= Self.maximumFileSize else { throw File.Failure(errno: EFBIG) }
            return try own.file.read(own.size, at: 0)
        }
    }

    /// Opens its results for reading.
    ///
    /// - Throws: ``File/Failure``.
    func results() throws(File.Failure) -> OwnFile {
        try OwnFile(JobForm.FileName.results, in: Directory(own: jobs).folder(own: name))
    }

    /// Opens its results to append to them, after the end of the last line.
    ///
    /// - Throws: ``ServeError``.
    func appending() throws(ServeError) -> Descriptor {
        try attempt { () throws(File.Failure) in
            let results = try open(JobForm.FileName.results)
            guard fcntl(results.number, F_SETFL, O_APPEND) == 0 else { throw File.Failure(errno: errno) }
            // A command that was killed may have left a part of a line.
            let size = lseek(results.number, 0, SEEK_END)
            var last: [UInt8] = [0x0A]
            guard size > 0, unsafe pread(results.number, &last, 1, size - 1) == 1, last != [0x0A] else {
                return results
            }
            guard unsafe write(results.number, "\n", 1) == 1 else { throw File.Failure(errno: errno) }
            return results
        }
    }

    /// Acquires its lock, which one server holds at a time.
    ///
    /// - Throws: ``ServeError``, `state.busy` if another holds it.
    func lock() throws(ServeError) -> JobFolderLock {
        let lock = try attempt { () throws(File.Failure) in
            try JobFolderLock(OwnFile(updating: Self.lockName, in: Directory(own: jobs).folder(own: name)))
        }
        guard let lock else {
            throw ServeError(409, "state.busy", "another webinspect serve works on this job")
        }
        return lock
    }

    /// Opens a file of this user for reading and writing, or creates it.
    private func open(_ file: String) throws(File.Failure) -> Descriptor {
        let own = try OwnFile(updating: file, in: Directory(own: jobs).folder(own: name))
        return try Descriptor(fcntl(own.file.descriptor, F_DUPFD_CLOEXEC, STDERR_FILENO &+ 1))
    }

    // MARK: - Removing

    /// Removes it with all of its contents.
    ///
    /// - Throws: ``ServeError``, `state.busy` if another server works on the job.
    func remove() throws(ServeError) {
        guard FileStatus(path, followsLinks: false)?.kind == .directory else { return }
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        try attempt { () throws(File.Failure) in
            let parent = try Directory(own: jobs)
            try Self.empty(parent.folder(own: name), Self.maximumDepth)
            guard parent.removeFolder(name) else { throw File.Failure(errno: errno) }
        }
    }

    private static func empty(_ folder: consuming Directory, _ depth: Int) throws(File.Failure) {
        var names: [String] = []
        while let name = try folder.next() { names.append(name) }
        for name in names {
            guard folder.status(name)?.kind == .directory else {
                guard folder.remove(name) else { throw File.Failure(errno: errno) }
                continue
            }
            guard depth > 0 else { throw File.Failure(errno: ENOTEMPTY) }
            try empty(folder.folder(own: name), depth - 1)
            guard folder.removeFolder(name) else { throw File.Failure(errno: errno) }
        }
    }

    private func attempt<Value>(_ body: () throws(File.Failure) -> Value) throws(ServeError) -> Value {
        do throws(File.Failure) {
            return try body()
        } catch {
            throw ServeError(500, "file.write", "\(path): \(error.text)")
        }
    }
}

/// The lock of a job's folder, held until its last owner is released.
final class JobFolderLock: Sendable {
    private let file: File

    /// Acquires the lock; `nil` if another holds it.
    init?(_ own: consuming OwnFile) throws(File.Failure) {
        var file = own.takingFile()
        guard try file.lock() else { return nil }
        self.file = file
    }
}
