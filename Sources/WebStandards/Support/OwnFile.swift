import Glibc

/// A file that this program keeps for itself (a cache entry, a count, a lock), open for reading.
///
/// Anything may have been put in its place, so links are not followed, opening does not wait, and only a
/// regular file of this user or of root is accepted.
package struct OwnFile: ~Copyable {
    package var file: File
    package let status: FileStatus

    /// Opens a file of a directory.
    package init(_ name: String, in directory: borrowing Directory) throws(File.Failure) {
        try self.init(name, in: directory, O_RDONLY)
    }

    /// Opens a file by its path; if the user named its folder, that may be a symbolic link.
    package init(_ path: String, isFolderNamed: Bool = false) throws(File.Failure) {
        let (folder, name) = Directory.split(path)
        try self.init(name, in: isFolderNamed ? Directory(folder) : Directory(own: folder))
    }

    /// Opens a file for reading and writing, or creates it, accessible to this user only.
    package init(updating name: String, in directory: borrowing Directory) throws(File.Failure) {
        try self.init(name, in: directory, O_RDWR | O_CREAT)
    }

    private init(_ name: String, in directory: borrowing Directory, _ flags: Int32) throws(File.Failure) {
        let file: File
        do throws(File.Failure) {
            file = try directory.open(name, flags | O_NOFOLLOW)
        } catch {
            throw error.errno == ELOOP ? .link : error.errno == ENXIO ? .notRegular : error
        }
        let status = try file.status()
        try Self.check(status)
        if flags & O_RDWR != 0 {
            // A file with a second name, or of another owner, must not be changed.
            guard status.linkCount <= 1 else { throw .severalNames }
            guard status.owner == geteuid() else { throw .foreignOwner }
        }
        self.file = file
        self.status = status
    }

    /// Returns the file without its status.
    package consuming func takingFile() -> File { file }

    /// Its size in bytes.
    package var size: Int { status.size }

    /// Whether it has only one name and belongs to this user, so that changing it affects no other file.
    package var isOwnedExclusively: Bool { status.linkCount == 1 && status.owner == geteuid() }

    /// Throws if it is not a regular file of this user or of root.
    package static func check(_ status: FileStatus) throws(File.Failure) {
        switch status.kind {
        case .regular: break
        case .link: throw .link
        case .directory: throw File.Failure(errno: EISDIR)
        case .pipe, .other: throw .notRegular
        }
        guard status.owner == geteuid() || status.owner == 0 else { throw .foreignOwner }
    }

    /// Whether it is a regular file of this user or of root.
    package static func isOwn(_ status: FileStatus) -> Bool {
        status.kind == .regular && (status.owner == geteuid() || status.owner == 0)
    }
}

extension File.Failure {
    fileprivate static let link = File.Failure(errno: ELOOP, "it is a symbolic link")
    fileprivate static let notRegular = File.Failure(errno: EINVAL, "it is not a regular file")
    fileprivate static let severalNames = File.Failure(errno: EMLINK, "it has several hard links")
    fileprivate static let foreignOwner = File.Failure(errno: EPERM, "it belongs to another user")
}
