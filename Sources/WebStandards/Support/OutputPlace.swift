import Glibc

/// The target of an output path that the user named: a file that is replaced as a whole, or a stream that is
/// written to directly.
///
/// A symbolic link that this user or root owns is followed, and its target is replaced in the target's
/// folder; a dangling link, and another user's link, is an error, so that no file is created in an unexpected
/// place.
package struct OutputPlace: ~Copyable {
    private let directory: Directory
    private let name: String
    private let kind: Kind

    private enum Kind {
        case new
        case old(FileStatus)
        /// A device, a pipe.
        case stream(isPipe: Bool)
        /// A descriptor that this process has open already.
        case descriptor(Int32)
    }

    /// The maximum number of links that are followed, as in the system.
    private static let maximumLinks = 40

    /// The prefix of temporary files' names, where unnamed files are not supported.
    package static let temporaryPrefix = ".webloader-new-"

    package init(_ path: String) throws(File.Failure) {
        // A path with a NUL would be cut off there.
        guard !path.utf8.contains(0) else { throw File.Failure(errno: EINVAL) }
        var (folder, name) = Directory.split(path)
        var directory = try Directory(folder)
        for hops in 0...Self.maximumLinks {
            guard let status = directory.status(name) else {
                guard hops == 0 else {
                    throw File.Failure(errno: ENOENT, "it is a dangling symbolic link")
                }
                self.init(directory, name, .new)
                return
            }
            switch status.kind {
            case .regular:
                self.init(directory, name, .old(status))
                return
            case .directory: throw File.Failure(errno: EISDIR)
            case .link: break
            case .pipe, .other:
                self.init(directory, name, .stream(isPipe: status.kind == .pipe))
                return
            }
            if directory.isInProc {
                self.init(directory, name, Self.opened(name, in: directory))
                return
            }
            guard status.owner == geteuid() || status.owner == 0 else {
                throw File.Failure(errno: EPERM, "it is another user's symbolic link")
            }
            (folder, name) = Directory.split(try directory.target(of: name))
            directory = try Directory(folder, in: directory)
        }
        throw File.Failure(errno: ELOOP)
    }

    private init(_ directory: consuming Directory, _ name: String, _ kind: Kind) {
        self.directory = directory
        self.name = name
        self.kind = kind
    }

    /// The kind of target of a link in `/proc`, of this process or another.
    private static func opened(_ name: String, in directory: borrowing Directory) -> Kind {
        // A descriptor without a status is not open in this process.
        if let descriptor = Int32(name),
            let there = FileStatus(name, in: directory.descriptor, followsLinks: true),
            let here = try? FileStatus(of: descriptor), there.identity == here.identity
        {
            return .descriptor(descriptor)
        }
        return .stream(isPipe: false)
    }

    /// Writes all bytes, or leaves the old file unchanged.
    ///
    /// `mode` are the permissions of a new file, before the umask is applied; an existing file keeps its own.
    /// `limit` is how long to wait for the reader of a pipe. `shown` makes the bytes safe for a terminal.
    package consuming func write(
        _ bytes: [UInt8],
        mode: UInt32,
        within limit: WaitLimit,
        shown: ([UInt8]) -> [UInt8]
    ) throws(File.Failure) {
        switch kind {
        case .descriptor(let descriptor):
            let copy = dup(descriptor)
            guard copy >= 0 else { throw File.Failure(errno: errno) }
            let bytes = isatty(copy) == 1 ? shown(bytes) : bytes
            try File(descriptor: copy).write(bytes, within: limit)
        case .stream(let isPipe):
            let file = try stream(isPipe, limit)
            try file.write(isatty(file.descriptor) == 1 ? shown(bytes) : bytes, within: limit)
        case .new:
            let name = name
            var file = try TemporaryFile(Self.temporaryPrefix, in: directory, mode: mode)
            try file.file.write(bytes)
            try file.replace(name)
        case .old(let status):
            try checkMayReplace(status)
            let name = name
            var file = try TemporaryFile(Self.temporaryPrefix, in: directory)
            try file.file.write(bytes)
            try file.file.take(status)
            try file.replace(name, isSynced: true)
        }
    }

    /// Begins a file that takes the place once it is complete; until then the old one stays.
    ///
    /// - Parameter mode: The permissions of a new file, before the umask is applied; an existing file keeps its own.
    /// - Returns: The file, still empty.
    /// - Throws: ``File/Failure``, also if the place is no regular file's (ESPIPE).
    package consuming func replacing(mode: UInt32) throws(File.Failure) -> Replacement {
        switch kind {
        case .descriptor, .stream:
            throw File.Failure(errno: ESPIPE, "it is not a regular file")
        case .new:
            let name = name
            return Replacement(
                try TemporaryFile(Self.temporaryPrefix, in: directory, mode: mode),
                name: name,
                old: nil
            )
        case .old(let status):
            try checkMayReplace(status)
            let name = name
            return Replacement(
                try TemporaryFile(Self.temporaryPrefix, in: directory),
                name: name,
                old: status
            )
        }
    }

    /// A file that takes another one's place once it is complete; nothing is left of one that does not.
    package struct Replacement: ~Copyable {
        private var temporary: TemporaryFile
        private let name: String
        private let old: FileStatus?

        fileprivate init(_ temporary: consuming TemporaryFile, name: String, old: FileStatus?) {
            self.temporary = temporary
            self.name = name
            self.old = old
        }

        /// The descriptor to write to.
        package var descriptor: Int32 { temporary.file.descriptor }

        /// Adds bytes at the end.
        package func write(_ bytes: [UInt8]) throws(File.Failure) {
            try temporary.file.write(bytes)
        }

        /// Puts the file into its place, once its bytes are on the disk.
        package consuming func finish() throws(File.Failure) {
            if let old { try temporary.file.take(old) }
            try temporary.replace(name, isSynced: true)
        }
    }

    /// Opens a device or a pipe, waiting until a pipe has a reader.
    private func stream(_ isPipe: Bool, _ limit: WaitLimit) throws(File.Failure) -> File {
        while true {
            do throws(File.Failure) {
                return try directory.open(name, O_WRONLY)
            } catch {
                guard isPipe, error.errno == ENXIO else { throw error }
                try limit.pause()
            }
        }
    }

    /// Throws if the file is in use (``FilesInUse``) or not writable, or if its owner would change by replacing it.
    private func checkMayReplace(_ status: FileStatus) throws(File.Failure) {
        try FilesInUse.check(status.identity)
        guard unsafe faccessat(directory.descriptor, name, W_OK, AT_EACCESS) == 0 else {
            throw File.Failure(errno: errno)
        }
        guard status.owner == geteuid() || geteuid() == 0 else {
            throw File.Failure(errno: EPERM, "it belongs to another user")
        }
    }
}

extension File {
    /// Copies the permissions, owner and group of the file that it replaces.
    fileprivate func take(_ status: FileStatus) throws(Failure) {
        if status.owner != geteuid() || status.group != getegid() {
            // This user may not be in the file's group; then the new file keeps the user's group.
            guard fchown(descriptor, status.owner, status.group) == 0 || status.owner == geteuid() else {
                throw Failure(errno: Glibc.errno)
            }
        }
        guard fchmod(descriptor, status.permissions & 0o777) == 0 else { throw Failure(errno: Glibc.errno) }
    }
}

extension Directory {
    /// Whether it is in `/proc`, where links lead to open files, whatever their text.
    fileprivate var isInProc: Bool {
        // Without /proc, it is not in /proc.
        guard let here = try? FileStatus(of: descriptor),
            let process = FileStatus("/proc/self", followsLinks: true)
        else { return false }
        return here.identity.device == process.identity.device
    }

    /// The target path of a link.
    fileprivate func target(of name: String) throws(File.Failure) -> String {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe text.withUnsafeMutableBytes { buffer in
            guard let start = buffer.baseAddress else { return 0 }
            return unsafe readlinkat(descriptor, name, start, buffer.count)
        }
        guard count >= 0 else { throw File.Failure(errno: errno) }
        guard count < text.count, let path = String(validating: text[..<count], as: UTF8.self) else {
            throw File.Failure(errno: ENAMETOOLONG)
        }
        return path
    }
}
