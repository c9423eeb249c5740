import Glibc
// Which module declares `timespec` depends on what the compiler has loaded before.
import SwiftOverlayShims

/// The status of a file (`stat`), in bounded numbers that can be computed with.
///
/// A file system may report any size and any time, so they are only read through this type.
package struct FileStatus: Equatable, Sendable {
    /// The kind of file.
    package enum Kind: Equatable, Sendable {
        case regular
        case directory
        case link
        /// A named pipe.
        case pipe
        /// A device, a socket.
        case other
    }

    /// The identity of a file, independent of its name.
    package struct Identity: Hashable, Sendable {
        let device: UInt64
        let inode: UInt64
    }

    package let kind: Kind
    package let identity: Identity
    /// The user ID of its owner.
    let owner: UInt32
    /// The ID of its group.
    let group: UInt32
    /// The permissions: the lowest 12 bits of the mode.
    let permissions: UInt32
    /// The number of its names (hard links).
    let linkCount: Int
    /// Its size in bytes, 0 to 2^53.
    package let size: Int
    /// When it was last written, in whole seconds since 1970, in the years 0 to 9999.
    package let modified: Int
    /// The rest of that moment, 0 to 999,999,999.
    package let modifiedNanoseconds: Int

    /// Gets the status of an open file; throws the system's error.
    init(of descriptor: Int32) throws(File.Failure) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw File.Failure(errno: errno) }
        self.init(status)
    }

    /// Gets the status of a path, relative to an open directory or the working directory; nil if that fails.
    package init?(_ path: String, in directory: Int32 = AT_FDCWD, followsLinks: Bool) {
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
