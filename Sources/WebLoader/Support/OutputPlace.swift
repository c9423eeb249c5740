import Glibc

/// Where a path that the user named for output leads: a file that is replaced as a whole, or what is written to as it is.
///
/// A link of this user's or root's is followed to the file that it leads to, which is replaced in its own folder; one that
/// leads nowhere, and one of somebody else's, is an error, so that nothing is made where nobody said.
struct OutputPlace: ~Copyable {
    private let directory: Directory
    private let name: String
    private let kind: Kind

    private enum Kind {
        case new
        case old(FileStatus)
        /// A device, a pipe.
        case stream(isPipe: Bool)
        /// What this process has open already.
        case descriptor(Int32)
    }

    /// Links that are followed, as by the system.
    private static let maximumLinks = 40

    /// What names begin with under which files are written where there is no way without a name.
    static let temporaryPrefix = ".webloader-new-"

    init(_ path: String) throws(File.Failure) {
        // A path with a NUL in it would be cut there.
        guard !path.utf8.contains(0) else { throw File.Failure(errno: EINVAL) }
        var (folder, name) = Directory.split(path)
        var directory = try Directory(folder)
        for hops in 0...Self.maximumLinks {
            guard let status = directory.status(name) else {
                guard hops == 0 else {
                    throw File.Failure(errno: ENOENT, "it is a link that leads to nothing")
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
            if directory.isOfProcesses {
                self.init(directory, name, Self.opened(name, in: directory))
                return
            }
            guard status.owner == geteuid() || status.owner == 0 else {
                throw File.Failure(errno: EPERM, "it is another user's link")
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

    /// What a link in `/proc` stands for, of this process or another.
    private static func opened(_ name: String, in directory: borrowing Directory) -> Kind {
        // What cannot be looked at is not open here.
        if let descriptor = Int32(name),
            let there = FileStatus(name, in: directory.descriptor, followsLinks: true),
            let here = try? FileStatus(of: descriptor), there.identity == here.identity
        {
            return .descriptor(descriptor)
        }
        return .stream(isPipe: false)
    }

    /// Writes all of it, or leaves what was there.
    ///
    /// `mode` are the permissions of a new file, less the umask; one that was there keeps its own. `limit` is how long to
    /// wait for whoever reads from a pipe. `shown` makes the bytes fit for a terminal.
    consuming func write(
        _ bytes: [UInt8],
        mode: mode_t,
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
            var file = try UnnamedFile(Self.temporaryPrefix, in: directory, mode: mode)
            try file.file.write(bytes)
            try file.replace(name)
        case .old(let status):
            try checkMayReplace(status)
            let name = name
            var file = try UnnamedFile(Self.temporaryPrefix, in: directory)
            try file.file.write(bytes)
            try file.file.take(status)
            // Lest a power failure leave the new name without the bytes, and the old ones gone.
            guard fsync(file.file.descriptor) == 0 else { throw File.Failure(errno: errno) }
            try file.replace(name)
        }
    }

    /// Opens what is no file, as soon as it has a reader.
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

    /// A file that may not be written is not to be replaced either, nor one that would have another owner then.
    private func checkMayReplace(_ status: FileStatus) throws(File.Failure) {
        guard unsafe faccessat(directory.descriptor, name, W_OK, AT_EACCESS) == 0 else {
            throw File.Failure(errno: errno)
        }
        guard status.owner == geteuid() || geteuid() == 0 else {
            throw File.Failure(errno: EPERM, "it belongs to another user")
        }
    }
}

extension File {
    /// Takes over the permissions and the owners of a file in whose place it comes.
    fileprivate func take(_ status: FileStatus) throws(Failure) {
        if status.owner != geteuid() || status.group != getegid() {
            // Its group may be one that this user is not in; then it has this user's.
            guard fchown(descriptor, status.owner, status.group) == 0 || status.owner == geteuid() else {
                throw Failure(errno: Glibc.errno)
            }
        }
        guard fchmod(descriptor, status.permissions & 0o777) == 0 else { throw Failure(errno: Glibc.errno) }
    }
}

extension Directory {
    /// Whether it is one of `/proc`, where links lead to what is open, whatever they say.
    fileprivate var isOfProcesses: Bool {
        // Without /proc it is none of it.
        guard let here = try? FileStatus(of: descriptor),
            let process = FileStatus("/proc/self", followsLinks: true)
        else { return false }
        return here.identity.device == process.identity.device
    }

    /// What a link says.
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
