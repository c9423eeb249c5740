import Glibc

/// An open directory: the names in it, and its files by their names, wherever its own name leads meanwhile.
@safe struct Directory: ~Copyable {
    /// Good for reaching what is in it, and nothing else.
    private let file: File
    /// For its names and its lock, opened when one of them is asked for.
    private var stream: OpaquePointer?

    /// Opens a directory that the user named; links on the way to it are followed.
    init(_ path: String) throws(File.Failure) {
        try self.init(path, 0)
    }

    /// Opens a directory by a path that starts from another one.
    init(_ path: String, in directory: borrowing Directory) throws(File.Failure) {
        file = try File(path, Self.reaching | O_DIRECTORY, in: directory.descriptor)
    }

    /// Opens a directory that this program made for itself: a link in its place is not one (ENOTDIR).
    init(own path: String) throws(File.Failure) {
        try self.init(path, O_NOFOLLOW)
    }

    private init(_ path: String, _ flags: Int32) throws(File.Failure) {
        file = try File(path, Self.reaching | O_DIRECTORY | flags)
    }

    deinit {
        if let stream = unsafe stream { unsafe closedir(stream) }
    }

    /// O_PATH, the same on all architectures that Swift knows: who may search a directory but not list it may do that.
    private static let reaching: Int32 = 0o10_000_000

    /// A path's directory and its last name.
    static func split(_ path: String) -> (folder: String, name: String) {
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
    var descriptor: Int32 { file.descriptor }

    // MARK: - Names

    /// Opens the directory for what more than reaching its files needs.
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

    /// Keeps others from locking it, in whatever process, for as long as it is open.
    ///
    /// Where somebody else does that for too long, or it cannot be locked, it goes on without.
    ///
    /// - Returns: Whether it is locked.
    @discardableResult
    mutating func lock() -> Bool {
        guard let stream = unsafe try? open() else { return false }
        for _ in 0..<1000 {
            if unsafe flock(dirfd(stream), LOCK_EX | LOCK_NB) == 0 { return true }
            sched_yield()
        }
        return false
    }

    /// The next name, in no order, without "." and ".."; nil after the last one.
    mutating func next() throws(File.Failure) -> String? {
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

    /// Opens a file; what is made is this user's alone, less the umask, unless a mode says otherwise.
    func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws(File.Failure) -> File {
        try File(name, flags | O_NONBLOCK, mode: mode, in: file.descriptor)
    }

    /// What kind of file a name stands for, how many bytes it has, and when it was written; nil where it stands for none
    /// any more.
    func status(_ name: String) -> FileStatus? {
        FileStatus(name, in: file.descriptor, followsLinks: false)
    }

    /// Removes a file; false where it could not be.
    func remove(_ name: String) -> Bool {
        unsafe unlinkat(file.descriptor, name, 0) == 0
    }

    /// Gives a file another name, in place of what has that.
    func rename(_ name: String, to other: String) throws(File.Failure) {
        guard unsafe renameat(file.descriptor, name, file.descriptor, other) == 0 else {
            throw File.Failure(errno: errno)
        }
    }

    /// Puts bytes in the place of one of the program's own files, so that no reader ever sees half of them.
    ///
    /// What is there and is no file of this user's stays, and is an error. `prefix` is what the name begins with under which
    /// the bytes are written.
    func replace(own name: String, with bytes: [UInt8], prefix: String) throws(File.Failure) {
        if let status = status(name) { try OwnFile.check(status) }
        let temporary = try TemporaryFile(prefix, in: self)
        do throws(File.Failure) {
            try temporary.file.write(bytes)
            try rename(temporary.name, to: name)
        } catch {
            // If even this fails, a later sweep removes it.
            _ = remove(temporary.name)
            throw error
        }
    }

    /// Makes a directory and those above it, for this user alone.
    static func make(_ path: String) throws(File.Failure) {
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
