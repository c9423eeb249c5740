import Glibc

/// A new file that has no name while it is written, readable by its owner only unless a mode says otherwise: nothing is
/// left of it, however its writer ends.
///
/// Where the file system has none such, it has a name from the start.
struct UnnamedFile: ~Copyable {
    let file: File
    private let directory: Directory
    private let prefix: String
    /// Its name, if it could not be without.
    private var name: String?

    /// Makes a file in a directory that is to have a name that begins as `prefix` and goes on at random.
    init(_ prefix: String, in directory: consuming Directory, mode: mode_t = 0o600) throws(File.Failure) {
        // The way to its name leads through /proc, which may not be there.
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
        // If even this fails, a later sweep removes it.
        if let name { _ = directory.remove(name) }
    }

    /// Gives it a name that nobody else has, and says which.
    mutating func takeName() throws(File.Failure) -> String {
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

    /// Gives it a name in place of what has that.
    mutating func replace(_ name: String) throws(File.Failure) {
        let taken = try takeName()
        do throws(File.Failure) {
            try directory.rename(taken, to: name)
        } catch {
            // If even this fails, a later sweep removes it.
            _ = directory.remove(taken)
            throw error
        }
    }

    /// O_TMPFILE, which Swift does not see: its own bit, the same on all architectures that Swift knows, and a directory's.
    private static let unnamed = 0o20_000_000 | O_DIRECTORY

    /// Where the system names what this process has open.
    private static let descriptors = "/proc/self/fd"
}
