import Glibc

/// An open directory: lists its names and accesses its files, even if the directory is renamed or replaced
/// meanwhile.
@safe package struct Directory: ~Copyable {
    /// A descriptor for access to its files only (O_PATH).
    private let file: File
    /// The stream for its names and its lock, opened when first needed.
    private var stream: OpaquePointer?
    private var isLocked = false

    /// Opens a directory that the user named; links on the way to it are followed.
    package init(_ path: String) throws(File.Failure) {
        try self.init(path, 0)
    }

    /// Opens a directory by a path that starts from another one.
    init(_ path: String, in directory: borrowing Directory) throws(File.Failure) {
        file = try File(path, Self.reaching | O_DIRECTORY, in: directory.descriptor)
    }

    /// Opens a directory that this program made for itself: a link in its place is not one (ENOTDIR).
    package init(own path: String) throws(File.Failure) {
        try self.init(path, O_NOFOLLOW)
    }

    /// The same, by a path that starts from another one.
    init(own path: String, in directory: borrowing Directory) throws(File.Failure) {
        file = try File(path, Self.reaching | O_DIRECTORY | O_NOFOLLOW, in: directory.descriptor)
    }

    private init(_ path: String, _ flags: Int32) throws(File.Failure) {
        file = try File(path, Self.reaching | O_DIRECTORY | flags)
    }

    deinit {
        guard let stream = unsafe stream else { return }
        // As for a file's lock: to close it is not enough.
        if isLocked { unsafe flock(dirfd(stream), LOCK_UN) }
        unsafe closedir(stream)
    }

    /// O_PATH, the same on all architectures that Swift knows: it works for a directory that one may search
    /// but not list.
    private static let reaching: Int32 = 0o10_000_000

    /// A path's directory and its last name.
    package static func split(_ path: String) -> (folder: String, name: String) {
        var path = path
        return path.withUTF8 { bytes in
            guard let slash = unsafe bytes.lastIndex(of: UInt8(ascii: "/")) else {
                return (".", unsafe String(decoding: bytes, as: UTF8.self))
            }
            // The root is its own folder.
            let folder = unsafe String(decoding: bytes[..<max(slash, 1)], as: UTF8.self)
            return (folder, unsafe String(decoding: bytes[(slash + 1)...], as: UTF8.self))
        }
    }

    /// The descriptor, for calls that take names relative to it.
    package var descriptor: Int32 { file.descriptor }

    // MARK: - Names

    /// Opens the directory for reading its names and for locking.
    private mutating func open() throws(File.Failure) -> OpaquePointer {
        if let stream = unsafe stream { return unsafe stream }
        let descriptor = unsafe openat(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw File.Failure(errno: errno) }
        guard let opened = unsafe fdopendir(descriptor) else {
            let reason = errno
            close(descriptor)
            throw File.Failure(errno: reason)
        }
        unsafe stream = opened
        return unsafe opened
    }

    /// Locks the directory against other processes, as long as it is open.
    ///
    /// If another process holds the lock too long, or it cannot be locked, the caller continues without.
    ///
    /// - Returns: Whether it is locked.
    @discardableResult
    package mutating func lock() -> Bool {
        guard let stream = unsafe try? open() else { return false }
        for _ in 0..<1000 {
            if unsafe flock(dirfd(stream), LOCK_EX | LOCK_NB) == 0 {
                isLocked = true
                return true
            }
            sched_yield()
        }
        return false
    }

    /// Locks the directory against other processes, as long as it is open, and waits for who holds it.
    ///
    /// - Parameter seconds: How long to wait at most.
    /// - Returns: Whether it is locked.
    package mutating func lock(within seconds: Double) -> Bool {
        if lock() { return true }
        let end = MonotonicClock.now + seconds
        var pause: UInt32 = 100
        while MonotonicClock.now < end {
            usleep(pause)
            // Whoever holds it reads or removes many files: to ask every ten milliseconds is enough.
            pause = min(pause &* 2, 10_000)
            if lock() { return true }
        }
        return false
    }

    /// The next name, in no order, without "." and ".."; nil after the last one.
    package mutating func next() throws(File.Failure) -> String? {
        let stream = unsafe try open()
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { return name }
        }
        return nil
    }

    // MARK: - Files

    /// Opens a file; a new file is accessible to this user only.
    func open(_ name: String, _ flags: Int32) throws(File.Failure) -> File {
        try File(name, flags | O_NONBLOCK, mode: 0o600, in: file.descriptor)
    }

    /// The kind of a file, its size, and when it was written; nil if there is no file of that name.
    package func status(_ name: String) -> FileStatus? {
        FileStatus(name, in: file.descriptor, followsLinks: false)
    }

    /// Removes a file; false if that failed.
    package func remove(_ name: String) -> Bool {
        unsafe unlinkat(file.descriptor, name, 0) == 0
    }

    /// Renames a file, replacing an existing one.
    package func rename(_ name: String, to other: String) throws(File.Failure) {
        guard unsafe renameat(file.descriptor, name, file.descriptor, other) == 0 else {
            throw File.Failure(errno: errno)
        }
    }

    /// Replaces one of the program's own files, so that no reader ever sees a partial one.
    ///
    /// An existing file that is not this user's own is an error, and stays.
    ///
    /// - Parameters:
    ///   - name: Its name.
    ///   - bytes: Its new contents.
    ///   - isSynced: Whether its bytes and its name are on the disk before this returns.
    ///   - date: Its modification time; `nil` for the current time.
    /// - Throws: ``File/Failure``.
    package consuming func replace(
        own name: String,
        with bytes: [UInt8],
        isSynced: Bool = false,
        dated date: Timestamp? = nil
    ) throws(File.Failure) {
        if let status = status(name) { try OwnFile.check(status) }
        let listed = isSynced ? unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1
        defer { if listed >= 0 { close(listed) } }
        var file = try TemporaryFile(TemporaryFile.ownPrefix, in: self, isNamed: true)
        try file.file.write(bytes)
        if let date { file.file.setTimes(date) }
        try file.replace(name, isSynced: isSynced)
        // A folder that cannot be listed cannot be synced: its names are on the disk a little later then.
        guard listed >= 0, fsync(listed) != 0 else { return }
        throw File.Failure(errno: errno)
    }

    /// Opens a directory that this program makes for itself, with its parents, if it is missing.
    package static func making(own path: String) throws(File.Failure) -> Directory {
        do throws(File.Failure) {
            return try Directory(own: path)
        } catch {
            guard error.errno == ENOENT else { throw error }
            try make(path)
            return try Directory(own: path)
        }
    }

    /// Creates a directory and its parents, accessible to this user only.
    package static func make(_ path: String) throws(File.Failure) {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let reason = errno
        if reason == EEXIST { return }
        guard reason == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { throw File.Failure(errno: reason) }
        try make(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw File.Failure(errno: errno) }
    }
}
