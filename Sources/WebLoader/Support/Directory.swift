import Glibc

/// An open directory: the names in it, and its files by their names.
@safe struct Directory: ~Copyable {
    private let stream: OpaquePointer

    /// Opens a directory.
    init(_ path: String) throws(File.Failure) {
        guard !path.utf8.contains(0) else { throw File.Failure(errno: EINVAL) }
        guard let stream = unsafe opendir(path) else { throw File.Failure(errno: errno) }
        unsafe self.stream = stream
    }

    deinit {
        unsafe closedir(stream)
    }

    /// Keeps others from locking it, in whatever process, for as long as it is open.
    ///
    /// Where somebody else does that for too long, it goes on without.
    func lock() {
        for _ in 0..<1000 {
            if unsafe flock(dirfd(stream), LOCK_EX | LOCK_NB) == 0 { return }
            sched_yield()
        }
    }

    /// The next name, in no order, without "." and ".."; nil after the last one.
    mutating func next() -> String? {
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { name in
                unsafe name.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
            }
            if name != ".", name != ".." { return name }
        }
        return nil
    }

    /// What kind of file a name stands for, and how many bytes it has; nil where it stands for none any more.
    func status(_ name: String) -> stat? {
        var status = stat()
        let code = unsafe fstatat(dirfd(stream), name, &status, AT_SYMLINK_NOFOLLOW)
        return code == 0 ? status : nil
    }

    /// Removes a file; false where it could not be.
    func remove(_ name: String) -> Bool {
        unsafe unlinkat(dirfd(stream), name, 0) == 0
    }
}
