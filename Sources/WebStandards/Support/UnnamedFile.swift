import Glibc

/// A new file without a name while it is written, readable by its owner only unless a mode says otherwise: if
/// the writer ends early, nothing is left behind.
///
/// If the file system does not support that, it has a temporary name from the start.
package struct UnnamedFile: ~Copyable {
    package let file: File
    private let directory: Directory
    private let prefix: String
    /// Its temporary name, if it could not be unnamed.
    private var name: String?

    /// Creates a file in a directory; its later name is `prefix` and random digits.
    package init(
        _ prefix: String,
        in directory: consuming Directory,
        mode: UInt32 = 0o600
    ) throws(File.Failure) {
        // Naming it later needs /proc, which may not be mounted.
        let descriptor =
            unsafe access(Self.descriptors, X_OK) == 0
            ? unsafe openat(directory.descriptor, ".", Self.unnamed | O_RDWR | O_CLOEXEC, mode) : -1
        if descriptor >= 0 {
            file = File(descriptor: descriptor)
            name = nil
        } else {
            let named = try TemporaryFile(prefix, in: directory, mode: mode)
            name = named.name
            file = named.file
        }
        self.prefix = prefix
        self.directory = directory
    }

    deinit {
        // If this fails too, a later sweep removes it.
        if let name { _ = directory.remove(name) }
    }

    /// Gives it a unique name, and returns that.
    package mutating func takeName() throws(File.Failure) -> String {
        if let name = name.take() { return name }
        while true {
            let name = TemporaryFile.newName(prefix)
            let source = "\(Self.descriptors)/\(file.descriptor)"
            if unsafe linkat(AT_FDCWD, source, directory.descriptor, name, AT_SYMLINK_FOLLOW) == 0 {
                return name
            }
            guard errno == EEXIST else { throw File.Failure(errno: errno) }
        }
    }

    /// Gives it a name, replacing an existing file.
    mutating func replace(_ name: String) throws(File.Failure) {
        let taken = try takeName()
        do throws(File.Failure) {
            try directory.rename(taken, to: name)
        } catch {
            // If this fails too, a later sweep removes it.
            _ = directory.remove(taken)
            throw error
        }
    }

    /// O_TMPFILE, which Swift does not import: its own bit, the same on all architectures of Swift, and
    /// O_DIRECTORY.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// The directory of links to the open files of this process.
    private static let descriptors = "/proc/self/fd"
}
