import Glibc
// Which of the two owns `timespec` depends on what the compiler has loaded before.
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
        /// A pipe, a device, a socket.
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

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .directory
            case S_IFLNK: .link
            default: .other
            }
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        owner = status.st_uid
        permissions = status.st_mode & 0o7777
        linkCount = Int(bounded: status.st_nlink)
        size = max(0, Int(bounded: status.st_size))
        modified = Timestamp.bounded(seconds: status.st_mtim.tv_sec)
        modifiedNanoseconds = min(max(0, status.st_mtim.tv_nsec), 999_999_999)
    }
}
