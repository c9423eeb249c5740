import Glibc

/// A file descriptor that is closed when its owner is destroyed.
package struct File: ~Copyable {
    package let descriptor: Int32
    private var isLocked = false

    /// Why an operation failed: the system's error, or a reason of this program.
    package struct Failure: Error, Equatable {
        package let errno: Int32
        private let reason: String?

        package init(errno: Int32, _ reason: String? = nil) {
            self.errno = errno
            self.reason = reason
        }

        /// In words, as in "No such file or directory".
        package var text: String {
            if let reason { return reason }
            return unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
        }
    }

    /// Takes over an open descriptor.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Opens a path that the user named for reading: a file, a device, a pipe.
    ///
    /// It does not wait: a named pipe is opened before it has a writer. The reads have a time limit.
    package init(reading path: String) throws(Failure) {
        try self.init(path, O_RDONLY | O_NONBLOCK)
    }

    /// Opens a lock file of the program's own, created if missing, and waits until it gets the lock.
    ///
    /// The lock is released with the file. Its folder may be a symbolic link; the file may not.
    ///
    /// - Throws: ETIMEDOUT or ECANCELED if another process holds the lock too long.
    package static func locked(_ path: String, within limit: WaitLimit) throws(Failure) -> File {
        let (folder, name) = Directory.split(path)
        var own = try OwnFile(updating: name, in: Directory(folder))
        while !(try own.file.lock()) { try limit.pause() }
        return own.takingFile()
    }

    /// Opens a file by a path, relative to a directory unless it is absolute.
    init(_ path: String, _ flags: Int32, mode: mode_t = 0, in directory: Int32 = AT_FDCWD) throws(Failure) {
        // A path with a NUL would be cut off there.
        var path = path
        guard !path.withUTF8({ unsafe $0.contains(0) }) else { throw Failure(errno: EINVAL) }
        // A terminal must not become this process's controlling terminal.
        let flags = flags | O_CLOEXEC | O_NOCTTY
        var descriptor: Int32
        repeat {
            descriptor = unsafe openat(directory, path, flags, mode)
        } while descriptor < 0 && Glibc.errno == EINTR
        guard descriptor >= 0 else { throw Failure(errno: Glibc.errno) }
        self.descriptor = descriptor
    }

    deinit {
        // A process that is being started has a copy of the descriptor until it runs its program, and the lock with it.
        if isLocked { flock(descriptor, LOCK_UN) }
        close(descriptor)
    }

    /// Acquires the lock of the file, which is released with this value.
    ///
    /// - Returns: Whether the lock was acquired: false if another open file holds it.
    package mutating func lock() throws(Failure) -> Bool {
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            guard Glibc.errno != EWOULDBLOCK else { return false }
            guard Glibc.errno == EINTR else { throw Failure(errno: Glibc.errno) }
        }
        isLocked = true
        return true
    }

    /// The kind of the file, its size, and when it was written.
    package func status() throws(Failure) -> FileStatus {
        try FileStatus(of: descriptor)
    }

    /// Reads until `count` bytes are there or the file ends, from the current position or a given one.
    ///
    /// With `minimum`, as many bytes are enough, and up to `count` are read if they are there.
    ///
    /// The result begins with the bytes of `prefix`, which count.
    ///
    /// `limit` is how long to wait for a pipe or the like, nil for a regular file; a failed wait throws
    /// ETIMEDOUT or ECANCELED.
    package func read(
        _ count: Int,
        atLeast minimum: Int? = nil,
        at position: Int? = nil,
        after prefix: ArraySlice<UInt8> = [],
        within limit: WaitLimit? = nil
    ) throws(Failure) -> [UInt8] {
        // All threads share the empty array, and its count would be written to.
        guard count > 0 else { return [] }
        var failure: Failure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe buffer.update(fromContentsOf: prefix.prefix(count))
            while filled < minimum ?? count {
                failure = limit.flatMap { wait($0, POLLIN) }
                if failure != nil { return }
                let rest = unsafe buffer.baseAddress?.advanced(by: filled)
                let got =
                    if let position {
                        unsafe pread(descriptor, rest, count - filled, position + filled)
                    } else {
                        unsafe Glibc.read(descriptor, rest, count - filled)
                    }
                if got < 0 {
                    // Another reader has taken the data that was ready.
                    if Glibc.errno == EINTR || Glibc.errno == EAGAIN && limit != nil { continue }
                    failure = Failure(errno: Glibc.errno)
                    return
                }
                if got == 0 { return }
                filled += got
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Reads into memory what is there: at least a byte unless the file ends, for which it returns 0.
    ///
    /// It reads from the current position or a given one; `limit` is as for the other read.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer,
        at position: Int? = nil,
        within limit: WaitLimit? = nil
    ) throws(Failure) -> Int {
        guard unsafe !buffer.isEmpty else { return 0 }
        while true {
            if let limit { try limit.wait(for: descriptor, POLLIN) }
            let got =
                if let position {
                    unsafe pread(descriptor, buffer.baseAddress, buffer.count, position)
                } else {
                    unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
                }
            if got >= 0 { return got }
            guard Glibc.errno == EINTR || Glibc.errno == EAGAIN && limit != nil else {
                throw Failure(errno: Glibc.errno)
            }
        }
    }

    /// Writes all bytes, from the current position or a given one.
    ///
    /// `limit` is how long to wait for a pipe or the like, nil for a regular file; a failed wait throws
    /// ETIMEDOUT or ECANCELED.
    package func write(
        _ bytes: [UInt8],
        at position: Int? = nil,
        within limit: WaitLimit? = nil
    ) throws(Failure) {
        var failure: Failure?
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                failure = limit.flatMap { wait($0, POLLOUT) }
                if failure != nil { return }
                let rest = unsafe buffer.baseAddress?.advanced(by: written)
                let count =
                    if let position {
                        unsafe pwrite(descriptor, rest, buffer.count - written, position + written)
                    } else {
                        unsafe Glibc.write(descriptor, rest, buffer.count - written)
                    }
                if count <= 0 {
                    if count < 0, Glibc.errno == EINTR || Glibc.errno == EAGAIN && limit != nil { continue }
                    failure = Failure(errno: count < 0 ? Glibc.errno : EIO)
                    return
                }
                written += count
            }
        }
        if let failure { throw failure }
    }

    /// Waits until the file is ready; returns the failure if it is not.
    private func wait(_ limit: WaitLimit, _ events: Int32) -> Failure? {
        do throws(Failure) {
            try limit.wait(for: descriptor, events)
            return nil
        } catch {
            return error
        }
    }
}
