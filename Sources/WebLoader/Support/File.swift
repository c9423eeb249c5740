import Glibc

/// A file descriptor that is closed when its owner goes.
struct File: ~Copyable {
    let descriptor: Int32

    /// What the system said when something failed.
    struct Failure: Error, Equatable {
        let errno: Int32

        /// In words, as in "No such file or directory".
        var text: String {
            unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error \(errno)"
        }
    }

    /// Takes over an open descriptor.
    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Opens a file for reading.
    ///
    /// A named pipe waits for whoever writes to it, as for any command.
    init(reading path: String) throws(Failure) {
        try self.init(path, O_RDONLY | O_CLOEXEC)
    }

    /// Opens a file for reading and writing; makes it, its owner's alone, where it is not there.
    init(updating path: String) throws(Failure) {
        try self.init(path, O_RDWR | O_CREAT | O_CLOEXEC)
    }

    /// Opens what is there for writing: a device, a pipe.
    init(writing path: String) throws(Failure) {
        try self.init(path, O_WRONLY | O_CLOEXEC)
    }

    /// Opens a file, made if it is not there, and waits until nobody else has it locked.
    ///
    /// The lock goes with the file.
    static func locked(_ path: String) throws(Failure) -> File {
        let file = try File(updating: path)
        var code: Int32
        repeat { code = flock(file.descriptor, LOCK_EX) } while code != 0 && Glibc.errno == EINTR
        guard code == 0 else { throw Failure(errno: Glibc.errno) }
        return file
    }

    private init(_ path: String, _ flags: Int32) throws(Failure) {
        // A path with a NUL in it would be cut there.
        guard !path.utf8.contains(0) else { throw Failure(errno: EINVAL) }
        var descriptor: Int32
        repeat { descriptor = unsafe open(path, flags, 0o600) } while descriptor < 0 && Glibc.errno == EINTR
        guard descriptor >= 0 else { throw Failure(errno: Glibc.errno) }
        self.descriptor = descriptor
    }

    deinit {
        close(descriptor)
    }

    /// What kind of file it is, and how many bytes it has.
    func status() throws(Failure) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw Failure(errno: Glibc.errno) }
        return status
    }

    /// Reads until `count` bytes are there or the file ends, on from where it was read last, or at a position.
    ///
    /// What is returned begins with the bytes of `prefix`, which count.
    func read(
        _ count: Int,
        at position: Int? = nil,
        after prefix: ArraySlice<UInt8> = []
    ) throws(Failure) -> [UInt8] {
        var failure: Failure?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = unsafe buffer.update(fromContentsOf: prefix.prefix(count))
            while filled < count {
                let rest = unsafe buffer.baseAddress?.advanced(by: filled)
                let got =
                    if let position {
                        unsafe pread(descriptor, rest, count - filled, position + filled)
                    } else {
                        unsafe Glibc.read(descriptor, rest, count - filled)
                    }
                if got < 0 {
                    if Glibc.errno == EINTR { continue }
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

    /// Writes all of it, on from where it was written last, or at a position.
    func write(_ bytes: [UInt8], at position: Int? = nil) throws(Failure) {
        var failure: Failure?
        unsafe bytes.withUnsafeBytes { buffer in
            var written = 0
            while written < buffer.count {
                let rest = unsafe buffer.baseAddress?.advanced(by: written)
                let count =
                    if let position {
                        unsafe pwrite(descriptor, rest, buffer.count - written, position + written)
                    } else {
                        unsafe Glibc.write(descriptor, rest, buffer.count - written)
                    }
                if count < 0 {
                    if Glibc.errno == EINTR { continue }
                    failure = Failure(errno: Glibc.errno)
                    return
                }
                written += count
            }
        }
        if let failure { throw failure }
    }
}

/// A new file under a name that nobody else has, readable by its owner only.
struct TemporaryFile: ~Copyable {
    let file: File
    let path: String

    /// Makes a file whose name begins as `prefix` and goes on at random.
    init(_ prefix: String) throws(File.Failure) {
        var template = Array(prefix.utf8CString.dropLast()) + Array("XXXXXX".utf8CString)
        let descriptor = unsafe mkstemp(&template)
        guard descriptor >= 0 else { throw File.Failure(errno: errno) }
        file = File(descriptor: descriptor)
        path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
}
