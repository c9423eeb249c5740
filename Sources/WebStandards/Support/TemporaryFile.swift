import Glibc

/// A new file that takes its name, or another file's place, once it is written, so that no reader ever sees a
/// part of it; readable by its owner only unless a mode says otherwise.
///
/// A file that takes neither is removed with its owner.
package struct TemporaryFile: ~Copyable {
    package let file: File
    private let directory: Directory
    private let prefix: String
    /// Its temporary name; nil if it has none, or has kept it.
    private var name: String?

    /// Creates a file in a directory; its temporary name is `prefix` and random digits.
    ///
    /// It has no name while it is written, so that nothing is left behind if the program ends early; it has that
    /// one from the start if `isNamed`, which takes half the time, or if the file system does not support files
    /// without one.
    package init(
        _ prefix: String,
        in directory: consuming Directory,
        mode: UInt32 = 0o600,
        isNamed: Bool = false
    ) throws(File.Failure) {
        // Naming it later needs /proc, which may not be mounted.
        var descriptor =
            unsafe !isNamed && access(Self.descriptors, X_OK) == 0
            ? unsafe openat(directory.descriptor, ".", Self.unnamed | O_RDWR | O_CLOEXEC, mode) : -1
        var name: String?
        while descriptor < 0 {
            let new = Self.newName(prefix)
            let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            descriptor = unsafe openat(directory.descriptor, new, flags, mode)
            guard descriptor >= 0 || errno == EEXIST || errno == EINTR else {
                throw File.Failure(errno: errno)
            }
            name = new
        }
        file = File(descriptor: descriptor)
        self.name = name
        self.prefix = prefix
        self.directory = directory
    }

    deinit {
        // If this fails too, a later sweep removes it.
        if let name { _ = directory.remove(name) }
    }

    /// Makes it keep its temporary name, and returns that.
    package mutating func takeName() throws(File.Failure) -> String {
        let kept = try temporaryName()
        name = nil
        return kept
    }

    /// Gives it a name, replacing an existing file.
    ///
    /// If `isSynced`, its bytes are on the disk first: a power failure cannot lose both them and the old file's.
    mutating func replace(_ other: String, isSynced: Bool = false) throws(File.Failure) {
        if isSynced, fsync(file.descriptor) != 0 { throw File.Failure(errno: errno) }
        let own = try temporaryName()
        try directory.rename(own, to: other)
        name = nil
    }

    /// Its temporary name, which it is given if it has none.
    private mutating func temporaryName() throws(File.Failure) -> String {
        if let name { return name }
        while true {
            let new = Self.newName(prefix)
            let source = "\(Self.descriptors)/\(file.descriptor)"
            if unsafe linkat(AT_FDCWD, source, directory.descriptor, new, AT_SYMLINK_FOLLOW) == 0 {
                name = new
                return new
            }
            guard errno == EEXIST else { throw File.Failure(errno: errno) }
        }
    }

    // MARK: - Names

    /// The prefix of temporary files that replace one of this program's own files.
    package static let ownPrefix = ".new-"

    /// Whether a name has the form of such a name.
    package static func isName(_ name: String, prefix: String) -> Bool {
        guard name.hasPrefix(prefix) else { return false }
        let digits = name.utf8.dropFirst(prefix.utf8.count)
        return digits.count == digitCount && digits.allSatisfy(\.isLowerHexDigit)
    }

    /// A name of `prefix` and 64 random bits in hexadecimal.
    private static func newName(_ prefix: String) -> String {
        prefix + UInt64.random(in: 0 ... .max).hexadecimal(digits: digitCount)
    }

    private static let digitCount = 16

    /// O_TMPFILE, which Swift does not import: its own bit, the same on all architectures of Swift, and
    /// O_DIRECTORY.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// The directory of links to the open files of this process.
    private static let descriptors = "/proc/self/fd"
}
