import Glibc
// Which module `timespec` is of depends on what the compiler has loaded before.
import SwiftOverlayShims

/// What the system says of a file, in numbers that can be computed with.
///
/// A file system may give any size and any time: they are read through this only.
struct FileStatus: Equatable, Sendable {
    /// What kind of file it is.
    enum Kind: Equatable, Sendable {
        case regular
        case directory
        case link
        /// A pipe with a name.
        case pipe
        /// A device, a socket.
        case other
    }

    /// Which file it is, whatever its name.
    struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    let kind: Kind
    let identity: Identity
    /// The number of its owner.
    let owner: UInt32
    /// The number of its group.
    let group: UInt32
    /// Who may do what: the lowest 12 bits of the mode.
    let permissions: UInt32
    /// How many names it has.
    let linkCount: Int
    /// How many bytes it has, 0 to 2^53.
    let size: Int
    /// When it was written last, in whole seconds since 1970, of the years 0 to 9999.
    let modified: Int
    /// The rest of that moment, 0 to 999,999,999.
    let modifiedNanoseconds: Int

    /// Looks at what is open; throws what the system says where it cannot be looked at.
    init(of descriptor: Int32) throws(File.Failure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw File.Failure(errno: errno) }
        self.init(status)
    }

    /// Looks at what a path stands for, from an open directory or the working one; nil where it stands for nothing.
    init?(_ path: String, in directory: Int32 = AT_FDCWD, followsLinks: Bool) {
        var status = stat()
        let flags = followsLinks ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(directory, path, &status, flags) == 0 else { return nil }
        self.init(status)
    }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            case S_IFIFO: .pipe
            default: .other
            }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        owner = status.st_uid
        group = status.st_gid
        permissions = status.st_mode & 0o7777
        linkCount = Int(bounded: status.st_nlink)
        size = max(0, Int(bounded: status.st_size))
        modified = Timestamp.bounded(seconds: status.st_mtim.tv_sec)
        modifiedNanoseconds = min(max(0, status.st_mtim.tv_nsec), 999_999_999)
    }
}
